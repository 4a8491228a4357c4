"""How a value is spelled: one text for each, in an address, a request and a command alike.

What counts (layers, heads, steps, rows, columns) counts from 1 in a text. For options the browser
has a twin of these rules: web/options.js.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from core.reasons import Reason
from core.trace import KINDS, Kind
from viz.text.language import LANGUAGES, Language
from viz.text.refusals import because

MOST: Final = 9999
"""The largest number of a layer, head, step, row or column."""

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,3}")
_RANGE: Final = r"([1-9][0-9]{0,3})-([1-9][0-9]{0,3})"
_PART: Final = re.compile(rf"{_RANGE}\.{_RANGE}")

Range = tuple[int, int]
"""The first and the first beyond, counted from 0."""
Part = tuple[Range, Range]
"""Of a matrix: some of its rows and some of its columns, each in one stretch."""

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Spelling(Generic[T]):
    """How one choice is read and written.

    Attributes:
        read: its value; a ValueError for a text that cannot be used.
        write: the text, which `read` reads back.
        rule: what the text has to be; None where any will do.
    """

    read: Callable[[str], T]
    write: Callable[[T], str]
    rule: Reason | None = None

    def tried(self, text: str | None, otherwise: U) -> T | U:
        """The value of a text, or something else where there is none or it cannot be used."""
        try:
            return otherwise if text is None else self.read(text)
        except ValueError:
            return otherwise


def matched(form: re.Pattern[str], text: str) -> re.Match[str]:
    """The text taken apart.

    Raises:
        ValueError: it has another form.
    """
    found = form.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return found


def one_of(known: Sequence[T]) -> Spelling[T]:
    """A name among others."""

    def read(text: str) -> T:
        for name in known:
            if name == text:
                return name
        raise ValueError(text)

    return Spelling(read, str, because("one_of", known=", ".join(map(str, known))))


def _number(start: int) -> Spelling[int]:
    return Spelling(
        lambda text: int(matched(_NUMBER, text)[0]) - 1 + start,
        lambda value: str(value + 1 - start),
        because("whole_to", most=MOST),
    )


NUMBER: Final = _number(1)
"""A number that counts from 1, as it is."""
INDEX: Final = _number(0)
"""The same as an index, which counts from 0 in here."""


def pair(rule: Reason, number: Spelling[int] = INDEX) -> Spelling[tuple[int, int]]:
    """Two numbers, such as 7.4; `rule` says what they have to be."""

    def read(text: str) -> tuple[int, int]:
        first, _, second = text.partition(".")
        return number.read(first), number.read(second)

    return Spelling(read, lambda value: ".".join(map(number.write, value)), rule)


def part(rule: Reason) -> Spelling[Part]:
    """Rows and columns, the first and the last of each, such as 101-160.33-92."""

    def read(text: str) -> Part:
        top, bottom, left, right = map(int, matched(_PART, text).groups())
        if top > bottom or left > right:
            raise ValueError(text)
        return (top - 1, bottom), (left - 1, right)

    def write(value: Part) -> str:
        return ".".join(f"{first + 1}-{beyond}" for first, beyond in value)

    return Spelling(read, write, rule)


def decimal(low: float, high: float, digits: int) -> Spelling[float]:
    """A number from `low` to `high` with at most so many digits after the point."""
    form = re.compile(rf"[0-9](\.[0-9]{{1,{digits}}})?")

    def read(text: str) -> float:
        value = float(matched(form, text)[0])
        if not low <= value <= high:
            raise ValueError(text)
        return value

    rule = because("decimal_one" if digits == 1 else "decimal_two", low=low, high=high)
    return Spelling(read, lambda value: f"{value:g}", rule)


def listed(part: Spelling[T]) -> Spelling[tuple[T, ...]]:
    """Some of a kind, "4.17.93"; "" for none."""
    return Spelling(
        lambda text: tuple(map(part.read, text.split("."))) if text else (),
        lambda values: ".".join(map(part.write, values)),
        part.rule,
    )


def switch(on: str = "on", off: str = "off") -> Spelling[bool]:
    """Whether something is on."""
    name = one_of((on, off))
    return Spelling(
        lambda text: name.read(text) == on, lambda is_on: on if is_on else off, because("switch")
    )


def _integer(form: re.Pattern[str], low: int, high: int) -> Spelling[int]:
    rule = because("range", low=low, high=high)
    return Spelling(lambda text: int(matched(form, text)[0]), str, rule)


INTEGER: Final = _integer(re.compile(r"-?[0-9]{1,6}"), -999_999, 999_999)
SEED: Final = _integer(re.compile(r"0|[1-9][0-9]{0,5}"), 0, 999_999)
"""Of chance, `core.model.Sampling`."""
ROW: Final = _integer(re.compile(r"[0-9]{1,7}"), 0, 9_999_999)
"""A row of a vocabulary: from 0, as models count them."""
SWITCH: Final = switch()
LANGUAGE: Final[Spelling[Language]] = one_of(LANGUAGES)
KIND: Final[Spelling[Kind]] = one_of(KINDS)
SAME: Final = "same"
_HEAD: Final = pair(because("a_head"), NUMBER)
SECOND_HEAD: Final[Spelling[tuple[int, int] | None]] = Spelling(
    lambda text: None if text in ("", SAME) else _HEAD.read(text),
    lambda head: SAME if head is None else _HEAD.write(head),
    _HEAD.rule,
)
"""Layer and head of the second of two traces, from 1; None for those of the first."""
CELL_OF_BOTH: Final = pair(because("a_place"), NUMBER)
"""Row and column of a cell among the tokens of two traces, from 1."""
