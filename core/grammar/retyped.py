"""A fixed phrase as one types it who does not look: misspelt, without spaces, as in a chat.

The phrases themselves are shown in training as they are, with and without a stop; only the source
is retyped, and what it means stays whole.
"""

from __future__ import annotations

import re
from typing import Final

from core.grammar import chat, chatter, shorthand
from core.grammar.draw import Draw
from core.grammar.sentences import Maker, Sentence, Workshop
from core.grammar.typed import Typing

_SENTENCE: Final = re.compile(r"[A-Z].*[.?!]")


def phrase_sentence(shop: Workshop) -> Sentence | None:
    """A fixed phrase retyped; None where it is no sentence or nothing came of it."""
    draw = shop.draw
    korean, english = draw.one_of(draw.lexicon.phrases)
    alike = korean.endswith("?") == english.endswith("?")
    if not (alike and _SENTENCE.fullmatch(english)):
        return None
    typing: Typing = draw.weighted(*zip(*(_ENGLISH if draw.settled else _KOREAN), strict=True))
    return typing(draw, Sentence(korean, english, "phrase"))


def _stopless(draw: Draw, sentence: Sentence) -> Sentence | None:
    """Misspelt, and half of them without a stop: 어떻해요, for 어떡해요."""
    made = chat.slipped(draw, sentence)
    if made is None or draw.chance(0.5):
        return made
    return Sentence(made.korean.rstrip("."), made.english, made.frame)


_KOREAN: Final[tuple[tuple[Typing, float], ...]] = (
    (_stopless, 5),
    (chatter.respaced, 4),
    (chat.chatted, 2),
)
_ENGLISH: Final[tuple[tuple[Typing, float], ...]] = (
    (shorthand.slipped, 3),
    (shorthand.chatted, 3),
)

MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((phrase_sentence, 30),)
