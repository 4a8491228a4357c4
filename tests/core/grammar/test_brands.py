"""Brands in both scripts, what is no sentence, and what is misspelt."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import brands, chat, frames, lexicon, strays
from core.grammar.draw import Draw
from core.grammar.english import article
from core.grammar.sentences import Sentence, Workshop
from core.grammar.values import attached, table


@pytest.mark.parametrize(
    ("word", "read", "spoken"),
    [
        ("iPhone", "아이폰", "iPhone을"),
        ("KTX", "케이티엑스", "KTX를"),
        ("아이폰", "아이폰", "아이폰을"),
        ("GS25", "지에스이십오", "GS25를"),
    ],
)
def test_a_particle_is_as_latin_letters_are_read(word: str, read: str, spoken: str) -> None:
    assert attached(word, "을", read) == spoken


def test_brands_are_said_once_and_each_has_a_slot_and_a_reading() -> None:
    rows = table("brands")
    for column in ("korean", "english"):
        assert len({row[column] for row in rows}) == len(rows) >= 120
    for row in rows:
        assert set(row["kind"].split(",")) <= set(brands.KINDS)
        assert re.fullmatch("[가-힣 ]+", row["read"] or row["korean"])
    assert all(brands.of_kind(kind) for kind in brands.KINDS)


def test_articles_know_letters_that_are_spelled() -> None:
    assert [article(w) for w in ("iPhone", "SRT", "Xbox", "KTX", "BMW", "Uniqlo")] == [
        "an", "an", "an", "a", "a", "a",
    ]  # fmt: skip


@pytest.mark.parametrize("settled", [False, True])
def test_what_is_no_sentence_is_copied_or_told_short(settled: bool) -> None:
    draw = Draw(lexicon.load(), 1, settled=settled)
    shop = Workshop(draw, frames.load())
    for made in (strays.stray_sentence(shop) for _ in range(1500)):
        if made.frame == strays.COPY:
            assert made.korean == made.english != ""
            assert made.values == {("copy", made.korean)}
        else:
            assert len(made.english) <= (16 if settled else 10)


def test_a_slip_changes_a_sentence_and_not_its_english() -> None:
    draw = Draw(lexicon.load(), 1)
    sentence = Sentence("설거지가 안 돼요.", "I can't do the dishes.", "x.y")
    made = [chat.slipped(draw, sentence) for _ in range(50)]
    assert {s.english for s in made if s} == {sentence.english}
    assert any(s and "설겆이" in s.korean for s in made)
    assert all(s is None or s.korean != sentence.korean for s in made)
