"""Sentences that are patterns with slots: introductions, calls, counts, prices, times and dates.

`patterns.tsv`, `daily.tsv`, `brief.tsv` and `branded.tsv` have a row a pattern: its Korean in
several ways of saying it and its English, each the usual one first. A slot is `{name}`; in Korean
it may have a particle, named as it is after a consonant: `{name:이에요}`. In English it may have an
article: `{gadget:a}`. Rows of `bare.` are no sentences, and neither is what they become.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from core.grammar import brands, coined, english, numbers, people, portions, quoted, times
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.nominals import I, phrase
from core.grammar.sentences import Sentence, Workshop
from core.grammar.values import Value, attached

_SLOT: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
_POLITE: Final = re.compile(r"(요|시다|:이(에|었어|잖아|거든)요\}|\{\w+\})[.?!]?$")
_ASKING: Final = re.compile(r"몇|뭐|어디|얼마|무슨|어느|어떻게|어때")
_STOPS: Final = (".", "?", "!")
_TWICE: Final = re.compile(r"^The (\w+) (?:\w+ )+(?:the|a|an) (?:\w+ )?\1\b")
_NOTHING: Final[Mapping[str, str]] = {}
_TABLES: Final = ("patterns", "daily", "brief", "branded")


@dataclass(frozen=True)
class Pattern:
    """One thing to say: ways to say it in Korean and in English, with the same slots."""

    frame: str
    weight: float
    korean: tuple[str, ...]
    english: tuple[str, ...]

    @property
    def is_bare(self) -> bool:
        """Whether it is no sentence: a name, a number, a time."""
        return self.frame.startswith("bare.")

    @property
    def is_settled(self) -> bool:
        """Whether its usual Korean may be what English becomes: a polite sentence, or none."""
        return self.is_bare or _POLITE.search(self.korean[0]) is not None


@cache
def patterns(*tables: str, settled: bool = False) -> tuple[Pattern, ...]:
    """All patterns or those of some tables; where Korean is settled, those English becomes."""
    found = (
        Pattern(
            row["frame"],
            float(row["weight"]),
            tuple(row["korean"].split(" / ")),
            tuple(row["english"].split(" / ")),
        )
        for name in tables or _TABLES
        for row in table(name)
    )
    return tuple(pattern for pattern in found if pattern.is_settled or not settled)


@cache
def _weights(table_name: str, *, settled: bool) -> tuple[float, ...]:
    return tuple(pattern.weight for pattern in patterns(table_name, settled=settled))


def slots_of(text: str) -> set[str]:
    """The slots of one way to say a pattern."""
    return {slot for slot, _ in _SLOT.findall(text)}


# --- slots ----------------------------------------------------------------------------------------


@cache
def _listed() -> dict[str, tuple[Value, ...]]:
    """The values of each slot of `slots.tsv`."""
    found: dict[str, list[Value]] = defaultdict(list)
    for row in table("slots"):
        korean, words = tuple(row["korean"].split(",")), tuple(row["english"].split(","))
        for slot in row["slot"].split(","):
            found[slot].append(Value(korean, words))  # its own: `Draw` counts each one's use
    return {slot: tuple(values) for slot, values in found.items()}


_NO_JOB_OF_ONES_OWN: Final = "job,-=교수님,-=대통령,-=심판"
_WORKPLACES: Final = (
    "office,store,eatery,company,-=사무실,-=벼룩시장,=은행,=병원,=학교,=도서관,=호텔,=공장,=서점"
)


def _job(draw: Draw) -> Value:
    noun = draw.noun(_NO_JOB_OF_ONES_OWN)
    return Value((noun.korean,), (phrase(noun, "a", I).english,))


def _work(draw: Draw) -> Value:
    noun = draw.noun(_WORKPLACES)
    return Value((noun.korean,), (f"at {english.article(noun.english)} {noun.english}",))


_MYSELF: Final = Value(("저",), ("I",))
_US: Final = Value(("우리",), ("we",))


def _doer(draw: Draw) -> Value:
    """Whoever did something: mostly oneself, or somebody by name or kin."""
    kind = draw.weighted(("I", "we", "person", "buyer"), (5, 1, 3, 3))
    return {"I": _MYSELF, "we": _US}.get(kind) or fill(draw, kind)


_FILLED: Final[dict[str, Callable[[Draw], Value]]] = {
    "doer": _doer,
    "job": _job,
    "work": _work,
    **brands.SLOTS,
    **coined.SLOTS,
    **people.SLOTS,
    **portions.SLOTS,
    **quoted.SLOTS,
    **numbers.SLOTS,
    **times.SLOTS,
}


def fill(draw: Draw, slot: str) -> Value:
    """A value for a slot.

    Raises:
        ValueError: no such slot.
    """
    if slot in _FILLED:
        return _FILLED[slot](draw)
    listed = _listed().get(slot)
    if not listed:
        raise ValueError(f"no slot {slot}")
    return draw.word(listed)


# --- sentences ------------------------------------------------------------------------------------


def pattern_sentence(shop: Workshop) -> Sentence:
    """A sentence of a pattern of `patterns.tsv`: names, numbers, times, introductions."""
    return _of_table(shop, "patterns")


def daily_sentence(shop: Workshop) -> Sentence:
    """A sentence of a pattern of `daily.tsv`: orders, directions, offers, wishes, passives."""
    return _of_table(shop, "daily")


def brief_sentence(shop: Workshop) -> Sentence:
    """A sentence of a pattern of `brief.tsv`: what is first typed, in two to six words."""
    return _of_table(shop, "brief")


def _of_table(shop: Workshop, name: str) -> Sentence:
    settled = shop.draw.settled
    chosen = shop.draw.weighted(patterns(name, settled=settled), _weights(name, settled=settled))
    made = said(shop.draw, chosen)
    # No mouse sees a mouse: where it does, both are drawn again.
    return said(shop.draw, chosen) if _TWICE.search(made.english) else made


def brand_sentence(shop: Workshop) -> Sentence:
    """A sentence of a pattern of `branded.tsv`: kinds of brands as often as they have brands."""
    draw = shop.draw
    kind = draw.weighted(brands.KINDS, [len(brands.of_kind(kind)) for kind in brands.KINDS])
    fitting = _branded(kind, settled=draw.settled)
    return said(draw, draw.weighted(fitting, [pattern.weight for pattern in fitting]))


@cache
def _branded(kind: str, *, settled: bool) -> tuple[Pattern, ...]:
    found = patterns("branded", settled=settled)
    return tuple(pattern for pattern in found if kind in slots_of(pattern.korean[0]))


def said(draw: Draw, pattern: Pattern, instead: Mapping[str, str] = _NOTHING) -> Sentence:
    """A pattern with its slots filled, in both languages; some as other slots are."""
    way, told = draw.variant(pattern.korean), draw.told(pattern.english)
    slots = dict.fromkeys(slot for slot, _ in _SLOT.findall(way))
    filled = {slot: fill(draw, instead.get(slot, slot)) for slot in slots}
    korean = {slot: draw.variant(value.korean) for slot, value in filled.items()}
    usual = pattern.is_bare
    words = {
        slot: value.english[0] if usual else draw.told(value.english)
        for slot, value in filled.items()
    }

    def place(match: re.Match[str]) -> str:
        slot, particle = match.groups()
        word = korean[slot]
        if particle and filled[slot].is_called and particle in _CALLED and draw.loose(0.25):
            word += "이"  # 지영이는, as friends say
        return attached(word, particle, filled[slot].read) if particle else word

    def put(match: re.Match[str]) -> str:
        word = words[match[1]]
        return f"{english.article(word)} {word}" if match[2] else word

    source = _SLOT.sub(place, way)
    target = _SLOT.sub(put, told).replace(".m..", ".m.")
    keys = frozenset(key for value in filled.values() for key in value.keys)
    if pattern.is_bare:
        return Sentence(source, target, pattern.frame, values=keys)
    return Sentence(_closed(draw, source), english.sentence(target, ""), pattern.frame, values=keys)


_CALLED: Final = ("은", "을", "이")


def _closed(draw: Draw, korean: str) -> str:
    """Korean with its stop, as people type it or leave it out."""
    if korean.endswith("?"):
        return korean[:-1] if _ASKING.search(korean) and draw.loose(0.2) else korean
    if korean.endswith(_STOPS):
        return korean
    return korean if draw.loose(0.4) else f"{korean}."


def of_frame(name: str) -> Pattern:
    """The pattern of a frame.

    Raises:
        KeyError: there is none.
    """
    return _by_frame()[name]


@cache
def _by_frame() -> dict[str, Pattern]:
    return {pattern.frame: pattern for pattern in patterns()}


def with_stop(sentence: Sentence) -> Sentence:
    """The same with its Korean stop, for another sentence to follow."""
    if sentence.korean.endswith(_STOPS):
        return sentence
    return replace(sentence, korean=f"{sentence.korean}.")
