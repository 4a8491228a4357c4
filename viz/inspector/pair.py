"""Two traces beside each other, and which tokens of them belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from core.trace import AttentionTrace, Token
from viz.inspector.pack import Packed, ui
from viz.inspector.words import as_words


def alignment(first: Sequence[Token], second: Sequence[Token]) -> list[list[int]]:
    """The tokens of both in one order, those that belong together in one place.

    Equal tokens belong together in the order in which both have them (`difflib`'s longest
    blocks), and so do as many that stand between the same neighbours: a word that was
    exchanged. All others stand alone.

    Returns:
        [place in the first, place in the second] each, -1 where one has no such token; both
        rise.
    """
    matcher = SequenceMatcher(None, _names(first), _names(second), autojunk=False)
    places: list[list[int]] = []
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        if a_end - a == b_end - b:
            places += [[a + at, b + at] for at in range(a_end - a)]
        else:
            places += [[at, -1] for at in range(a, a_end)]
            places += [[-1, at] for at in range(b, b_end)]
    return places


def pair_data(
    first: Packed,
    second: Packed,
    *,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any],
) -> dict[str, Any]:
    """What a v2 component takes as `data`; pictures and numbers it fetches by itself.

    Args:
        first, second: the traces, of any models.
        language: BCP 47 tag of the texts.
        text: the words of the inspector and of the pair together.
        selection: where to start: `kind`, `layer`, `head`, `pinned` as in `component_data`, of
            the first trace, and `other` ("3.5": the second's layer and head, "same" for the
            first's); what does not fit is replaced.
    """
    traces: tuple[AttentionTrace, AttentionTrace] = (first.trace, second.trace)
    sequences = {
        "source": [trace.source for trace in traces],
        "read": [trace.target for trace in traces],
        "written": [trace.written for trace in traces],
    }
    words = {name: [as_words(tokens) for tokens in both] for name, both in sequences.items()}
    return {
        "meta": {
            # What comes next is not drawn here, and is most of what a trace would send.
            "traces": [{**packed.meta, "next": None} for packed in (first, second)],
            "alignment": {name: alignment(*both) for name, both in sequences.items()},
            "words": {name: alignment(*both) for name, both in words.items()},
            "ui": ui("pair", language, text, selection),
        }
    }


def _names(tokens: Sequence[Token]) -> list[tuple[str, bool]]:
    """What makes tokens equal, whichever vocabularies they are from."""
    return [(token.text, token.special) for token in tokens]
