"""What a person takes along: figures, numbers, a page, from the function and the command line."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from core.cli.app import run as run_command
from core.errors import HeadlightError
from core.trace import KINDS, AttentionSite, AttentionTrace, Kind, load_trace, save_trace
from tests.viz.inspector.hostile import tabled
from tests.viz.inspector.made import forced, long_trace, sunk, trace, vocabulary_tokens
from tests.viz.text.korean import english_in
from viz import __main__ as command
from viz.export.one import Choice, exported, file_name
from viz.export.pair import PairChoice
from viz.export.request import FORMATS, VIEWS, Format, View
from viz.inspector.options import Options, Order
from viz.inspector.pack import Packed, pack
from viz.jobs.saved import open_saved
from viz.jobs.snapshots import Snapshot, SnapshotStore
from viz.text.inspector import TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.next_token import TEXT as TEXT_NEXT
from viz.text.rows import by_name
from viz.text.stages import TEXT as STAGES

ORDERS = get_args(Order)


def packed_of(snapshot: AttentionTrace) -> Packed:
    return pack(snapshot, trace_id="x", vocabulary_tokens=vocabulary_tokens)


@pytest.fixture(scope="module")
def packed() -> Packed:
    return packed_of(trace())


def svg_texts(body: bytes) -> list[str]:
    root = ElementTree.fromstring(body)
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_figure_is_text_that_can_be_searched(
    packed: Packed, view: View, kind: Kind, language: Language
) -> None:
    body = exported(packed, Choice(view, kind, 3, 5), "svg", language=language)
    texts = svg_texts(body)
    words = TEXT[language]
    if view == "next":
        assert words.next_title.format(step=14) in texts
        assert words.special_end in " ".join(texts)
        return
    assert getattr(words, f"kind_{kind}") in " ".join(texts)
    if view != "grid":
        keys = packed.trace.keys(kind)
        queries = packed.trace.source if kind == "encoder_self" else packed.trace.written
        for token in (*keys, *queries):
            assert token.special or any(token.text in text for text in texts), token
        assert {words.axis_key, words.axis_query} <= set(texts)
    assert exported(packed, Choice(view, kind, 3, 5), "svg", language=language) == body


@pytest.mark.parametrize("view", VIEWS)
def test_print_quality(packed: Packed, view: View) -> None:
    image = Image.open(io.BytesIO(exported(packed, Choice(view), "png", language="ko")))
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    assert min(image.size) > 500
    assert np.unique(np.asarray(image.convert("L"))).size > 20
    body = exported(packed, Choice(view), "pdf", language="ko")
    assert body.startswith(b"%PDF")
    assert b"/Type /Font" in body
    assert b"/FontFile2" in body  # the faces come along
    assert body == exported(packed, Choice(view), "pdf", language="ko")


def test_hangul_is_drawn_and_not_boxes() -> None:
    """Two Korean words of one length give two pictures."""
    one, other = (
        exported(packed_of(trace((word,), (0,))), Choice("lines"), "png", language="en")
        for word in ("가나", "다라")
    )
    a, b = (np.asarray(Image.open(io.BytesIO(body)).convert("L")) for body in (one, other))
    assert a.shape == b.shape
    assert (a != b).sum() > 50


def test_the_numbers_are_the_tensor_s(packed: Packed) -> None:
    site = packed.trace.sites["decoder_self"]
    choice = Choice("head", "decoder_self", 2, 7)
    told = json.loads(exported(packed, choice, "json", language="en"))
    assert np.array_equal(np.array(told["weights"], np.float32), site.weights[1, 6])
    assert site.scores is not None
    assert np.array_equal(np.array(told["scores"], np.float32), site.scores[1, 6])
    assert told["allowed"] == site.allowed.tolist()
    assert told["queries"] == [token.text for token in packed.trace.written]
    body = exported(packed, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert len(rows) == 14 * 14
    weights = np.array([float(row["weight"]) for row in rows], np.float32).reshape(14, 14)
    assert np.array_equal(weights, site.weights[1, 6])
    assert site.shares is not None
    assert np.array_equal(np.array(told["shares"], np.float32), site.shares[1, 6])
    shares = np.array([float(row["share"]) for row in rows], np.float32).reshape(14, 14)
    assert np.array_equal(shares, np.repeat(site.shares[1, 6, :, None], 14, axis=1))
    grid = json.loads(exported(packed, Choice("grid", "cross"), "json", language="en"))
    assert np.array_equal(
        np.array(grid["weights"], np.float32), packed.trace.sites["cross"].weights
    )
    assert np.allclose(np.array(grid["shares"]).sum(axis=1), 1, atol=1e-5)


def test_what_goes_to_no_key_is_told_of_each_row() -> None:
    trace = sunk()
    packed = pack(trace, trace_id="s", vocabulary_tokens=vocabulary_tokens)
    sinks = trace.sites["cross"].sinks
    assert sinks is not None
    told = json.loads(exported(packed, Choice("head", "cross", 2, 7), "json", language="en"))
    assert np.array_equal(np.array(told["sinks"], np.float32), sinks[1, 6])
    for line in table_of(packed, Choice("head", "cross", 2, 7)):
        assert np.float32(line["sink"]) == sinks[1, 6, int(line["query"]) - 1]
    body = exported(packed, Choice("stages", "cross", 2, 7), "svg", language="en").decode()
    for said in (TEXT["en"].sink, STAGES["en"].stage_weights_sink_note):
        assert said.split(",")[0] in body


@pytest.mark.parametrize("made", [trace, sunk])
def test_weights_that_were_put_in_are_called_no_softmax(
    made: Callable[[], AttentionTrace],
) -> None:
    """Of the head in which they were; of others what a softmax makes is said as ever."""
    packed = packed_of(forced(made()))
    note = STAGES["en"].stage_weights_forced_note
    for head in (5, 6):
        choice = Choice("stages", "decoder_self", 2, head)
        assert (note in exported(packed, choice, "svg", language="en").decode()) == (head == 5)
    rows = packed.meta["sites"][1]["forced"]
    assert [rows[1][4], rows[1][5], rows[0][4]] == [[6], [], []]
    assert pack(made(), trace_id="m").meta["sites"][1]["forced"] is None


@pytest.mark.parametrize("bias", [None, "alibi", "relative", "added"])
@pytest.mark.parametrize(
    "score", [None, "dot", "general", "additive", "capped", "unscaled", "scaled"]
)
def test_a_score_is_called_what_it_is(score: str | None, bias: str | None) -> None:
    facts = {"score": score, "bias": bias}
    told = {name: value for name, value in facts.items() if value is not None}
    words = by_name(STAGES["en"])
    is_ = words["score_is" if score is None else f"score_is_{score}"]
    note = words["stage_scores_note" if bias is None else f"stage_scores_{bias}_note"]
    packed = packed_of(replace(trace(), meta=told))
    figure = exported(packed, Choice("stages", "cross", 2, 5), "svg", language="en").decode()
    said = " ".join(re.sub(r"<[^>]*>", " ", figure).split())  # in lines, where it is long
    assert note.format(score=is_) in said
    assert (words["score_is"] in is_) == (score in (None, "capped"))


def table_of(packed: Packed, choice: Choice) -> list[dict[str, str]]:
    body = exported(packed, choice, "csv", language="en").decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(body, newline="")))


SHAPE = ["temperature", "top_k", "top_p"]
CELL = ["kind", "layer", "head", "query", "query_token", "key", "key_token", "allowed", "weight"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "grid"])
def test_a_decoder_row_is_told_by_what_it_writes_and_by_what_it_reads(
    packed: Packed, view: View, kind: Kind
) -> None:
    snapshot, decoder = packed.trace, kind != "encoder_self"
    rows = table_of(packed, Choice(view, kind))
    names = list(rows[0])
    assert names[names.index("query_token") + 1] == "query_reads"
    pieces = ["query_piece", "query_reads_piece", "key_piece"]
    others = [*CELL, "score", "share", "sink", *pieces]
    assert [name for name in names if name != "query_reads"] == others
    for row in rows:
        at = int(row["query"]) - 1
        assert row["query_token"] == (snapshot.written if decoder else snapshot.source)[at].text
        assert row["query_reads"] == (snapshot.target[at].text if decoder else "")
        if kind == "decoder_self" and row["key"] == row["query"]:
            assert row["query_reads"] == row["key_token"], "a row may look at what it reads"
    told = json.loads(exported(packed, Choice(view, kind), "json", language="en"))
    assert told["queries"] == [token.text for token in snapshot.queries(kind)]
    assert told.get("reads") == ([token.text for token in snapshot.target] if decoder else None)
    assert ("reads" in told) == decoder


@pytest.mark.parametrize("kind", ["cross", "decoder_self"])
def test_a_word_reads_what_its_pieces_read_one_after_the_other(packed: Packed, kind: Kind) -> None:
    choice = Choice("head", kind, options=Options(words=True))
    told = json.loads(exported(packed, choice, "json", language="en"))
    reads = dict(zip(told["queries"], told["reads"], strict=True))
    assert (reads["yesterday"], reads["café"], reads[","]) == ("start", "the · caf", "é")
    assert len(reads["end"].split(" · ")) == 1
    assert " · ".join(told["reads"]).split(" · ") == [t.text for t in packed.trace.target]
    rows = table_of(packed, choice)
    assert {(row["query_token"], row["query_reads"]) for row in rows} == set(
        zip(told["queries"], told["reads"], strict=True)
    )
    encoder = Choice("head", "encoder_self", options=Options(words=True))
    assert "reads" not in json.loads(exported(packed, encoder, "json", language="en"))
    assert {row["query_reads"] for row in table_of(packed, encoder)} == {""}


def test_a_next_token_is_told_beside_what_was_read(packed: Packed) -> None:
    snapshot = packed.trace
    for step, (written, read) in enumerate(zip(snapshot.written, snapshot.target, strict=True), 1):
        choice = Choice("next", step=step)
        told = json.loads(exported(packed, choice, "json", language="en"))
        assert (told["written"], told["reads"]) == (written.text, read.text)
        rows = table_of(packed, choice)
        assert {(row["step"], row["written"], row["reads"]) for row in rows} == {
            (str(step), written.text, read.text)
        }
    names = ["step", "written", "reads", "id", "token", "logit", "probability", *SHAPE]
    assert list(rows[0]) == names


@pytest.mark.parametrize("foretells", [None, "here", "near"])
@pytest.mark.parametrize(
    "options",
    [Options(), Options(temperature=0.3, top_k=3), Options(temperature=1.5, top_p=0.8)],
)
def test_a_table_of_next_tokens_says_by_what_they_were_made(
    options: Options, foretells: str | None
) -> None:
    """As a program is told; and what a model without a decoder foretells there."""
    told_of = packed_of(trace() if foretells is None else of_source(foretells))
    choice = Choice("next", step=2, options=options)
    told = json.loads(exported(told_of, choice, "json", language="en"))
    assert told.get("foretells") == foretells
    for row in table_of(told_of, choice):
        assert row.get("foretells") == foretells
        assert {name: row[name] for name in SHAPE} == {
            name: "" if told[name] is None else str(told[name]) for name in SHAPE
        }
    assert (told["temperature"], told["top_p"]) == (options.temperature, options.top_p)
    assert (told["top_k"] or 0) == options.top_k


@pytest.mark.parametrize("named", [True, False])
def test_a_special_token_is_called_the_same_at_every_step(named: bool) -> None:
    """Among the likeliest or not, and whatever a file calls its row of the vocabulary."""
    plain = trace()
    assert plain.logits is not None
    columns = plain.logits.shape[1]
    rows = ("<pad>", "<s>", "</s>", *(f"w{row}" for row in range(3, columns)))
    packed = pack(replace(plain, vocabulary=rows if named else None), trace_id="x")
    told = [
        json.loads(exported(packed, Choice("next", step=step + 1), "json", language="en"))
        for step in range(len(plain.written))
    ]
    assert {tuple(one["tokens"][1:3]) for one in told} == {("start", "end")}
    assert {one["tokens"][0] for one in told} == {"<pad>" if named else "#0"}


def test_the_trace_comes_back(packed: Packed, tmp_path: Path) -> None:
    path = tmp_path / "again.npz"
    path.write_bytes(exported(packed, Choice(), "npz", language="en"))
    back = load_trace(path)
    assert back.source == packed.trace.source
    for kind, site in packed.trace.sites.items():
        assert np.array_equal(back.sites[kind].weights, site.weights)


def test_a_page_names_no_other_place(packed: Packed) -> None:
    page = exported(packed, Choice(), "html", language="ko").decode()
    assert not re.search(r"(https?|wss?|ftp)://|//[a-z]+\.", page)
    assert "default-src 'none'" in page or "default-src &#x27;none&#x27;" in page
    assert '<html lang="ko">' in page


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        (Choice(layer=4), "layer"),
        (Choice(layer=0), "layer"),
        (Choice(head=9), "head"),
        (Choice("next", step=15), "step"),
        (Choice("next", step=0), "step"),
    ],
)
def test_what_the_trace_has_not_is_named(packed: Packed, choice: Choice, name: str) -> None:
    with pytest.raises(HeadlightError) as raised:
        exported(packed, choice, "svg", language="en")
    assert raised.value.code == "parameter_invalid"
    assert raised.value.parameters["name"] == name
    assert "1 to" in str(raised.value)


def test_an_encoder_shows_its_own_kind() -> None:
    full = trace()
    encoder = AttentionTrace("e", full.source, (), (), {"encoder_self": full.sites["encoder_self"]})
    told = json.loads(exported(packed_of(encoder), Choice(), "json", language="en"))
    assert told["kind"] == "encoder_self"
    with pytest.raises(HeadlightError, match="no logits"):
        exported(packed_of(encoder), Choice("next"), "svg", language="en")
    with pytest.raises(HeadlightError, match="this trace has encoder_self"):
        exported(packed_of(encoder), Choice(kind="cross"), "svg", language="en")
    nothing = AttentionTrace("n", full.source, (), (), {})
    with pytest.raises(HeadlightError, match="no attention at all"):
        exported(packed_of(nothing), Choice(), "svg", language="en")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["viz", *arguments])
    with pytest.raises(SystemExit) as stopped:
        run_command(command.app, list(arguments))
    return int(stopped.value.code or 0)


@pytest.mark.parametrize("form", FORMATS)
def test_the_command_writes_what_its_file_is_called(
    form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: Packed
) -> None:
    save_trace(tmp_path / "t.npz", packed.trace)
    out = tmp_path / f"fig.{form}"
    choice = ("--view", "head", "--kind", "cross", "--layer", "3", "--head", "5")
    assert run(monkeypatch, "export", str(tmp_path / "t.npz"), *choice, "--out", str(out)) == 0
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "npz": b"PK", "html": b"<!doct"}
    assert out.read_bytes().startswith(starts.get(form, b""))
    assert out.stat().st_size > 1000


def test_a_foreign_file_is_drawn_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.full((2, 3, 4, 4), 0.25, np.float32)
    np.savez(
        tmp_path / "foreign.npz",
        source_tokens=np.array(["▁a", "b", "▁c", "</s>"]),
        target_tokens=np.array([], dtype=np.str_),
        encoder_self_weights=weights,
        encoder_self_allowed=np.ones((4, 4), np.bool_),
        meta=np.array(json.dumps({"model_id": "other", "format": 1})),
    )
    out = tmp_path / "page.html"
    assert run(monkeypatch, "export", str(tmp_path / "foreign.npz"), "--out", str(out)) == 0
    assert b"encoder_self" in out.read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        ["t.npz", "--out", "fig.gif"],
        ["t.npz", "--out", "fig"],
        ["missing.npz", "--out", "fig.svg"],
        ["t.npz", "--out", "no/such/folder/fig.svg"],
        ["t.npz", "--out", "fig.svg", "--layer", "99"],
        ["t.npz", "--out", "fig.svg", "--kind", "sideways"],
        ["t.npz", "--out", "fig.svg", "--view", "pie"],
        ["t.npz", "--out", "fig.svg", "--trim", "1e999"],
        ["t.npz", "--out", "fig.svg", "--kept", "99.99"],
        ["t.npz", "--out", "fig.svg", "--view", "lines", "--kept", "99.99"],
        ["t.npz", "--out", "fig.html", "--kept", "99.99"],
        ["t.npz", "--out", "fig.csv", "--view", "lines", "--kept", "99.99"],
        ["t.npz", "--out", "fig.csv", "--view", "lines", "--kept", "1.2"],
        ["t.npz", "--out", "fig.json", "--view", "grid", "--order", "entropy", "--top", "3"],
        ["t.npz", "--out", "fig.csv", "--trim", "0.1"],
        ["t.npz", "--out", "fig.svg", "--view", "grid", "--top", "3"],
        ["t.npz", "--out", "fig.html", "--pinned", "1.99"],
        ["t.npz", "--out", "fig.json", "--held", "key.99"],
        ["t.npz", "--out", "fig.svg", "--kept", "x"],
        ["t.npz", "--out", "fig.svg", "--view", "stages", "--words"],
        ["t.npz", "--out", "fig.html", "--view", "stages", "--words"],
        ["t.npz", "--out", "fig.npz", "--words"],
        ["t.npz", "--out", "fig.svg", "--compact"],
        ["t.npz", "--out", "fig.npz", "--beside", "t.npz", "--compact"],
        ["t.npz", "--out", "fig.svg", "--threshold", "0.2"],
        ["t.npz", "--out", "fig.svg", "--view", "next", "--pinned", "1.1"],
        ["t.npz", "--out", "fig.svg", "--other", "1.1"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--view", "lines"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--step", "3"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--trim", "0.1"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--kept", "1.1"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--top-k", "5"],
        ["empty.npz", "--out", "fig.svg", "--view", "next"],
        ["t.npz", "--out", "fig.svg", "--pinned", "1.99"],
        ["t.npz", "--out", "fig.svg", "--view", "grid", "--order", "alphabet"],
        ["t.npz", "--out", "fig.svg", "--view", "next", "--temperature", "0"],
        ["broken.npz", "--out", "fig.svg"],
        ["t.npz", "--out", "fig.svg", "--layer", "third"],
        ["t.npz", "--out", "fig.svg", "--kind", "encoder_self", "--step", "3"],
        ["t.npz", "--out", "fig.svg", "--view", "grid", "--step", "3"],
        ["t.npz", "--out", "fig.csv", "--view", "grid", "--layer", "2"],
        ["t.npz", "--out", "fig.svg", "--view", "next", "--head", "2"],
        ["t.npz", "--out", "fig.svg", "--beside", "t.npz", "--view", "grid", "--other", "1.1"],
        ["t.npz", "--out", "fig.svg", "--head", "-1"],
        ["t.npz", "--out", "fig.svg", "--step", "1e3"],
    ],
)
def test_a_wrong_command_gets_one_line(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    packed: Packed,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_trace(Path("t.npz"), packed.trace)
    nothing = np.zeros((len(packed.trace.written), 0), np.float32)
    save_trace(Path("empty.npz"), replace(packed.trace, logits=nothing))
    Path("broken.npz").write_bytes(Path("t.npz").read_bytes()[:2000])
    for language in LANGUAGES:
        assert run(monkeypatch, "export", *arguments, "--language", language) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert error.count("\n") == 1
        assert not list(Path().glob("fig.*"))
    left = english_in(error.removeprefix("error: "), (*arguments, "out", "view", "layer", *ORDERS))
    assert not left, error


def test_an_encoder_alone_has_steps_of_what_it_says_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether its kind is named, or taken as the only one that it has."""
    monkeypatch.chdir(tmp_path)
    save_trace(Path("t.npz"), of_source("here"))
    for named in ([], ["--kind", "encoder_self"]):
        for out in ("fig.svg", "fig.npz"):
            asked = ("t.npz", *named, "--step", "2", "--out", out)
            assert run(monkeypatch, "export", *asked) == 2
            assert "step" in capsys.readouterr().err
            assert not Path(out).exists()
        assert run(monkeypatch, "export", "t.npz", *named, "--step", "2", "--out", "t.html") == 0
    for out in ("next.svg", "next.csv"):
        asked = ("t.npz", "--view", "next", "--step", "2", "--out", out)
        assert run(monkeypatch, "export", *asked) == 0


def test_a_lone_surrogate_is_carried_wherever_it_stands(packed: Packed) -> None:
    meta = {"\ud800k": "\ud800"}
    page = exported(packed_of(replace(packed.trace, meta=meta)), Choice(), "html", language="en")
    assert "⟨U+D800⟩k" in page.decode()


def test_the_numbers_of_a_next_token_have_its_probabilities(
    packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_trace(Path("t.npz"), packed.trace)
    asked = ["--view", "next", "--step", "3", "--temperature", "1.7", "--top-k", "20"]
    assert run(monkeypatch, "export", "t.npz", *asked, "--out", "next.csv") == 0
    rows = list(csv.DictReader(io.StringIO(Path("next.csv").read_text("utf-8-sig"))))
    assert packed.trace.logits is not None
    logits = packed.trace.logits[2].astype(np.float64)
    least = np.sort(logits)[-20]
    odds = np.where(logits >= least, np.exp(logits / 1.7), 0)
    told = [float(row["probability"]) for row in rows]
    assert np.allclose(told, odds / odds.sum(), atol=1e-12)
    assert {row["step"] for row in rows} == {"3"}
    plain = json.loads(exported(packed, Choice("next", step=3), "json", language="en"))
    assert np.allclose(plain["probabilities"], np.exp(logits) / np.exp(logits).sum(), atol=1e-12)


def test_a_token_without_a_name_is_called_by_its_number(packed: Packed) -> None:
    body = exported(packed, Choice("next", step=3), "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert all(row["token"] for row in rows)
    assert rows[59]["token"] in ("w59", "#59")
    likeliest, special = 12, 2  # which are named, however unlikely they are
    unnamed = len(rows) - likeliest - special
    assert sum(row["token"] == f"#{row['id']}" for row in rows) == unnamed


def test_numbers_of_too_many_cells_are_refused(
    packed: Packed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cells = packed.trace.sites["cross"].weights.size
    monkeypatch.setattr("viz.export.numbers.MOST_CELLS", cells - 1)
    for form in ("csv", "json"):
        assert exported(packed, Choice("head"), form, language="en")
        with pytest.raises(HeadlightError, match=rf"this is of {cells:,}; npz and html hold it"):
            exported(packed, Choice("grid"), form, language="en")
    by_words = Choice("grid", options=Options(words=True))
    assert exported(packed, by_words, "csv", language="en"), "of which there are fewer"
    save_trace(tmp_path / "t.npz", packed.trace)
    out = tmp_path / "all.csv"
    asked = ("export", str(tmp_path / "t.npz"), "--view", "grid", "--out", str(out))
    assert run(monkeypatch, *asked) == 2
    assert f"csv and json have room for {cells - 1:,} cells" in capsys.readouterr().err
    assert not out.exists()


def test_as_many_cells_as_a_spreadsheet_has_rows_are_written() -> None:
    snapshot = long_trace(64, layers=1, heads=1)
    made = snapshot.sites["cross"]
    weights = np.tile(made.weights, (16, 17, 1, 1))
    monstrous: dict[Kind, AttentionSite] = {
        "cross": replace(made, weights=weights, scores=None, queries=None, keys=None, shares=None)
    }
    with pytest.raises(HeadlightError, match=r"room for 1,048,576 cells, this is of 1,114,112"):
        exported(
            packed_of(replace(snapshot, sites=monstrous)), Choice("grid"), "csv", language="en"
        )


def test_a_figure_that_would_fill_the_memory_is_refused() -> None:
    """Of many layers of few heads the picture is as tall as a house."""
    snapshot = long_trace(3, layers=256, heads=4)
    for form in ("png", "svg"):
        with pytest.raises(HeadlightError, match=r"room for 800 square inches, this is of 1,\d{3}"):
            exported(packed_of(snapshot), Choice("grid"), form, language="en")
    few = Options(order="entropy", top=16)
    assert exported(packed_of(snapshot), Choice("grid", options=few), "svg", language="en")


def test_every_token_of_a_known_vocabulary_is_named(tiny_snapshot: Snapshot) -> None:
    """A model's look, and the same look from a file of it."""
    saved = open_saved(
        exported(tiny_snapshot.packed, Choice(), "npz", language="en"), "look.npz", SnapshotStore()
    )
    for snapshot in (tiny_snapshot, saved):
        names = snapshot.trace.vocabulary
        assert names is not None
        choice = Choice("next", step=1)
        told = json.loads(exported(snapshot.packed, choice, "json", language="en"))
        assert told["tokens"] == list(names)
        assert len(told["logits"]) == len(names)
        end = snapshot.trace.written[-1]
        assert told["tokens"][end.id] == end.text
        body = exported(snapshot.packed, choice, "csv", language="en").decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(body, newline="")))
        assert [row["token"].lstrip("'") for row in rows] == [
            tabled(name).lstrip("'") for name in names
        ]


def test_a_long_question_is_answered_in_short() -> None:
    for name in ("view", "kind", "other"):
        with pytest.raises(HeadlightError) as raised:
            PairChoice.read({name: "x" * 5000}, "svg")
        assert "x" * 39 + "…" in str(raised.value)
        assert "x" * 40 not in str(raised.value)


@pytest.mark.parametrize("beside", [[], ["--beside", "t.npz"]])
def test_a_small_page_is_smaller_and_called_so(
    packed: Packed, beside: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save_trace(Path("t.npz"), packed.trace)
    for name, more in (("whole.html", []), ("small.html", ["--compact"])):
        assert run(monkeypatch, "export", "t.npz", *beside, *more, "--out", name) == 0
    small = Path("small.html").read_text("utf-8")
    assert len(small) < len(Path("whole.html").read_text("utf-8"))
    assert '"linear": true' in small
    assert file_name(packed.trace, Choice(compact=True), "html").endswith("-compact.html")
    assert not file_name(packed.trace, Choice(), "html").endswith("-compact.html")


def of_source(foretells: str) -> AttentionTrace:
    """A look without a decoder, of what a model foretells at each token of its source."""
    full = trace()
    assert full.logits is not None
    return AttentionTrace(
        "m", full.source, (), (), {"encoder_self": full.sites["encoder_self"]},
        full.logits[: len(full.source)], {"foretells": foretells}, full.vocabulary,
    )  # fmt: skip


def test_what_is_told_of_a_source_is_exported_token_by_token() -> None:
    full, masked = trace(), of_source("here")
    logits = masked.logits
    assert logits is not None
    told = json.loads(exported(packed_of(masked), Choice("next", step=2), "json", language="en"))
    assert told["reads"] == full.source[1].text
    assert "written" not in told
    np.testing.assert_allclose(sum(told["probabilities"]), 1, atol=1e-6)
    assert told["logits"] == logits[1].tolist()
    text = exported(packed_of(masked), Choice("next", step=2), "csv", language="en").decode()
    assert text.lstrip("\ufeff").startswith("step,reads,id,token,logit,probability")
    reads = TEXT["en"].cell_reads.format(token=full.source[1].text)
    for made, told_of in ((masked, "here"), (of_source("text"), "text")):
        figure = exported(packed_of(made), Choice("next", step=2), "svg", language="en").decode()
        assert getattr(TEXT_NEXT["en"], f"told_{told_of}") in figure
        assert (reads in figure) == (told_of == "here"), "the whole text is at no token"
    with pytest.raises(HeadlightError, match="1 to"):
        exported(packed_of(masked), Choice("next", step=99), "svg", language="en")
