"""Passages hold each sentence once, in order; held-out ones are longer than any that is taught."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grammar import generate, passages
from core.grammar.__main__ import main
from core.grammar.generate import stream

SENTENCES = list(islice(stream(3), 100))


@given(st.integers(1, 7), st.integers(0, 5), st.integers(0, 100))
def test_every_sentence_is_in_a_short_passage_once(most: int, seed: int, count: int) -> None:
    rows = list(passages.short(SENTENCES[:count], most, seed))
    assert " ".join(row.korean for row in rows) == " ".join(s.korean for s in SENTENCES[:count])
    assert " ".join(row.english for row in rows) == " ".join(s.english for s in SENTENCES[:count])
    assert all(1 <= int(row.frame) <= most for row in rows)
    assert rows == list(passages.short(SENTENCES[:count], most, seed))


@given(st.integers(1, 20))
def test_long_ones_are_of_one_length(most: int) -> None:
    rows = list(passages.long(SENTENCES, most))
    count = most * passages.BEYOND
    assert len(rows) == len(SENTENCES) // count
    assert all(row.frame == str(count) for row in rows)
    expected = [s.korean for s in SENTENCES[: len(rows) * count]]
    assert " ".join(row.korean for row in rows) == " ".join(expected)


def grammar(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "core.grammar", "--pairs", "4000", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "HELDOUT_ROWS", 70)
    options = ("--pairs", "4000", "--out", str(tmp_path), "--passages", "4")
    monkeypatch.setattr(sys, "argv", ["core.grammar", *options])
    main()
    for name, count in (("heldout_random", {"32"}), ("phrases", {"1", "2", "3", "4"})):
        rows = (tmp_path / f"{name}.tsv").read_text("utf-8").splitlines()[1:]
        assert {row.split("\t")[2] for row in rows} == count


def test_more_is_asked_for_than_is_held_out(tmp_path: Path) -> None:
    refused = grammar("--out", str(tmp_path), "--pairs", "3000")
    assert refused.returncode == 2
    assert "above 3000" in refused.stderr


@pytest.mark.parametrize(
    "options", [("--passages", "0"), ("--passages", "126"), ("--passages", "2", "--into", "tags")]
)
def test_what_does_not_fit_is_refused(tmp_path: Path, options: tuple[str, ...]) -> None:
    refused = grammar("--out", str(tmp_path), *options)
    assert refused.returncode == 2
    assert "--passages" in refused.stderr
