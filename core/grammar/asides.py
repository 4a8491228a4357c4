"""What is told as a ground or as known: 바빴거든요, I was busy, you see; 비싸잖아요, you know."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.grammar.english import Subject
from core.grammar.lexicon import Adverb
from core.grammar.nominals import IT, Actor, pronoun
from core.grammar.occasions import timely
from core.grammar.predicates import act, feel, quality
from core.grammar.sentences import Maker, Sentence, Workshop, finish, verb_for
from core.grammar.tables import predicate
from core.grammar.things import thing_actor

# Its ending among friends, which is polite with 요, and its English.
_ASIDES: Final = {"you_see": ("거든", "you see"), "you_know": ("잖아", "you know")}
_DEEDS: Final = ("plain", "not_an", "not_ji", "wish", "mot", "must", "progressive")
_MANNERS: Final = (0, 4, 5, 0)


def _ending(name: str, tense: str, style: str) -> str:
    before = {"present": "", "past": "+었/EP", "future": "+을/ETM 거"}[tense]
    last = _ASIDES[name][0] + ("요" if style == "polite" else "")
    return f"{before}{last}" if tense == "future" else f"{before}+{last}/EF"


def aside_sentence(shop: Workshop) -> Sentence | None:
    """It is my birthday today, you see; this bag is expensive, you know."""
    draw = shop.draw
    style = shop.style(_MANNERS)
    name = draw.one_of(tuple(_ASIDES))
    kind = draw.weighted(("describe", "feel", "act"), (3, 2, 4))
    construction = shop.frames.constructions["plain"]
    time: Adverb | None = None
    if kind == "describe":
        adjective = draw.word([a for a in draw.lexicon.adjectives if a.subject != "human"])
        actor, noun = thing_actor(shop, adjective.subject, style)
        base, tense = quality(adjective), draw.weighted(("present", "past"), (3, 1))
        pairs = frozenset({(adjective.korean, noun)})
    elif kind == "feel":
        base, tense = feel(draw), draw.weighted(("present", "past"), (2, 1))
        actor = actor_for(draw, construction, "statement", style, topical=True)
        pairs = frozenset({(base.stem, actor.subject.english)})
    else:
        construction = shop.construction(_DEEDS)
        tense = draw.one_of(construction.tenses)
        verb = verb_for(shop, construction, tense, "daily")
        if verb is None or verb.subject != "human":
            return None
        actor = actor_for(draw, construction, "statement", style)
        base = act(draw, verb, actor.subject, style)
        if tense == "present" and base.willed:
            base = replace(base, features=base.features | {"now"})  # what goes on is the ground
        time = time_for(draw, construction, tense) if draw.chance(0.5) else None
        time = time if time and timely(time, verb, construction) else None
        pairs = base.pairs
    turn = Turn(style, tense, "statement", time)
    ending = _ending(name, tense, style)
    spoken = tell(draw, shop.frames, base, actor, construction, turn, ending=ending)
    if spoken is None:
        return None
    spoken = replace(spoken, english=f"{spoken.english}, {_ASIDES[name][1]}")
    frame = f"{name}:{kind}.{construction.name}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", pairs)


def ground_sentence(shop: Workshop) -> Sentence | None:
    """못 갔어요. 아팠거든요: I couldn't go. I was sick, you see."""
    draw = shop.draw
    style = shop.style(_MANNERS)
    reason = draw.word(draw.lexicon.reasons)
    korean, words = draw.word(reason.effects)
    constructions = shop.frames.constructions
    name = "mot" if korean.startswith("!") else "plain"
    actor = actor_for(draw, constructions[name], "statement", style)
    owner, _, cause = reason.english.rpartition(": ")
    subject, last = actor.subject, pronoun(actor.subject)
    if owner:
        subject = last = IT if owner == "it" else Subject(owner, 3, owner == "the clothes")
    effect = predicate(draw, korean.removeprefix("!"), words, actor.subject)
    state = predicate(draw, reason.korean, cause, subject)
    turn = Turn(style, "past", "statement")
    first = tell(draw, shop.frames, effect, actor, constructions[name], turn)
    second = tell(
        draw, shop.frames, state, Actor("", last, actor.honored and not owner),
        constructions["plain"], turn,
        ending=_ending("you_see", "past", style),
    )  # fmt: skip
    if first is None or second is None:
        return None
    told = f"{second.english[0].upper()}{second.english[1:]}, you see"
    joint = Spoken(f"{first.korean}. {second.korean}", f"{first.english}. {told}")
    frame = f"you_see:{effect.kind}>event.{name}.past.statement"
    return finish(draw, joint, frame, "statement", frozenset({(reason.korean, korean)}))


MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((aside_sentence, 6), (ground_sentence, 3))
