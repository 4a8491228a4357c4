"""Patterns: the table is in order, and what is held out of training is held out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain, islice

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from kiwipiepy import Kiwi

from core.grammar import frames, generate, introductions, lexicon, makers, patterns, people
from core.grammar.draw import Draw
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_frames, settled_words
from core.grammar.values import KINDS, held_kind, is_held_out
from core.text.corpora import text_key
from tests.core.grammar import drawing


def shop(seed: int, *, settled: bool = False) -> Workshop:
    """A workshop, of settled Korean where asked."""
    words, table = lexicon.load(), frames.load()
    if settled:
        words, table = settled_words(words), settled_frames(table)
    return Workshop(Draw(words, seed, settled=settled), table)


@pytest.fixture(scope="module")
def made() -> list[Sentence]:
    """Sentences of patterns, towards English."""
    workshop = shop(1)
    return [patterns.pattern_sentence(workshop) for _ in range(6000)]


# --- the table ------------------------------------------------------------------------------------


def test_each_way_to_say_a_pattern_has_its_slots() -> None:
    for pattern in patterns.patterns():
        slots = {frozenset(patterns.slots_of(way)) for way in (*pattern.korean, *pattern.english)}
        assert len(slots) == 1, pattern.frame
        assert next(iter(slots)), f"{pattern.frame} would be a fixed phrase"


def test_a_pattern_is_said_once() -> None:
    table = patterns.patterns()
    assert len({pattern.frame for pattern in table}) == len(table) > 250
    settled = patterns.patterns(settled=True)
    korean, usual = [p.korean for p in table], [p.english[:1] for p in table]
    for ways in (korean, usual, [p.english for p in settled]):
        counts = Counter(chain.from_iterable(map(dict.fromkeys, ways)))
        assert [way for way, count in counts.items() if count > 1] == []


def test_every_pattern_can_be_said() -> None:
    draw = Draw(lexicon.load(), 0)
    for pattern in patterns.patterns():
        sentence = patterns.said(draw, pattern)
        assert not re.search("[{}:]이", sentence.korean)
        assert "{" not in sentence.korean + sentence.english
    with pytest.raises(ValueError, match="slot"):
        patterns.fill(draw, "nothing")


_ALIKE = (("것이", "게"), ("터인데", "텐데"), ("제게", "저에게"), ("저의", "제"))


def test_korean_is_what_the_morphology_makes_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to say each pattern, taken apart and put together again, but for what may be both:
    안나이고 or 안나고, 되었어요 or 됐어요, 것이 or 게; and digits, which it does not read.

    Of two syllables that nobody is called it does not know which particle they have."""
    monkeypatch.setattr(people, "_UNLISTED", 0)

    def short(text: str) -> str:
        for long, also in _ALIKE:
            text = text.replace(long, also)
        return text.replace(" ", "")

    kiwi, draw = Kiwi(num_workers=1), Draw(lexicon.load(), 5)
    for pattern in patterns.patterns():
        # Of what is in Latin letters the morphology knows no final.
        latin = pattern.frame.startswith(("brand.", "word.", "room.seat"))
        for way in () if pattern.is_bare or latin else pattern.korean:
            said = patterns.said(draw, replace(pattern, korean=(way,))).korean
            parts = [(token.form, token.tag) for token in kiwi.tokenize(said)]
            again = kiwi.join(parts)
            if not re.search(r"이고 |되었|[\dA-Za-z]", said):
                assert short(again) == short(said)


def test_questions_ask_in_both_languages() -> None:
    for pattern in patterns.patterns():
        if pattern.frame == "call.hello":
            continue  # 안녕하세요? is no question in English
        asked = {way.endswith("?") for way in (*pattern.korean, *pattern.english)}
        assert len(asked) == 1, pattern.frame


def test_english_becomes_polite_korean_or_what_is_no_sentence() -> None:
    workshop = shop(2, settled=True)
    for _ in range(3000):
        sentence = patterns.pattern_sentence(workshop)
        polite = re.search(r"(요|시다)[.?]$", sentence.korean)
        assert polite or sentence.frame.startswith("bare."), sentence


def test_what_is_no_sentence_has_no_stop(made: list[Sentence]) -> None:
    bare = [s for s in made if s.frame.startswith("bare.")]
    assert len(bare) > 100
    assert [s for s in bare if s.korean.endswith((".", "?")) or s.english.endswith("?")] == []
    assert any(re.fullmatch(r"\d+", s.korean) and s.korean == s.english for s in bare)


def test_names_are_drawn_widely(made: list[Sentence]) -> None:
    called = [s.english for s in made if s.frame in ("name.mine", "name.am")]
    assert len(set(called)) > 0.5 * len(called)


def test_people_introduce_themselves_in_some_sentences() -> None:
    workshop = shop(3)
    drawn = filter(None, (introductions.introduction_sentence(workshop) for _ in range(600)))
    told = list(drawn)
    assert len(told) > 300
    for sentence in told:
        count = int(sentence.frame.rpartition(".")[2])
        assert 2 <= count <= 5
        assert len(re.findall(r"[.?!,](?= |$)", sentence.english)) >= count - 1
        assert len(sentence.korean.split()) <= 14
        assert not re.search(r"이야\.|(^| )(나|난) ", sentence.korean)
        assert not ("from Korea" in sentence.english and "came to Korea" in sentence.english)


# --- held out by value ----------------------------------------------------------------------------


@pytest.mark.parametrize("into", ["en", "ko"])
def test_held_out_values_are_not_trained_on(into: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "HELDOUT_ROWS", 60)
    made = generate.corpus(4000, seed=5, into=into)
    parts = (made.heldout_names, made.heldout_numbers, made.heldout_times, made.heldout_copies)
    trained = frozenset(chain.from_iterable(s.values for s in made.train))
    assert [key for key in trained if is_held_out(key)] == []
    assert {kind for kind, _ in trained} == set(KINDS)
    for kind, rows in zip(KINDS, parts, strict=True):
        assert len(rows) == 60
        assert {held_kind(s.values) for s in rows} == {kind}
    taught = {text_key(s.korean) for s in made.train + made.phrases}
    assert [s for s in chain(*parts) if text_key(s.korean) in taught] == []


@pytest.mark.parametrize("into", ["en", "ko"])
def test_values_are_spelled_without_those_that_are_held_out(into: str) -> None:
    rows = generate.spelled(3000, 5, into)
    assert rows[:200] == generate.spelled(200, 5, into)
    assert len(set(rows)) == 3000
    held = frames.load().heldout
    assert not [row for row in rows if held_kind(row.values) or row.frame in held]
    kinds = Counter(kind for row in rows for kind in {kind for kind, _ in row.values})
    assert min(kinds[kind] for kind in KINDS) > 200


def test_training_covers_what_is_not_held_out() -> None:
    """Every given name, minute and day: a rule is learnt where it is seen everywhere."""
    kinds: dict[str, set[str]] = {kind: set() for kind in KINDS}
    valued = (s for s in generate._stream(2, "en", makers.VALUED) if s.frame != "phrase")
    for sentence in islice(valued, 32_000):
        if held_kind(sentence.values) is None:
            for kind, value in sentence.values:
                kinds[kind].add(value)
    assert len(kinds["name"]) > 600
    assert len([v for v in kinds["number"] if v.isdigit() and int(v) < 100]) > 50
    clock = {v for v in kinds["time"] if re.fullmatch(r"(1[0-2]|[1-9]):\d\d", v)}
    assert len(clock) > 380
    assert len({v for v in kinds["time"] if "-" in v}) > 300


def test_names_stand_in_sentences_of_all_kinds() -> None:
    everyday = {noun.korean for noun in lexicon.load().nouns}
    drawn = islice(drawing.drawn(6), 7500)
    told = [s.korean for s in drawn if s.frame.startswith("act.")]
    first = {korean.split()[0] for korean in told if " " in korean}
    from core.grammar import names

    forms = {
        form
        for name in names.of_people()
        if name.korean not in everyday
        for form in names.with_particles(name.korean).values()
    }
    assert len(first & forms) > 25
