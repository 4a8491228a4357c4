"""Studies that are given no data: the grammar draws it, of words that no training puts together."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli import drawn
from core.cli.app import app
from core.errors import HeadlightError
from core.grammar import labels
from core.grammar.generate import stream, unseen
from core.model import ModelCard
from core.studies.alignment import aligned_pairs
from tests.small import WORDS, learnt


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "_COUNT", 16)
    monkeypatch.setattr(drawn, "_LABELLED", 60)


@pytest.fixture(scope="module")
def into_korean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its languages are English and Korean; it knows letters of either."""
    letters = [(english, korean) for english, korean in WORDS]
    pairs = [*letters, ("the quick brown fox jumps over a lazy dog.?!,'", "가")]
    folder = tmp_path_factory.mktemp("drawn") / "small"
    sizes = {"cell": "gru", "d_model": 8, "max_length": 256}
    return learnt(folder, "seq2seq", sizes, pairs, 2, longest=200)  # whatever is drawn


def card(folder: Path) -> ModelCard:
    return registry.load(folder, torch.device("cpu")).card


def test_pairs_are_in_the_languages_of_the_model(into_korean: Path) -> None:
    pairs = drawn.pairs(card(into_korean))
    assert len(pairs) == 16
    assert all(source.isascii() and not target.isascii() for source, target in pairs)
    assert pairs == drawn.pairs(card(into_korean))


def test_links_are_of_sentences_that_no_training_has() -> None:
    strange = (one for one in stream(0) if any(unseen(words) for words in one.pairs))
    known = {one.korean for one in islice(strange, 60)}
    links = drawn.links("ko")
    assert len(links) == 16
    assert len(aligned_pairs(links)) > 12  # a source once
    assert {line.split("\t")[0] for line in links} <= known


def test_labels_are_taught_and_tested(monkeypatch: pytest.MonkeyPatch, into_korean: Path) -> None:
    korean = replace(card(into_korean), source_language="ko")
    monkeypatch.setattr(labels, "HELDOUT_ROWS", 60)
    taught, tested = drawn.labelled(korean)
    assert (len(taught), len(tested)) == (60, 60)
    assert {pair.target for pair in taught} == {"negative", "neutral", "positive"}
    assert not {pair.source for pair in taught} & {pair.source for pair in tested}


def test_other_languages_are_refused(tmp_path: Path) -> None:
    learnt(tmp_path / "m", "language", {"d_model": 8, "d_ff": 8, "heads": 1, "layers": 1}, steps=1)
    own = card(tmp_path / "m")
    with pytest.raises(HeadlightError, match="in Korean alone, not en: give a file"):
        drawn.texts(own)  # it reads English
    with pytest.raises(HeadlightError, match="in Korean alone, not en: give a file"):
        drawn.labelled(own)
    with pytest.raises(HeadlightError, match="Korean and English, not fr-ko: give a file"):
        drawn.pairs(replace(own, source_language="fr"))
    with pytest.raises(HeadlightError, match="--language"):
        drawn.links("en")


def test_a_study_without_data_says_where_it_is_from(into_korean: Path) -> None:
    arguments = ["study", "exposure", f"--model={into_korean}", "--share", "0", "--json"]
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["options"]["data"] == drawn.DRAWN


def test_one_file_of_two_is_not_enough() -> None:
    told = CliRunner().invoke(app, ["study", "transfer", "--data", "some.tsv"])
    assert isinstance(told.exception, HeadlightError)
    assert "--test" in str(told.exception)


def test_a_first_column_is_of_a_language_that_the_models_know(into_korean: Path) -> None:
    told = CliRunner().invoke(
        app, ["study", "alignment", f"--model={into_korean}", "--language", "ja"]
    )
    assert isinstance(told.exception, HeadlightError)
    assert "en" in str(told.exception)
    assert "ko" in str(told.exception)
