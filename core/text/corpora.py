"""Sentence pairs: from whatever holds them, and what is wrong with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category

from core.errors import invalid_line
from core.reasons import Reason, because
from core.text.sources import Source, find_rows

MOST_PAIRS: Final = 5_000_000  # and of their characters: together a few GB of memory
MOST_CHARACTERS: Final = 400_000_000
_NAMED: Final = 5  # bad rows that are worded

_NO_LETTERS: Final = re.compile(r"[\W_]+")
# Accents, which stand in one sign with their letter, but for the dot that "İ" has in small letters;
# and what selects how an emoji is drawn.
_NO_MARKS: Final = re.compile("[\u0300-\u036f\ufe00-\ufe0f\U000e0100-\U000e01ef]+")


class Pair(NamedTuple):
    """A sentence and its translation, both in NFC."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a source holds.

    Attributes:
        rows: that were there, good and bad; blank lines and a header are none.
        bad: rows that are no pair.
        faults: why the first of them are none: "line 7: one column".
    """

    pairs: tuple[Pair, ...]
    rows: int
    bad: int
    faults: tuple[Reason, ...]

    @property
    def bad_rows(self) -> tuple[str, ...]:
        """The faults in English."""
        return tuple(map(str, self.faults))


def read_pairs(source: Source) -> Reading:
    """Every pair of a source, in order.

    Raises:
        HeadlightError: file_missing, file_unreadable, hub_unreachable, dataset_missing, or
            data_invalid with the first bad row when no row is a pair, or most are none, or
            when there are more than memory should hold.
    """
    pairs: list[Pair] = []
    faults: list[Reason] = []
    bad = characters = 0
    for place, (number, cells) in find_rows(source):
        if isinstance(cells, Reason):
            if bad == 0:
                first = place.path, number, cells
            bad += 1
            if bad <= _NAMED:
                faults.append(place.reason(number, cells))
            continue
        characters += len(cells[0]) + len(cells[1])
        if len(pairs) == MOST_PAIRS or characters > MOST_CHARACTERS:
            reason = because("pairs_many", pairs=MOST_PAIRS, characters=MOST_CHARACTERS)
            raise invalid_line(place.path, number, reason)
        pairs.append(Pair(cells[1], cells[0]) if source.reverse else Pair(*cells))
    rows = len(pairs) + bad
    if bad > len(pairs):
        path, number, fault = first
        raise invalid_line(path, number, because("rows_bad", fault=fault, bad=bad, rows=rows))
    if not pairs:
        raise invalid_line(source.path, 1, because("pairs_none"))
    return Reading(tuple(pairs), rows, bad, tuple(faults))


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """A TSV file that `read_pairs` reads."""
    lines = ["source\ttarget", *(f"{pair.source}\t{pair.target}" for pair in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def text_key(text: str) -> str:
    """Text as far as it matters for calling two sentences the same: its letters and digits.

    Vowel signs and tones of Hindi or Thai are of the letters. Where there are none, it is all of
    the text: one row of emoji is not another.
    """
    folded = text.casefold()
    return _NO_LETTERS.sub(_marks, folded) or folded.strip()


def _marks(found: re.Match[str]) -> str:
    """What is no letter to Python, and yet makes a word another."""
    part = found[0]
    if part.isascii():
        return ""
    return "".join(one for one in _NO_MARKS.sub("", part) if category(one) in ("Mn", "Mc"))
