"""Several linear maps as one product, against each of them alone."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core.nn.fast import fused
from core.nn.fast.fused import affine
from core.nn.fast.tried import works

OUTPUTS = st.lists(st.integers(1, 40), min_size=1, max_size=4)


def slow_affine(x: Tensor, maps: list[nn.Linear], rectified: bool) -> Tensor:
    y = torch.cat([F.linear(x, each.weight, each.bias) for each in maps], dim=-1)
    return F.relu(y) if rectified else y


def small_whole_numbers(*shape: int) -> Tensor:
    """Their products are exact in bf16."""
    return torch.randint(-2, 3, shape).float()


@settings(max_examples=40, deadline=None)
@given(OUTPUTS, st.integers(0, 40), st.booleans(), st.booleans())
def test_values_and_gradients_are_those_of_the_slow_twin(
    outputs: list[int], rows: int, rectified: bool, halved: bool
) -> None:
    torch.manual_seed(rows)
    maps = [nn.Linear(24, each) for each in outputs]
    parameters = [p for each in maps for p in (each.weight, each.bias)]
    for each in parameters:
        each.data = small_whole_numbers(*each.shape)
    x, slope = (
        small_whole_numbers(rows, 24).requires_grad_(),
        small_whole_numbers(rows, sum(outputs)),
    )
    found = []
    y = slow_affine(x, maps, rectified)
    found.append((y, *torch.autograd.grad(y, [x, *parameters], slope)))
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=halved):
        y = affine(x, maps, rectified=rectified)
    assert y.dtype == (torch.bfloat16 if halved else torch.float32)
    found.append((y.float(), *torch.autograd.grad(y, [x, *parameters], slope.to(y.dtype))))
    for slow, fast in zip(*found, strict=True):
        # The gradient of x adds up over the outputs, beyond the whole numbers of bf16.
        torch.testing.assert_close(fast, slow, atol=0, rtol=1 / 128)


def bf16_rows() -> bool:
    """Whether the fused product works here: asked as the layers ask."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return fused.is_fused(torch.ones(1, 16))


@pytest.mark.parametrize("rectified", [True, False])
def test_fused_products_are_those_of_autocast(
    rectified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not bf16_rows():
        pytest.skip("this processor has no fused bf16 product: the plain twin serves")
    torch.manual_seed(0)
    maps = [nn.Linear(64, 96), nn.Linear(64, 32)]
    x = torch.randn(50, 64).bfloat16().requires_grad_()
    parameters = [p for each in maps for p in (each.weight, each.bias)]
    found = []
    for plain in (False, True):
        with torch.autocast("cpu", dtype=torch.bfloat16), monkeypatch.context() as patch:
            if plain:
                patch.setattr(fused, "is_fused", lambda x: False)
            y = affine(x, maps, rectified=rectified)
        found.append((y, *torch.autograd.grad(y.float().square().sum(), [x, *parameters])))
    for own, other in zip(*found, strict=True):
        assert own.dtype == other.dtype
        scale = float(other.detach().abs().max())
        torch.testing.assert_close(own, other, atol=scale / 128, rtol=1 / 64)


def test_where_the_fused_product_does_not_work_the_plain_one_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a processor without AVX-512, where oneDNN refuses when it is called."""

    def refused(*_: object) -> Tensor:
        raise RuntimeError("could not create a primitive descriptor")

    works.cache_clear()
    monkeypatch.setattr(fused, "_product", refused)
    try:
        layer, x = nn.Linear(24, 8), small_whole_numbers(5, 24)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = affine(x, [layer], rectified=True)
        assert y.dtype == torch.bfloat16
        plain = F.relu(F.linear(x, layer.weight, layer.bias))
        torch.testing.assert_close(y.float(), plain, atol=1 / 16, rtol=1 / 64)
        (slope,) = torch.autograd.grad(y.float().sum(), [layer.weight])
        torch.testing.assert_close(slope, (y > 0).float().t() @ x)
    finally:
        works.cache_clear()
