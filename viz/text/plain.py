"""Untrusted text inside Markdown that Streamlit draws."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from viz.text.tokens import spelt

# Every ASCII punctuation mark may be escaped in Markdown; an escaped one starts no markup,
# no formula, no directive (:red[...]), no link and no emoji code.
_MARKS: Final = re.compile(r"([!-/:-@\[-`{-~])")
_BREAKS: Final = re.compile(r"\s+")
_LONGEST: Final = 24  # letters of a word that is named within a sentence of ours
_ISOLATED: Final = "\u2068{}\u2069"  # by Unicode's own marks


def plain(text: str) -> str:
    """Markdown that shows `text` on one line, just as it is spelled.

    What would not be seen, or would turn our own words round, is spelt out: ⟨U+202E⟩.
    """
    return _MARKS.sub(r"\\\1", spelt(_BREAKS.sub(" ", text)))


def with_words(sentence: str, words: Iterable[str], end: str = "") -> str:
    """The same of a sentence of ours, with a list of people's words in the place of `{words}`.

    A long word is cut short. One that is written from right to left stands by itself: the comma
    behind it, and the words behind that, stay where they are.

    Args:
        end: what stands behind the last word.
    """
    before, _, after = sentence.partition("{words}")
    named = ", ".join(_named(word) for word in words)
    return f"{plain(before)}{named}{plain(end + after)}"


def _named(word: str) -> str:
    short = plain(word if len(word) <= _LONGEST else word[:_LONGEST] + "…")
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in word)
    return _ISOLATED.format(short) if turns else short
