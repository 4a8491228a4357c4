"""Brands in both scripts, what is no sentence, and what is misspelt."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import brands, chat, coined, frames, lexicon, patterns, strays
from core.grammar.draw import Draw
from core.grammar.english import article
from core.grammar.lexicon import table
from core.grammar.sentences import Sentence, Workshop
from core.grammar.values import attached


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


@pytest.mark.parametrize(
    ("word", "spoken"),
    [
        ("Zoltan", "Zoltan이에요"), ("Marko", "Marko예요"), ("Brakel", "Brakel이에요"),
        ("Vrosk", "Vrosk예요"), ("Tarnock", "Tarnock이에요"), ("Flant 7", "Flant 7이에요"),
    ],
)  # fmt: skip
def test_a_particle_is_as_an_unknown_word_would_be_read(word: str, spoken: str) -> None:
    assert attached(word, "이에요", coined._value(word).read) == spoken


@pytest.mark.parametrize("settled", [False, True])
def test_what_nobody_knows_is_copied_in_both_directions(settled: bool) -> None:
    draw = Draw(lexicon.load(), 4, settled=settled)
    rows = [p for p in patterns.patterns(settled=settled) if p.frame.startswith(("coined", "stra"))]
    assert len(rows) > 20
    for pattern in rows:
        for _ in range(20):
            made = patterns.said(draw, pattern)
            ((kind, word),) = made.values
            assert kind == "copy"
            assert word in made.korean
            assert word in made.english


def test_no_word_is_coined_that_is_written_in_hangul() -> None:
    draw = Draw(lexicon.load(), 0)
    words = {value.english[0] for value in (coined.stranger(draw) for _ in range(4000))}
    assert len(words) > 3000
    assert not {word.lower() for word in words} & coined._known()


def test_a_first_name_may_stand_in_its_own_letters_within_korean() -> None:
    draw = Draw(lexicon.load(), 0)
    said = [patterns.said(draw, patterns.of_frame("name.from_whom")) for _ in range(600)]
    latin = [s for s in said if re.search("[A-Z]", s.korean)]
    assert 20 < len(latin) < 200
    for s in latin:
        name = re.findall(r"[A-Z][^\W가-힣]*", s.korean)[0]
        assert re.search(rf"\b{name}\b", s.english)


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


@pytest.mark.parametrize(
    ("korean", "right"),
    [("돼지고기를 먹어요.", "돼지"), ("시를 번역할 거예요.", "번역할")],
)
def test_a_slip_leaves_other_words_whole(korean: str, right: str) -> None:
    draw = Draw(lexicon.load(), 1)
    made = [chat.slipped(draw, Sentence(korean, "", "x.y")) for _ in range(60)]
    assert [s.korean for s in made if s and right not in s.korean] == []


def test_every_kind_of_brand_has_shapes_with_much_to_fill_in() -> None:
    """A brand is learnt where many sentences have it."""
    for kind in brands.KINDS:
        fitting = patterns._branded(kind, settled=True)
        assert len([p for p in fitting if len(patterns.slots_of(p.korean[0])) > 1]) >= 3, kind


def test_brands_are_drawn_alike() -> None:
    draw = Draw(lexicon.load(), 3, settled=True)
    shop = Workshop(draw, frames.load())
    made = " ".join(patterns.brand_sentence(shop).english for _ in range(8000))
    seen = [made.count(row["english"]) for row in table("brands")]
    assert min(seen) > 10
