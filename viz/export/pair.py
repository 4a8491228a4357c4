"""Two traces beside each other, taken along: for paper, as numbers, or as a living page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from core.reasons import Reason
from core.trace import AttentionTrace, Kind
from viz.export.numbers import (
    conditions_told,
    counted,
    heads_told,
    listable,
    pieces_of,
    sides_told,
)
from viz.export.one import Choice, drawable, printable, refuse_unplaced
from viz.export.paper.both import Both, Head, Heads, Traces, both
from viz.export.paper.changes import changes
from viz.export.paper.pair import pair, sides
from viz.export.paper.shown import Shown, read_together
from viz.export.paper.style import paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, View, asked, compact_of, head_of, options_of, wrong
from viz.inspector import options
from viz.inspector.options import Options
from viz.inspector.pack import pack
from viz.inspector.pair import pair_data
from viz.inspector.single import pair_file
from viz.inspector.spelling import CELL_OF_BOTH, SECOND_HEAD
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.names import named
from viz.text.pair import TEXT
from viz.text.paper import figure_words
from viz.text.refusals import because

_EACH: Final = because("instead_each")


@dataclass(frozen=True, slots=True)
class PairChoice:
    """What of two traces; layers and heads count from 1, as for people.

    Attributes:
        view: "head" shows a head of either and their difference, "grid" the difference of all.
        kind: None takes cross-attention, or the first kind that both have.
        layer, head: of the first trace.
        other: layer and head of the second one, None for the same.
        options: how they are drawn; numbers show `words` alone.
        place: of a cell that is marked, row and column among the pieces of both, from 1; where it
            is None, the pinned cell of the first trace is.
        compact: an html file has these two heads exact, and all others in eight bits.
    """

    view: View = "head"
    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    other: tuple[int, int] | None = None
    options: Options = options.PLAIN
    place: tuple[int, int] | None = None
    compact: bool = False

    @classmethod
    def read(cls, texts: Mapping[str, str], form: Format) -> PairChoice:
        """What is asked for, from texts as an address has them.

        Raises:
            HeadlightError: parameter_invalid for a text that cannot be used.
        """
        other, place = (
            asked("other", texts, SECOND_HEAD, None),
            asked("place", texts, CELL_OF_BOTH, None),
        )
        return cls(*head_of(texts), other, options_of(texts), place, compact_of(texts, form))


def pair_exported(traces: Traces, choice: PairChoice, form: Format, *, language: Language) -> bytes:
    """The bytes of a file: of all but npz, which holds one trace; a page holds both, whole.

    Raises:
        HeadlightError: parameter_invalid for what one of the traces does not have, for a view
            that two have not, or for a form that holds one trace.
    """
    if choice.view not in ("head", "grid"):
        raise wrong("view", choice.view, because("two_views"))
    kind, heads = _fitted(traces, choice)
    if form == "npz":
        raise wrong("out", form, because("two_form"))
    pinned = replace(options.PLAIN, pinned=choice.options.pinned)
    refuse_unplaced(traces[0], Choice(kind=kind, options=pinned), whole=False)
    if form == "html":
        return _page(traces, kind, heads, choice, language).encode()
    laid = both(traces, kind, by_words=choice.options.words)
    if choice.view == "grid" and not laid.alike:
        first, second = (f"{part.site.layers} x {part.site.heads}" for part in laid.parts)
        raise wrong("view", "grid", because("two_unlike", first=first, second=second))
    if form in ("csv", "json"):
        every = len(laid.changes()) if choice.view == "grid" else 1
        listable(choice.view, math.prod(laid.shape) * every, instead=_EACH)
    if form == "csv":
        return table(
            _all_rows(traces, laid)
            if choice.view == "grid"
            else _rows(traces, laid, heads, _sides(heads))
        )
    if form == "json":
        told = _all_told(traces, laid) if choice.view == "grid" else _told(traces, laid, heads)
        return told_as_json(told)
    words = figure_words(language, TEXT)
    if choice.view == "head":
        drawable("head", laid.shape, beside=2, instead=_EACH)
    with paper():
        if choice.view == "grid":
            figure = changes(traces, laid, choice.options, words)
            printable("grid", figure, instead=_EACH)
            return printed(figure, form)
        marked = _marked(traces, laid, choice)
        return printed(pair(traces, laid, heads, choice.options, words, marked), form)


def _page(traces: Traces, kind: Kind, heads: Heads, choice: PairChoice, language: Language) -> str:
    """Both traces and their difference as one page, called by what either is of."""
    _marked(traces, both(traces, kind), choice)
    same = traces[0] is traces[1]
    first = pack(traces[0], trace_id="a")
    packs = first, first if same else pack(traces[1], trace_id="b")
    (layer, head), _ = heads
    selection = {
        "kind": kind,
        "layer": layer + 1,
        "head": head + 1,
        "other": SECOND_HEAD.write(choice.other),
        **options.started(choice.options),
        "place": choice.place and CELL_OF_BOTH.write(choice.place),
    }
    text = inspector_words(language, TEXT)
    data = pair_data(*packs, language=language, text=text, selection=selection)
    one, other = ((kind, *at) for at in heads)
    title = " / ".join(sides(traces, figure_words(language, TEXT)))
    opened, compact = (one, other), choice.compact
    return pair_file(packs, data, opened, title=title, language=language, compact=compact)


def pair_file_name(traces: Traces, choice: PairChoice, form: Format) -> str:
    """What a file is called, in ASCII: headlight-pair-cross-layer3-head5.svg.

    A page holds both traces whole, and is called by what they are of (`viz.text.names`).
    """
    if form == "html":
        return f"{named('headlight-pair', *traces)}{'-compact' if choice.compact else ''}.{form}"
    kind, ((layer, head), _) = _fitted(traces, choice)
    of = "heads" if choice.view == "grid" else f"layer{layer + 1}-head{head + 1}"
    return f"headlight-pair-{kind}-{of}.{form}"


def _marked(traces: Traces, laid: Both, choice: PairChoice) -> tuple[int, int] | None:
    """The place, of what is shown, of the cell that is marked."""
    pieces = both(traces, laid.kind)
    if choice.place is None:
        pinned = choice.options.pinned
        return pinned and laid.place_of(0, *pinned)
    found = []
    for axis, (places, at) in enumerate(
        zip((pieces.rows, pieces.columns), choice.place, strict=True)
    ):
        if at > len(places):
            known = because("two_places", rows=len(pieces.rows), columns=len(pieces.columns))
            raise wrong("place", CELL_OF_BOTH.write(choice.place), known)
        side = 1 if places[at - 1][1] >= 0 else 0  # as web/compare/selection.js has it
        cell = (places[at - 1][side], 0) if axis == 0 else (0, places[at - 1][side])
        place = laid.place_of(side, *cell)
        found.append(-1 if place is None else place[axis])
    return (found[0], found[1]) if min(found) >= 0 else None


def _fitted(traces: Traces, choice: PairChoice) -> tuple[Kind, tuple[Head, Head]]:
    """The kind and both heads, counted from 0."""
    first, second = traces
    shared = [kind for kind in first.sites if kind in second.sites]
    likely = "cross" if "cross" in shared else next(iter(shared), None)
    if likely is None:
        reason = because("two_kinds", first=_kinds(first), second=_kinds(second))
        raise wrong("kind", choice.kind or "cross", reason)
    own = Choice(kind=choice.kind or likely, layer=choice.layer, head=choice.head)
    layer, head = choice.other or (choice.layer, choice.head)
    fitted = [own.fitted(first), replace(own, layer=layer, head=head).fitted(second)]
    assert fitted[0].kind is not None
    one, two = ((part.layer - 1, part.head - 1) for part in fitted)
    return fitted[0].kind, (one, two)


def _kinds(trace: AttentionTrace) -> str | Reason:
    return ", ".join(trace.sites) or because("no_kind")


def _all_rows(traces: Traces, laid: Both) -> Iterator[dict[str, object]]:
    """One line a cell and head, the most changed head first."""
    for head, share in laid.changes().items():
        yield from _rows(traces, laid, (head, head), {**counted(head), "changed": share})


def _sides(heads: Heads) -> dict[str, object]:
    """Which head of each trace, from 1."""
    sides = zip(("first", "second"), heads, strict=True)
    return {f"{side}_{name}": at for side, head in sides for name, at in counted(head).items()}


def _rows(
    traces: Traces, laid: Both, heads: Heads, of: Mapping[str, object]
) -> Iterator[dict[str, object]]:
    """One line a cell of either trace; what one has not is empty.

    Args:
        of: what every line says beside that.
    """
    parts, weights, changed = laid.parts, laid.weights(heads), laid.minus(heads)
    known = laid.known(heads)
    pieces = [pieces_of(trace, part) for trace, part in zip(traces, parts, strict=True)]
    for row, queries in enumerate(laid.rows):
        for column, keys in enumerate(laid.columns):
            line: dict[str, object] = {"kind": laid.kind, **of}
            spelled: dict[str, object] = {}
            for side, name in enumerate(("first", "second")):
                query, key = queries[side], keys[side]
                part, there = parts[side], min(query, key) >= 0
                line |= {
                    f"{name}_query": query + 1 if query >= 0 else "",
                    f"{name}_query_token": part.queries[query].text if query >= 0 else "",
                    f"{name}_query_reads": _reads(part, query),
                    f"{name}_key": key + 1 if key >= 0 else "",
                    f"{name}_key_token": part.keys[key].text if key >= 0 else "",
                    f"{name}_weight": float(weights[side][query, key]) if there else "",
                }
                own = pieces[side].cell(query, key)
                spelled |= {f"{name}_{called}": piece for called, piece in own.items()}
            yield {
                **line,
                "difference": float(changed[row, column]) if known[row, column] else "",
                **spelled,
            }


def _reads(part: Shown, query: int) -> str:
    """What a row reads; empty in an encoder, and where there is no such row."""
    return read_together(part.reads[query]) if part.reads and query >= 0 else ""


def _told(traces: Traces, laid: Both, heads: Heads) -> dict[str, Any]:
    """What a program wants of both."""
    own = [
        heads_told(trace, laid.kind, head, words=part.words)
        for trace, part, head in zip(traces, laid.parts, heads, strict=True)
    ]
    return {
        **_traces_told(traces, laid, "pair", own),
        "known": laid.known(heads).tolist(),
        "difference": _known(laid, heads),
    }


def _all_told(traces: Traces, laid: Both) -> dict[str, Any]:
    """The same of all heads, the most changed first; `known` by itself where all have one mask."""
    own = [sides_told(trace, part) for trace, part in zip(traces, laid.parts, strict=True)]
    return {
        **_traces_told(traces, laid, "pair_grid", own),
        **({"known": laid.known(((0, 0), (0, 0))).tolist()} if laid.one_known else {}),
        "heads": [
            {
                **counted(head),
                "changed": share,
                **({} if laid.one_known else {"known": laid.known((head, head)).tolist()}),
                "difference": _known(laid, (head, head)),
            }
            for head, share in laid.changes().items()
        ],
    }


def _traces_told(
    traces: Traces, laid: Both, view: str, of: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Either trace and what else is told of it; and which tokens belong together.

    Those are counted from 1, None where one has no such token.
    """
    first, second = (
        {"model_id": trace.model_id, **conditions_told(trace), **own}
        for trace, own in zip(traces, of, strict=True)
    )
    told = {"view": view, "kind": laid.kind, "first": first, "second": second}
    axes = {"rows": laid.rows, "columns": laid.columns}
    places = {n: [[at + 1 if at >= 0 else None for at in p] for p in a] for n, a in axes.items()}
    return told | places


def _known(laid: Both, heads: Heads) -> list[list[float | None]]:
    """(row, column), None where one of the two has no such cell."""
    return [
        [float(value) if known else None for value, known in zip(*row, strict=True)]
        for row in zip(laid.minus(heads), laid.known(heads), strict=True)
    ]
