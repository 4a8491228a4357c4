"""The softmax of attention against the one that is written down in a line."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.nn import softmax
from core.nn.fast.functional import masked_softmax
from core.nn.fast.short_rows import rows_are_short


def slow_softmax(scores: Tensor, allowed: Tensor) -> Tensor:
    exps = (scores - scores.amax(-1, keepdim=True)).exp() * allowed
    sums = exps.sum(-1, keepdim=True)
    return exps / torch.where(sums == 0, 1.0, sums)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    batch, heads, queries = draw(st.sampled_from([1, 3, 40])), draw(st.integers(1, 4)), 3
    keys = draw(st.integers(1, 40))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 1000)))
    scores = torch.randn(batch, heads, queries, keys, generator=generator, dtype=torch.float64)
    shape = draw(st.sampled_from([(batch, 1, 1, keys), (1, 1, queries, keys)]))
    share = draw(st.sampled_from([0.0, 0.5, 1.0]))
    return scores, torch.rand(shape, generator=generator) < share


@settings(max_examples=80)
@given(cases())
def test_values_and_gradients_equal_the_slow_twin(case: tuple[Tensor, Tensor]) -> None:
    scores, allowed = case
    found, slopes = [], []
    for way in (masked_softmax, softmax.masked_softmax, slow_softmax):
        x = scores.clone().requires_grad_()
        weights = way(x, allowed)
        (slope,) = torch.autograd.grad((weights * scores.cos()).sum(), x)
        found.append(weights)
        slopes.append(slope)
    for weights, slope in zip(found[:-1], slopes[:-1], strict=True):
        torch.testing.assert_close(weights, found[-1], atol=1e-12, rtol=0)
        torch.testing.assert_close(slope, slopes[-1], atol=1e-12, rtol=0)
        assert (weights.masked_select(~allowed) == 0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_short_rows_equal_the_same_rows_taken_alone(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    scores = torch.randn(16, 8, 5, 12).to(dtype)
    allowed = torch.rand(16, 1, 1, 12) < 0.8
    assert rows_are_short(scores.shape, dtype)
    assert not rows_are_short(scores[:1].shape, dtype)
    alone = [masked_softmax(scores[i : i + 1], allowed[i : i + 1]) for i in range(16)]
    tolerance = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(
        masked_softmax(scores, allowed), torch.cat(alone), atol=tolerance, rtol=tolerance
    )


def test_large_scores_neither_overflow_nor_leak() -> None:
    scores = torch.tensor([[[[3e38, -3e38, 3e38]]]])
    allowed = torch.tensor([[[[False, True, True]]]])
    assert masked_softmax(scores, allowed).tolist() == [[[[0.0, 0.0, 1.0]]]]
