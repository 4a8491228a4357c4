"""Two looks taken along: the numbers of both, their difference, and figures of them."""

import csv
import io
import json
import math
import re
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from core.cli.app import run as run_command
from core.errors import HeadlightError
from core.trace import KINDS, AttentionSite, AttentionTrace, Kind, save_trace
from tests.twins.words import word_weights
from tests.viz.export.paper.drawn import ACTIVE, pdf_keys, say_the_same
from tests.viz.export.test_one import svg_texts
from tests.viz.inspector.hostile import TEXTS, hostile_trace
from tests.viz.inspector.made import ENGLISH, KOREAN, forced, long_trace, sunk, trace
from viz import __main__ as command
from viz.export.one import Choice, exported, file_name
from viz.export.pair import PairChoice, pair_exported, pair_file_name
from viz.export.paper.both import Traces, both
from viz.export.request import Format, View
from viz.inspector.options import Options
from viz.inspector.pack import pack
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM
from viz.text.language import LANGUAGES, Language
from viz.text.pair import TEXT as PAIR
from viz.text.paper import TEXT as PAPER
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
    found = both(traces, kind)
    heads = (1, 4), (0, 2)
    values, known = found.minus(heads), found.known(heads)
    first, second = (t.sites[kind] for t in traces)
    for row, (a, b) in enumerate(found.rows):
        for column, (c, d) in enumerate(found.columns):
            there = min(a, b, c, d) >= 0
            expected = second.weights[0, 2, b, d] - first.weights[1, 4, a, c] if there else 0
            assert values[row, column] == expected
            seen = there and bool(first.allowed[a, c] or second.allowed[b, d])
            assert known[row, column] == seen


@pytest.mark.parametrize("kind", KINDS)
def test_between_words_it_is_one_sum_less_another(traces: Traces, kind: Kind) -> None:
    found = both(traces, kind, by_words=True)
    values, known = (of(((1, 4), (0, 2))) for of in (found.minus, found.known))
    sums = [
        word_weights(traced.sites[kind].weights[at], traced.queries(kind), traced.keys(kind))
        for traced, at in zip(traces, ((1, 4), (0, 2)), strict=True)
    ]
    assert sums[0].shape == found.parts[0].shape < traces[0].sites[kind].shape
    for row, (a, b) in enumerate(found.rows):
        for column, (c, d) in enumerate(found.columns):
            if min(a, b, c, d) >= 0:
                expected = sums[1][b, d] - sums[0][a, c]
                assert values[row, column] == pytest.approx(expected, abs=1e-6)
            else:
                assert not known[row, column]


def test_words_are_taken_along(traces: Traces) -> None:
    choice = PairChoice(kind="decoder_self", options=Options(words=True))
    told = json.loads(pair_exported(traces, choice, "json", language="en"))
    assert told["first"]["words"]
    assert "café" in told["first"]["keys"]
    drawn = pair_exported(traces, choice, "svg", language="en").decode()
    assert ">café<" in drawn
    assert ">-é<" not in drawn
    assert inspector_words("en")["units_summed"] in drawn


def test_a_look_less_itself_is_nothing(traces: Traces) -> None:
    found = both((traces[0], traces[0]), "decoder_self")
    assert not found.minus(((2, 1), (2, 1))).any()
    assert set(found.changes().values()) == {0.0}
    known = found.known(((2, 1), (2, 1)))
    assert np.array_equal(known, traces[0].sites["decoder_self"].allowed)


def test_a_table_has_every_cell_of_both(traces: Traces) -> None:
    choice = PairChoice("head", "cross", 2, 5, (1, 3))
    body = pair_exported(traces, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    for name, traced, (layer, head) in zip(
        ("first", "second"), traces, ((1, 4), (0, 2)), strict=True
    ):
        weights = traced.sites["cross"].weights[layer, head]
        told = {
            (int(row[f"{name}_query"]), int(row[f"{name}_key"])): float(row[f"{name}_weight"])
            for row in rows
            if row[f"{name}_weight"]
        }
        assert len(told) == weights.size
        assert all(told[r + 1, c + 1] == weights[r, c] for r, c in np.ndindex(weights.shape))
        of = {(row[f"{name}_layer"], row[f"{name}_head"]) for row in rows}
        assert of == {(str(layer + 1), str(head + 1))}
    for row in rows:
        if row["difference"]:
            change = float(row["second_weight"]) - float(row["first_weight"])
            assert float(row["difference"]) == pytest.approx(change, abs=1e-6)
        else:
            assert not (row["first_weight"] and row["second_weight"])


def test_a_program_is_told_the_same(traces: Traces) -> None:
    told = json.loads(
        pair_exported(traces, PairChoice("head", "cross", 2, 5), "json", language="en")
    )
    found = both(traces, "cross")
    values, known = (of(((1, 4), (1, 4))) for of in (found.minus, found.known))
    for row, column in np.ndindex(found.shape):
        value = told["difference"][row][column]
        assert value == (values[row, column] if known[row, column] else None)
    assert told["second"]["keys"][1] == "학교"
    assert [None, 5] in told["rows"]


@pytest.mark.parametrize("by_words", [False, True])
def test_either_of_two_heads_is_told_as_alone(traces: Traces, by_words: bool) -> None:
    options = Options(words=by_words)
    choice = PairChoice("head", "cross", 2, 5, (1, 3), options)
    for pair in (traces, (traces[1], sunk())):
        told = json.loads(pair_exported(pair, choice, "json", language="en"))
        for side, traced, at in zip(("first", "second"), pair, ((2, 5), (1, 3)), strict=True):
            alone = Choice("head", "cross", *at, options=options)
            packed = pack(traced, trace_id="x")
            own = json.loads(exported(packed, alone, "json", language="en"))
            assert own.pop("view") == "head"
            assert told[side] == own


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "grid"])
def test_rows_of_both_are_told_by_what_they_write_and_by_what_they_read(
    traces: Traces, view: View, kind: Kind, by_words: bool
) -> None:
    choice = PairChoice(view, kind, options=Options(words=by_words))
    told = json.loads(pair_exported(traces, choice, "json", language="en"))
    body = pair_exported(traces, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    names = list(rows[0])
    for side, traced in zip(("first", "second"), traces, strict=True):
        decoder = kind != "encoder_self"
        assert ("reads" in told[side]) == decoder
        own = told[side]["reads"] if decoder else [""] * len(told[side]["queries"])
        if decoder:
            assert " · ".join(own).split(" · ") == [token.text for token in traced.target]
        assert names.index(f"{side}_query_reads") == names.index(f"{side}_query_token") + 1
        for row in rows:
            at = int(row[f"{side}_query"] or 0) - 1
            assert row[f"{side}_query_reads"] == ("" if at < 0 else own[at])
    assert told["first"]["queries"] != told["second"]["queries"] or kind == "encoder_self"


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_names_both(traces: Traces, kind: Kind, form: Format) -> None:
    body = pair_exported(traces, PairChoice("head", kind, 2, 5, (1, 3)), form, language="ko")
    assert len(body) > 5000
    if form == "svg":
        text = body.decode()
        assert "A · 2층, 헤드 5" in text
        assert "B · 1층, 헤드 3" in text
        assert "B − A" in text
        assert ("카페 / 학교" in text) == (kind != "decoder_self")


def moved(traces: Traces, kind: Kind, head: tuple[int, int]) -> float:
    """Slow twin of `Both.change`: each pair of rows as distributions over all places and none."""
    laid = both(traces, kind)
    distances = []
    for pair in laid.rows:
        if min(pair) >= 0:
            spread = []
            for side, weights in enumerate(laid.weights((head, head))):
                row = [float(weight) for weight in weights[pair[side]]]
                row = [weight / max(1, sum(row)) for weight in row]
                put = [row[at[side]] if at[side] >= 0 else 0 for at in laid.columns]
                spread.append([*put, 1 - sum(row)])
            distances.append(sum(abs(b - a) for a, b in zip(*spread, strict=True)) / 2)
    return float(np.mean(distances))


@pytest.mark.parametrize("kind", KINDS)
def test_heads_are_ordered_by_how_much_they_changed(traces: Traces, kind: Kind) -> None:
    found = both(traces, kind).changes()
    assert list(found.values()) == sorted(found.values(), reverse=True)
    site = traces[0].sites[kind]
    assert set(found) == set(np.ndindex(site.layers, site.heads))
    for head, share in found.items():
        assert share == pytest.approx(moved(traces, kind, head), abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sinks", [(True, True), (True, False), (False, True)])
def test_what_goes_to_no_key_lies_elsewhere_too(
    traces: Traces, kind: Kind, sinks: tuple[bool, bool]
) -> None:
    first, second = (
        sunk(seed, own) if has else own
        for own, seed, has in zip(traces, (5, 6), sinks, strict=True)
    )
    for pair in ((first, second), (sunk(5), sunk(6))):
        for head, share in both(pair, kind).changes().items():
            assert share == pytest.approx(moved(pair, kind, head), abs=1e-6)


def test_a_head_that_puts_all_on_its_sink_has_all_of_it_elsewhere() -> None:
    plain = trace()
    empty = {
        kind: AttentionSite(
            kind,
            np.zeros_like(site.weights),
            site.allowed,
            sinks=np.ones(site.weights.shape[:3], np.float32),
        )
        for kind, site in plain.sites.items()
    }
    drained = replace(plain, sites=empty)
    for kind, by_words in product(KINDS, (False, True)):
        changes = both((plain, drained), kind, by_words=by_words).changes()
        assert [*changes.values()] == pytest.approx(np.ones(len(changes)), abs=1e-6)
        assert not any(both((drained, drained), kind, by_words=by_words).changes().values())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_any_sum_are_compared_by_what_they_share_out(traces: Traces, kind: Kind) -> None:
    pairs = (traces[0], forced(traces[0])), (forced(traces[0]), forced(traces[1]))
    for pair in pairs:
        for head, share in both(pair, kind).changes().items():
            assert share == pytest.approx(moved(pair, kind, head), abs=1e-6)


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize(("scale", "share"), [(0.0, 1.0), (0.25, 0.75), (1.0, 0.0), (3.0, 0.0)])
def test_a_silenced_head_has_moved_wholly_and_a_louder_one_not(
    by_words: bool, scale: float, share: float
) -> None:
    """The same whether its weights were scaled or, to none, its mask was shut."""
    plain = trace()
    for kind, site in plain.sites.items():
        weights = np.copy(site.weights)
        weights[1, 4] *= scale
        ways = [replace(site, weights=weights, forced=True)]
        if scale == 0:
            allowed = np.copy(np.broadcast_to(site.allowed, weights.shape))
            allowed[1, 4] = False
            ways.append(replace(site, weights=weights, allowed=allowed))
        for put in ways:
            other = replace(plain, sites={**plain.sites, kind: put})
            for pair in ((plain, other), (other, plain)):
                changes = both(pair, kind, by_words=by_words).changes()
                assert changes.pop((1, 4)) == pytest.approx(share, abs=1e-6)
                assert not any(changes.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_changes_are_a_figure(traces: Traces, language: Language) -> None:
    drawn = pair_exported(traces, PairChoice("grid"), "svg", language=language)
    texts = svg_texts(drawn)
    head, share = next(iter(both(traces, "cross").changes().items()))
    named = inspector_words(language)["head_short"].format(layer=head[0] + 1, head=head[1] + 1)
    assert f"{named} · {share * 100:.0f}\u00a0%" in texts
    said = " ".join(texts)
    assert PAPER[language].changed_note in said
    assert PAIR[language].most_first in said
    assert PAPER[language].stretch_changes not in said
    stretched = PairChoice("grid", options=Options(stretch=True))
    said = " ".join(svg_texts(pair_exported(traces, stretched, "svg", language=language)))
    assert PAPER[language].stretch_changes in said


def test_all_changes_are_numbers(traces: Traces) -> None:
    told = json.loads(pair_exported(traces, PairChoice("grid", "cross"), "json", language="en"))
    found = both(traces, "cross")
    assert [((h["layer"] - 1, h["head"] - 1), h["changed"]) for h in told["heads"]] == list(
        found.changes().items()
    )
    for head in told["heads"]:
        at = head["layer"] - 1, head["head"] - 1
        expected = np.where(found.known((at, at)), found.minus((at, at)), np.nan)
        values = np.array(head["difference"], np.float64)
        np.testing.assert_array_equal(values, expected)
    body = pair_exported(traces, PairChoice("grid", "cross"), "csv", language="en")
    rows = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    assert len(rows) == math.prod(found.shape) * len(told["heads"])
    first = next(row for row in rows if row["difference"])
    assert (int(first["layer"]), int(first["head"])) == (
        told["heads"][0]["layer"],
        told["heads"][0]["head"],
    )


def test_a_figure_of_both_has_the_scale_and_the_pin_that_are_seen(traces: Traces) -> None:
    def said(options: Options) -> str:
        choice = PairChoice("head", "cross", 2, 5, options=options)
        return " | ".join(svg_texts(pair_exported(traces, choice, "svg", language="en")))

    first, second = both(traces, "cross").weights(((1, 4), (1, 4)))
    largest = max(first.max(), second.max())
    assert f"{largest:.3f}" in said(Options(stretch=True))
    assert f"{largest:.3f}" not in said(Options())
    found, pinned = both(traces, "cross"), said(Options(pinned=(2, 1)))
    row, column = (next(n for n, p in enumerate(axis) if p[0] == at)
                   for axis, at in ((found.rows, 2), (found.columns, 1)))  # fmt: skip
    a, b = first[2, 1], second[found.rows[row][1], found.columns[column][1]]
    assert f"A {a:.3f}, B {b:.3f}" in " ".join(pinned.replace(" | ", " ").split())
    lone = next(p[0] for p in found.rows if p[1] < 0)
    assert PAIR["en"].no_such_cell in said(Options(pinned=(lone, 1)))


@pytest.mark.parametrize("by_words", [False, True])
def test_a_cell_of_the_second_alone_is_marked(traces: Traces, by_words: bool) -> None:
    pieces = both(traces, "cross")
    row = next(at for at, pair in enumerate(pieces.rows) if pair[0] < 0)
    choice = PairChoice("head", "cross", 2, 5, options=Options(words=by_words), place=(row + 1, 2))
    drawn = " ".join(svg_texts(pair_exported(traces, choice, "svg", language="en")))
    shown = both(traces, "cross", by_words=by_words)
    place = next(at for at, pair in enumerate(shown.rows) if pair[0] < 0)
    _, second = shown.weights(((1, 4), (1, 4)))
    weight = second[shown.rows[place][1], shown.columns[1][1]]
    assert f"A {PAIR['en'].no_such_cell}, B {weight:.3f}, B − A –" in drawn
    with pytest.raises(HeadlightError, match=r"^place cannot be"):
        pair_exported(traces, replace(choice, place=(999, 1)), "svg", language="en")


def test_a_word_of_the_second_whose_pieces_stand_beside_the_firsts_is_marked() -> None:
    """Pieces fall into one place where their words do not: clo|sed, once|full."""
    first = trace(target=("were", "clo", "sed"), target_words=(0, 1, 1))
    second = trace(target=("were", "once", "full"), target_words=(0, 1, 2), seed=30)
    choice = PairChoice("head", "cross", 2, 5, options=Options(words=True), place=(2, 2))
    body = pair_exported((first, second), choice, "svg", language="en")
    weight = both((first, second), "cross", by_words=True).weights(((1, 4), (1, 4)))[1][1, 1]
    drawn = " ".join(svg_texts(body))
    assert f"A {PAIR['en'].no_such_cell}, B {weight:.3f}, B − A –" in drawn


def test_files_are_called_by_what_they_hold(traces: Traces) -> None:
    one = PairChoice("head", None, 2, 5, (1, 3))
    assert pair_file_name(traces, one, "pdf") == "headlight-pair-cross-layer2-head5.pdf"
    every = PairChoice("grid", "encoder_self")
    assert pair_file_name(traces, every, "csv") == "headlight-pair-encoder_self-heads.csv"
    alone = Choice("grid", "cross").fitted(traces[0])
    assert file_name(traces[0], alone, "png", "b") == "headlight-cross-heads-b.png"


def test_whole_looks_are_called_by_what_they_are_of(traces: Traces) -> None:
    first, second = (
        replace(
            traced, model_id="Café/Models v2", meta={"source_text": source, "target_text": said}
        )
        for traced, source, said in zip(
            traces,
            ("어제 TV를 봤다", "책을 읽었다"),
            ("I didn't watch TV yesterday evening.", "I read."),
            strict=True,
        )
    )
    whole = Choice().fitted(first)
    name = "headlight-cafe-models-v2-i-didnt-watch-tv"
    assert file_name(first, whole, "npz") == f"{name}.npz"
    assert file_name(first, whole, "html", "a") == f"{name}-a.html"
    of_step = replace(whole, view="stages")
    assert (
        file_name(first, of_step, "html") == "headlight-step-cafe-models-v2-i-didnt-watch-tv.html"
    )
    assert file_name(first, of_step, "npz") == f"{name}.npz"
    assert (
        pair_file_name((first, second), PairChoice(), "html")
        == f"{name[:9]}-pair{name[9:]}-i-read.html"
    )
    assert pair_file_name((first, first), PairChoice(), "html") == f"{name[:9]}-pair{name[9:]}.html"


@pytest.mark.parametrize("text", [*TEXTS, "../../etc/passwd", "CON", "한" * 5000, "a/b\\c:d*e?f"])
def test_a_name_is_safe_whatever_it_is_made_of(text: str) -> None:
    traced = replace(trace((text,), (0,)), model_id=text, meta={"source_text": text})
    for name in (
        file_name(traced, Choice().fitted(traced), "npz"),
        pair_file_name((traced, traced), PairChoice(), "html"),
    ):
        assert re.fullmatch(r"headlight(-[a-z0-9]+)*\.(npz|html)", name)
        assert len(name) < 160


def test_unlike_heads_have_no_changes(traces: Traces) -> None:
    unlike = traces[0], trace(layers=1, heads=2)
    with pytest.raises(HeadlightError, match="different numbers of layers and heads"):
        pair_exported(unlike, PairChoice("grid"), "svg", language="en")
    assert both(unlike, "cross").changes() == {}


def test_two_looks_have_two_views(traces: Traces) -> None:
    with pytest.raises(HeadlightError, match="head and grid"):
        pair_exported(traces, PairChoice("lines"), "svg", language="en")


def test_milestones_are_called_by_their_updates(traces: Traces) -> None:
    """And by their run: two of them have as many."""
    both = replace(traces[0], model_id="mine@0"), replace(traces[1], model_id="other@1592")
    for language in LANGUAGES:
        drawn = pair_exported(both, PairChoice(), "svg", language=language)
        texts = " ".join(svg_texts(drawn))  # a long note has several lines
        assert f"(mine, {FILM[language].untrained})" in texts
        assert f"(other, {FILM[language].after_updates.format(step='1,592')})" in texts
        assert "@" not in texts


def test_two_looks_finer_than_print_are_refused() -> None:
    traced = long_trace(1001, layers=1, heads=1)
    with pytest.raises(HeadlightError, match="1,000 tokens"):
        pair_exported((traced, traced), PairChoice(kind="cross"), "png", language="en")


def test_numbers_of_too_many_cells_of_two_are_refused(
    traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = both(traces, "cross")
    cells = math.prod(laid.shape) * len(laid.changes())
    monkeypatch.setattr("viz.export.numbers.MOST_CELLS", cells - 1)
    for form in ("csv", "json"):
        assert pair_exported(traces, PairChoice("head"), form, language="en")
        with pytest.raises(HeadlightError, match=rf"this is of {cells:,}; an npz of each"):
            pair_exported(traces, PairChoice("grid"), form, language="en")


def test_the_title_stands_over_those_of_both(traces: Traces) -> None:
    """Texts of a figure do not lie on each other."""
    same = PairChoice("head", "cross", 2, 5)
    root = ElementTree.fromstring(pair_exported(traces, same, "svg", language="en"))
    tops = {}
    for node in root.iter():
        place = re.search(r"translate\([\d.]+ ([\d.]+)\)|rotate\([^ ]+ [\d.]+ ([\d.]+)\)",
                          node.get("transform", ""))  # fmt: skip
        if node.tag.endswith("}text") and place:
            tops["".join(node.itertext())] = float(place[1] or place[2])
    assert tops["Cross · layer 2 · head 5"] < tops["A · Layer 2, head 5"] - 11


def test_hostile_tokens_stay_text() -> None:
    traces: Traces = (hostile_trace(TEXTS), hostile_trace(tuple(reversed(TEXTS))))
    choice = PairChoice()
    drawn = pair_exported(traces, choice, "svg", language="en")
    names = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(drawn).iter()}
    assert names.isdisjoint({"script", "a", "foreignObject", "animate", "set"})
    paper = pair_exported(traces, choice, "pdf", language="en")
    assert pdf_keys(paper).isdisjoint(ACTIVE)
    assert say_the_same(paper, drawn)
    told = json.loads(pair_exported(traces, choice, "json", language="en"))
    assert told["first"]["keys"][:-1] == list(map(carried, TEXTS))
    table = pair_exported(traces, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    told_of = [name for name in rows[0] if name.endswith(("_token", "_reads"))]
    assert len(told_of) == 6
    named = {row[name] for row in rows for name in told_of}
    assert not [name for name in named if name and name[0] in "=+-@\t\r"]


@pytest.mark.parametrize(
    ("choice", "form", "name"),
    [
        (PairChoice(layer=4), "svg", "layer"),
        (PairChoice(other=(1, 9)), "svg", "head"),
        (PairChoice(options=Options(pinned=(99, 0))), "svg", "pinned"),
        (PairChoice(options=Options(pinned=(0, 99))), "html", "pinned"),
        (PairChoice(other=(1, 9)), "html", "head"),
        (PairChoice(place=(999, 1)), "html", "place"),
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


@pytest.mark.parametrize(
    "text", ["3", "3.", "0.1", "a.b", "3.5.1", "99999.1", "-1.2", "1٣.1", "1.1३"]
)
def test_a_head_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(HeadlightError, match="other"):
        PairChoice.read({"other": text}, "svg")


def test_heads_are_read_as_in_an_address() -> None:
    asked: list[dict[str, str]] = [{}] + [{"other": text} for text in ("", "same", "3.5")]
    assert [PairChoice.read(texts, "svg").other for texts in asked] == [None, None, None, (3, 5)]


def test_the_command_takes_a_second_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: Traces
) -> None:
    files = [tmp_path / name for name in ("a.npz", "b.npz")]
    for file, traced in zip(files, traces, strict=True):
        save_trace(file, traced)
    out = tmp_path / "both.json"
    arguments = ["export", str(files[0]), "--beside", str(files[1]), "--other", "1.3"]
    monkeypatch.setattr(sys, "argv", ["viz", *arguments])
    with pytest.raises(SystemExit) as stopped:
        run_command(command.app, [*arguments, "--out", str(out)])
    assert not stopped.value.code
    assert json.loads(out.read_text())["second"]["head"] == 3


@pytest.mark.parametrize(
    ("more", "name"),
    [
        (["--view", "grid", "--pinned", "1.1"], "pinned"),
        (["--view", "head", "--trim", "0.1"], "trim"),
        (["--view", "lines"], "view"),
        (["--step", "2"], "step"),
    ],
)
def test_the_command_refuses_what_two_traces_do_not_show(
    tmp_path: Path, traces: Traces, capsys: pytest.CaptureFixture[str], more: list[str], name: str
) -> None:
    file, out = tmp_path / "a.npz", tmp_path / "out.svg"
    save_trace(file, traces[0])
    arguments = ["export", str(file), "--beside", str(file), *more, "--out", str(out)]
    with pytest.raises(SystemExit) as stopped:
        run_command(command.app, arguments)
    assert stopped.value.code
    assert name in capsys.readouterr().err
    assert not out.exists()
