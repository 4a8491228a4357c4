"""Two or three sentences in one line: small talk, and what happened with what came of it."""

from __future__ import annotations

import re
from functools import cache

from core.grammar import lexicon
from core.grammar.clauses import Turn, tell
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.nominals import IT, Actor, pronoun, speaker
from core.grammar.sentences import Maker, Sentence, Workshop
from core.grammar.tables import predicate

# What follows what, and how often.
_TURNS = (
    ("open met", 4), ("open ask", 4), ("open met know", 2), ("long ask", 3), ("answer you", 2),
    ("thanks warm", 3), ("thanks bye", 2), ("sorry why", 4), ("excuse help", 4), ("part bye", 4),
    ("wish hope", 2), ("cheer can", 2.5), ("meal eat", 2.5), ("yes go", 2.5), ("no not", 3),
    ("open help", 1), ("yes eat", 1), ("long ask meal", 1), ("met know", 1),
)  # fmt: skip


@cache
def _talk() -> tuple[tuple[str, str, str, str], ...]:
    """``smalltalk.tsv``: role, polite, casual, English."""
    return tuple(
        (r["role"], r["polite"], r["casual"], r["english"]) for r in lexicon.table("smalltalk")
    )


def talk_sentence(shop: Workshop) -> Sentence | None:
    """안녕하세요. 만나서 반가워요: Hello. Nice to meet you."""
    draw = shop.draw
    polite = shop.style((0, 1, 1.5, 0)) == "polite"
    roles = draw.weighted([turn for turn, _ in _TURNS], [weight for _, weight in _TURNS])
    korean: list[str] = []
    english: list[str] = []
    for role in roles.split():
        lines = {line[3]: line for line in reversed(_talk()) if line[0] == role}
        pool = lines.values() if draw.settled else [line for line in _talk() if line[0] == role]
        chosen = draw.word(tuple(pool))
        said = chosen[1] if polite else chosen[2]
        if not said or chosen[3] in english:
            return None
        korean.append(said)
        english.append(chosen[3])
    line = _joined(draw, korean)
    return Sentence(line, " ".join(english), f"talk:{'>'.join(roles.split())}")


def _joined(draw: Draw, parts: list[str]) -> str:
    """The sentences as people type them: with stops, with commas, with nothing between."""
    line = " ".join(parts)
    if draw.loose(0.15):
        line = line.replace(". ", "! ", 1)
    if draw.loose(0.35):
        line = re.sub(r"\. ", ", ", line)
    elif draw.loose(0.15):
        line = re.sub(r"\. ", " ", line)
    return line.removesuffix(".") if draw.loose(0.4) else line


# Connective -> its Korean and English; does what follows come of it, or against it?
_JOINERS = (("그래서", "so", True), ("하지만", "but", False), ("그런데", "but", False))


def then_sentence(shop: Workshop) -> Sentence | None:
    """It rained. So I stayed at home. I had a fever. But I went to school."""
    draw = shop.draw
    if draw.settled:
        return None  # "It rained, so I stayed" differs by its stops alone, and is one sentence
    style = shop.style()
    joiner, word, follows = draw.weighted(_JOINERS, (4, 2, 2))
    reason = draw.word(draw.lexicon.reasons)
    korean, words = draw.word(reason.effects)
    could_not = korean.startswith("!")
    korean = korean.removeprefix("!")
    constructions = shop.frames.constructions
    name = "mot" if could_not else "plain"
    if not follows:
        name = "plain" if could_not else "not_ji"
    actor = speaker(draw, style, dropped=0.6, topical=True)
    owner, _, cause = reason.english.rpartition(": ")
    subject = actor.subject
    if owner:
        subject = IT if owner == "it" else Subject(owner, 3, owner == "the clothes")
    base = predicate(draw, korean, words, actor.subject)
    if base.like == "adjective" and name == "mot":
        return None
    state = predicate(draw, reason.korean, cause, subject)
    turn = Turn(style, "past", "statement")
    first = tell(
        draw, shop.frames, state, Actor("" if owner else actor.korean, subject),
        constructions["plain"], turn,
    )  # fmt: skip
    second = tell(
        draw, shop.frames, base, Actor("", pronoun(actor.subject), actor.honored),
        constructions[name], turn,
    )  # fmt: skip
    if first is None or second is None:
        return None
    stop = "" if draw.loose(0.4) else "."
    told = first.english[0].upper() + first.english[1:]
    return Sentence(
        f"{first.korean}. {joiner} {second.korean}{stop}",
        f"{told}. {word.capitalize()} {second.english}.",
        f"then:{word}.{name}.past.statement",
        frozenset({(reason.korean, korean)}),
    )


MAKERS: tuple[tuple[Maker, float], ...] = ((talk_sentence, 4), (then_sentence, 4))
