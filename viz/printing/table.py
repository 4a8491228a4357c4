"""Numbers as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from viz.text.tokens import carried


def table(rows: Iterator[dict[str, object]]) -> bytes:
    """CSV for spreadsheets: with a byte order mark, and no cell that would be a formula.

    Args:
        rows: of the same names in the same order, which the first one gives.
    """
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out)
    for at, row in enumerate(rows):
        if at == 0:
            writer.writerow(row)
        writer.writerow(map(_inert, row.values()))
    return carried(out.getvalue()).encode()


def _inert(value: object) -> object:
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value
