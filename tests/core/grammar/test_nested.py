"""Clauses within clauses are said their way in both languages."""

import re

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import frames, lexicon, nested
from core.grammar.draw import Draw
from core.grammar.korean import speak
from core.grammar.sentences import Sentence, Workshop


def made(settled: bool) -> list[Sentence]:
    """What a few hundred draws bring."""
    shop = Workshop(Draw(lexicon.load(), 3, settled=settled), frames.load())
    return [s for _ in range(250) if (s := nested.nested_sentence(shop))]


@pytest.mark.parametrize("settled", [False, True])
def test_two_clauses_are_within_the_outer_one(settled: bool) -> None:
    rows = made(settled)
    assert len(rows) > 100
    for s in rows:
        assert re.search(r"(다고|라고) .*(것|게|다고|는지)", s.korean), s.korean
        said = re.findall(r"\b(said|heard|thinks?|thought|believed)\b", s.english)
        assert len(said) >= 2 or re.search("remember|believe|know", s.english), s.english
        assert " that that " not in s.english


def test_what_was_said_is_past() -> None:
    rows = [s for s in made(True) if ".feel.present" in s.frame and " said " in s.english]
    assert rows
    assert not [s for s in rows if re.search(r"said (that )?\w+ (is|are) ", s.english)]


def test_words_in_seureop_lose_their_bieup() -> None:
    (natural,) = (a for a in lexicon.load().adjectives if a.english == "natural")
    assert speak(f"{natural.korean}+어요/EF") == "자연스러워요"
