"""A Korean text as its morphemes, each with its place, and how morphemes become a word again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from core.grammar.needed import packages

with packages():
    from kiwipiepy import Kiwi

_QUOTES: Final = {'"': '"', "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}


@dataclass(frozen=True, slots=True)
class Morph:
    """A morpheme: its dictionary form, its tag, and the characters in which it is written.

    Those of neighbours overlap where they are contracted: 해 is both 하 and 어.
    """

    form: str
    tag: str
    start: int
    end: int

    @property
    def sign(self) -> bool:
        """Whether it is punctuation or a symbol rather than part of a word."""
        return self.tag[0] == "S" and self.tag not in ("SL", "SH", "SN")


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters from start to end become text."""

    start: int
    end: int
    text: str


def listed(forms: str) -> frozenset[str]:
    """Forms that are written with blanks between them."""
    return frozenset(forms.split())


@lru_cache(maxsize=1)
def _kiwi() -> Kiwi:
    return Kiwi(num_workers=1)


def analysed(text: str) -> list[Morph]:
    """The morphemes of a text in the order in which they stand."""
    tokens = _kiwi().tokenize(text)
    return [Morph(token.form, token.tag, token.start, token.end) for token in tokens]


def joined(stem: Morph, *endings: tuple[str, str]) -> str:
    """A stem with its endings, contracted as it is written: 돕 and 어요 are 도와요."""
    return _joined((stem.form, stem.tag), *endings)


@cache
def _joined(*parts: tuple[str, str]) -> str:
    return str(_kiwi().join(parts)).strip()


def outside_quotes(text: str) -> list[bool] | None:
    """For each character whether it is said by the text itself; None where a quote has no end."""
    said, closing = [], ""
    for at, letter in enumerate(text):
        if closing:
            said.append(False)
            if letter == closing and not _apostrophe(text, at):
                closing = ""
            continue
        if letter == "'" and not _apostrophe(text, at):
            closing = "'"
        elif letter in "”’」』»":
            return None
        else:
            closing = _QUOTES.get(letter, "")
        said.append(not closing)
    return None if closing else said


def _apostrophe(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return text[at] in "'’" and len(around) == 2 and around.isascii() and around.isalpha()


def sentences(morphs: Sequence[Morph]) -> list[list[Morph]]:
    """Morphemes by sentence, each with the stop that ends it; those without words left out."""
    found: list[list[Morph]] = [[]]
    for morph in morphs:
        if found[-1] and found[-1][-1].tag == "SF" and not morph.sign:
            found.append([])
        found[-1].append(morph)
    return [sentence for sentence in found if any(not morph.sign for morph in sentence)]


def edited(text: str, edits: Iterable[Edit]) -> str | None:
    """The text with its edits made; None where two of them are of the same characters."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            return None
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])
