"""The nearest of each token as numbers, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.studies.neighbours import Neighbours
from viz.export.paper.table import table


def neighbours_exported(found: Neighbours, names: Mapping[int, str]) -> bytes:
    """CSV: one line a neighbour, the nearest first, with its place on the map.

    Args:
        names: of all tokens that are named, by their ids.
    """
    return table(_rows(found, names))


def _rows(found: Neighbours, names: Mapping[int, str]) -> Iterator[dict[str, object]]:
    for place, near in enumerate(found.near, start=1):
        for rank, (id, cosine) in enumerate(zip(near.ids, near.cosines, strict=True), start=1):
            x, y = found.places[id]
            yield {
                "position": place,
                "token": names[near.token.id],
                "rank": rank,
                "neighbour": names[id],
                "cosine": float(cosine),
                "x": float(x),
                "y": float(y),
            }
