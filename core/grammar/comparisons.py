"""Comparison, superlative, and what hurts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.grammar import english
from core.grammar.clauses import Actor, Turn, tell
from core.grammar.korean import with_particle
from core.grammar.lexicon import Adjective, Noun
from core.grammar.nominals import I as ME
from core.grammar.nominals import phrase, somebody, speaker, third_person
from core.grammar.occasions import is_far
from core.grammar.predicates import VERBAL, in_degree, quality
from core.grammar.sentences import Sentence, Workshop, finish
from core.grammar.things import all_of, is_kind, thing_actor

_BROAD = frozenset({"place", "food", "staple", "misc", "info", "abstract", "work", "quality"})


def alike(one: Noun, other: Noun) -> bool:
    """Whether two nouns are of one narrow kind, so that one compares them."""
    shared = (one.classes & other.classes) - _BROAD
    if {one.korean, other.korean} & _WIDE or one.korean[-2:] == other.korean[-2:]:
        return False  # a market is no rival of a fish market, nor clothes of a sweater
    return one is not other and bool(shared)


# Names of whole kinds, which hold the others.
_WIDE: Final = frozenset((
    "옷", "꽃", "꽃다발", "시장", "음식", "고기", "과일", "야채", "채소", "음료수", "영상", "책",
    "동물", "길", "과자", "새", "물고기", "나무", "건물", "가구", "악기", "신발", "사람", "술",
    "차", "빵", "하늘", "달", "경치",
))  # fmt: skip
_COMPARED = "name,kin,-=가족,-=여자친구,-=남자친구,-=아내,-=남편,-=룸메이트"
_FEELINGS = ("busy", "happy", "tired", "healthy")


def gradable(adjective: Adjective) -> bool:
    """Whether one thing may be more of it than another."""
    if adjective.subject == "human":
        return "feel" not in adjective.features or adjective.english in _FEELINGS
    return adjective.subject != "color_thing" and adjective.english not in (
        "different", "wasteful", *VERBAL,
    )  # fmt: skip


def compare_sentence(shop: Workshop) -> Sentence | None:
    """This is bigger than that; this is the biggest."""
    draw = shop.draw
    style = shop.style()
    adjectives = [a for a in draw.lexicon.adjectives if gradable(a)]
    adjective = draw.word(adjectives)
    people = adjective.subject == "human"
    if adjective.subject.startswith(("weather", "wind", "sky")):
        return None  # a day's weather is compared with another day's
    plain = shop.frames.constructions["plain"]
    tense = draw.weighted(("present", "past"), (4, 1))
    mood = draw.weighted(("statement", "question"), (4, 1))
    if people and adjective.english not in (*_FEELINGS, "kind"):
        tense = "present"  # who was taller once, is so still
    best = draw.chance(0.3)
    if best and not people:
        actor, noun = thing_actor(shop, adjective.subject, style, pointing=0.9)
        word = draw.variant(("제일", "가장"))
        base = replace(
            quality(adjective, kind="feel" if actor.honored else "describe"),
            before=(word,),
            rest=f"the {english.comparative(adjective.english, 'JJS')}",
        )
        kind = "superlative"
    else:
        one = draw.noun(_COMPARED if people else adjective.subject)
        pool = [
            n
            for n in draw.lexicon.pool(_COMPARED if people else adjective.subject)
            if alike(one, n)
        ]
        if not pool:
            return None
        other = draw.word(pool)
        if mood == "question" and "kin" in one.features | other.features:
            return None  # whose they are would be said in Korean
        if adjective.english == "young" and "kin" in one.features:
            return None  # no grandfather is younger than a brother
        noun = one.korean
        subject = third_person(one)
        particle = draw.variant(("topic", "subject"))
        kinds = all(is_kind(noun, compared=True) for noun in (one, other)) and tense == "present"
        if kinds and draw.settled:
            kinds = draw.chance(0.6)
        elif kinds:
            kinds = particle == "topic"
        called = all_of(other).english if kinds else phrase(other, "the", ME).english
        family = draw.settled and "kin" in one.features
        name = f"우리 {one.korean}" if family else one.korean
        actor = Actor(
            with_particle(name, particle), all_of(one) if kinds else subject,
            "honor" in one.features,
        )  # fmt: skip
        than = with_particle(other.korean, "than")
        words = f"{english.comparative(adjective.english)} than {called}"
        base = quality(adjective, kind="feel" if actor.honored else "describe")
        base = replace(base, before=(than,), rest=words)
        if not draw.loose(0.3):
            base = in_degree(base, "더")
        kind = "comparative"
    spoken = tell(draw, shop.frames, base, actor, plain, Turn(style, tense, mood))
    if spoken is None:
        return None
    frame = f"{kind}.plain.{tense}.{mood}"
    pairs = frozenset({(adjective.korean, noun)})
    return finish(draw, spoken, frame, mood, pairs)


def ache_sentence(shop: Workshop) -> Sentence | None:
    """My head hurts."""
    draw = shop.draw
    style = shop.style()
    noun = draw.noun("aches")
    construction = shop.construction(("plain", "plain", "not_ji", "not_an"))
    tense = draw.weighted(("present", "past"), (3, 1))
    mood = draw.weighted(("statement", "question"), (3, 1))
    if mood == "question":
        owner = Actor("", replace(ME, possessive="your", person=2))
    else:
        owner = (
            speaker(draw, style, topical=True)
            if draw.chance(0.6)
            else somebody(draw, style, topical=True)
        )
    mine = owner.subject.possessive
    if (
        owner.subject.person == 3
        and owner.subject.pronoun != mine
        and owner.subject.english not in ("he", "she")
    ):
        mine = f"{owner.subject.english}'s"
    if owner.subject.plural or owner.subject.pronoun == "they":
        return None
    many = "plural" in noun.features
    body = (
        noun.korean
        if style == "casual" and draw.chance(0.4)
        else with_particle(noun.korean, "subject")
    )
    subject = third_person(noun)
    subject = replace(subject, english=f"{mine} {noun.english}", plural=many)
    base = replace(
        quality(next(a for a in draw.lexicon.adjectives if a.korean == "아프/VA")),
        verb="hurt",
        rest="",
        before=(body,),
    )
    time = draw.adverb("past") if tense == "past" and draw.chance(0.5) else None
    if time and is_far(time):
        time = None
    turn = Turn(style, tense, mood, time)
    spoken = tell(draw, shop.frames, base, Actor(owner.korean, subject), construction, turn)
    if spoken is None:
        return None
    frame = f"ache.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, frozenset({("아프", noun.korean)}))
