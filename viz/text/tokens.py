"""Tokens as people read them outside the inspector; the same rules as web/data/text.js."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from core.trace import Token

SPECIAL: Final = {
    "<s>": "special_start",
    "</s>": "special_end",
    "<pad>": "special_pad",
    "<unk>": "special_unknown",
}
"""Special pieces, and the fields of `viz.text.inspector` that name them."""

_BROAD: Final = frozenset("MWmw@%")  # in any face about as wide as they are tall
_SIGNS: Final = {"\n": "↵", "\t": "⇥"}
_LONE: Final = re.compile("[\ud800-\udfff]")
_BLANK: Final = "\u2800"  # braille without a dot, which is no space to Unicode
# Default_Ignorable_Code_Point of the Unicode Character Database, of which Python knows nothing,
# the characters that are none, and the blank.
_IGNORABLE: Final = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip


def named(token: Token, words: Mapping[str, str]) -> str:
    """One line without control characters; special tokens by their name in the reader's words."""
    special = SPECIAL.get(token.piece) if token.special else None
    return visible(words[special] if special else token.text)


def by_letters(tokens: Sequence[Token]) -> bool:
    """A model spells nearly letter by letter: marks of what goes on with a word say nothing then.

    As `tokensOf` of web/data/tokens.js has it.
    """
    pieces = [token.piece for token in tokens if not token.special]
    return sum(len(piece) == 1 for piece in pieces) > 0.8 * len(pieces)


def is_sign(text: str) -> bool:
    """Whether nothing of a text is a letter or a digit, as web/data/text.js has it."""
    return not any(unicodedata.category(letter)[0] in "LN" for letter in text)


def visible(text: str) -> str:
    """Text whose every character shows: ␣ for a blank alone, ⟨U+202E⟩ for what would not."""
    shown = spelt(text)
    if not shown:
        return "∅"
    return "␣" * len(shown) if shown.isspace() else shown


def spelt(text: str) -> str:
    """Text with what would not be seen spelt out; blanks stay blanks."""
    return "".join(_shown(text, at) for at in range(len(text)))


def spelt_lines(text: str) -> str:
    """The same for text of several lines, whose line ends and tabs stay."""
    return "\n".join("\t".join(map(spelt, line.split("\t"))) for line in text.splitlines())


def _shown(text: str, at: int) -> str:
    letter = text[at]
    if not _unseen(letter) or _joins(text, at) or _chooses(text, at):
        return letter
    return _SIGNS.get(letter) or code(letter)


def code(letter: str) -> str:
    """What stands for a letter that would not be seen: ⟨U+202E⟩."""
    return f"⟨U+{ord(letter):04X}⟩"


@lru_cache(maxsize=4096)  # a page asks it of the same few hundred letters in every run
def _unseen(letter: str) -> bool:
    """Leaves no mark of its own, or turns the order of others round."""
    kind = unicodedata.category(letter)
    if kind == "Cn":  # not assigned when Python was made: a newer emoji, a box, or never one
        return _ignorable(letter) or ord(letter) & 0xFFFE == 0xFFFE
    return kind in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") or _ignorable(letter)


def _ignorable(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _IGNORABLE)


def _joins(text: str, at: int) -> bool:
    """A joiner between pictures, as in a family's emoji."""
    if text[at] != "\u200d" or unicodedata.category(text[at + 1 : at + 2] or " ")[0] != "S":
        return False
    before = text[:at].removesuffix("\ufe0f")
    if "\U0001f3fb" <= before[-1:] <= "\U0001f3ff":  # of the skin
        before = before[:-1]
    return _sign(before[-1:], ("So",))


def _chooses(text: str, at: int) -> bool:
    """Says of the sign before it whether it is drawn as text or as a picture."""
    kinds = tuple("SPN")
    return text[at] in "\ufe0e\ufe0f" and at > 0 and _sign(text[at - 1], kinds)


def _sign(letter: str, kinds: tuple[str, ...]) -> bool:
    return bool(letter) and letter != _BLANK and unicodedata.category(letter).startswith(kinds)


def carried(text: str) -> str:
    """Text that has a UTF-8: a lone surrogate, which has none, is spelt out as `visible` does."""
    return _LONE.sub(lambda lone: code(lone[0]), text)


def wide(text: str) -> int:
    """Letters of room that a text takes; a Hangul syllable takes two, and so does an m."""
    return sum(2 if letter in _BROAD or _is_full(letter) else 1 for letter in text)


def _is_full(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"
