"""Attention against its slow twin, and what capture may and may not change."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.nn.attention import MultiHeadAttention, attend, shares
from core.nn.masks import causal_mask, padding_mask
from core.probe import OF_ATTENTION, Probe, Spot, untouched

sizes = st.integers(1, 5)


def recording() -> tuple[Spot, Probe]:
    """A spot that records, and where."""
    probe = Probe(OF_ATTENTION)
    return probe.at("cross", 0, ()), probe


def slow_attention(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor) -> Tensor:
    """Equation 1 written as loops over single queries."""
    batch, heads, queries, d_k = q.shape
    out = torch.zeros(batch, heads, queries, v.shape[-1], dtype=q.dtype)
    for b in range(batch):
        for h in range(heads):
            for i in range(queries):
                keys = [j for j in range(k.shape[2]) if allowed[b, h, i, j]]
                if not keys:
                    continue
                exps = [math.exp(float(q[b, h, i] @ k[b, h, j]) / math.sqrt(d_k)) for j in keys]
                for j, e in zip(keys, exps, strict=True):
                    out[b, h, i] += v[b, h, j] * e / sum(exps)
    return out


@st.composite
def inputs(draw: st.DrawFn) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    batch, heads, queries, keys, d_k, d_v = (draw(sizes) for _ in range(6))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 10_000)))
    q = torch.randn(batch, heads, queries, d_k, generator=generator, dtype=torch.float64)
    k = torch.randn(batch, heads, keys, d_k, generator=generator, dtype=torch.float64)
    v = torch.randn(batch, heads, keys, d_v, generator=generator, dtype=torch.float64)
    allowed = torch.rand(batch, heads, queries, keys, generator=generator) < 0.6
    return q, k, v, allowed


@settings(max_examples=60, deadline=None)
@given(inputs())
def test_both_paths_equal_the_loops(case: tuple[Tensor, Tensor, Tensor, Tensor]) -> None:
    q, k, v, allowed = case
    expected = slow_attention(q, k, v, allowed)
    torch.testing.assert_close(attend(q, k, v, allowed), expected, atol=1e-10, rtol=1e-8)
    torch.testing.assert_close(
        attend(q, k, v, allowed, spot=recording()[0]), expected, atol=1e-10, rtol=1e-8
    )


@settings(max_examples=30, deadline=None)
@given(inputs())
def test_capturing_changes_no_gradient(case: tuple[Tensor, Tensor, Tensor, Tensor]) -> None:
    *tensors, allowed = case
    gradients = []
    for spot in (untouched, recording()[0]):
        q, k, v = (tensor.clone().requires_grad_() for tensor in tensors)
        attend(q, k, v, allowed, spot=spot).square().sum().backward()  # type: ignore[no-untyped-call]
        gradients.append((q.grad, k.grad, v.grad))
    for fused, explicit in zip(*gradients, strict=True):
        assert fused is not None
        assert explicit is not None
        assert torch.isfinite(explicit).all()
        torch.testing.assert_close(fused, explicit, atol=1e-9, rtol=1e-7)


@settings(max_examples=40, deadline=None)
@given(inputs())
def test_the_record_is_the_computation(case: tuple[Tensor, Tensor, Tensor, Tensor]) -> None:
    q, k, v, allowed = case
    spot, probe = recording()
    output = attend(q, k, v, allowed, spot=spot)
    found = {record: x for (record, _, _), x in probe.found.items()}
    torch.testing.assert_close(found["scores"], q @ k.mT / math.sqrt(q.shape[-1]))
    torch.testing.assert_close((found["queries"], found["keys"]), (q, k), atol=0, rtol=0)
    assert torch.equal(found["mask"], allowed)
    weights = found["weights"]
    assert (weights[~allowed] == 0).all()
    sums = weights.sum(-1)
    torch.testing.assert_close(sums, allowed.any(-1).to(sums.dtype))
    torch.testing.assert_close(weights @ v, output)


def test_dropout_falls_on_the_mixture_and_never_on_the_record() -> None:
    torch.manual_seed(0)
    q = k = v = torch.randn(1, 2, 6, 8)
    allowed = torch.ones(1, 1, 6, 6, dtype=torch.bool)
    spot, probe = recording()
    dropped = attend(q, k, v, allowed, dropout_p=0.5, spot=spot)
    torch.testing.assert_close(probe.found["weights", "cross", 0].sum(-1), torch.ones(1, 2, 6))
    assert not torch.allclose(dropped, attend(q, k, v, allowed))


def test_a_row_without_keys_is_zero_and_its_gradient_finite() -> None:
    q = torch.randn(1, 1, 2, 4, requires_grad=True)
    allowed = torch.tensor([[[[True, True], [False, False]]]])
    for spot in (untouched, recording()[0]):
        output = attend(q, q, q, allowed, spot=spot)
        assert (output[0, 0, 1] == 0).all()
        (gradient,) = torch.autograd.grad(output.sum(), q)
        assert torch.isfinite(gradient).all()


@given(st.integers(1, 8), st.integers(0, 8))
def test_causal_mask_shows_the_past_and_itself(queries: int, past: int) -> None:
    mask = causal_mask(queries, past=past)
    assert mask.shape == (1, 1, queries, past + queries)
    for query in range(queries):
        for key in range(past + queries):
            assert bool(mask[0, 0, query, key]) == (key <= past + query)


def test_padding_mask_hides_padding_only() -> None:
    mask = padding_mask(torch.tensor([[5, 7, 0], [5, 0, 0]]), 0)
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[True, True, False], [True, False, False]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_output_keeps_the_type(dtype: torch.dtype) -> None:
    x = torch.randn(1, 2, 3, 4).to(dtype)
    allowed = torch.ones(1, 1, 3, 3, dtype=torch.bool)
    assert attend(x, x, x, allowed).dtype == dtype
    assert attend(x, x, x, allowed, spot=recording()[0]).dtype == dtype


@settings(max_examples=40, deadline=None)
@given(sizes, sizes, sizes, sizes, st.integers(0, 10_000))
def test_shares_are_how_far_each_head_goes_along_with_all(
    heads: int, rows: int, d_v: int, d_model: int, seed: int
) -> None:
    """Head by head, as it is written: r_h · r / |r|², and together 1."""
    torch.manual_seed(seed)
    attention = MultiHeadAttention(d_model, heads, 3, d_v).double()
    mixed = torch.randn(1, heads, rows, d_v, dtype=torch.float64)
    found = shares(mixed, attention.output.weight)[0]
    for row in range(rows):
        slices = torch.split(attention.output.weight, d_v, dim=1)
        adds = [own @ mixed[0, head, row] for head, own in enumerate(slices)]
        whole = sum(adds, torch.zeros(d_model, dtype=torch.float64))
        expected = torch.stack([added @ whole / (whole @ whole) for added in adds])
        torch.testing.assert_close(found[:, row], expected, atol=1e-8, rtol=1e-6)
    torch.testing.assert_close(found.sum(0), torch.ones(rows, dtype=torch.float64))


def test_where_nothing_is_added_nobody_has_a_share() -> None:
    attention = MultiHeadAttention(6, 3, 2, 2)
    assert not shares(torch.zeros(1, 3, 4, 2), attention.output.weight).any()
