"""Two looks taken along: the numbers of both, their difference, and figures of them."""

import csv
import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from core.cli.app import run as run_command
from core.errors import HeadlightError
from core.studies.words import word_weights
from core.trace import KINDS, AttentionTrace, Kind
from core.trace_file import save_trace
from tests.viz.inspector.hostile import TEXTS, hostile_trace
from tests.viz.inspector.made import ENGLISH, KOREAN, long_trace, trace
from tests.viz.test_export import svg_texts
from viz import __main__ as command
from viz.asked import Format, other_of
from viz.export_pair import PairChoice, pair_exported
from viz.printing.pair import Traces, difference
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM
from viz.text.language import LANGUAGES
from viz.text.tokens import carried

OTHER = (KOREAN[0], "학교", *KOREAN[2:])
SHORTER = (*ENGLISH[:4], "school", *ENGLISH[7:])


@pytest.fixture(scope="module")
def traces() -> Traces:
    words = tuple(range(len(SHORTER)))
    return trace(), trace(OTHER, target=SHORTER, target_words=words, seed=30)


@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_is_one_weight_less_another(traces: Traces, kind: Kind) -> None:
    """Against a loop over cells: fancy indexing gets rows and columns wrong in silence."""
    found = difference(traces, kind, ((1, 4), (0, 2)))
    first, second = (t.sites[kind] for t in traces)
    for row, (a, b) in enumerate(found.rows):
        for column, (c, d) in enumerate(found.columns):
            both = min(a, b, c, d) >= 0
            expected = second.weights[0, 2, b, d] - first.weights[1, 4, a, c] if both else 0
            assert found.values[row, column] == expected
            seen = both and bool(first.allowed[a, c] or second.allowed[b, d])
            assert found.known[row, column] == seen


@pytest.mark.parametrize("kind", KINDS)
def test_between_words_it_is_one_sum_less_another(traces: Traces, kind: Kind) -> None:
    found = difference(traces, kind, ((1, 4), (0, 2)), by_words=True)
    sums = [
        word_weights(look.sites[kind].weights[at], look.queries(kind), look.keys(kind))
        for look, at in zip(traces, ((1, 4), (0, 2)), strict=True)
    ]
    assert sums[0].shape == found.parts[0].allowed.shape < traces[0].sites[kind].allowed.shape
    for row, (a, b) in enumerate(found.rows):
        for column, (c, d) in enumerate(found.columns):
            if min(a, b, c, d) >= 0:
                expected = sums[1][b, d] - sums[0][a, c]
                assert found.values[row, column] == pytest.approx(expected, abs=1e-6)
            else:
                assert not found.known[row, column]


def test_words_are_taken_along(traces: Traces) -> None:
    choice = PairChoice("decoder_self", words=True)
    told = json.loads(pair_exported(traces, choice, "json", language="en"))
    assert told["first"]["words"]
    assert "café" in told["first"]["keys"]
    drawn = pair_exported(traces, choice, "svg", language="en").decode()
    assert ">café<" in drawn
    assert ">-é<" not in drawn
    assert inspector_words("en")["units_summed"] in drawn


def test_a_look_less_itself_is_nothing(traces: Traces) -> None:
    found = difference((traces[0], traces[0]), "decoder_self", ((2, 1), (2, 1)))
    assert not found.values.any()
    assert np.array_equal(found.known, traces[0].sites["decoder_self"].allowed)


def test_a_table_has_every_cell_of_both(traces: Traces) -> None:
    choice = PairChoice("cross", 2, 5, (1, 3))
    body = pair_exported(traces, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    for name, look, (layer, head) in zip(
        ("first", "second"), traces, ((1, 4), (0, 2)), strict=True
    ):
        weights = look.sites["cross"].weights[layer, head]
        told = {
            (int(row[f"{name}_query"]), int(row[f"{name}_key"])): float(row[f"{name}_weight"])
            for row in rows
            if row[f"{name}_weight"]
        }
        assert len(told) == weights.size
        assert all(told[r + 1, c + 1] == weights[r, c] for r, c in np.ndindex(weights.shape))
    for row in rows:
        if row["difference"]:
            change = float(row["second_weight"]) - float(row["first_weight"])
            assert float(row["difference"]) == pytest.approx(change, abs=1e-6)
        else:
            assert not (row["first_weight"] and row["second_weight"])


def test_a_program_is_told_the_same(traces: Traces) -> None:
    told = json.loads(pair_exported(traces, PairChoice("cross", 2, 5), "json", language="en"))
    found = difference(traces, "cross", ((1, 4), (1, 4)))
    for row, column in np.ndindex(found.known.shape):
        value = told["difference"][row][column]
        assert value == (found.values[row, column] if found.known[row, column] else None)
    assert told["second"]["keys"][1] == "학교"
    assert [None, 5] in told["rows"]


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_names_both(traces: Traces, kind: Kind, form: Format) -> None:
    body = pair_exported(traces, PairChoice(kind, 2, 5, (1, 3)), form, language="ko")
    assert len(body) > 5000
    if form == "svg":
        text = body.decode()
        assert "A · 2층, 헤드 5" in text
        assert "B · 1층, 헤드 3" in text
        assert "B − A" in text
        assert ("카페 / 학교" in text) == (kind != "decoder_self")


def test_milestones_are_called_by_their_updates(traces: Traces) -> None:
    """Their folders are, so that is what their models are called."""
    both = replace(traces[0], model_id="00000000"), replace(traces[1], model_id="00001592")
    for language in LANGUAGES:
        drawn = pair_exported(both, PairChoice(), "svg", language=language)
        texts = " ".join(svg_texts(drawn))  # a long note has several lines
        assert f"({FILM[language].untrained})" in texts
        assert f"({FILM[language].after_updates.format(step='1,592')})" in texts
        assert "0000" not in texts


def test_two_looks_finer_than_print_are_refused() -> None:
    look = long_trace(1001, layers=1, heads=1)
    with pytest.raises(HeadlightError, match="1,000 tokens"):
        pair_exported((look, look), PairChoice("cross"), "png", language="en")


def test_the_title_stands_over_those_of_both(traces: Traces) -> None:
    """Texts of a figure do not lie on each other."""
    same = PairChoice("cross", 2, 5)
    root = ElementTree.fromstring(pair_exported(traces, same, "svg", language="en"))
    tops = {}
    for node in root.iter():
        place = re.search(r"translate\([\d.]+ ([\d.]+)\)|rotate\([^ ]+ [\d.]+ ([\d.]+)\)",
                          node.get("transform", ""))  # fmt: skip
        if node.tag.endswith("}text") and place:
            tops["".join(node.itertext())] = float(place[1] or place[2])
    assert tops["Cross · layer 2 · head 5"] < tops["A · Layer 2, head 5"] - 11


def test_hostile_tokens_stay_text() -> None:
    looks: Traces = (hostile_trace(TEXTS), hostile_trace(tuple(reversed(TEXTS))))
    choice = PairChoice()
    drawn = pair_exported(looks, choice, "svg", language="en")
    names = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(drawn).iter()}
    assert names.isdisjoint({"script", "a", "foreignObject", "animate", "set"})
    assert pair_exported(looks, choice, "pdf", language="en").startswith(b"%PDF")
    told = json.loads(pair_exported(looks, choice, "json", language="en"))
    assert told["first"]["keys"][:-1] == list(map(carried, TEXTS))
    table = pair_exported(looks, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table, newline="")))[1:]
    named = {cell for row in rows for at, cell in enumerate(row) if at in (2, 4, 7, 9)}
    assert not [name for name in named if name and name[0] in "=+-@\t\r"]


@pytest.mark.parametrize(
    ("choice", "form", "name"),
    [
        (PairChoice(layer=4), "svg", "layer"),
        (PairChoice(other=(1, 9)), "svg", "head"),
        (PairChoice(), "html", "out"),
        (PairChoice(), "npz", "out"),
    ],
)
def test_what_is_not_there_is_named(
    traces: Traces, choice: PairChoice, form: Format, name: str
) -> None:
    with pytest.raises(HeadlightError, match=f"^{name} cannot be"):
        pair_exported(traces, choice, form, language="en")


def test_looks_without_a_kind_in_common_are_refused() -> None:
    whole = trace()
    own: dict[str, AttentionTrace] = {
        kind: AttentionTrace("n", whole.source, whole.target, whole.written, {kind: site})
        for kind, site in whole.sites.items()
    }
    with pytest.raises(HeadlightError, match="kind"):
        pair_exported((own["cross"], own["encoder_self"]), PairChoice(), "svg", language="en")


@pytest.mark.parametrize("text", ["3", "3.", "0.1", "a.b", "3.5.1", "99999.1", "-1.2"])
def test_a_head_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(HeadlightError, match="other"):
        other_of(text)


def test_heads_are_read_as_in_an_address() -> None:
    assert [other_of(text) for text in (None, "", "same", "3.5")] == [None, None, None, (3, 5)]


def test_the_command_takes_a_second_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: Traces
) -> None:
    files = [tmp_path / name for name in ("a.npz", "b.npz")]
    for file, look in zip(files, traces, strict=True):
        save_trace(file, look)
    out = tmp_path / "both.json"
    arguments = ["export", str(files[0]), "--beside", str(files[1]), "--other", "1.3"]
    monkeypatch.setattr(sys, "argv", ["viz", *arguments])
    with pytest.raises(SystemExit) as stopped:
        run_command(command.app, [*arguments, "--out", str(out)])
    assert not stopped.value.code
    assert json.loads(out.read_text())["second"]["head"] == 3
