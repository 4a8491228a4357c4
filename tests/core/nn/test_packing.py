"""A packed batch computes what a padded one does, at its real positions."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.nn.packing import Packing
from core.nn.transformer import Capture, Transformer, TransformerConfig

LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def ids(lengths: list[int], seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randint(4, 20, (len(lengths), max(lengths)), generator=generator)
    return rows * (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])


@given(LENGTHS, st.integers(1, 4))
def test_unpacking_restores_what_was_packed(lengths: list[int], width: int) -> None:
    real = ids(lengths, 0) != 0
    packing = Packing.of(real)
    x = torch.randn(*real.shape, width)
    packed = packing.pack(x)
    assert torch.equal(packed, x[real])
    assert torch.equal(packing.unpack(packed), x * real[..., None])


@given(LENGTHS)
def test_gradients_are_those_of_plain_indexing(lengths: list[int]) -> None:
    real = ids(lengths, 0) != 0
    packing = Packing.of(real)
    x = torch.randn(*real.shape, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(packing.pack, x)
    assert torch.autograd.gradcheck(packing.unpack, packing.pack(x).detach().requires_grad_())


@pytest.mark.parametrize("norm", ["post", "pre"])
@settings(max_examples=15)
@given(lengths=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=4))
def test_a_packed_pass_equals_a_padded_one(norm: str, lengths: list[tuple[int, int]]) -> None:
    sizes = {"d_model": 8, "d_ff": 12, "heads": 2, "encoder_layers": 2, "decoder_layers": 2}
    torch.manual_seed(0)
    config = TransformerConfig.model_validate({"vocab_size": 20, "norm": norm, **sizes})
    model = Transformer(config).double().eval()
    source = ids([length for length, _ in lengths], 1)
    target = ids([length for _, length in lengths], 2)
    real = target != 0
    found = []
    for packed in (False, True):
        # Whoever captures sees the batch as it stands.
        state = model.start(source, None if packed else Capture())
        hidden, _ = model.decode(target, state, packing=Packing.of(real) if packed else None)
        hidden = hidden if packed else hidden[real]
        loss = model.project(hidden).square().sum()
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        found.append((hidden, *slopes))
    for padded, packed_too in zip(*found, strict=True):
        torch.testing.assert_close(padded, packed_too, atol=1e-9, rtol=1e-7)


def test_a_target_without_any_real_position_takes_no_part() -> None:
    sizes = {"d_model": 8, "d_ff": 12, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    model = Transformer(TransformerConfig.model_validate({"vocab_size": 20, **sizes}))
    target = torch.tensor([[2, 5]])
    state = model.start(torch.tensor([[4, 5, 0]]))
    hidden, _ = model.decode(target, state, packing=Packing.of(torch.zeros_like(target).bool()))
    assert hidden.shape == (0, 8)
    for slope in torch.autograd.grad(hidden.sum(), list(model.parameters())):
        assert not slope.any()
