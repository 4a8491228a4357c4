"""What the file of a whole trace is called: by its model and the first words of its sentence."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from core.trace import AttentionTrace
from viz.text.sentence import sentence_of

_WORD: Final = re.compile("[a-z0-9]+")
_APART: Final = re.compile("['’\u0300-\u036f]")  # of one word: an apostrophe, an accent
_MOST: Final = 32
"""Letters of a model's name, and of a sentence's first words."""
_WORDS: Final = 4


def named(name: str, *traces: AttentionTrace) -> str:
    """A file's name without its ending: headlight-ko-en-everyday-i-went-to-a.

    It has lower letters of ASCII, digits and hyphens alone, so that it may be any file's. What
    either of two traces says stands there once. A sentence without such letters is named by its
    translation, or not at all.

    Args:
        name: what comes first.
        traces: one, or two beside each other.
    """
    said = [part for trace in traces for part in (_model(trace), _sentence(trace)) if part]
    return "-".join(dict.fromkeys((name, *said)))


def _model(trace: AttentionTrace) -> str:
    return "-".join(_words(trace.model_id))[:_MOST].strip("-")


def _sentence(trace: AttentionTrace) -> str:
    """The first words of what was read or written, whichever has more that can be spelt."""
    texts = (sentence_of(trace), str(trace.meta.get("target_text", "")))
    words = max(map(_words, texts), key=lambda words: sum(map(len, words)))[:_WORDS]
    return "-".join(words)[:_MOST].strip("-")


def _words(text: str) -> list[str]:
    return _WORD.findall(_APART.sub("", unicodedata.normalize("NFKD", text[:1000])).lower())
