"""A trace in numbers: as lines of a table, and as what a program reads.

Layers, heads and steps of the arguments count from 0, those in the numbers from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from core.reasons import Reason
from core.trace import AttentionTrace, Floats, Kind
from viz.export.paper.next_token import shaped
from viz.export.paper.shown import Shown, read_together, shown
from viz.export.request import wrong
from viz.inspector.options import Options
from viz.inspector.pack import CHANCE, Packed, sampled
from viz.text.refusals import because

Head = tuple[int, int]
"""Layer and head."""

# As CSV they are 110 MB, and take 8 s of a processor and 140 MB of memory; as JSON a third of that.
MOST_CELLS: Final = 2**20
"""Cells, or tokens of a vocabulary, of one file: as many as a spreadsheet has rows."""

WHOLE: Final = because("instead_whole")
"""What a refusal ends with."""


def listable(view: str, cells: int, *, instead: Reason = WHOLE) -> None:
    """Refuses numbers that would take long to write, and that no spreadsheet opens.

    Args:
        cells: of all heads together.
        instead: what holds them.

    Raises:
        HeadlightError: parameter_invalid for more than `MOST_CELLS`.
    """
    if cells > MOST_CELLS:
        reason = because("cells_many", room=MOST_CELLS, size=cells, instead=instead)
        raise wrong("view", view, reason)


def head_rows(
    trace: AttentionTrace, kind: Kind, heads: Sequence[Head], *, words: bool
) -> Iterator[dict[str, object]]:
    """One line a cell of each head; what an encoder's query reads is its own token, and empty.

    A head's share in what its layer adds to a query stands in each line of that query.

    Args:
        words: cells are between words, and have neither scores nor shares.
    """
    site, part = trace.sites[kind], shown(trace, kind, words=words)
    for layer, head in heads:
        named = {"kind": kind, **counted((layer, head))}
        # of Python's own numbers, which are read faster
        allowed = part.mask(layer, head).astype(int).tolist()
        weights = part.weights(layer, head).tolist()
        scores = _listed(part, site.scores, layer, head)
        shares = _listed(part, site.shares, layer, head)
        for row, query in enumerate(part.queries):
            reads = read_together(part.reads[row]) if part.reads else ""
            for column, key in enumerate(part.keys):
                yield {
                    **named,
                    "query": row + 1,
                    "query_token": query.text,
                    "query_reads": reads,
                    "key": column + 1,
                    "key_token": key.text,
                    "allowed": allowed[row][column],
                    "weight": weights[row][column],
                    "score": "" if scores is None else scores[row][column],
                    "share": "" if shares is None else shares[row],
                }


def heads_told(
    trace: AttentionTrace, kind: Kind, head: Head | None, *, words: bool
) -> dict[str, Any]:
    """One head for a program, or all where none is named.

    Weights and scores are (query, key), shares (query,); of all heads (layer, head, query, key) and
    (layer, head, query). Their mask has layers and heads, too, where it differs by head.
    """
    part, site = shown(trace, kind, words=words), trace.sites[kind]
    if head is None:
        weights = [
            [part.weights(layer, one).tolist() for one in range(site.heads)]
            for layer in range(site.layers)
        ]
    else:
        weights = part.weights(*head).tolist()
    return {
        "kind": kind,
        **({} if head is None else counted(head)),
        **sides_told(part),
        "allowed": (part.masks if head is None else part.mask(*head)).tolist(),
        "weights": weights,
        "scores": _listed(part, site.scores, *(head or ())),
        "shares": _listed(part, site.shares, *(head or ())),
    }


def _listed(part: Shown, numbers: Floats | None, *at: int) -> Any:
    """Numbers of tokens, of all heads or of the one at a layer and a head; words have none."""
    return None if part.words or numbers is None else numbers[at].tolist()


def conditions_told(trace: AttentionTrace) -> dict[str, Any]:
    """What was edited, by what chance it was written, and that a message was read, as in its meta.

    Nothing of a plain one.
    """
    names = ("edits", "message", *(CHANCE if sampled(trace) else ()))
    return {name: trace.meta[name] for name in names if name in trace.meta}


def counted(head: Head) -> dict[str, int]:
    """A head as people count it."""
    layer, which = head
    return {"layer": layer + 1, "head": which + 1}


def sides_told(part: Shown) -> dict[str, Any]:
    """Rows and columns by their names: what a decoder writes, and beside it what it reads."""
    reads = {"reads": [read_together(own) for own in part.reads]} if part.reads else {}
    return {
        **({"words": True} if part.words else {}),
        "queries": [token.text for token in part.queries],
        **reads,
        "keys": [token.text for token in part.keys],
    }


def next_rows(packed: Packed, step: int, options: Options) -> Iterator[dict[str, object]]:
    """One line a token of the vocabulary."""
    told = next_told(packed, step, options)
    columns = (told["tokens"], told["logits"], told["probabilities"])
    for row, (token, logit, probability) in enumerate(zip(*columns, strict=True)):
        one = {"id": row, "token": token, "logit": logit, "probability": probability}
        yield {name: told[name] for name in ("step", "written", "reads") if name in told} | one


def next_told(packed: Packed, step: int, options: Options) -> dict[str, Any]:
    """A step for a program; tokens, logits and probabilities in the order of their ids, from 0.

    Of a model that writes nothing, a step is a token of the source, which it reads.

    Args:
        options: the temperature, top-k and top-p of the probabilities.
    """
    trace, names = packed.trace, next_names(packed, step)
    assert trace.logits is not None
    logits = trace.logits[step].tolist()
    writes = trace.logits_axis == "written"
    return {
        "step": step + 1,
        **({"written": trace.written[step].text} if writes else {}),
        "reads": (trace.target if writes else trace.source)[step].text,
        "tokens": [names.get(row, f"#{row}") for row in range(len(logits))],
        "logits": logits,
        "temperature": options.temperature,
        "top_k": options.top_k or None,
        "top_p": options.top_p,
        "probabilities": shaped(trace.logits[step], options)[0].tolist(),
    }


def next_names(packed: Packed, step: int) -> dict[int, str]:
    """Vocabulary rows by name: all where the trace names them, else those the trace lists."""
    listed = (packed.meta["next"] or packed.meta["told"])[step]
    own = dict(enumerate(packed.trace.vocabulary or ()))
    return own | dict(zip(listed["ids"], listed["texts"], strict=True))
