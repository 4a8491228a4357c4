"""Packing a film: every frame comes out as it went in, and it never grows too large."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.trace import AttentionTrace
from tests.twins.packed import unpack
from tests.viz.inspector.made import trace
from viz.inspector.film import (
    BUDGET,
    LONGEST,
    Frame,
    PackedFilm,
    film_data,
    longest_side,
    pack_film,
)
from viz.inspector.pack import pack
from viz.inspector.quantise import WEIGHT_ERROR
from viz.text.film import EN
from viz.text.rows import by_name

STEPS = (0, 3, 40, 1000)


def frame(step: int, traced: AttentionTrace | None = None) -> Frame:
    traced = trace(seed=step, layers=2, heads=3) if traced is None else traced
    packed = pack(replace(traced, logits=None), trace_id=f"at-{step}")
    return Frame(step, packed, traced.written[: step % 5], step > 3, 7.0 / (step + 1))


def film(*frames: Frame) -> PackedFilm:
    return pack_film(
        frames or [frame(step) for step in STEPS],
        film_id="made",
        validation={"words": {"loss": [(40, 2.5), (900, 1.5)]}},
        training={"loss": [(20, 3.0)]},
    )


def test_every_frame_comes_out_as_it_went_in() -> None:
    packed = film()
    for index, step in enumerate(STEPS):
        traced = trace(seed=step, layers=2, heads=3)
        found = unpack(packed.meta["milestones"][index]["sites"], packed.array)
        assert set(found) == set(traced.sites)
        for kind, (weights, allowed) in found.items():
            np.testing.assert_allclose(weights, traced.sites[kind].weights, atol=WEIGHT_ERROR)
            np.testing.assert_array_equal(allowed, traced.sites[kind].allowed)


def test_what_is_sent_is_json_beside_one_array() -> None:
    packed = film()
    selection = {"kind": "cross", "milestone": 40}
    data = film_data(packed, language="en", text=by_name(EN), selection=selection)
    assert data["array"] is packed.array
    assert packed.array.dtype == np.uint8
    assert packed.array.size == sum(frame(step).packed.nbytes for step in STEPS)
    meta = json.loads(json.dumps(data["meta"]))
    assert "ui" not in packed.meta
    assert meta["ui"]["selection"] == selection
    assert [m["step"] for m in meta["milestones"]] == list(STEPS)
    assert [m["trace_id"] for m in meta["milestones"]] == [f"at-{step}" for step in STEPS]
    assert [len(m["output"]["text"]) for m in meta["milestones"]] == [0, 3, 0, 0]
    assert meta["validation"] == {"words": {"loss": [[40, 2.5], [900, 1.5]]}}


@pytest.mark.parametrize(
    "other",
    [
        trace(target=("other",), target_words=(0,), layers=2, heads=3),
        trace(source=("다른",), source_words=(0,), layers=2, heads=3),
        trace(layers=3, heads=3),
        trace(layers=2, heads=4),
    ],
)
def test_frames_of_other_tokens_or_heads_make_no_film(other: AttentionTrace) -> None:
    with pytest.raises(ValueError, match="same tokens and heads"):
        film(frame(0), frame(3, other))


@given(st.integers(1, 40_000), st.integers(1, 100))
def test_a_film_of_the_longest_sentence_stays_within_its_budget(
    heads: int, milestones: int
) -> None:
    longest = longest_side(heads, milestones)
    assert longest <= LONGEST
    assert heads * milestones * longest**2 <= BUDGET
    assert longest == LONGEST or heads * milestones * (longest + 1) ** 2 > BUDGET
