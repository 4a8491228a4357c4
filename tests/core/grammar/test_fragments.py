"""Words alone and a few together: right in both directions, and no sentences."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from core.grammar import fragments, frames, lexicon
from core.grammar.draw import Draw
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_frames, settled_words
from tests.core.grammar import drawing

_DRAWN = 4000
_ARTICLE = "(an?|the|my|our|his|her|this|that)"


def shop(settled: bool) -> Workshop:
    words, patterns = lexicon.load(), frames.load()
    if settled:
        words, patterns = settled_words(words), settled_frames(patterns)
    return Workshop(Draw(words, 3, settled=settled), patterns)


@pytest.fixture(scope="module", params=[False, True], ids=["into-en", "into-ko"])
def made(request: pytest.FixtureRequest) -> list[Sentence]:
    workshop = shop(request.param)
    makers = [maker for maker, _ in fragments.MAKERS]
    drawn = [makers[at % len(makers)](workshop) for at in range(_DRAWN)]
    return [sentence for sentence in drawn if sentence is not None]


def test_no_fragment_has_a_stop_or_two_articles(made: list[Sentence]) -> None:
    assert len(made) > 0.8 * _DRAWN
    for one in made:
        assert one.frame.startswith("bare.")
        assert not one.korean.endswith((".", "?", "!")), one
        assert not one.english.endswith((".", "?", "!")), one
        assert not re.search(rf"\b{_ARTICLE} (\w+ )?{_ARTICLE}\b", one.english.lower()), one


@pytest.mark.parametrize("settled", [False, True], ids=["into-en", "into-ko"])
def test_each_source_word_has_one_target(settled: bool) -> None:
    words = fragments.words(settled=settled)
    sources = [word.english if settled else word.korean for word in words]
    assert len(sources) == len(set(sources)) > 1500
    if settled:  # another way to write one word is never another word
        ways = [way for word in words for way in (word.english, *word.also)]
        assert len(ways) == len(set(ways))


def test_verbs_and_adjectives_are_as_in_a_dictionary() -> None:
    loaded = lexicon.load()
    known = [*(verb.korean for verb in loaded.verbs), *(one.korean for one in loaded.adjectives)]
    stems = {f"{korean.split('/')[0]}다" for korean in known}
    told = {word.korean for word in fragments.words(settled=False) if word.korean in stems}
    assert len(told) > 450
    verbs = [w.korean for w in fragments.words(settled=False) if w.english.startswith("to ")]
    assert set(verbs) <= stems  # 듣다, 살다: no stem is changed before 다


def test_english_is_usual_as_a_target_and_as_people_write_it_as_a_source() -> None:
    workshop = shop(False)
    into_english = [fragments.word_alone(workshop) for _ in range(1000)]
    usual = {word.english for word in fragments.words(settled=False)}
    assert {one.english for one in into_english} <= usual
    workshop = shop(True)
    drawn = [fragments.word_alone(workshop) for _ in range(3000)]
    ways: dict[str, set[str]] = {}
    for one in drawn:
        ways.setdefault(one.korean, set()).add(one.english)
    assert sum(len(found) > 1 for found in ways.values()) > 300
    assert any(one.english[0].isupper() for one in drawn)


@pytest.mark.parametrize("into", ["en", "ko"])
def test_they_are_drawn_among_sentences(into: str) -> None:
    drawn = list(islice(drawing.drawn(5, into), 10_000))
    assert 0.02 < sum(one.frame in _FRAMES for one in drawn) / len(drawn) < 0.15


_FRAMES = {
    f"bare.{kind}"
    for kind in ("word", "described", "pointed", "owned", "of", "both", "at", "with", "by")
}
