"""A trace in numbers: as lines of a table, and as what a program reads.

Layers, heads and steps of the arguments count from 0, those in the numbers from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from core.reasons import Reason
from core.studies.words import words_of
from core.trace import AttentionTrace, Floats, Kind, Token
from viz.export.paper.next_token import shaped
from viz.export.paper.shown import READ_TOGETHER, Shown, read_together, shown
from viz.export.request import wrong
from viz.inspector.conditions import CHANCE, sampled
from viz.inspector.options import Options
from viz.inspector.pack import Packed, special_tokens
from viz.text.refusals import because

Head = tuple[int, int]
"""Layer and head."""

# As CSV they are 140 MB, and take 7 s of a processor and 170 MB of memory; as JSON a third of that.
MOST_CELLS: Final = 2**20
"""Cells, or tokens of a vocabulary, of one file: as many as a spreadsheet has rows."""

_PLACE: Final = ("step", "written", "reads")
_MADE: Final = ("temperature", "top_k", "top_p", "foretells")
"""What is told of a next token beside its own numbers, before and behind them."""

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

    A head's share in what its layer adds to a query stands in each line of that query, and so does
    what of the query goes to no key. What reads the same, as a special token and a word may, has
    another piece.

    Args:
        words: cells are between words, and have neither scores nor shares nor sinks.
    """
    site, part = trace.sites[kind], shown(trace, kind, words=words)
    pieces = pieces_of(trace, part)
    for layer, head in heads:
        named = {"kind": kind, **counted((layer, head))}
        # of Python's own numbers, which are read faster
        allowed = part.mask(layer, head).astype(int).tolist()
        weights = part.weights(layer, head).tolist()
        scores = _listed(part, site.scores, layer, head)
        shares = _listed(part, site.shares, layer, head)
        sinks = _listed(part, site.sinks, layer, head)
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
                    "sink": "" if sinks is None else sinks[row],
                    **pieces.cell(row, column),
                }


def heads_told(
    trace: AttentionTrace, kind: Kind, head: Head | None, *, words: bool
) -> dict[str, Any]:
    """One head for a program, or all where none is named.

    Weights and scores are (query, key), shares and sinks (query,); of all heads with (layer, head)
    before. Their mask has layers and heads, too, where it differs by head.
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
        **sides_told(trace, part),
        "allowed": (part.masks if head is None else part.mask(*head)).tolist(),
        "weights": weights,
        "scores": _listed(part, site.scores, *(head or ())),
        "shares": _listed(part, site.shares, *(head or ())),
        "sinks": _listed(part, site.sinks, *(head or ())),
    }


def _listed(part: Shown, numbers: Floats | None, *at: int) -> Any:
    """Numbers of tokens, of all heads or of the one at a layer and a head; words have none."""
    return None if part.words or numbers is None else numbers[at].tolist()


def conditions_told(trace: AttentionTrace) -> dict[str, Any]:
    """What was edited, by what chance it was written, that a message was read, that its mask was
    lifted and that it did not write freely, as in its meta.

    Nothing of a plain one.
    """
    names = ("edits", "message", *(CHANCE if sampled(trace) else ()))
    told = {name: trace.meta[name] for name in names if name in trace.meta}
    if trace.meta.get("lift_mask"):
        told["lift_mask"] = True
    if trace.target and trace.meta.get("free_running") is False:
        told["free_running"] = False
    return told


def counted(head: Head) -> dict[str, int]:
    """A head as people count it."""
    layer, which = head
    return {"layer": layer + 1, "head": which + 1}


class Pieces(NamedTuple):
    """Rows, what they read, and columns as the vocabulary spells them."""

    queries: list[str]
    reads: list[str]
    keys: list[str]

    def cell(self, row: int, column: int) -> dict[str, str]:
        """Of a row and a column as a table has them; of -1, which is none, empty."""
        return {
            "query_piece": self.queries[row] if row >= 0 else "",
            "query_reads_piece": self.reads[row] if self.reads and row >= 0 else "",
            "key_piece": self.keys[column] if column >= 0 else "",
        }


def pieces_of(trace: AttentionTrace, part: Shown) -> Pieces:
    """A word is its pieces, one after the other; what an encoder's row reads is empty."""

    def spelled(tokens: Sequence[Token]) -> list[str]:
        if not part.words:
            return [token.piece for token in tokens]
        return ["".join(tokens[at].piece for at in word) for word in words_of(tokens)]

    reads = [READ_TOGETHER.join(token.piece for token in own) for own in part.reads]
    return Pieces(spelled(trace.queries(part.kind)), reads, spelled(trace.keys(part.kind)))


def sides_told(trace: AttentionTrace, part: Shown) -> dict[str, Any]:
    """Rows and columns by their names: what a decoder writes, and beside it what it reads."""
    reads = {"reads": [read_together(own) for own in part.reads]} if part.reads else {}
    pieces = pieces_of(trace, part)
    return {
        **({"words": True} if part.words else {}),
        "queries": [token.text for token in part.queries],
        **reads,
        "keys": [token.text for token in part.keys],
        "query_pieces": pieces.queries,
        **({"reads_pieces": pieces.reads} if part.reads else {}),
        "key_pieces": pieces.keys,
    }


def next_rows(packed: Packed, step: int, options: Options) -> Iterator[dict[str, object]]:
    """One line a token of the vocabulary; each says by what its probability was made."""
    told = next_told(packed, step, options)
    place, made = (
        {name: told[name] for name in names if name in told} for names in (_PLACE, _MADE)
    )
    columns = (told["tokens"], told["logits"], told["probabilities"])
    for row, (token, logit, probability) in enumerate(zip(*columns, strict=True)):
        one = {"id": row, "token": token, "logit": logit, "probability": probability}
        yield place | one | made


def next_told(packed: Packed, step: int, options: Options) -> dict[str, Any]:
    """A step for a program; tokens, logits and probabilities in the order of their ids, from 0.

    Of a model that writes nothing, a step is a token of the source, which it reads; where it
    foretells, it is said which: the "next" token, the "previous" one, that "here", those "near";
    or that all of its steps say the same, of the whole "text".

    Args:
        options: the temperature, top-k and top-p of the probabilities.
    """
    trace, names = packed.trace, next_names(packed, step)
    assert trace.logits is not None
    logits = trace.logits[step].tolist()
    writes, foretells = trace.logits_axis == "written", trace.meta.get("foretells")
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
        **({} if writes or foretells is None else {"foretells": foretells}),
    }


def next_joins(packed: Packed, step: int) -> frozenset[int]:
    """Vocabulary rows, of those that are listed, that would go on with a word."""
    listed = (packed.meta["next"] or packed.meta["told"])[step]
    return frozenset(
        row for row, joins in zip(listed["ids"], listed["joins"], strict=True) if joins
    )


def next_names(packed: Packed, step: int) -> dict[int, str]:
    """Vocabulary rows by name: all where the trace names them, else those the trace lists.

    Special tokens are called as candidates are, however unlikely they are at this step.
    """
    listed = (packed.meta["next"] or packed.meta["told"])[step]
    own = dict(enumerate(packed.trace.vocabulary or ()))
    own |= {row: token.text for row, token in special_tokens(packed.trace).items()}
    return own | dict(zip(listed["ids"], listed["texts"], strict=True))
