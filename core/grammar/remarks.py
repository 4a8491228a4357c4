"""Two or three sentences in one line: a remark and what one says to it, thanks and a farewell.

`remarks.tsv` has a row a sentence: its topic and which place in the line it may take.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.patterns import Pattern, said
from core.grammar.sentences import Maker, Sentence, Workshop

_MOST_WORDS: Final = 14


@cache
def _topics() -> dict[str, tuple[tuple[Pattern, ...], ...]]:
    """The sentences of each topic, those of each place together."""
    found: dict[str, dict[str, list[Pattern]]] = {}
    for row in table("remarks"):
        line = Pattern(f"remark.{row['topic']}", 1, (row["korean"],), (row["english"],))
        found.setdefault(row["topic"], {}).setdefault(row["place"], []).append(line)
    return {
        topic: tuple(tuple(places[place]) for place in sorted(places))
        for topic, places in found.items()
    }


@cache
def _weights() -> tuple[float, ...]:
    """Of each topic: as often as it has sentences, those with slots twice."""
    return tuple(
        float(sum(2 if "{" in line.korean[0] else 1 for place in places for line in place))
        for places in _topics().values()
    )


def remark_sentence(shop: Workshop) -> Sentence | None:
    """It is cold outside. Wear a coat. None where the line is too long or says a thing twice."""
    draw = shop.draw
    topic = draw.weighted(tuple(_topics()), _weights())
    places = _topics()[topic]
    if len(places) > 2 and draw.chance(0.5):
        places = places[:2]
    lines = [draw.one_of(place) for place in places]
    parts = [said(draw, line) for line in lines]
    told = [part.english for part in parts]
    korean = " ".join(map(_stopped, parts, lines))
    if len(set(told)) < len(told) or len(korean.split()) > _MOST_WORDS:
        return None
    return Sentence(
        _loose(draw, korean),
        " ".join(told),
        f"remark:{topic}.{len(parts)}",
        values=frozenset(key for part in parts for key in part.values),
    )


def _stopped(part: Sentence, line: Pattern) -> str:
    """The Korean of a part with its own stop, for another sentence to follow."""
    return part.korean.rstrip(".?!") + line.korean[0][-1]


def _loose(draw: Draw, korean: str) -> str:
    """As people type it: without its last stop, now and then, with commas, or with none at all."""
    if draw.loose(0.15):
        korean = korean.replace(". ", draw.one_of((" ", ", ")))
    return korean[:-1] if korean.endswith(".") and draw.loose(0.4) else korean


MAKERS: tuple[tuple[Maker, float], ...] = ((remark_sentence, 10),)
