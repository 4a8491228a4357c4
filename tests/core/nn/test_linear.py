"""Linear maps of few rows against the plain one, on both sides of every bound."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from core.nn.linear import Linear, linear

SHAPES = st.sampled_from([(256, 256), (300, 256), (256, 300), (7, 5), (300, 217), (300, 220)])


@settings(max_examples=40, deadline=None)
@given(SHAPES, st.lists(st.integers(0, 3), min_size=1, max_size=3), st.booleans())
def test_values_and_gradients_are_those_of_the_plain_one(
    shape: tuple[int, int], leading: list[int], biased: bool
) -> None:
    outputs, inputs = shape
    weight, bias = torch.randn(outputs, inputs), torch.randn(outputs)
    given = [torch.randn(*leading, inputs), weight, *([bias] if biased else [])]
    mine, plain = ([x.clone().requires_grad_() for x in given] for _ in range(2))
    y, expected = linear(*mine), F.linear(*plain)
    torch.testing.assert_close(y, expected, atol=1e-4, rtol=1e-5)
    assert y.is_contiguous()
    slope = torch.randn_like(expected)
    for own, other in zip(
        torch.autograd.grad(y, mine, slope),
        torch.autograd.grad(expected, plain, slope),
        strict=True,
    ):
        torch.testing.assert_close(own, other, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_rows_do_not_see_each_other(rows: int) -> None:
    layer = Linear(256, 512)
    x = torch.randn(rows, 256)
    together = layer(x)
    for row in range(rows):
        torch.testing.assert_close(layer(x[row]), together[row], atol=1e-5, rtol=1e-5)


def test_other_types_are_left_to_torch() -> None:
    layer, x = Linear(256, 512), torch.randn(1, 256)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert layer(x).dtype == torch.bfloat16
    assert layer.double()(x.double()).dtype == torch.float64
    half = layer.bfloat16()
    torch.testing.assert_close(
        half(x.bfloat16()), F.linear(x.bfloat16(), half.weight, half.bias), atol=0, rtol=0
    )
