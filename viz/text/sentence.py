"""The sentence that a trace is of, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.studies.words import words_of
from core.trace import AttentionTrace, Token

MOST: Final = 120
"""Letters of a sentence where a line has to hold it."""
_JOINTS: Final = ("▁", "Ġ")  # alone they begin a word and are no letter of it


def sentence_of(trace: AttentionTrace) -> str:
    """What was typed, or where a trace does not say it the words that were read.

    Of a trace without a source they are its target's; special tokens are left out.
    """
    typed = str(trace.meta.get("source_text", ""))
    return typed or _read(trace.source) or _read(trace.target)


def cut(sentence: str) -> str:
    """The beginning of a sentence that is longer than `MOST`, never cut behind a joiner."""
    if len(sentence) <= MOST:
        return sentence
    return sentence[: MOST - 1].rstrip().removesuffix("\u200d") + "…"


def called(trace: AttentionTrace) -> str:
    """What a page of a trace is called: its sentence, or else its model."""
    return sentence_of(trace) or trace.model_id


def _read(tokens: Sequence[Token]) -> str:
    own = [token for token in tokens if not token.special]
    words = ([own[at] for at in word] for word in words_of(own))
    texts = ("".join(one.text for one in word if one.piece not in _JOINTS) for word in words)
    return " ".join(text for text in texts if text)
