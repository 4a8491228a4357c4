"""What one was doing when something came of it, or came between: -느라고 and -다가."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.grammar import english
from core.grammar.clauses import Turn, actor_for, closing, tell
from core.grammar.draw import Draw
from core.grammar.english import VerbGroup
from core.grammar.korean import speak
from core.grammar.lexicon import Adverb
from core.grammar.nominals import pronoun
from core.grammar.predicates import Predicate
from core.grammar.sentences import Maker, Sentence, Workshop, finish
from core.grammar.tables import absorbed, interrupted, predicate

_DAYS: Final = (
    "yesterday", "last night", "this morning", "a while ago", "last weekend", "yesterday evening",
    "last Saturday", "the day before yesterday", "a few days ago", "yesterday morning",
)  # fmt: skip


def _day(draw: Draw) -> Adverb | None:
    days = [time for time in draw.lexicon.adverbs_of("past") if time.english in _DAYS]
    return draw.word(days) if draw.chance(0.3) else None


def _within(shop: Workshop, side: Predicate, ending: str, main: Predicate) -> Predicate:
    """The main predicate with what one was doing before it."""
    doing = speak(closing(side, shop.frames.constructions["plain"], ending))
    return replace(main, before=(*side.before, doing, *main.before))


def absorbed_sentence(shop: Workshop) -> Sentence | None:
    """보느라고 전화를 못 받았어요: I couldn't answer the phone because I was watching one."""
    draw = shop.draw
    style = shop.style()
    deed = draw.word(absorbed())
    korean, words = draw.word(deed.follows)
    construction = shop.frames.constructions["mot" if korean.startswith("!") else "plain"]
    actor = actor_for(draw, construction, "statement", style)
    side = predicate(draw, deed.korean, deed.english, actor.subject)
    main = predicate(draw, korean.removeprefix("!"), words, actor.subject)
    whole = _within(shop, side, draw.variant(("+느라고/EC", "+느라/EC")), main)
    busy = main.like == "adjective"  # busy writing: no day comes between
    turn = Turn(style, "past", "statement", None if busy else _day(draw))
    spoken = tell(draw, shop.frames, whole, actor, construction, turn)
    if spoken is None:
        return None
    later = pronoun(actor.subject)
    told = (
        f"{english.inflect(side.verb, 'ing')} {side.rest}" if busy
        else "because " + english.clause(later, VerbGroup("be {ing}", "past"), side.verb, side.rest)
    )  # fmt: skip
    spoken = replace(spoken, english=f"{spoken.english} {told}".strip())
    frame = f"absorbed:{'feel' if busy else 'act'}.{construction.name}.past.statement"
    pairs = frozenset({(deed.korean, korean)})
    return finish(draw, spoken, frame, "statement", pairs)


def interrupted_sentence(shop: Workshop) -> Sentence | None:
    """영화를 보다가 잠들었어요: I fell asleep while watching a movie."""
    draw = shop.draw
    style = shop.style()
    deed = draw.word(interrupted())
    korean, words = draw.word(deed.follows)
    plain = shop.frames.constructions["plain"]
    mood = draw.weighted(("statement", "question"), (4, 1))
    actor = actor_for(draw, plain, mood, style)
    side = predicate(draw, deed.korean, deed.english, actor.subject)
    main = predicate(draw, korean, words, actor.subject)
    whole = _within(shop, side, draw.variant(("+다가/EC", "+다/EC")), main)
    whole = replace(whole, rest=f"{main.rest} {side.verb} {side.rest}".strip())
    turn = Turn(style, "past", mood, _day(draw))
    spoken = tell(draw, shop.frames, whole, actor, plain, turn)
    if spoken is None:
        return None
    kind = "way" if side.verb == "on" else "deed"
    frame = f"interrupted:{kind}.plain.past.{mood}"
    return finish(draw, spoken, frame, mood, frozenset({(deed.korean, korean)}))


MAKERS: Final[tuple[tuple[Maker, float], ...]] = (
    (absorbed_sentence, 5),
    (interrupted_sentence, 5),
)
