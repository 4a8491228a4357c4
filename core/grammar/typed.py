"""What other makers make, as people type it."""

from __future__ import annotations

from collections.abc import Callable

from core.grammar.draw import Draw
from core.grammar.sentences import Maker, Sentence, Workshop

Typing = Callable[[Draw, Sentence], Sentence | None]
"""The source of a sentence as somebody types it; None where nothing came of it."""


def typed_maker(
    makers: tuple[Maker, ...], weights: tuple[float, ...], typing: Typing, *, settled: bool
) -> Maker:
    """A maker of what other makers make, typed.

    Sentences of held-out frames are left to those that test them; a time alone is none.

    Args:
        settled: typed where Korean is, so that English is the source; or where it is not.
    """

    def typed_sentence(shop: Workshop) -> Sentence | None:
        draw = shop.draw
        if draw.settled != settled:
            return None
        made = draw.weighted(makers, weights)(shop)
        if made is None or made.frame in shop.frames.heldout or made.frame.startswith("bare."):
            return None
        return typing(draw, made)

    return typed_sentence
