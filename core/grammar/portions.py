"""What is ordered at a counter, round sums, and numbers that stand by themselves, as slots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from core.grammar.draw import Draw
from core.grammar.english import article
from core.grammar.lexicon import table
from core.grammar.numbers import amount, between, few, key_of
from core.grammar.numerals import native, sino, words
from core.grammar.runs import OFTEN, running
from core.grammar.values import Value

_SINO_COUNTED: Final = ("인분",)


@cache
def _of_kind(kind: str) -> tuple[tuple[str, str, str, str], ...]:
    """Korean, its counter, English for one and for several."""
    return tuple(
        (row["korean"], row["counter"], row["english"], row["several"])
        for row in table("portions")
        if kind in ("", row["kind"])
    )


def _portion(kind: str = "") -> Callable[[Draw], Value]:
    """커피 두 잔, two coffees; 비빔밥 한 그릇, a bowl of bibimbap."""

    def fill(draw: Draw) -> Value:
        korean, counter, one, several = draw.word(_of_kind(kind))
        by = sino if counter in _SINO_COUNTED else native
        number = few(draw) if draw.chance(0.3) else between(draw, 1, 5)
        base = amount(draw, number, counter, one, by=by, units=several)
        told = base.english
        if number == 1 and told[0].startswith("one "):
            told = (f"{article(one)} {one}", *told)
        return Value(tuple(f"{korean} {rest}" for rest in base.korean), told, base.keys)

    return fill


# --- round numbers --------------------------------------------------------------------------------


def _round(draw: Draw, powers: range) -> tuple[int, str, tuple[str, ...]]:
    """십만, a hundred thousand; 이백만, two million; 100,000 in digits in one draw of four."""
    number = draw.weighted((1, 2, 3, 5, between(draw, 2, 9)), (5, 2, 2, 2, 2))
    number *= 10 ** draw.one_of(powers)
    if draw.chance(0.25):
        return number, f"{number:,}", (f"{number:,}",)
    told = words(number)
    return number, sino(number), (f"a {told[4:]}", told) if told.startswith("one ") else (told,)


def _round_won(powers: range) -> Callable[[Draw], Value]:
    def fill(draw: Draw) -> Value:
        number, said, told = _round(draw, powers)
        korean = f"{said}원" if said[0].isdigit() else f"{said} 원"
        return Value((korean,), tuple(f"{way} won" for way in told), key_of(number))

    return fill


def _round_people(draw: Draw) -> Value:
    number, said, told = _round(draw, range(2, 6))
    korean = f"{said}명" if said[0].isdigit() else f"{said} 명"
    return Value((korean,), tuple(f"{way} people" for way in told), key_of(number))


# --- numbers by themselves ------------------------------------------------------------------------


def _gap(draw: Draw) -> Value:
    """세 살, three years: older than somebody."""
    return amount(draw, between(draw, 1, 15), "살", "year", by=native)


_SUMS: Final = (("더하기", "plus"), ("빼기", "minus"), ("곱하기", "times"))


def _addends(draw: Draw) -> Value:
    """이 더하기 삼, two plus three; 2 더하기 3, 2 plus 3."""
    name, told = draw.one_of(_SUMS)
    one, two = between(draw, 1, 20), between(draw, 1, 20)
    if draw.chance(0.5):
        return Value((f"{sino(one)} {name} {sino(two)}",), (f"{words(one)} {told} {words(two)}",))
    return Value((f"{one} {name} {two}",), (f"{one} {told} {two}",))


def _suite(draw: Draw) -> Value:
    """305호, 305."""
    often = draw.chance(OFTEN)
    number = running(draw, draw.one_of((3, 4))) if often else between(draw, 101, 1999)
    return Value((f"{number}호", str(number)), (str(number),), key_of(number))


_LETTERS: Final = {"A": "에이", "B": "비", "C": "시", "D": "디", "E": "이", "F": "에프"}


def _seat(draw: Draw) -> Value:
    row, letter = between(draw, 1, 60), draw.one_of(tuple(_LETTERS))
    spelled = f"{row}{letter}"
    return Value((spelled,), (spelled,), read=_LETTERS[letter])


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {
    "servings": _portion(),
    "glass": _portion("glass"),
    "plate": _portion("plate"),
    "round_won": _round_won(range(2, 8)),
    "round_dear": _round_won(range(5, 7)),
    "round_people": _round_people,
    "gap": _gap,
    "addends": _addends,
    "suite": _suite,
    "seat": _seat,
}
