"""A packed batch computes what a padded one does, at its real positions."""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.nn.fast import packed
from core.nn.fast.packing import Packing
from core.nn.layers import Activation
from core.nn.relative import Positions
from core.nn.transformer import Transformer, TransformerConfig
from core.probe import OF_ATTENTION, Probe

LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def ids(lengths: list[int], seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randint(4, 20, (len(lengths), max(lengths)), generator=generator)
    return rows * (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])


def slow_split(x: Tensor, real: Tensor, maps: int, heads: int) -> Tensor:
    """(packed, maps * heads * width) -> (maps, batch, heads, length, width), one by one."""
    width = x.shape[1] // (maps * heads)
    found = x.new_zeros(maps, len(real), heads, real.shape[1], width)
    for row, (batch, position) in enumerate(real.nonzero().tolist()):
        for part, piece in enumerate(torch.split(x[row], width)):
            found[part // heads, batch, part % heads, position] = piece
    return found


@given(LENGTHS, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_heads_are_where_the_slow_twin_puts_them(
    lengths: list[int], maps: int, heads: int, width: int
) -> None:
    real = ids(lengths, 0) != 0
    packing, count = Packing.of(real), int(real.sum())
    x = torch.randn(len(packing.places), maps * heads * width)
    found = torch.stack(packing.split(x, maps, heads)) * real[:, None, :, None]
    assert torch.equal(found, slow_split(x, real, maps, heads))
    assert torch.equal(packing.join(found[0])[:count], x[:count, : heads * width])


@settings(max_examples=30)
@given(LENGTHS, st.integers(1, 3), st.integers(1, 2))
def test_gradients_are_those_of_plain_indexing_and_none_comes_from_filler(
    lengths: list[int], maps: int, heads: int
) -> None:
    real = ids(lengths, 0) != 0
    packing, count = Packing.of(real), int(real.sum())
    x = torch.randn(count, maps * heads * 2, dtype=torch.float64, requires_grad=True)
    filler = torch.randn(len(packing.places) - count, x.shape[1], dtype=torch.float64)

    def there(x: Tensor) -> Tensor:
        heads_of_maps = torch.stack(packing.split(torch.cat((x, filler)), maps, heads))
        return heads_of_maps * real[:, None, :, None]

    def back(x: Tensor) -> Tensor:
        return packing.join(x)[:count]

    assert torch.autograd.gradcheck(there, x)
    assert torch.autograd.gradcheck(back, there(x)[0].detach().requires_grad_())
    own = filler.requires_grad_()
    (slope,) = torch.autograd.grad(there(x).sum(), own)
    assert not slope.any()


@given(st.integers(0, 40), st.integers(1, 40))
def test_tokens_are_those_of_real_positions(real: int, padding: int) -> None:
    numbers = torch.arange(1, real + padding + 1)[None]
    packing = Packing.of(numbers <= real)
    assert packing.tokens(numbers)[:real].tolist() == list(range(1, real + 1))


def test_batches_of_about_the_same_size_are_made_equal() -> None:
    sizes = range(1500, 1600)
    filled = [len(Packing.of(torch.ones(1, size)).places) for size in sizes]
    assert len(set(filled)) <= 8
    assert all(size <= full <= 1.02 * size for size, full in zip(sizes, filled, strict=True))


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("positions", get_args(Positions))
@settings(max_examples=15)
@given(
    lengths=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=4),
    activation=st.sampled_from(get_args(Activation)),
)
def test_a_packed_pass_equals_a_padded_one(
    norm: str, positions: str, lengths: list[tuple[int, int]], activation: str
) -> None:
    sizes = {"d_model": 8, "d_ff": 12, "heads": 2, "encoder_layers": 2, "decoder_layers": 2}
    kinds = {"norm": norm, "positions": positions, "activation": activation}
    torch.manual_seed(0)
    config = TransformerConfig.model_validate({"vocab_size": 20, **kinds, **sizes})
    model = Transformer(config).double().eval()
    for name, parameter in model.named_parameters():
        if "relative" in name:  # which start at none
            torch.nn.init.normal_(parameter)
    source = ids([length for length, _ in lengths], 1)
    target = ids([length for _, length in lengths], 2)
    real = target != 0
    found = []
    for packs in (False, True):
        if packs:
            hidden = packed.decode(model, target, model.start(source), real)[: real.sum()]
        else:  # whoever captures sees the batch as it stands
            hidden, _ = model.decode(target, model.start(source, Probe(OF_ATTENTION)))
            hidden = hidden[real]
        loss = model.unembed(hidden).square().sum()
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        found.append((hidden, *slopes))
    for padded, same in zip(*found, strict=True):
        torch.testing.assert_close(padded, same, atol=1e-9, rtol=1e-7)


def test_a_target_without_any_real_position_takes_no_part() -> None:
    sizes = {"d_model": 8, "d_ff": 12, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    model = Transformer(TransformerConfig.model_validate({"vocab_size": 20, **sizes}))
    target = torch.tensor([[2, 5]])
    state = model.start(torch.tensor([[4, 5, 0]]))
    hidden = packed.decode(model, target, state, torch.zeros_like(target).bool())
    for slope in torch.autograd.grad(hidden[:0].sum(), list(model.parameters())):
        assert not slope.any()
