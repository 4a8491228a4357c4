"""What language models would write in a gap, described for the browser: every gap of one text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.model import Context, Gaps
from viz.inspector.pack import distribution, token_columns

TOP: Final = 8
"""Candidates of each gap."""


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """The gaps of a text as one model fills them.

    Attributes:
        id: names them by all that they depend on.
        model_id: whose they are.
        context: what it looks at.
        gaps: what it foretells.
        vocabulary_text: names of columns of its logits.
    """

    id: str
    model_id: str
    context: Context
    gaps: Gaps
    vocabulary_text: Callable[[list[int]], list[str]]


def gaps_data(
    models: Sequence[Filled],
    *,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What web/gaps/main.js takes as `data`.

    Args:
        models: one or more; all read the same tokens.
        language: BCP 47 tag of the texts.
        text: the words of the inspector and of the gaps together.
        selection: where to start: `gap`, counted from 1 among the tokens between start and end.

    Raises:
        ValueError: there is none, or they read other tokens.
    """
    if len({filled.gaps.tokens for filled in models}) != 1:
        raise ValueError("models that read the same tokens")
    tokens = models[0].gaps.tokens
    told = [
        {"model": filled.model_id, "context": filled.context, "next": _entries(filled)}
        for filled in models
    ]
    return {
        "meta": {
            "gaps_id": ".".join(filled.id for filled in models),
            "tokens": token_columns(tokens),
            "models": told,
            "ui": {
                "view": "gaps",
                "language": language,
                "text": dict(text),
                "selection": dict(selection or {}),
            },
        }
    }


def _entries(filled: Filled) -> list[Mapping[str, Any]]:
    gaps = filled.gaps
    specials = {token.id: token.piece for token in gaps.tokens if token.special and token.id >= 0}
    return [
        distribution(row, token, TOP, filled.vocabulary_text, specials)
        for row, token in zip(gaps.logits, gaps.tokens[1:-1], strict=True)
    ]
