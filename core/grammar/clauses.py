"""One clause: a predicate, its subject and a construction, spoken in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.grammar import english
from core.grammar.doers import is_likely
from core.grammar.draw import Draw
from core.grammar.english import VerbGroup
from core.grammar.frames import Construction, Frames
from core.grammar.korean import speak
from core.grammar.lexicon import Adverb
from core.grammar.nominals import (
    IT,
    WE,
    YOU,
    Actor,
    I,
    listener,
    ourselves,
    somebody,
    speaker,
)
from core.grammar.occasions import is_near, is_timely
from core.grammar.predicates import Predicate
from core.grammar.respect import honored
from core.grammar.spheres import RECENT, stem_of
from core.grammar.strangers import suits_stranger

# How often polite speech raises an elder; where Korean is settled, it always does.
_RAISED = 0.7
# Verbs in -하다 that are one word: 안 좋아하다, and not 좋아 안 하다.
_ONE_WORD = (
    "좋아하",
    "싫어하",
    "미워하",
    "무서워하",
    "부러워하",
    "그리워하",
    "원하",
    "피하",
    "못하",
)
# First halves of serial verbs, which negation precedes: 안 읽어 주다.
_SERIAL = ("읽어", "보여", "사", "알려", "가르쳐", "나눠")
# Endings that the copula has of its own: 중이야, 중이에요.
_COPULA = {"+어/EF": "+야/EF", "+어요/EF": "+에요/EF"}


@dataclass(frozen=True)
class Turn:
    """The choices that a clause shares with its sentence."""

    style: str
    tense: str
    mood: str
    time: Adverb | None = None


@dataclass(frozen=True)
class Spoken:
    """A clause in both languages, without stop or capital."""

    korean: str
    english: str
    clear: bool = False  # a question even without its mark


# Final endings that are questions by themselves.
_ASKING = ("니/EC", "까/EF", "까요/EF", "나요/EF", "건가요", "거니", "겁니까")


def closing(predicate: Predicate, construction: Construction, ending: str) -> str:
    """The pattern of the last eojeols: stem, negation, construction, ending."""
    head, _, last = predicate.stem.rpartition(" ")
    if construction.before:
        form = last.partition("/")[0]
        if last.endswith("하/VV") and len(form) > 1 and form not in _ONE_WORD:
            last = f"{form[:-1]} {construction.before} 하/VV"
        elif last == "춤추/VV":
            last = f"춤을 {construction.before} 추/VV"
        elif head.endswith(_SERIAL):
            head = f"{construction.before} {head}"
        else:
            last = f"{construction.before} {last}"
    if construction.korean.endswith("/VCP"):
        ending = _COPULA.get(ending, ending)
    return f"{head} {last}{construction.korean}{ending}".strip()


def group_of(construction: Construction, predicate: Predicate, turn: Turn) -> VerbGroup:
    """The English verb group of a construction in a tense."""
    pattern, mid = construction.english, construction.mid or predicate.mid
    if pattern == "{verb}":
        if turn.tense == "future":
            pattern = "will {base}"
        elif turn.tense == "present" and _ongoing(predicate, turn):
            pattern = "be {ing}"
    if construction.asking and turn.mood == "question":
        mid = construction.asking
    negative = construction.negative ^ ("negword" in predicate.features)
    return VerbGroup(pattern, turn.tense, negative, mid)


def _ongoing(predicate: Predicate, turn: Turn) -> bool:
    if "now" in predicate.features:
        return True
    return predicate.willed and turn.time is not None and turn.time.kind == "now"


def tell(
    draw: Draw,
    frames: Frames,
    predicate: Predicate,
    actor: Actor,
    construction: Construction,
    turn: Turn,
    *,
    ending: str = "",
    wh: str = "",
    front: bool = True,
) -> Spoken | None:
    """Say a clause.

    Args:
        draw: the source of choices.
        frames: the table of endings.
        predicate: what is said.
        actor: of whom.
        construction: how.
        turn: style, tense, mood and time.
        ending: the Korean ending, where it is not a final one.
        wh: the English question phrase, if any.
        front: whether an opening time word may open the English.

    Returns:
        The clause, without a time that does not suit it; None where the style has no ending for
        it, where it repeats its subject, or where such a one does no such thing.
    """
    if _repeats(actor, predicate) or not is_likely(actor.subject, predicate):
        return None
    stem = stem_of(predicate.stem)
    if not suits_stranger(actor.subject, predicate.kind, stem, construction.name):
        return None
    foretold = not ending and construction.name == "plain" and turn.tense == "future"
    if foretold and "invol" in predicate.features and predicate.kind == "act":
        return None  # nobody says what he will spill
    fitting = turn.time is None or (
        is_timely(predicate, turn.time)
        and is_near(predicate, turn.time, construction.name, turn.mood)
    )
    if not fitting:
        turn = replace(turn, time=None)
    if construction.told:
        construction = replace(
            construction, english=draw.told((construction.english, *construction.told))
        )
    linked = bool(ending)
    surely = draw.settled or draw.chance(_RAISED)
    predicate, construction, kinds = honored(
        predicate, actor, construction, turn.style, linked, surely=surely
    )
    if not ending:
        finals = frames.finals(construction, turn.tense, turn.mood, turn.style, kinds)
        if not finals:
            return None
        ending = draw.variant(finals)
    led = construction.bare or construction.lead.startswith("I ")
    told = front and turn.mood == "statement" and not led
    opens = turn.time is not None and (
        not actor.korean or (draw.settled and not told) or draw.chance(0.65)
    )
    time = turn.time.korean if turn.time else ""
    korean = " ".join(
        filter(
            None,
            [
                time if opens else "",
                actor.korean,
                "" if opens else time,
                construction.adverb,
                *predicate.before,
                speak(closing(predicate, construction, ending)),
            ],
        )
    )
    ahead = opens and told and turn.time is not None and may_open(turn.time)
    clear = bool(wh) or ending.endswith(_ASKING)
    return Spoken(korean, _english(predicate, actor, construction, turn, wh, ahead), clear)


# Times that English says at the end, or before the verb: I just ate; I get up at six.
_LATE = ("just now", "now", "soon", "later", "from now on")
_HOW_OFTEN = re.compile(r"^(once|twice|three times) ")


def may_open(time: Adverb) -> bool:
    """Whether an English sentence opens with this time."""
    often = _HOW_OFTEN.match(time.english) is not None
    return not (time.english in _LATE or time.kind == "hour" or often)


def _just(construction: Construction, predicate: Predicate, turn: Turn) -> bool:
    """Whether 방금 is "just" before the verb: I just ate, and not: just now I ate."""
    plain = construction.name == "plain" and not construction.negative
    free = not (construction.mid or predicate.mid or construction.tail)
    return bool(turn.time and turn.time.english == "just now" and plain and free)


def _repeats(actor: Actor, predicate: Predicate) -> bool:
    """Whether somebody named as the subject comes again: my cousin calls my cousin."""
    name = actor.subject.english
    named = actor.subject.person == 3 and (" " in name or name[0].isupper())
    return named and f" {name} " in f" {predicate.rest} "


def _english(
    predicate: Predicate,
    actor: Actor,
    construction: Construction,
    turn: Turn,
    wh: str,
    ahead: bool,
) -> str:
    if _just(construction, predicate, turn):
        predicate, turn = replace(predicate, mid="just"), replace(turn, time=None)
    time = turn.time.english if turn.time else ""
    tail = "" if construction.asking and turn.mood == "question" else construction.tail
    rest = " ".join(filter(None, [predicate.rest, tail, "" if ahead else time]))
    if turn.mood == "command" or construction.bare:
        forms = {form: english.inflect(predicate.verb, form) for form in ("base", "ing")}
        words = f"{construction.lead} {construction.english.format(**forms)} {rest}"
        return " ".join(words.split())
    asked = turn.mood == "question" and actor.subject.english != "who"
    words = english.clause(
        actor.subject,
        group_of(construction, predicate, turn),
        predicate.verb,
        rest,
        asked=asked,
        wh=wh if asked else "",
    )
    return " ".join(filter(None, [time if ahead else "", construction.lead, words]))


def actor_for(
    draw: Draw, construction: Construction, mood: str, style: str, *, topical: bool = False
) -> Actor:
    """Choose a subject that the construction allows.

    A dropped subject is the speaker in statements and the listener in questions.
    """
    if mood == "command" or construction.bare:
        return Actor("", WE if construction.name.startswith("lets") else YOU)
    if mood == "question":
        asker = {"i": Actor("", I), "we": Actor("", WE), "it": None}.get(construction.asker)
        if asker:
            return asker
        if construction.asker == "listener":
            return Actor("", YOU)
        others = construction.asker == "it" or "he" in construction.who
        if others or (not construction.who and draw.chance(0.4)):
            return somebody(draw, style, topical=topical, kin=False)
        return listener(draw, style)
    if construction.default == "you":
        return listener(draw, style)
    if "he" in construction.who:
        return somebody(draw, style, topical=topical)
    if construction.who or draw.chance(0.58):
        return (
            ourselves(draw, topical=topical)
            if draw.chance(0.1)
            else speaker(draw, style, topical=topical, dropped=0 if construction.said else 0.5)
        )
    return somebody(draw, style, topical=topical)


_TIMELESS = ("used_to", "never_tried", "ever_tried", "okay_not_to", "quit_doing", "thinking_of",
             "about_to", "midst", "done", "keep_on")  # fmt: skip


# When one does things again and again, which is not told of the past without used to.
_AGAIN = ("on holidays", "on weekdays")


def time_for(draw: Draw, construction: Construction, tense: str) -> Adverb | None:
    """A time adverbial that agrees with the tense, or none."""
    name = construction.name
    if name in _TIMELESS:
        return None
    if tense == "past" and name == "progressive":
        return _clock(draw, 0.4, "hour")
    if tense == "past":
        time = (
            draw.adverb("past")
            if draw.chance(0.45)
            else _clock(draw, 0.2, "clock", "near", "hour", "month")
        )
        done = name in ("plain", "not_an", "not_ji", "progressive")
        odd = time and (time.english in _AGAIN or (time.english in RECENT and not done))
        return None if odd else time
    if name.startswith(("experience", "like", "know", "may_not", "wish_not")):
        return None
    if tense == "future" or construction.needs == "deed":
        return (
            draw.adverb("future", "near")
            if draw.chance(0.35)
            else _clock(draw, 0.15, "clock", "hour", "month")
        )
    if name == "progressive":
        return draw.adverb("now") if draw.chance(0.3) else None
    if name in ("plain", "not_an", "not_ji"):
        return draw.adverb("freq", "clock", "now", "hour") if draw.chance(0.4) else None
    if name in ("ought", "plan", "plan_fixed", "wish_could"):
        return draw.adverb("future", "near") if draw.chance(0.3) else None
    if name in ("must_dwae", "must", "seem"):
        time = draw.adverb("future", "near", "freq") if draw.chance(0.3) else None
        return None if time and time.english == "these days" else time
    return None


def _clock(draw: Draw, probability: float, *kinds: str) -> Adverb | None:
    return draw.adverb(*kinds) if draw.chance(probability) else None


__all__ = ["IT", "Actor", "Spoken", "Turn", "actor_for", "closing", "group_of", "tell", "time_for"]
