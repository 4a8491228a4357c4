"""Numbers read digit by digit, often with one digit in a row: 1111, 2200, 7070, 1004.

Drawn evenly, one number in a thousand has four alike; people choose them far more often, and a
model that never saw them loses count of what it copies.
"""

from __future__ import annotations

from typing import Final

from core.grammar.draw import Draw
from core.grammar.values import Value

OFTEN: Final = 1 / 3
"""How often a number of several digits has a run of one."""
_SHAPES: Final = (
    ("aaaa", 6), ("abbb", 3), ("aaab", 3), ("aabb", 3), ("abab", 2), ("abba", 1.5), ("baab", 1.5),
    ("a000", 3), ("ab00", 2), ("a00b", 2), ("aa00", 1), ("0a0b", 0.5), ("00ab", 1), ("0000", 0.5),
)  # fmt: skip


def run(draw: Draw, size: int) -> str:
    """So many digits with a run: four of one shape, and others of it repeated or cut short."""
    shape = draw.weighted([shape for shape, _ in _SHAPES], [often for _, often in _SHAPES])
    one = draw.one_of(range(1, 10))
    other = draw.one_of([digit for digit in range(10) if digit != one])
    four = shape.replace("a", str(one)).replace("b", str(other))
    return (four * size)[:size]


def running(draw: Draw, size: int) -> int:
    """A number of so many digits with a run; its first is not 0."""
    digits = run(draw, size)
    while digits[0] == "0":
        digits = run(draw, size)
    return int(digits)


def phone(draw: Draw) -> Value:
    """A phone number, often with a run in one or both of its longer groups."""
    four, more = str(draw.one_of(range(2000, 10_000))), _plain(draw, 4)
    if draw.chance(OFTEN):
        first, last = draw.weighted(((True, False), (False, True), (True, True)), (1, 1, 2))
        four = str(running(draw, 4)) if first else four
        more = run(draw, 4) if last else more
    area = draw.weighted(("010", "02", "031", "051"), (8, 1, 0.5, 0.5))
    return _named(f"{area}-{four if area == '010' else four[:3]}-{more}")


def code(draw: Draw) -> Value:
    """Four to six digits, as of a password, often with a run."""
    size = draw.weighted((4, 5, 6), (3, 1, 1))
    return _named(run(draw, size) if draw.chance(OFTEN) else _plain(draw, size))


def _plain(draw: Draw, size: int) -> str:
    return "".join(str(draw.one_of(range(10))) for _ in range(size))


def _named(number: str) -> Value:
    return Value((number,), (number,), frozenset({("number", number)}))
