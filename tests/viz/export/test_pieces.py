"""Tokens that read the same are told apart in numbers: by the pieces that a vocabulary has."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.trace import KINDS, STACKS, AttentionTrace, Floats, Kind, Stack, Token
from tests.viz.inspector.made import trace
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.request import View
from viz.export.states import StatesChoice, states_exported
from viz.export.states_pair import states_pair_exported
from viz.inspector.options import Options
from viz.inspector.pack import pack

TYPED = ("the", "end", "the", "start", "end")
"""A special token's name twice, a piece that begins a word, and one that goes on with it."""
WORDS = (0, 1, 1, 2, 3)


def made() -> AttentionTrace:
    plain = trace(TYPED, WORDS, TYPED, WORDS, layers=2, heads=2)
    states: dict[Stack, dict[str, Floats]] = {
        stack: {
            name: np.full((1, len(plain.tokens(axis)), 2), value, np.float32)
            for value, name in enumerate(("hidden", "piece"))
        }
        for stack, axis in STACKS.items()
    }
    return replace(plain, states=states)


MADE = made()
PACKED = pack(MADE, trace_id="x")
BESIDE = (MADE, replace(MADE, model_id="other"))


def rows_of(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def assert_told_apart(tokens: Iterable[Token], told: Iterable[tuple[str, ...]]) -> None:
    """Text and piece together are of a special token or of none, and of one piece of a word."""
    known = {(token.text, token.piece, token.special) for token in tokens}
    cells = set(told)
    assert cells == {cell[:2] for cell in known}
    assert len(cells) == len(known)
    doubled = {text for text, count in Counter(text for text, _ in cells).items() if count > 1}
    assert {"the"} < doubled <= {"the", "start", "end"}


def columns(rows: list[dict[str, str]], text: str, piece: str) -> set[tuple[str, str]]:
    """The cells of both, where there are any."""
    return {(row[text], row[piece]) for row in rows if row[text] or row[piece]}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "grid"])
def test_of_a_head(view: View, kind: Kind) -> None:
    rows = rows_of(exported(PACKED, Choice(view, kind), "csv", language="en"))
    told = json.loads(exported(PACKED, Choice(view, kind), "json", language="en"))
    assert_sides(MADE, kind, rows, told, "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "grid"])
def test_of_two_traces(view: View, kind: Kind) -> None:
    rows = rows_of(pair_exported(BESIDE, PairChoice(view, kind), "csv", language="en"))
    told = json.loads(pair_exported(BESIDE, PairChoice(view, kind), "json", language="en"))
    for side, traced in zip(("first", "second"), BESIDE, strict=True):
        assert_sides(traced, kind, rows, told[side], f"{side}_")


def assert_sides(
    traced: AttentionTrace, kind: Kind, rows: list[dict[str, str]], told: Any, of: str
) -> None:
    """A table's rows and what a program is told."""
    sides = {"query": traced.queries(kind), "key": traced.keys(kind)}
    for name, tokens in sides.items():
        names = f"{of}{name}_token", f"{of}{name}_piece"
        assert_told_apart(tokens, columns(rows, *names))
        listed = told[{"query": "queries", "key": "keys"}[name]], told[f"{name}_pieces"]
        assert listed == ([t.text for t in tokens], [t.piece for t in tokens])
    reads = columns(rows, f"{of}query_reads", f"{of}query_reads_piece")
    if kind == "encoder_self":
        assert not reads
        assert "reads_pieces" not in told
        return
    assert_told_apart(traced.target, reads)
    assert told["reads_pieces"] == [token.piece for token in traced.target]


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_is_spelled_by_its_pieces(kind: Kind) -> None:
    """One after the other, of whichever word of the vocabulary; what it reads, piece by piece."""
    choice = Choice("head", kind, options=Options(words=True))
    told = json.loads(exported(PACKED, choice, "json", language="en"))
    rows = rows_of(exported(PACKED, choice, "csv", language="en"))
    assert dict(zip(told["query_pieces"], told["queries"], strict=True))["</s>"] == "end"
    assert "".join(told["query_pieces"]) == "".join(t.piece for t in MADE.queries(kind))
    assert "▁endthe" in told["key_pieces"]
    cells = columns(rows, "query_token", "query_piece")
    assert cells == set(zip(told["queries"], told["query_pieces"], strict=True))
    if kind != "encoder_self":
        reads = " · ".join(told["reads_pieces"]).split(" · ")
        assert reads == [token.piece for token in MADE.target]


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_of_states(stack: str) -> None:
    """Beside a state of somebody's that is called so, too."""
    choice = StatesChoice.read({"stack": stack})
    tokens = MADE.source if stack == "encoder" else MADE.target
    rows = rows_of(states_exported(PACKED, choice, "csv", language="en"))
    assert_told_apart(tokens, columns(rows, "token", "piece"))
    assert {row["state_piece"] for row in rows} == {"1.0"}
    told = json.loads(states_exported(PACKED, choice, "json", language="en"))
    assert (told["tokens"], told["pieces"]) == (
        [token.text for token in tokens],
        [token.piece for token in tokens],
    )


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_of_states_of_two_traces(stack: str) -> None:
    packs = PACKED, pack(BESIDE[1], trace_id="y")
    asked = {"stack": stack, "same_units": "on"}
    tokens = MADE.source if stack == "encoder" else MADE.target
    rows = rows_of(states_pair_exported(packs, asked, "csv", language="en"))
    told = json.loads(states_pair_exported(packs, asked, "json", language="en"))
    for side in ("first", "second"):
        assert_told_apart(tokens, columns(rows, f"{side}_token", f"{side}_piece"))
        assert told[side]["pieces"] == [token.piece for token in tokens]
