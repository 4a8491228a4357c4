"""Linear maps of few rows against the plain one, on both sides of every bound."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from core.nn.fast import few_rows
from core.nn.fast.functional import linear
from core.nn.modules import Linear

SHAPES = st.sampled_from([(256, 256), (300, 256), (256, 300), (7, 5), (300, 217), (300, 220)])


@settings(max_examples=40, deadline=None)
@given(SHAPES, st.lists(st.integers(0, 3), min_size=1, max_size=3), st.booleans())
def test_values_are_those_of_the_plain_one(
    shape: tuple[int, int], leading: list[int], biased: bool
) -> None:
    outputs, inputs = shape
    weight, bias = torch.randn(outputs, inputs), torch.randn(outputs) if biased else None
    x = torch.randn(*leading, inputs)
    with torch.inference_mode():
        y, expected = linear(x, weight, bias), F.linear(x, weight, bias)
    torch.testing.assert_close(y, expected, atol=1e-4, rtol=1e-5)
    assert y.is_contiguous()


@pytest.mark.parametrize("rows", [1, 2, 4])
@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("outputs", [300, 301])  # in equal parts, and not
def test_every_way_computes_the_same(rows: int, biased: bool, outputs: int) -> None:
    torch.manual_seed(rows)
    x, weight = torch.randn(rows, 256), torch.randn(outputs, 256)
    bias = torch.randn(outputs) if biased else None
    exact = F.linear(x.double(), weight.double(), None if bias is None else bias.double())
    for way in few_rows.WAYS.values():
        torch.testing.assert_close(way(x, weight, bias).double(), exact, atol=1e-4, rtol=1e-5)


def test_training_is_left_to_torch() -> None:
    """What it computes must be repeatable bit by bit, and so not hang on what was timed."""
    x, weight = torch.randn(1, 256), torch.randn(512, 256)
    assert not few_rows.is_few_rows(x, weight)
    with torch.no_grad():
        assert few_rows.is_few_rows(x, weight)


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_rows_do_not_see_each_other(rows: int) -> None:
    layer = Linear(256, 512)
    x = torch.randn(rows, 256)
    with torch.inference_mode():
        together = layer(x)
        for row in range(rows):
            torch.testing.assert_close(layer(x[row]), together[row], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_other_types_are_left_to_torch() -> None:
    layer, x = Linear(256, 512), torch.randn(1, 256)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert layer(x).dtype == torch.bfloat16
    assert layer.double()(x.double()).dtype == torch.float64
    half = layer.bfloat16()
    torch.testing.assert_close(
        half(x.bfloat16()), F.linear(x.bfloat16(), half.weight, half.bias), atol=0, rtol=0
    )
