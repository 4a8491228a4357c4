"""Pairs of texts alone: what both directions find likely."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.model import Inspectable
from core.text.corpora import read_pairs
from core.text.sources import Source
from core.training.back_translation import back_translate
from tests.small import WORDS, forced, learnt

TEXTS = [korean for _, korean in WORDS]
SIZES = {"cell": "gru", "d_model": 32}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Words into what they are put as, and the other way round."""
    root = tmp_path_factory.mktemp("both")
    turned = [(korean, english) for english, korean in WORDS]
    return (
        learnt(root / "back", "seq2seq", SIZES, turned, 150, ("ko", "en")),
        learnt(root / "forth", "seq2seq", SIZES, list(WORDS), 150),
    )


@pytest.fixture(scope="module")
def models(folders: tuple[Path, Path]) -> tuple[Inspectable, Inspectable]:
    through, checked_by = (registry.load(folder, torch.device("cpu")) for folder in folders)
    return through, checked_by


def test_kept_are_pairs_that_both_find_likely(models: tuple[Inspectable, Inspectable]) -> None:
    through, checked_by = models
    told: list[tuple[int, int]] = []
    every = back_translate(TEXTS, through, checked_by, 0.0, lambda *at: told.append(at))
    assert told[-1] == (len(TEXTS), len(TEXTS))
    written = dict(zip(TEXTS, through.generate_all(TEXTS), strict=True))
    assert all(source == written[target] for source, target in every)
    assert len({source for source, _ in every}) == len(every)
    assert [TEXTS.index(target) for _, target in every] == sorted(
        TEXTS.index(target) for _, target in every
    )
    likely = []
    for source, target in every:
        both = [forced(through, target, source), forced(checked_by, source, target)]
        likely.append(min(math.exp(one.log_probability / one.tokens) for one in both))
    middle = sorted(likely)[len(likely) // 2]
    kept = back_translate(TEXTS, through, checked_by, middle - 1e-6)
    assert 0 < len(kept) < len(TEXTS)
    by_pair = dict(zip(every, likely, strict=True))
    assert all(by_pair.get(pair, 1.0) >= middle - 1e-5 for pair in kept)
    assert back_translate([], through, checked_by, 0.5) == []
    assert back_translate(["", "가" * 500], through, checked_by, 0.0) == []


def test_the_command_writes_what_a_recipe_reads(folders: tuple[Path, Path], tmp_path: Path) -> None:
    texts, out = tmp_path / "texts.txt", tmp_path / "pairs.tsv"
    texts.write_text("\n\n".join(TEXTS), encoding="utf-8")
    options = ["--through", str(folders[0]), "--checked-by", str(folders[1]), "--out", str(out)]
    found = CliRunner().invoke(app, ["back-translate", str(texts), *options, "--likely", "0"])
    assert found.exit_code == 0, found.output
    pairs = read_pairs(Source(str(out))).pairs
    assert f"{len(pairs)} pairs of {len(TEXTS)} texts" in found.output
    assert {pair.target for pair in pairs} <= set(TEXTS)


def test_another_direction_and_no_file_are_refused(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    options = ["--checked-by", str(folders[1]), "--out", str(tmp_path / "out.tsv")]
    for through, text, code in (
        (folders[1], "texts.txt", "parameter_invalid"),
        (folders[0], "none.txt", "file_missing"),
        (folders[0], "bytes.txt", "file_unreadable"),
        (folders[0], ".", "file_unreadable"),
    ):
        (tmp_path / "texts.txt").write_text("a", encoding="utf-8")
        (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\xff")
        asked = ["back-translate", str(tmp_path / text), "--through", str(through), *options]
        found = CliRunner().invoke(app, asked)
        assert isinstance(found.exception, HeadlightError)
        assert found.exception.code == code
