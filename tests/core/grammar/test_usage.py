"""What learners would pick up wrongly: whose a subject is, what one knows, which verb goes."""

from __future__ import annotations

import re
from functools import cache

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import (
    chains,
    comparisons,
    compounds,
    conditions,
    frames,
    lexicon,
    looks,
    nested,
    opinions,
    patterns,
    reasons,
    sentences,
)
from core.grammar.draw import Draw
from core.grammar.korean import with_particle
from core.grammar.sentences import Maker, Sentence, Workshop
from core.grammar.settled import settled_frames, settled_words


@cache
def shop(*, settled: bool) -> Workshop:
    """A workshop, of settled Korean where asked."""
    words, table = lexicon.load(), frames.load()
    if settled:
        words, table = settled_words(words), settled_frames(table)
    return Workshop(Draw(words, 7, settled=settled), table)


@cache
def made(maker: Maker, *, settled: bool = False, count: int = 1500) -> tuple[Sentence, ...]:
    """What so many draws of a maker bring."""
    return tuple(s for _ in range(count) if (s := maker(shop(settled=settled))))


# --- whose a subject is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("maker", "links"),
    [
        (compounds.cause_sentence, ("because:feel", "since:feel", "if:feel", "when")),
        (reasons.reason_sentence, ("because:", "since:", "if:")),
        (chains.order_sentence, ("right_before:", "right_after:")),
    ],
)
def test_who_is_told_of_in_both_clauses_is_the_topic(maker: Maker, links: tuple[str, ...]) -> None:
    """형은 아플 때 자요: in 형이 아플 때 자요, it is somebody else who sleeps."""
    people = {noun.korean for noun in lexicon.load().pool("name,kin,people,job")} | {"우리", "그"}
    subjects = {with_particle(one, "subject") for one in people} | {"내가", "제가"}
    rows = [s for s in made(maker) if s.frame.startswith(links)]
    assert len(rows) > 100
    shared = [
        s for s in rows if not re.match(r"(Because|If|Since) (the|it|there|a \w+) ", s.english)
    ]
    assert [s for s in shared if {*s.korean.split()[:3]} & subjects] == []


def test_what_one_will_have_to_do_with_has_not_been_good_or_bad() -> None:
    """The cake that I will eat was delicious: nobody knows."""
    rows = [s for s in made(opinions.relative_sentence, count=8000) if "act.future" in s.frame]
    judged = [s for s in rows if "future>describe" in s.frame]
    assert len(judged) > 3
    assert [s for s in judged if re.search(r"\b(was|were|tasted)\b|delicious", s.english)] == []
    used = [s for s in rows if "future>act" in s.frame]
    assert len(used) > 5
    assert [s for s in used if re.search(r"^I (took off|ate|drank|wore|used)", s.english)] == []


def test_who_does_what_is_still_to_be_done_is_said() -> None:
    """먹을 김치 is kimchi to eat, and 한 게임 one game."""
    rows = [s for s in made(opinions.relative_sentence, count=8000) if "that I " in s.english]
    told = [s for s in rows if re.search(r"act\.(present|future)", s.frame)]
    assert len(told) > 50
    assert [s for s in told if not re.search("[내제]가 ", s.korean)] == []
    assert [
        s for s in rows if re.match("(그건|이건|그것은|이것은)? ?한 (?!시간|달)", s.korean)
    ] == []


@pytest.mark.parametrize("settled", [False, True])
def test_kin_of_ones_kin_are_told_of_by_nobody(settled: bool) -> None:
    """우리 아버지는 엄마와 has my mother, not his."""
    kin = "|".join(noun.english for noun in lexicon.load().pool("kin,-lovers"))
    theirs = re.compile(rf"^My\b.* (his|her|their) ({kin})\b")
    rows = made(sentences.act_sentence, settled=settled, count=6000)
    assert [s for s in rows if theirs.search(s.english)] == []
    named = re.compile(rf"^[A-Z]\w+ .* (his|her|my) ({kin})\b")
    assert [s for s in rows if named.search(s.english)]


def test_nobody_honours_oneself() -> None:
    rows = [s for s in made(sentences.copula_sentence, count=4000) if s.english.startswith("I ")]
    assert len(rows) > 100
    assert [s for s in rows if re.search("(?<!선생)님(이|입)", s.korean)] == []


# --- how one is -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "maker", [looks.look_sentence, looks.become_sentence, looks.must_be_sentence]
)
def test_how_elders_look_and_get_is_told_with_respect(maker: Maker) -> None:
    rows = made(maker, settled=True, count=4000)
    elders = [s for s in rows if re.match(r"우리 (할머니|할아버지|어머니|아버지)[은는]", s.korean)]
    assert len(elders) > 10
    assert [s for s in elders if not re.search("[시세셔셨]", s.korean.split(" ", 2)[2])] == []


def test_what_an_elder_says_and_thinks_is_told_with_respect() -> None:
    rows = made(nested.nested_sentence, settled=True, count=3000)
    elders = [s for s in rows if re.match("우리 (할머니|할아버지|어머니|아버지)[가는] ", s.korean)]
    assert len(elders) > 20
    said = re.compile(r"고 (하신|하셨|생각하[시신])|(언제|왜) .*하셨는지")
    assert [s for s in elders if not said.search(s.korean)] == []


@pytest.mark.parametrize("maker", [comparisons.compare_sentence, looks.alike_sentence])
def test_of_the_taller_it_is_the_height_that_is_more(maker: Maker) -> None:
    """키가 더 커요, and not 더 키가 커요."""
    rows = [s for s in made(maker, count=3000) if re.search(r"\b(tall|short)er\b", s.english)]
    assert [s for s in rows if "키가 더 " in s.korean or "키가 훨씬 더 " in s.korean]
    assert [s for s in rows if "더 키가" in s.korean] == []


# --- what goes with what --------------------------------------------------------------------------


def test_one_feels_because_and_does_since() -> None:
    """합격해서 기분이 좋아요: -니까 gives the reason of a deed."""
    frames_made = {s.frame.partition(".")[0] for s in made(reasons.reason_sentence, count=3000)}
    assert {"so:event>feel", "since:event>act"} <= frames_made
    assert "since:event>feel" not in frames_made


def test_what_one_rests_for_keeps_nobody_from_resting() -> None:
    rows = [s for s in made(conditions.obstacle_sentence, count=8000) if " rest" in s.english]
    assert rows
    assert [s for s in rows if re.search(r"\b(tired|sick)\b", s.english)] == []


@pytest.mark.parametrize(
    ("english", "things", "stem"),
    [
        ("play {0}", "racket", "치/VV"),
        ("play {0}", "sport", "하/VV"),
        ("play {0}", "=피아노,=기타", "치/VV"),
        ("play {0}", "=바이올린,=플루트", "연주하/VV"),
        ("make {0}", "=김밥,=떡볶이,=잡채", "만들/VV"),
        ("cook {0}", "=한국 음식,=생선", "요리하/VV"),
    ],
)
def test_a_thing_has_its_own_verb_in_settled_korean(english: str, things: str, stem: str) -> None:
    words = settled_words(lexicon.load())
    told = {
        noun: [v.korean for v in words.verbs if v.english == english and v.arguments and
               noun in words.members(v.arguments[0][1])]
        for noun in words.pool(things)
    }  # fmt: skip
    assert told
    assert set(map(tuple, told.values())) == {(stem,)}


def test_a_named_dish_is_made_and_not_cooked() -> None:
    words = lexicon.load()
    cooked = (v for v in words.verbs if v.english == "cook {0}")
    assert not words.members("=김밥,=냉면,=떡볶이,=짜장면") & {
        noun for verb in cooked for noun in words.members(verb.arguments[0][1])
    }


def test_one_swims_in_the_sea() -> None:
    rows = [s for s in made(sentences.act_sentence, count=20_000) if "swim" in s.english]
    waters = [s for s in rows if re.search(r"the (sea|river|lake)\b", s.english)]
    assert waters
    assert [s for s in waters if not re.search(r"in the (sea|river|lake)\b", s.english)] == []


def test_of_one_meal_one_tells_once() -> None:
    rows = made(chains.meanwhile_sentence, count=3000)
    assert [s for s in rows if s.english.count("dinner") > 1] == []


def test_one_works_at_a_place_of_a_kind() -> None:
    draw = shop(settled=True).draw
    assert all(patterns.fill(draw, "work").english[0].startswith("at a") for _ in range(50))


def test_a_state_that_korean_tells_in_the_past_is_no_adjective() -> None:
    """낡았어요, 늙었어요, 잘생겼어요: of verbs, though English has adjectives."""
    stems = {adjective.korean.partition("/")[0] for adjective in lexicon.load().adjectives}
    assert not stems & {"낡", "늙", "잘생기", "못생기"}


def test_one_portion_and_several_are_of_the_same() -> None:
    for row in lexicon.table("portions"):
        assert row["english"].partition(" of ")[2] == row["several"].partition(" of ")[2]
