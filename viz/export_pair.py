"""Two looks beside each other, taken along: as a figure for paper, or as numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import HeadlightError
from core.trace import AttentionTrace, Kind
from viz.asked import Format
from viz.export import Choice, drawable
from viz.printing.pair import Difference, Head, Heads, Traces, difference, pair
from viz.printing.style import paper, printed
from viz.printing.table import table
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM
from viz.text.language import Language
from viz.text.pair import TEXT
from viz.text.tokens import carried


@dataclass(frozen=True, slots=True)
class PairChoice:
    """What of two looks; layers and heads count from 1, as for people.

    Attributes:
        kind: None takes cross-attention, or the first kind that both have.
        layer, head: of the first look.
        other: layer and head of the second one, None for the same.
        words: between words, not pieces.
    """

    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    other: tuple[int, int] | None = None
    words: bool = False


def pair_exported(traces: Traces, choice: PairChoice, form: Format, *, language: Language) -> bytes:
    """The bytes of a file: png, svg, pdf, csv or json.

    Raises:
        HeadlightError: parameter_invalid for what one of the traces does not have, or for a
            form that holds one look.
    """
    kind, heads = _fitted(traces, choice)
    if form in ("npz", "html"):
        reason = "that holds one look; two go into png, svg, pdf, csv or json"
        raise HeadlightError("parameter_invalid", name="out", value=form, reason=reason)
    found = difference(traces, kind, heads, by_words=choice.words)
    if form in ("csv", "json"):
        if form == "csv":
            return table(_rows(found, heads))
        told = _told(traces, found, heads)
        return carried(json.dumps(told, ensure_ascii=False)).encode()
    drawable("head", found.known.shape, beside=2)
    film = FILM[language]
    words = inspector_words(language) | asdict(TEXT[language])
    words |= {"untrained": film.untrained, "after_updates": film.after_updates}
    with paper():
        figure = pair(traces, found, heads, words)
        return printed(figure, form)


def _fitted(traces: Traces, choice: PairChoice) -> tuple[Kind, tuple[Head, Head]]:
    """The kind and both heads, counted from 0."""
    first, second = traces
    shared = [kind for kind in first.sites if kind in second.sites]
    likely = "cross" if "cross" in shared else next(iter(shared), None)
    if likely is None:
        reason = f"the first trace has {_kinds(first)}, the second {_kinds(second)}"
        raise HeadlightError(
            "parameter_invalid", name="kind", value=str(choice.kind), reason=reason
        )
    own = Choice(kind=choice.kind or likely, layer=choice.layer, head=choice.head)
    layer, head = choice.other or (choice.layer, choice.head)
    fitted = [own.fitted(first), replace(own, layer=layer, head=head).fitted(second)]
    assert fitted[0].kind is not None
    one, two = ((part.layer - 1, part.head - 1) for part in fitted)
    return fitted[0].kind, (one, two)


def _kinds(trace: AttentionTrace) -> str:
    return ", ".join(trace.sites) or "no attention at all"


def _rows(found: Difference, heads: Heads) -> Iterator[dict[str, object]]:
    """One line a cell of either look; what one has not is empty."""
    parts = found.parts
    weights = [part.weights(*at) for part, at in zip(parts, heads, strict=True)]
    for row, queries in enumerate(found.rows):
        for column, keys in enumerate(found.columns):
            line: dict[str, object] = {"kind": parts[0].kind}
            for side, name in enumerate(("first", "second")):
                query, key = queries[side], keys[side]
                part, there = parts[side], min(query, key) >= 0
                line |= {
                    f"{name}_query": query + 1 if query >= 0 else "",
                    f"{name}_query_token": part.queries[query].text if query >= 0 else "",
                    f"{name}_key": key + 1 if key >= 0 else "",
                    f"{name}_key_token": part.keys[key].text if key >= 0 else "",
                    f"{name}_weight": float(weights[side][query, key]) if there else "",
                }
            known = found.known[row, column]
            yield {**line, "difference": float(found.values[row, column]) if known else ""}


def _told(traces: Traces, found: Difference, heads: Heads) -> dict[str, Any]:
    """What a program wants of both."""
    sides = [
        {
            "model_id": trace.model_id,
            "layer": layer + 1,
            "head": head + 1,
            **({"words": True} if part.words else {}),
            "queries": [token.text for token in part.queries],
            "keys": [token.text for token in part.keys],
            "weights": part.weights(layer, head).tolist(),
        }
        for trace, part, (layer, head) in zip(traces, found.parts, heads, strict=True)
    ]
    return {
        "view": "pair",
        "kind": found.parts[0].kind,
        "first": sides[0],
        "second": sides[1],
        "rows": [[at + 1 if at >= 0 else None for at in pair] for pair in found.rows],
        "columns": [[at + 1 if at >= 0 else None for at in pair] for pair in found.columns],
        "known": found.known.tolist(),
        "difference": _known(found),
    }


def _known(found: Difference) -> list[list[float | None]]:
    """(row, column), None where one of the two has no such cell."""
    cells = zip(found.values.tolist(), found.known.tolist(), strict=True)
    return [[v if known else None for v, known in zip(*row, strict=True)] for row in cells]
