"""What breaks, leaks and goes wrong: verbs of small accidents are said as they are meant."""

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import lexicon
from core.grammar.korean import speak


def test_accidents_have_their_subjects_and_are_told_in_the_past() -> None:
    words = lexicon.load()
    known = {verb.english: verb for verb in words.verbs}
    for english, korean in {
        "boil": "끓었어요",
        "be caught": "잡혔어요",
        "swell up": "부었어요",
        "get wet": "젖었어요",
        "get fired": "해고됐어요",
        "sprain {0}": "삐끗했어요",
        "get lost": "길을 잃었어요",
    }.items():
        verb = known[english]
        assert speak(f"{verb.korean}+었/EP+어요/EF") == korean
        assert verb.subject == "human" or words.pool(verb.subject)


def test_a_verb_is_in_the_table_once() -> None:
    rows = [
        (verb.korean, verb.english, tuple(verb.arguments), verb.subject)
        for verb in lexicon.load().verbs
    ]
    assert len(set(rows)) == len(rows)
