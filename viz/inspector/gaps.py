"""What language models would write in a gap, described for the browser: every gap of one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.model import Context
from core.outputs import Gaps
from core.trace import Token
from viz.inspector.pack import GoesOn, VocabularyTokens, after, distribution, token_columns, ui
from viz.text.tokens import by_letters, carried

TOP: Final = 8
"""Candidates of each gap."""


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """The gaps of a text as one model fills them.

    Attributes:
        id: names them by all that they depend on.
        model_id: whose they are.
        context: what it looks at.
        tokens: all that are read, start and end included.
        next: of each gap the likeliest tokens, and what stands there.
    """

    id: str
    model_id: str
    context: Context
    tokens: tuple[Token, ...]
    next: tuple[Mapping[str, Any], ...]


def filled(
    id: str,
    model_id: str,
    context: Context,
    gaps: Gaps,
    vocabulary_tokens: VocabularyTokens,
    goes_on: GoesOn | None = None,
) -> Filled:
    """What is shown of gaps: the logits of a whole vocabulary are not kept."""
    told = None if by_letters(gaps.tokens) else goes_on
    following = (
        distribution(row, token, TOP, vocabulary_tokens, after(before, told))
        for row, token, before in zip(gaps.logits, gaps.tokens[1:-1], gaps.tokens[:-2], strict=True)
    )
    return Filled(id, model_id, context, gaps.tokens, tuple(following))


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
    if len({one.tokens for one in models}) != 1:
        raise ValueError("models that read the same tokens")
    told = [
        {"model": carried(one.model_id), "context": one.context, "next": list(one.next)}
        for one in models
    ]
    return {
        "meta": {
            "gaps_id": ".".join(one.id for one in models),
            "tokens": token_columns(models[0].tokens),
            "models": told,
            "ui": ui("gaps", language, text, selection),
        }
    }
