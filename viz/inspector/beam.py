"""A beam search for the browser: every hypothesis, its numbers, and where it left the beam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from core.outputs import SearchTree
from viz.inspector.pack import token_columns, ui


@dataclass(frozen=True, slots=True)
class Row:
    """A hypothesis that went no further.

    Attributes:
        path: places of its nodes, from the first token to the last.
        start: how many of them an earlier row shows.
        rank: from 0 among the answers, -1 for no answer.
    """

    path: tuple[int, ...]
    start: int
    rank: int


def rows_of(tree: SearchTree) -> tuple[Row, ...]:
    """A search as rows, the best first, each beneath the one that it has its beginning from.

    Every node belongs to the first row that it is in: rows share the columns of what they have
    in common.
    """
    worth = _worth(tree)
    children: dict[int, list[int]] = {}
    for place in sorted(range(len(tree.nodes)), key=lambda place: -worth[place]):
        children.setdefault(tree.nodes[place].parent, []).append(place)
    ranks = {place: rank for rank, place in enumerate(tree.ranked)}
    rows: list[Row] = []
    waiting: list[tuple[tuple[int, ...], int]] = [((), 0)]  # walked to, and where its row starts
    while waiting:
        path, start = waiting.pop()
        place = path[-1] if path else -1
        following = children.get(place, [])
        if path and not following:
            rows.append(Row(path, start, ranks.get(place, -1)))
        later = [((*path, child), len(path)) for child in following[1:]]
        waiting += reversed(later)
        waiting += [((*path, child), start) for child in following[:1]]
    return tuple(rows)


def _worth(tree: SearchTree) -> list[float]:
    """What speaks for walking on to a node: an answer behind it, else how far and likely it got."""
    lengths: list[int] = []
    for node in tree.nodes:
        lengths.append(1 + (lengths[node.parent] if node.parent >= 0 else 0))
    worth = [length + exp(node.total) for length, node in zip(lengths, tree.nodes, strict=True)]
    for rank, place in enumerate(tree.ranked):
        worth[place] = 1e9 - rank
    for place in reversed(range(len(worth))):
        parent = tree.nodes[place].parent
        if parent >= 0:
            worth[parent] = max(worth[parent], worth[place])
    return worth


def beam_data(
    tree: SearchTree,
    *,
    search_id: str = "",
    language: str,
    text: Mapping[str, str],
    shown: Sequence[int] = (),
    selection: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """What web/beam/main.js takes as `data`.

    Args:
        search_id: by which the server makes files of it; "" where there is none.
        language: BCP 47 tag of the texts.
        text: all the words that the inspector may show, and those of the beam.
        shown: vocabulary rows of the branch that is open as a trace.
        selection: where to start: `hypothesis`, the row that is read, from 1; the first if left
            out.
    """
    nodes = tree.nodes
    meta = {
        "search_id": search_id,
        "beam": tree.beam,
        "rows": [[list(row.path), row.start, row.rank] for row in rows_of(tree)],
        "parents": [node.parent for node in nodes],
        "ids": [node.token.id for node in nodes],
        "tokens": token_columns(tuple(node.token for node in nodes)),
        "gains": [node.gain for node in nodes],
        "totals": [node.total for node in nodes],
        "scores": [node.score for node in nodes],
        "fates": [node.fate for node in nodes],
        "shown": list(shown),
        "given": list(tree.given),
        "ui": ui("beam", language, text, selection),
    }
    return {"meta": meta}
