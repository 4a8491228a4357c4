"""Two looks beside each other, taken along: as a figure for paper, or as numbers."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from core.errors import HeadlightError
from core.trace import AttentionTrace, Kind
from viz.export import DRAWING, UNDATED, Choice, Format
from viz.printing.pair import Difference, Head, difference, pair
from viz.printing.style import paper
from viz.printing.table import table
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.pair import TEXT
from viz.text.tokens import carried

_HEAD: Final = re.compile(r"([1-9]\d{0,3})\.([1-9]\d{0,3})")

Traces = tuple[AttentionTrace, AttentionTrace]


@dataclass(frozen=True, slots=True)
class PairChoice:
    """What of two looks; layers and heads count from 1, as for people.

    Attributes:
        kind: None takes cross-attention, or the first kind that both have.
        layer, head: of the first look.
        other: layer and head of the second one, None for the same.
    """

    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    other: tuple[int, int] | None = None


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
    if form in ("csv", "json"):
        found = difference(traces, kind, heads)
        if form == "csv":
            return table(_rows(traces, kind, heads, found))
        told = _told(traces, kind, heads, found)
        return carried(json.dumps(told, ensure_ascii=False)).encode()
    words = inspector_words(language) | asdict(TEXT[language])
    with DRAWING, paper():
        target = io.BytesIO()
        figure = pair(traces, kind, heads, words)
        figure.savefig(target, format=form, metadata=UNDATED.get(form))
        return target.getvalue()


def other_of(text: str | None) -> tuple[int, int] | None:
    """Layer and head of the second look, spelled "3.5"; "same" or nothing for the first's.

    Raises:
        HeadlightError: parameter_invalid for any other text.
    """
    if text in (None, "", "same"):
        return None
    found = _HEAD.fullmatch(text or "")
    if found is None:
        reason = "it is a layer and a head, such as 3.5"
        raise HeadlightError("parameter_invalid", name="other", value=text, reason=reason)
    return int(found[1]), int(found[2])


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


def _rows(
    traces: Traces, kind: Kind, heads: tuple[Head, Head], found: Difference
) -> Iterator[dict[str, object]]:
    """One line a cell of either look; what one has not is empty."""
    weights = [trace.sites[kind].weights[at] for trace, at in zip(traces, heads, strict=True)]
    for row, queries in enumerate(found.rows):
        for column, keys in enumerate(found.columns):
            line: dict[str, object] = {"kind": kind}
            for side, name in enumerate(("first", "second")):
                query, key = queries[side], keys[side]
                trace, there = traces[side], min(query, key) >= 0
                line |= {
                    f"{name}_query": query + 1 if query >= 0 else "",
                    f"{name}_query_token": trace.queries(kind)[query].text if query >= 0 else "",
                    f"{name}_key": key + 1 if key >= 0 else "",
                    f"{name}_key_token": trace.keys(kind)[key].text if key >= 0 else "",
                    f"{name}_weight": float(weights[side][query, key]) if there else "",
                }
            known = found.known[row, column]
            yield {**line, "difference": float(found.values[row, column]) if known else ""}


def _told(
    traces: Traces, kind: Kind, heads: tuple[Head, Head], found: Difference
) -> dict[str, Any]:
    """What a program wants of both."""
    sides = [
        {
            "model_id": trace.model_id,
            "layer": layer + 1,
            "head": head + 1,
            "queries": [token.text for token in trace.queries(kind)],
            "keys": [token.text for token in trace.keys(kind)],
            "weights": trace.sites[kind].weights[layer, head].tolist(),
        }
        for trace, (layer, head) in zip(traces, heads, strict=True)
    ]
    return {
        "view": "pair",
        "kind": kind,
        "first": sides[0],
        "second": sides[1],
        "rows": [[at + 1 if at >= 0 else None for at in pair] for pair in found.rows],
        "columns": [[at + 1 if at >= 0 else None for at in pair] for pair in found.columns],
        "known": found.known.tolist(),
        "difference": found.values.tolist(),
    }
