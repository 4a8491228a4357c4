"""The nearest of each token as numbers, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.studies.neighbours import Neighbours
from core.trace import Token
from viz.export.paper.table import table


def neighbours_exported(
    found: Neighbours, names: Mapping[int, str], read: Sequence[Token]
) -> bytes:
    """CSV: one line a neighbour, the nearest first, with its place on the map.

    Args:
        names: of all tokens that are named, by their ids.
        read: the text, in which a token may stand several times: its position is the first.
    """
    return table(_rows(found, names, [token.id for token in read]))


def _rows(
    found: Neighbours, names: Mapping[int, str], read: Sequence[int]
) -> Iterator[dict[str, object]]:
    for near in found.near:
        for rank, (id, cosine) in enumerate(zip(near.ids, near.cosines, strict=True), start=1):
            x, y = found.places[id]
            yield {
                "position": read.index(near.token.id) + 1,
                "token": names[near.token.id],
                "rank": rank,
                "neighbour": names[id],
                "cosine": float(cosine),
                "x": float(x),
                "y": float(y),
                "token_id": near.token.id,
                "neighbour_id": id,
            }
