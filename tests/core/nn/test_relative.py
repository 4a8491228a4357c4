"""Positions told within attention: what the papers say of them, and T5's own buckets."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from transformers.models.t5.modeling_t5 import T5Attention

from core.nn import positions as tables
from core.nn.language import Language, LanguageConfig
from core.nn.layers import EncoderLayer
from core.nn.relative import (
    BUCKETS,
    FARTHEST,
    UNTOLD,
    Positions,
    RelativePositions,
    buckets,
    slopes,
)
from core.probe import OF_ATTENTION, Probe

SIZES = {"vocab_size": 12, "layers": 1, "d_model": 16, "d_ff": 32, "heads": 4}


def relative(positions: Positions, *, both_ways: bool = False, heads: int = 4) -> RelativePositions:
    config = LanguageConfig.model_validate({**SIZES, "heads": heads, "positions": positions})
    told = RelativePositions(config, both_ways=both_ways)
    for parameter in told.parameters():
        torch.nn.init.normal_(parameter)
    return told


def network(positions: str, objective: str) -> Language:
    torch.manual_seed(0)
    sizes = {**SIZES, "positions": positions, "objective": objective}
    built = Language(LanguageConfig.model_validate(sizes)).eval()
    for name, parameter in built.named_parameters():
        if "relative" in name:
            torch.nn.init.normal_(parameter)
    return built


@given(st.integers(0, 500), st.integers(0, 500), st.integers(-400, 400))
def test_turned_queries_and_keys_tell_of_their_distance_alone(i: int, j: int, shift: int) -> None:
    torch.manual_seed(0)
    q, k = torch.randn(2, 1, 1, 1, 4, dtype=torch.float64)

    def product(query: int, key: int) -> float:
        told = relative("rotary")
        one, other = (told(torch.tensor([place])).turned(x) for place, x in ((query, q), (key, k)))
        return float((one * other).sum())

    assert product(i, j) == pytest.approx(product(i + shift, j + shift), abs=1e-5)


@given(st.integers(-50, 50))
def test_a_turn_is_that_of_the_sinusoids_the_other_way_round(place: int) -> None:
    # M_k of section 3.5 acts on (sine, cosine), by the same angles.
    x = torch.randn(1, 1, 1, 8, dtype=torch.float64)
    config = LanguageConfig.model_validate({**SIZES, "heads": 2, "positions": "rotary"})
    told = RelativePositions(config, both_ways=False)(torch.tensor([place]))
    expected = tables.rotate(x[0, 0].numpy(), -place)
    np.testing.assert_allclose(told.turned(x)[0, 0].numpy(), expected, atol=1e-6)


def test_slopes_are_the_papers() -> None:
    assert slopes(8) == [1 / 2**power for power in range(1, 9)]
    assert slopes(16)[:2] == [2**-0.5, 2**-1]
    # between powers: those of 8, then every other one of 16
    assert slopes(12) == slopes(8) + [2 ** -(0.5 + number) for number in range(4)]
    for heads in range(1, 40):
        assert len(set(slopes(heads))) == heads
        assert all(0 < slope < 1 for slope in slopes(heads))


@pytest.mark.parametrize("both_ways", [True, False])
def test_buckets_are_those_of_t5(both_ways: bool) -> None:
    distance = torch.arange(-400, 401)
    # T5 counts from the key to the query's place the same way: memory minus context.
    expected: Tensor = T5Attention._relative_position_bucket(
        distance, bidirectional=both_ways, num_buckets=BUCKETS, max_distance=FARTHEST
    )
    assert (buckets(distance, both_ways=both_ways) == expected).all()


@given(st.integers(1, 40), st.sampled_from(["alibi", "relative"]), st.booleans())
def test_a_bias_is_of_the_distance_alone(count: int, positions: Positions, both: bool) -> None:
    told = relative(positions, both_ways=both)
    bias = told(torch.arange(count)).bias
    assert bias is not None
    assert bias.shape == (4, count, count)
    for offset in range(-count + 1, count):
        diagonals = bias.diagonal(offset, 1, 2)
        assert torch.equal(diagonals, diagonals[:, :1].expand_as(diagonals))
    later = told(torch.arange(count), count - 1).bias
    assert later is not None
    assert torch.equal(later, bias[:, -1:])
    backward = told(-torch.arange(count)).bias
    assert backward is not None
    assert torch.equal(backward, bias.flip(1, 2))


def test_what_is_added_or_untold_is_no_matter_of_attention() -> None:
    for positions in ("sinusoidal", "learned", "none"):
        assert relative(positions)(torch.arange(5)) is UNTOLD


@given(st.permutations([4, 5, 6, 7, 8]))
def test_without_positions_a_masked_model_reads_a_bag_of_words(ids: list[int]) -> None:
    model = network("none", "masked")
    order = torch.tensor(ids).argsort()
    with torch.inference_mode():
        mixed, sorted_ = (model(row[None])[0] for row in (torch.tensor(ids), torch.arange(4, 9)))
    torch.testing.assert_close(mixed[order], sorted_, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "alibi", "relative"])
def test_with_positions_it_does_not(positions: str) -> None:
    model = network(positions, "masked")
    with torch.inference_mode():
        one, other = (model(torch.tensor([ids]))[0] for ids in ([4, 5, 6, 7], [7, 5, 6, 4]))
    assert (one[1] - other[1]).abs().max() > 1e-3


@pytest.mark.parametrize("positions", ["rotary", "alibi", "relative", "none"])
def test_where_a_text_begins_does_not_matter_to_what_looks_back_on_distances(
    positions: str,
) -> None:
    # The same words later, behind words that they may not look at.
    model = network(positions, "forward")
    (layer, *_) = model.layers
    assert isinstance(layer, EncoderLayer)
    attention = layer.self_attention
    x = torch.randn(1, 6, 16)
    allowed = torch.ones(6, 6, dtype=torch.bool).tril()
    allowed[3:, :3] = False
    with torch.inference_mode():
        found = []
        for rows, mask in ((x, allowed), (x[:, 3:], allowed[3:, 3:])):
            told = model.relative(torch.arange(rows.shape[1]))
            keys = attention.project_keys_values(rows, told)
            queries = attention.project_queries(rows, told)
            found.append(attention(queries, keys, mask[None, None], told=told)[0, -3:])
    torch.testing.assert_close(*found, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("positions", ["rotary", "alibi", "relative"])
def test_a_probe_sees_scores_as_the_softmax_takes_them(positions: str) -> None:
    model = network(positions, "forward")
    ids, probe = torch.tensor([[4, 5, 6, 7]]), Probe(OF_ATTENTION)
    with torch.inference_mode():
        torch.testing.assert_close(model(ids, probe), model(ids), atol=1e-6, rtol=1e-5)
        told = model.relative(torch.arange(4))
    (scores,) = probe.layers("scores", "encoder_self")
    queries, keys = (probe.layers(name, "encoder_self")[0] for name in ("queries", "keys"))
    products = queries @ keys.mT / math.sqrt(4) + (0 if told.bias is None else told.bias)
    torch.testing.assert_close(scores, products, atol=1e-6, rtol=1e-5)
    (weights,) = probe.layers("weights", "encoder_self")
    masked = scores.masked_fill(~model.allowed(ids), -math.inf)
    torch.testing.assert_close(weights, masked.softmax(-1), atol=1e-6, rtol=1e-5)
