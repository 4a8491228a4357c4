"""Pairs of texts and what several models make of them: what all find likeliest."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean

import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.model import Inspectable
from core.text.corpora import read_pairs
from core.text.sources import Source
from core.training.distillation import distill
from tests.small import WORDS, forced, learnt

TEXTS = [english for english, _ in WORDS]
OTHERS = [("cafe", "카페"), ("bus", "바스"), ("tomato", "도마도"), ("radio", "라디오")]
SIZES = {"cell": "gru", "d_model": 32}
STACK = {"layers": 1, "d_model": 8, "d_ff": 8, "heads": 2}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Two that spell half of the words otherwise; and one the other way round."""
    root = tmp_path_factory.mktemp("teachers")
    turned = [(korean, english) for english, korean in WORDS]
    return (
        learnt(root / "good", "seq2seq", SIZES, list(WORDS), 150),
        learnt(root / "other", "seq2seq", SIZES, OTHERS, 60),
        learnt(root / "back", "seq2seq", SIZES, turned, 5, ("ko", "en")),
    )


@pytest.fixture(scope="module")
def teachers(folders: tuple[Path, Path, Path]) -> list[Inspectable]:
    return [registry.load(folder, torch.device("cpu")) for folder in folders[:2]]


def _whole(teachers: list[Inspectable], source: str, target: str) -> float:
    return fmean(forced(teacher, source, target).log_probability for teacher in teachers)


def test_taught_is_what_all_find_likeliest(teachers: list[Inspectable]) -> None:
    told: list[tuple[int, int]] = []
    taught = distill(TEXTS, teachers, 0.0, lambda *at: told.append(at))
    assert told[-1] == (len(TEXTS), len(TEXTS))
    assert [text for text, _ in taught] == [text for text in TEXTS if text in dict(taught)]
    written = [dict(zip(TEXTS, teacher.generate_all(TEXTS), strict=True)) for teacher in teachers]
    assert any(written[0][text] != written[1][text] for text in TEXTS)
    for text, output in taught:
        rivals = {outputs[text] for outputs in written if outputs[text]}
        assert output in rivals
        best = max(_whole(teachers, text, rival) for rival in rivals)
        assert _whole(teachers, text, output) == pytest.approx(best, abs=1e-4)


def test_one_teacher_is_taken_at_its_word(teachers: list[Inspectable]) -> None:
    written = zip(TEXTS, teachers[0].generate_all(TEXTS), strict=True)
    assert distill(TEXTS, teachers[:1], 0.0) == [pair for pair in written if pair[1]]


def test_teachers_write_with_a_beam_where_that_is_asked(teachers: list[Inspectable]) -> None:
    blends = (one[:3] + other[at:] for one in TEXTS for other in TEXTS for at in (1, 2, 3))
    texts = list(dict.fromkeys(blends))
    greedily, widely = (teachers[0].generate_all(texts, beam=beam) for beam in (1, 4))
    assert greedily != widely
    told = [pair for pair in zip(texts, widely, strict=True) if pair[1]]
    assert distill(texts, teachers[:1], 0.0, beam=4) == told


def test_kept_are_texts_of_which_they_are_sure(teachers: list[Inspectable]) -> None:
    every = distill(TEXTS, teachers, 0.0)
    sure = []
    for text, output in every:
        tokens = fmean(forced(teacher, text, output).tokens for teacher in teachers)
        sure.append(math.exp(_whole(teachers, text, output) / tokens))
    middle = sorted(sure)[len(sure) // 2]
    kept = distill(TEXTS, teachers, middle - 1e-6)
    assert 0 < len(kept) < len(every)
    by_pair = dict(zip(every, sure, strict=True))
    assert all(by_pair[pair] >= middle - 1e-5 for pair in kept)
    assert distill([], teachers, 0.5) == []
    assert distill(["", "x" * 500], teachers, 0.0) == []
    assert distill([TEXTS[0], TEXTS[0]], teachers, 0.0) == distill(TEXTS[:1], teachers, 0.0)


def test_the_command_writes_what_a_recipe_reads(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    texts, out = tmp_path / "texts.txt", tmp_path / "pairs.tsv"
    texts.write_text("\n\n".join(TEXTS), encoding="utf-8")
    named = [part for folder in folders[:2] for part in ("--teacher", str(folder))]
    asked = ["distill", str(texts), *named, "--out", str(out), "--likely", "0"]
    found = CliRunner().invoke(app, asked)
    assert found.exit_code == 0, found.output
    pairs = read_pairs(Source(str(out))).pairs
    assert f"{len(pairs)} pairs of {len(TEXTS)} texts" in found.output
    assert {pair.source for pair in pairs} <= set(TEXTS)
    found = CliRunner().invoke(app, [*asked[:-3], str(texts), "--likely", "0"])
    assert isinstance(found.exception, HeadlightError)
    assert found.exception.code == "parameter_invalid"
    assert texts.read_text("utf-8") == "\n\n".join(TEXTS), "what is read is not written over"


def test_another_direction_and_no_file_are_refused(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "texts.txt").write_text("a", encoding="utf-8")
    for second, text, code in (
        (folders[2], "texts.txt", "parameter_invalid"),
        (folders[1], "none.txt", "file_missing"),
    ):
        named = ["--teacher", str(folders[0]), "--teacher", str(second)]
        asked = ["distill", str(tmp_path / text), *named, "--out", str(tmp_path / "out.tsv")]
        found = CliRunner().invoke(app, asked)
        assert isinstance(found.exception, HeadlightError)
        assert found.exception.code == code


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        ("skipgram", {"d_model": 8}),
        ("language", {"objective": "masked", **STACK}),
        ("language", {"objective": "forward", **STACK}),
        ("language", {"objective": "backward", **STACK}),
        ("recurrent", {"answers": "next", "d_model": 8}),
    ],
)
def test_a_model_that_foretells_a_text_s_own_tokens_teaches_nothing(
    family: str, sizes: dict[str, object], tmp_path: Path
) -> None:
    """How likely it finds the text is no word on what it wrote, if it wrote anything."""
    (tmp_path / "texts.txt").write_text("a", encoding="utf-8")
    out = tmp_path / "out.tsv"
    rest = [str(tmp_path / "texts.txt"), "--out", str(out)]
    reads = str(learnt(tmp_path / "reads", family, sizes, steps=1, languages=("en", "en")))
    for asked in (
        ["distill", "--teacher", reads, *rest],
        ["back-translate", "--through", reads, "--checked-by", reads, *rest],
    ):
        found = CliRunner().invoke(app, asked)
        assert isinstance(found.exception, HeadlightError)
        assert found.exception.code == "unsupported"
        assert "answer a text" in str(found.exception)
    assert not out.exists()


def test_a_label_that_a_model_does_not_know_is_said_to_be_none_of_its(tmp_path: Path) -> None:
    named, texts = [], tmp_path / "texts.txt"
    for labels in (("good", "bad"), ("high", "low")):
        pairs = list(zip(("cafe", "bus"), labels, strict=True))
        sizes = {"answers": "label", "labels": list(labels), "d_model": 8}
        named.append(str(learnt(tmp_path / labels[0], "recurrent", sizes, pairs, 30, ("en", "en"))))
    texts.write_text("cafe\nbus\n", encoding="utf-8")
    out = tmp_path / "pairs.tsv"
    rest = [str(texts), "--out", str(out), "--likely", "0"]
    for asked, blamed in (
        (["distill", "--teacher", named[0], "--teacher", named[1]], ", ".join(named)),
        (["back-translate", "--through", named[0], "--checked-by", named[1]], named[1]),
    ):
        found = CliRunner().invoke(app, [*asked, *rest])
        assert isinstance(found.exception, HeadlightError)
        assert f"{asked[-2]} cannot be '{blamed}': there is no label" in str(found.exception)
        assert not out.exists()
    found = CliRunner().invoke(app, ["distill", "--teacher", named[0], *rest])
    assert found.exit_code == 0, found.output
    assert dict(read_pairs(Source(str(out))).pairs) == {"cafe": "good", "bus": "bad"}
