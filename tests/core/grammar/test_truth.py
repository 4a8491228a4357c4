"""What is natural to say: proposals, opinions, elders, and clauses side by side."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from core.grammar import frames
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.everyday import weather_sentence
from core.grammar.korean import speak
from core.grammar.lexicon import load
from core.grammar.nominals import phrase
from core.grammar.occasions import occasions, serves_meals_in_time
from core.grammar.patterns import patterns
from core.grammar.predicates import quality
from core.grammar.sense import suited
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_frames
from core.grammar.spheres import errands
from tests.core.grammar import drawing

ROWS = 6000


@cache
def drawn(into: str) -> tuple[Sentence, ...]:
    """The first sentences that are no fixed phrases."""
    return tuple(islice(drawing.drawn(23, into), ROWS))


def test_proposals_into_korean_are_polite_and_not_formal() -> None:
    assert not [
        s.korean for s in drawn("ko") if re.search(r"ㅂ시다|읍시다|[가-힣]시다\b", s.korean)
    ]
    proposed = [s for s in drawn("ko") if "act.lets" in s.frame]
    assert proposed
    assert all("같이" in s.korean or "우리" in s.korean for s in proposed)


def test_opinions_into_korean_are_what_seems_so() -> None:
    rows = [s for s in drawn("ko") if re.match(r"(seem|think):", s.frame)]
    assert rows
    assert all("것 같" in s.korean for s in rows)


def test_elders_into_korean_are_raised() -> None:
    rows = [s for s in drawn("ko") if re.match(r"act\..*statement", s.frame)]
    elders = [s for s in rows if re.match(r"우리 (할머니|할아버지|어머니|아버지)[은는]", s.korean)]
    assert elders
    assert [s for s in elders if not re.search("[시세셔셨실신십]", s.korean.split(" ", 2)[2])] == []


def test_kin_are_called_by_whose_they_are() -> None:
    theirs = re.compile(r"\b(her older brother|his older sister)\b")
    rows = [s for s in drawn("ko") if theirs.search(s.english)]
    assert [s for s in rows if not re.search("오빠|누나", s.korean)] == []
    hers = phrase(load().noun("형"), "a", Subject("she", 3, False, "her", "she"))
    assert (hers.korean, hers.english) == ("오빠", "her older brother")


def test_clauses_side_by_side_are_joined_in_english() -> None:
    rows = [s for s in drawn("en") if s.frame.startswith("juxtaposed:")]
    bare = [s for s in rows if ", and " not in s.english]
    assert len(rows) > len(bare)
    assert all(re.search(r"더라", s.korean) for s in bare)


def test_one_meets_customers_in_shops() -> None:
    rows = [s for s in drawn("en") if s.frame.startswith(("juxtaposed:", "exist."))]
    shops = re.compile(r"(store|restaurant|bakery|bank|cafe)\b")
    assert not [s.english for s in rows if "guest" in s.english and shops.search(s.english)]


def test_every_deed_of_an_occasion_is_a_verb() -> None:
    stems = {verb.korean.split()[0].partition("/")[0] for verb in load().verbs}
    named = {stem for name, some in occasions().items() if name != "life" for stem in some}
    assert named <= stems, named - stems


def test_what_one_comes_for_follows_in_seo() -> None:
    rows = [s for s in drawn("ko") if s.frame.startswith(("and", "opened"))]
    came = [s for s in rows if re.search("돌아오|돌아와|들러|들르", s.korean)]
    assert came
    assert [s.korean for s in came if re.search("(돌아오|들르)고(?! 싶)", s.korean)] == []


def test_what_tastes_bad_is_not_tasteless() -> None:
    made = [quality(a) for a in load().adjectives if a.korean == "맛없/VA"]
    assert [(base.verb, base.rest) for base in made] == [("taste", "bad")]
    assert not [s.english for s in drawn("en") if re.search("tasteless|bad-tasting", s.english)]


def test_what_is_asked_for_is_the_object() -> None:
    rows = [s for s in drawn("ko") if s.frame.startswith("what.act")]
    assert rows
    assert [s.korean for s in rows if not re.search(r"뭘 |뭐 (안 |못 )?[하할해했]", s.korean)] == []


def test_a_proposal_not_to_is_in_mal_ayo() -> None:
    construction = settled_frames(frames.load()).constructions["lets_not"]
    assert construction.final == {"polite": [" 말아요"]}
    assert speak(f"가/VV{construction.korean} 말아요") == "가지 말아요"


def test_whose_a_thing_is_stands_before_it() -> None:
    possessed = re.compile(r"\}'s \{")
    rows = [p for p in patterns(settled=True) if possessed.search(p.english[0])]
    theirs = [p for p in rows if "{person}'s" in p.english[0]]
    assert theirs
    assert [p.korean[0] for p in theirs if "{person} 씨의 " not in p.korean[0]] == []


def test_one_goes_where_one_does_it() -> None:
    verbs = {verb.name for verb in load().verbs}
    assert set(errands()) <= verbs
    rows = [s for s in drawn("en") if s.frame.startswith(("to:act", "and_there:"))]
    assert rows
    home = [s for s in rows if re.search(r"\b(go|goes|went|going|come|came) home\b", s.english)]
    assert not [s.english for s in home if re.search("soccer|piano|sing|dance|bake", s.english)]


def test_meals_are_had_in_their_time() -> None:
    rows = (*drawn("en"), *drawn("ko"))
    assert [s for s in rows if not serves_meals_in_time(s.english)] == []
    assert not serves_meals_in_time("Do you want to have lunch together tomorrow morning?")
    assert serves_meals_in_time("I had dinner this evening.")


def test_every_verb_that_is_suited_is_a_verb() -> None:
    verbs = {verb.english for verb in load().verbs}
    kinds = ("known", "known_why", "known_who", "liked", "granted")
    assert {kind: suited()[kind] - verbs for kind in kinds} == dict.fromkeys(kinds, frozenset())


def test_a_season_is_compared_with_its_own_last_one() -> None:
    """No winter is hotter than a summer; and each of these is said of what it is like."""
    shop = Workshop(Draw(load(), 11), frames.load())
    made = [s for _ in range(1500) if (s := weather_sentence(shop)) and "작년" in s.korean]
    told = [
        re.fullmatch(r"(?:This|Is this) (\w+)(?: is)? (.+) than last (\w+)[.?]?", s.english)
        for s in made
    ]
    found = {(match[1], match[2]) for match in told if match and match[1] == match[3]}
    assert len(made) > 100
    assert all(told)
    assert found == {
        ("summer", "hotter"), ("summer", "more humid"), ("winter", "colder"),
        ("winter", "drier"), ("spring", "warmer"), ("autumn", "chillier"),
    }  # fmt: skip
