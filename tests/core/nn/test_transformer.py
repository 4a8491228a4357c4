"""The Transformer against the paper's counts and against `torch.nn.Transformer`."""

from typing import Any, get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from torch import Tensor, nn

from core.nn.attention import MultiHeadAttention
from core.nn.layers import DecoderLayer, EncoderLayer
from core.nn.masks import causal_mask
from core.nn.relative import Positions
from core.nn.transformer import Transformer, TransformerConfig
from core.probe import LIFTED_MASK, OF_ATTENTION, Probe


def count(config: TransformerConfig) -> int:
    with torch.device("meta"):
        model = Transformer(config)
    return sum(parameter.numel() for parameter in model.parameters())


def table_3(**changes: Any) -> int:
    return count(TransformerConfig.model_validate({"vocab_size": 37_000, **changes}))


def test_counts_of_base_and_big() -> None:
    assert count(TransformerConfig.base(37_000)) == 63_082_496
    assert count(TransformerConfig.big(37_000)) == 214_245_376


@pytest.mark.parametrize(
    ("changes", "exact", "millions"),
    [
        ({}, 63_082_496, 65),
        ({"d_k": 16}, 55_990_784, 58),
        ({"d_k": 32}, 58_354_688, 60),
        ({"encoder_layers": 2, "decoder_layers": 2}, 33_656_832, 36),
        ({"encoder_layers": 4, "decoder_layers": 4}, 48_369_664, 50),
        ({"encoder_layers": 8, "decoder_layers": 8}, 77_795_328, 80),
        ({"d_model": 256, "d_k": 32, "d_v": 32}, 26_834_944, 28),
        ({"d_model": 1024, "d_k": 128, "d_v": 128}, 163_889_152, 168),
        ({"d_ff": 1024}, 50_487_296, 53),
        ({"d_ff": 4096}, 88_272_896, 90),
        ({"d_model": 1024, "d_ff": 4096, "heads": 16}, 214_245_376, 213),
    ],
)
def test_rows_of_table_3(changes: dict[str, int], exact: int, millions: int) -> None:
    # Exact by hand: embedding + N * (3 attentions + 2 feed-forwards + 5 norms), with biases.
    assert table_3(**changes) == exact
    # The printed figures stand for a vocabulary about 4,000 entries larger than the
    # 37,000 of the text, and are rounded: 65 million for the base model, which has 63.1.
    room = 4_500 * int(changes.get("d_model", 512)) + 500_000
    assert abs(exact - millions * 1_000_000) < room


@pytest.mark.parametrize("heads", [1, 4, 8, 16, 32])
def test_more_heads_of_the_same_total_width_cost_nothing(heads: int) -> None:
    assert table_3(heads=heads) == 63_082_496


@pytest.mark.parametrize(
    "wrong",
    [
        {"d_model": 511},
        {"heads": 0},
        {"dropout": 1.0},
        {"encoder_layers": 10_000},
        {"pad_id": 5},
        {"surprise": 1},
        {"norm": "middle"},
        {"positions": "somewhere"},
        {"positions": "rotary", "d_k": 3},
    ],
)
def test_absurd_sizes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TransformerConfig.model_validate({"vocab_size": 5, **wrong})


def tiny(**changes: Any) -> TransformerConfig:
    sizes = {"encoder_layers": 2, "decoder_layers": 3, "d_model": 16, "d_ff": 24, "heads": 4}
    return TransformerConfig.model_validate(
        {"vocab_size": 30, "max_length": 64, **sizes, **changes}
    )


def perturbed(model: nn.Module, seed: int = 0) -> None:
    """Move every bias and norm off its initial value, so that a missing one shows."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.2)


def carry_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    assert theirs.in_proj_bias is not None
    theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
    theirs.out_proj.weight.copy_(ours.output.weight)
    theirs.out_proj.bias.copy_(ours.output.bias)


@torch.no_grad()
def carry(ours: Transformer, theirs: nn.Transformer) -> None:
    """Copy our weights into PyTorch's module of the same sizes."""
    for layer, other in zip(ours.encoder, theirs.encoder.layers, strict=True):
        assert isinstance(layer, EncoderLayer)
        assert isinstance(other, nn.TransformerEncoderLayer)
        carry_attention(layer.self_attention, other.self_attn)
        other.linear1.load_state_dict(layer.feed_forward.inner.state_dict())
        other.linear2.load_state_dict(layer.feed_forward.outer.state_dict())
        other.norm1.load_state_dict(layer.self_attention_norm.layer_norm.state_dict())
        other.norm2.load_state_dict(layer.feed_forward_norm.layer_norm.state_dict())
    for decoder, other in zip(ours.decoder, theirs.decoder.layers, strict=True):
        assert isinstance(decoder, DecoderLayer)
        assert isinstance(other, nn.TransformerDecoderLayer)
        carry_attention(decoder.self_attention, other.self_attn)
        carry_attention(decoder.cross_attention, other.multihead_attn)
        other.linear1.load_state_dict(decoder.feed_forward.inner.state_dict())
        other.linear2.load_state_dict(decoder.feed_forward.outer.state_dict())
        other.norm1.load_state_dict(decoder.self_attention_norm.layer_norm.state_dict())
        other.norm2.load_state_dict(decoder.cross_attention_norm.layer_norm.state_dict())
        other.norm3.load_state_dict(decoder.feed_forward_norm.layer_norm.state_dict())


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_outputs_equal_torch_nn_transformer(norm: str) -> None:
    config = tiny(norm=norm)
    ours = Transformer(config).eval()
    perturbed(ours)
    theirs = nn.Transformer(
        16, 4, 2, 3, 24, dropout=0.0, batch_first=True, norm_first=norm == "pre"
    ).eval()
    carry(ours, theirs)
    if norm == "post":
        # PyTorch adds one LayerNorm behind each stack, which the paper does not have.
        theirs.encoder.norm = None
        theirs.decoder.norm = None
    else:
        assert theirs.encoder.norm is not None
        assert theirs.decoder.norm is not None
        theirs.encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
        theirs.decoder.norm.load_state_dict(ours.decoder_norm.state_dict())

    source = torch.tensor([[4, 5, 6, 7, 8], [9, 10, 11, 0, 0]])
    target = torch.tensor([[2, 12, 13, 14], [2, 15, 16, 0]])
    padding = source == 0
    expected = theirs(
        ours.embed(source),
        ours.embed(target),
        tgt_mask=~causal_mask(4)[0, 0],
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    actual, _ = ours.decode(target, ours.start(source))
    torch.testing.assert_close(actual[0], expected[0], atol=1e-5, rtol=0)
    torch.testing.assert_close(actual[1, :3], expected[1, :3], atol=1e-5, rtol=0)


@given(st.integers(1, 20), st.integers(1, 64).map(lambda half: 2 * half))
def test_heads_that_do_not_divide_the_width_need_their_own(heads: int, d_model: int) -> None:
    sizes = {"vocab_size": 9, "heads": heads, "d_model": d_model}
    if d_model % heads == 0:
        config = TransformerConfig.model_validate(sizes)
        assert config.d_k * heads == config.d_v * heads == d_model
        return
    for widths in ({}, {"d_k": 3}, {"d_v": 3}):
        with pytest.raises(ValidationError, match="name d_k and d_v"):
            TransformerConfig.model_validate({**sizes, **widths})
    config = TransformerConfig.model_validate({**sizes, "d_k": 3, "d_v": 5})
    assert (config.d_k, config.d_v) == (3, 5)


def ids(draw: st.DrawFn, length: int) -> Tensor:
    return torch.tensor([[draw(st.integers(4, 29)) for _ in range(length)]])


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    return ids(draw, draw(st.integers(1, 8))), ids(draw, draw(st.integers(2, 8)))


@settings(max_examples=25, deadline=None)
@given(sentences(), st.sampled_from(["post", "pre"]), st.sampled_from(get_args(Positions)))
def test_stepping_is_slicing(case: tuple[Tensor, Tensor], norm: str, positions: str) -> None:
    source, target = case
    model = Transformer(tiny(norm=norm, positions=positions)).eval()
    perturbed(model)
    model.double()  # the law is one of mathematics, not of rounding
    with torch.inference_mode():
        whole, _ = model.decode(target, model.start(source))
        state = model.start(source)
        for t in range(target.shape[1]):
            row, state = model.decode(target[:, t : t + 1], state)
            torch.testing.assert_close(row[:, 0], whole[:, t], atol=1e-6, rtol=0)


@settings(max_examples=25, deadline=None)
@given(sentences())
def test_the_future_cannot_be_seen_unless_the_mask_is_lifted(case: tuple[Tensor, Tensor]) -> None:
    source, target = case
    model = Transformer(tiny()).eval()
    perturbed(model)
    other = target.clone()
    other[0, -1] = 4 + (int(target[0, -1]) - 3) % 26
    with torch.inference_mode():
        torch.testing.assert_close(
            model(source, target)[:, :-1], model(source, other)[:, :-1], atol=1e-5, rtol=1e-5
        )
        lifted = Probe(edits=(LIFTED_MASK,))
        leaking = model(source, target, lifted) - model(source, other, lifted)
        assert leaking[:, :-1].abs().max() > 1e-4


@settings(max_examples=20, deadline=None)
@given(sentences(), st.integers(1, 4), st.sampled_from(get_args(Positions)))
def test_padding_changes_nothing(case: tuple[Tensor, Tensor], extra: int, positions: str) -> None:
    source, target = case
    model = Transformer(tiny(positions=positions)).eval()
    perturbed(model)
    padded = torch.cat([source, torch.zeros(1, extra, dtype=torch.long)], dim=1)
    with torch.inference_mode():
        torch.testing.assert_close(
            model(source, target), model(padded, target), atol=1e-5, rtol=1e-5
        )


def test_capture_sees_every_layer_of_every_kind_and_changes_nothing() -> None:
    model = Transformer(tiny(d_k=3, d_v=5)).eval()
    source, target = torch.tensor([[4, 5, 6]]), torch.tensor([[2, 7]])
    probe = Probe(OF_ATTENTION)
    with torch.inference_mode():
        torch.testing.assert_close(
            model(source, target, probe), model(source, target), atol=1e-5, rtol=1e-5
        )
    assert [x.shape for x in probe.layers("weights", "encoder_self")] == [(1, 4, 3, 3)] * 2
    assert [x.shape for x in probe.layers("weights", "decoder_self")] == [(1, 4, 2, 2)] * 3
    assert [x.shape for x in probe.layers("scores", "cross")] == [(1, 4, 2, 3)] * 3


def test_the_three_embeddings_are_one() -> None:
    model = Transformer(tiny())
    logits = model(torch.tensor([[4, 5]]), torch.tensor([[2, 6]]))
    logits[..., 9].sum().backward()
    gradient = model.embedding.weight.grad
    assert gradient is not None
    touched = gradient.abs().sum(dim=1).nonzero().flatten().tolist()
    assert touched == [2, 4, 5, 6, 9]  # source, target and output rows


def test_positions_are_those_of_the_paper_or_learned() -> None:
    assert not any("positions" in name for name, _ in Transformer(tiny()).named_parameters())
    learned = Transformer(tiny(positions="learned"))
    assert dict(learned.named_parameters())["positions"].shape == (64, 16)


def test_too_many_positions_are_refused() -> None:
    model = Transformer(tiny())
    with pytest.raises(ValueError, match="64"):
        model.embed(torch.full((1, 65), 4))
