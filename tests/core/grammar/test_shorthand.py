"""English as people type it: its Korean stays as it is, and no word becomes another."""

from __future__ import annotations

import re
from collections import Counter

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from lemminflect import getAllLemmas

from core.grammar import chatter, frames, lexicon, openers, patterns, remarks, shorthand
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.sentences import Sentence, Workshop
from core.grammar.typed import Typing

KOREAN = "저는 내일 학교에 갈 거예요."
PLAIN = Sentence(KOREAN, "I am going to go to school tomorrow because you like it.", "act.plan.x")


def drawn(typing: Typing, sentence: Sentence, count: int = 200) -> list[Sentence]:
    """What comes of a sentence, typed many times."""
    draw = Draw(lexicon.load(), 1, settled=True)
    return [made for _ in range(count) if (made := typing(draw, sentence))]


@pytest.mark.parametrize("typing", [shorthand.chatted, shorthand.slipped])
def test_only_the_english_changes(typing: Typing) -> None:
    made = drawn(typing, PLAIN)
    assert len(made) > 150
    assert {s.korean for s in made} == {KOREAN}
    assert PLAIN.english not in {s.english for s in made}
    assert {s.frame for s in made} <= {"chat:act", "slip:act"}


def test_chat_is_short() -> None:
    made = Counter(word for s in drawn(shorthand.chatted, PLAIN) for word in s.english.split())
    assert min(made[word] for word in ("gonna", "u", "im")) > 5
    assert made["tmrw"] + made["tmr"] > 5


def test_one_is_not_gonna_a_place() -> None:
    there = Sentence("저는 부산에 가요.", "I am going to Busan.", "x.y")
    assert [s for s in drawn(shorthand.chatted, there) if "gonna" in s.english.lower()] == []


@pytest.mark.parametrize("joined", ["We'll go.", "She'll go.", "I'll go.", "Minsu's bag is here."])
def test_a_mark_stays_where_the_word_would_be_another(joined: str) -> None:
    made = drawn(shorthand.chatted, Sentence("가요.", joined, "x.y"))
    assert [s for s in made if re.search(r"\b(well|shell|ill|minsus)\b", s.english.lower())] == []


def test_a_slip_of_the_keys_makes_no_other_word() -> None:
    draw = Draw(lexicon.load(), 2, settled=True)
    for word in ("yesterday", "friend", "quiet", "kitchen"):
        text = f"zz {word} zz"
        for _ in range(100):
            wrong = shorthand._misspelt(draw, text)
            assert wrong == text or not getAllLemmas(wrong.split()[1]) or wrong in listed(word)


def listed(word: str) -> set[str]:
    """The sentence of a word in the spellings of the table."""
    return {f"zz {wrong} zz" for wrong in shorthand._spellings("slip").get(word, ())}


def test_spellings_are_listed_once_and_differ() -> None:
    rows = [tuple(row.values()) for row in table("english_spellings")]
    assert len(set(rows)) == len(rows) > 250
    assert {row["kind"] for row in table("english_spellings")} == {"chat", "slip"}
    assert all(row["right"] != row["wrong"] for row in table("english_spellings"))


def test_it_is_typed_into_korean_alone() -> None:
    shop = Workshop(Draw(lexicon.load(), 0), frames.load())
    maker = shorthand.chat_maker((patterns.daily_sentence,), (1.0,))
    assert [maker(shop) for _ in range(20)] == [None] * 20


@pytest.mark.parametrize("settled", [False, True])
def test_remarks_are_as_many_in_both_languages(settled: bool) -> None:
    shop = Workshop(Draw(lexicon.load(), 4, settled=settled), frames.load())
    made = [s for _ in range(400) if (s := remarks.remark_sentence(shop))]
    assert len(made) > 300
    for s in made:
        count = int(s.frame.rpartition(".")[2])
        assert 2 <= count <= 3
        assert len(re.findall(r"[.?!](?= |$)", re.sub(r"\b[ap]\.m\.", "", s.english))) >= count - 1
        assert len(s.korean.split()) <= 14
    assert {s.frame.split(":")[1][:-2] for s in made} == {row["topic"] for row in table("remarks")}


@pytest.mark.parametrize("settled", [False, True])
def test_what_opens_talk_is_a_sentence_of_its_own(settled: bool) -> None:
    words = lexicon.load()
    shop = Workshop(Draw(words, 4, settled=settled), frames.load())
    maker = openers.opened_maker((patterns.daily_sentence,), (1.0,))
    made = [s for _ in range(300) if (s := maker(shop))]
    assert len(made) > 150
    for s in made:
        assert len(re.findall(r"[.?!](?= |$)", s.english)) == 2, s.english
        assert settled <= (len(re.findall(r"[.?!](?= |$)", s.korean)) == 2), s.korean


def test_words_of_a_chat_are_sentences_of_their_own() -> None:
    words = lexicon.load()
    for settled in (False, True):
        shop = Workshop(Draw(words, 4, settled=settled), frames.load())
        into = "ko" if settled else "en"
        maker = chatter.chatter_maker((patterns.daily_sentence,), (1.0,), into=into)
        made = [s for _ in range(200) if (s := maker(shop))]
        assert len(made) > 100
        for s in made:
            target = s.korean if settled else s.english
            assert len(re.findall(r"[.?!](?= |$)", target)) == 2, target


def test_lost_spaces_leave_every_letter() -> None:
    shop = Workshop(Draw(lexicon.load(), 4), frames.load())
    draw = shop.draw
    for _ in range(200):
        plain = patterns.daily_sentence(shop)
        spaced = chatter.respaced(draw, plain)
        if spaced:
            assert spaced.korean.replace(" ", "") == plain.korean.replace(" ", "")
            assert spaced.english == plain.english
