"""Numbers as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from viz.text.tokens import carried


def table(rows: Iterator[dict[str, object]]) -> bytes:
    """CSV for spreadsheets: with a byte order mark, and no cell that would be a formula."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(out, list(row))
            writer.writeheader()
        writer.writerow({name: _inert(value) for name, value in row.items()})
    return ("\ufeff" + carried(out.getvalue())).encode()


def _inert(value: object) -> object:
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value
