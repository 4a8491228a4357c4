"""Pairs of texts alone: what both directions find likely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.model import Inspectable
from core.outputs import Likelihood
from core.text.corpora import read_pairs
from core.text.sources import Source
from core.training import back_translation
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


class Told:
    """A model that writes and finds likely what it is told to, token by token."""

    def __init__(self, written: Mapping[str, str], likely: Mapping[tuple[str, str], int]) -> None:
        self.written, self.likely = written, likely

    def generate_all(self, texts: Sequence[str]) -> list[str]:
        return [self.written[text] for text in texts]

    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> tuple[Likelihood | None, ...]:
        found = [self.likely[pair] for pair in pairs]
        return tuple(Likelihood(-0.2 * one, 2) if one < 9 else None for one in found)


@given(st.data(), st.dictionaries(st.text("abc", min_size=1), st.sampled_from(["", "x", "y"])))
def test_a_source_of_several_texts_is_kept_with_the_likeliest_alone(
    data: st.DataObject, written: dict[str, str]
) -> None:
    """However many are looked at at a time."""
    texts, losses = list(written), st.integers(0, 9)  # 9: cannot be read
    there = {(text, source): data.draw(losses) for text, source in written.items()}
    back = {(source, text): data.draw(losses) for text, source in written.items()}
    told: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(back_translation, "_AT_ONCE", 2)
        kept = back_translate(
            texts,
            cast(Inspectable, Told(written, there)),
            cast(Inspectable, Told({}, back)),
            math.exp(-0.45),
            lambda *at: told.append(at),
        )
    assert told == [(min(at + 2, len(texts)), len(texts)) for at in range(0, len(texts), 2)]
    good = [
        text
        for text, source in written.items()
        if source and max(there[text, source], back[source, text]) <= 4
    ]
    assert {pair.source for pair in kept} == {written[text] for text in good}
    assert len({pair.source for pair in kept}) == len(kept)
    assert [texts.index(pair.target) for pair in kept] == sorted(
        texts.index(pair.target) for pair in kept
    )
    for pair in kept:
        rivals = [back[pair.source, text] for text in good if written[text] == pair.source]
        assert pair.target in good
        assert back[pair.source, pair.target] == min(rivals)
