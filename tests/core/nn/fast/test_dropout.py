"""Dropout drops as often as it says, keeps the mean, and repeats with the random state."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.nn.fast.functional import dropout
from core.nn.modules import Dropout


@given(st.floats(0.01, 0.99), st.integers(0, 1000))
def test_drops_a_share_p_and_scales_the_rest(p: float, seed: int) -> None:
    torch.manual_seed(seed)
    y = dropout(torch.ones(100, 200), p)
    dropped = int((y == 0).sum())
    assert abs(dropped - 20_000 * p) < 5 * math.sqrt(20_000 * p * (1 - p))
    torch.testing.assert_close(y[y != 0], torch.full((20_000 - dropped,), 1 / (1 - p)))


def test_neighbours_are_dropped_independently() -> None:
    # Four elements share one draw: each pair of places must still agree as chance has it.
    torch.manual_seed(0)
    dropped = (dropout(torch.ones(40_000, 4), 0.3) == 0).double()
    correlation = torch.corrcoef(dropped.T)
    assert (correlation - torch.eye(4)).abs().max() < 5 / math.sqrt(40_000)


@given(st.lists(st.integers(0, 7), max_size=4), st.sampled_from([torch.float32, torch.bfloat16]))
def test_any_shape_keeps_shape_and_type(shape: list[int], dtype: torch.dtype) -> None:
    y = dropout(torch.ones(shape, dtype=dtype), 0.5)
    assert y.shape == torch.Size(shape)
    assert y.dtype == dtype


@given(st.integers(0, 2**32 - 1))
def test_is_a_pure_function_of_the_random_state(seed: int) -> None:
    x = torch.arange(1.0, 60.0)
    found = []
    for _ in range(2):
        torch.manual_seed(seed)
        found.append(dropout(x, 0.5))
    assert torch.equal(*found)
    assert not torch.equal(found[0], dropout(x, 0.5))


def test_the_gradient_passes_where_the_value_did() -> None:
    x = torch.ones(50, 7, requires_grad=True)
    y = dropout(x, 0.4)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(gradient, y)


@pytest.mark.parametrize("p", [0.0, 0.4])
def test_does_nothing_outside_training(p: float) -> None:
    x = torch.ones(5)
    assert Dropout(p).eval()(x) is x
    assert (Dropout(p).train()(x) is x) == (p == 0.0)


def test_the_largest_share_that_a_float_can_hold_drops_all_but_everything() -> None:
    assert (dropout(torch.ones(1000), math.nextafter(1.0, 0.0)) == 0).sum() > 990
