"""Several linear maps as one product, against each of them alone."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core.nn import affine as subject
from core.nn.affine import affine

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


@pytest.mark.parametrize("rectified", [True, False])
def test_fused_products_are_those_of_autocast(
    rectified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    maps = [nn.Linear(64, 96), nn.Linear(64, 32)]
    x = torch.randn(50, 64).bfloat16().requires_grad_()
    parameters = [p for each in maps for p in (each.weight, each.bias)]
    found = []
    for fused in (True, False):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert subject._is_fused(x)
            with monkeypatch.context() as patch:
                if not fused:
                    patch.setattr(subject, "_is_fused", lambda x: False)
                y = affine(x, maps, rectified=rectified)
        found.append((y, *torch.autograd.grad(y.float().square().sum(), [x, *parameters])))
    for own, other in zip(*found, strict=True):
        assert own.dtype == other.dtype
        scale = float(other.detach().abs().max())
        torch.testing.assert_close(own, other, atol=scale / 128, rtol=1 / 64)
