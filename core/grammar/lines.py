"""Two fixed phrases on one line, as people type them: 왜 울어? 무슨 일 있어?

Which two is chance, for people say anything after anything: a line has as many sentences as it has,
and none of them may be left out.
"""

from __future__ import annotations

import re
from typing import Final

from core.grammar.sentences import Maker, Sentence, Workshop

_SENTENCE: Final = re.compile(r"[A-Z].*[.?!]")
_SHORT: Final = 7
"""Words of English that either of the two has at most."""
# What begins with a small letter behind a comma; a name or "I" never does.
_COMMON: Final = (
    "a|an|are|be|can|come|did|do|don't|enjoy|go|good|have|he|here|how|is|it|it's|let|let's|my|no|"
    "please|see|she|sleep|take|thank|that|that's|the|there|they|this|wait|we|what|when|where|who|"
    "why|will|would|you|you're|your"
)
_LOWERED: Final = re.compile(rf"({_COMMON})\b", re.IGNORECASE)


def phrases_sentence(shop: Workshop) -> Sentence | None:
    """Two fixed phrases; None where either is long or no sentence, or they are one."""
    draw = shop.draw
    (korean, english), (later, second) = (draw.one_of(draw.lexicon.phrases) for _ in range(2))
    if english == second or not (_is_short(korean, english) and _is_short(later, second)):
        return None
    comma = draw.chance(0.25) and not english.endswith("?")
    if draw.settled:
        told = f"{english[:-1]}, {_lowered(second)}" if comma else f"{english} {second}"
        return Sentence(f"{_stopped(korean, english)} {_stopped(later, second)}", told, "lines")
    first = f"{korean.rstrip('.!')}," if comma else _stopped(korean, english)
    last = later.rstrip(".") if draw.chance(0.4) else _stopped(later, second)
    return Sentence(f"{first} {last}", f"{english} {second}", "lines")


def _is_short(korean: str, english: str) -> bool:
    """Whether it is one short sentence, asking in both languages or in neither."""
    whole = _SENTENCE.fullmatch(english) and not re.search(r"[.?!] ", f"{korean}{english}")
    alike = korean.endswith("?") == english.endswith("?")
    return bool(whole) and alike and len(english.split()) <= _SHORT


def _stopped(korean: str, english: str) -> str:
    return korean if korean.endswith((".", "?", "!")) else f"{korean}{english[-1]}"


def _lowered(english: str) -> str:
    return english[0].lower() + english[1:] if _LOWERED.match(english) else english


MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((phrases_sentence, 20),)
