"""Traces of the second form, wherever a trace may go: into the browser, files and figures."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.probe import Edit, edits_as_json
from core.trace import AttentionTrace, save_trace
from tests.viz.export.test_one import svg_texts
from tests.viz.inspector.made import trace, vocabulary_tokens
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.request import FORMATS
from viz.inspector.pack import Packed, pack
from viz.jobs.saved import open_saved
from viz.jobs.snapshots import SnapshotStore

EDITS = tuple(Edit("outputs", "cross", "scale", layer=2, head=head) for head in range(5))


def packed(made: AttentionTrace) -> Packed:
    return pack(made, trace_id="x", vocabulary_tokens=vocabulary_tokens)


@pytest.fixture(scope="module")
def encoder() -> AttentionTrace:
    """A model without a decoder, with all that a file of it can hold."""
    whole = trace()
    length = len(whole.source)
    stream = np.zeros((4, length, 5), np.float32)
    return AttentionTrace(
        "reader",
        whole.source,
        (),
        (),
        {"encoder_self": whole.sites["encoder_self"]},
        np.zeros((length, 7), np.float32),
        vocabulary=tuple("abcdefg"),
        residuals={"encoder": stream},
        states={"encoder": {"hidden": stream, "forget": stream}},
    )


def test_an_encoder_whose_logits_are_over_its_source_is_opened(
    encoder: AttentionTrace, tmp_path: Path
) -> None:
    save_trace(tmp_path / "reader.npz", encoder)
    traced = open_saved((tmp_path / "reader.npz").read_bytes(), "reader.npz", SnapshotStore())
    assert traced.packed.meta["next"] is None
    assert not traced.packed.meta["logits"]
    assert traced.trace.states["encoder"].keys() == {"hidden", "forget"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("view", ["head", "grid"])
def test_it_leaves_as_any_file(encoder: AttentionTrace, view: str, form: str) -> None:
    choice = Choice(view, "encoder_self", 2, 3)  # type: ignore[arg-type]
    assert exported(packed(encoder), choice, form, language="en")  # type: ignore[arg-type]


def test_what_it_tells_of_a_token_is_exported_in_the_place_of_a_next_one(
    encoder: AttentionTrace,
) -> None:
    told = json.loads(exported(packed(encoder), Choice("next", step=2), "json", language="en"))
    assert told["reads"] == encoder.source[1].text
    assert "written" not in told


def test_what_was_edited_stands_in_figures_and_numbers() -> None:
    plain = trace()
    edited = replace(plain, meta={**plain.meta, "edits": edits_as_json(EDITS)})
    told = json.loads(exported(packed(edited), Choice("grid", "cross"), "json", language="en"))
    assert told["edits"] == edits_as_json(EDITS)
    both = pair_exported((plain, edited), PairChoice("head", "cross", 1, 1), "json", language="en")
    sides = json.loads(both)
    assert "edits" not in sides["first"]
    assert sides["second"]["edits"] == told["edits"]
    for view in ("head", "lines", "stages", "next"):
        choice = Choice(view, "cross", 1, 1)
        texts = " ".join(svg_texts(exported(packed(edited), choice, "svg", language="en")))
        assert (
            "Edited during the pass: head outputs (Cross L3 H1) × 0, head outputs (Cross L3 H2) × 0"
            in texts
        ), view
        plainly = svg_texts(exported(packed(plain), choice, "svg", language="en"))
        assert not any("Edited" in text for text in plainly)
