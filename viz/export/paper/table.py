"""Numbers as a table for spreadsheets, or as JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from viz.text.tokens import carried, code

_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""What readers of CSV stop at, or drop."""
_FORMULA: Final = re.compile("'*[=+\\-@\t\r]")
"""What a spreadsheet would compute, and what reads as such a cell with its apostrophe."""


def table(rows: Iterator[dict[str, object]]) -> bytes:
    """CSV for spreadsheets: with a byte order mark, and no cell that would be a formula.

    Control characters but tabs and line ends are spelt out as on the screen: ⟨U+0000⟩.

    Args:
        rows: of the same names in the same order, which the first one gives.
    """
    out = io.BytesIO()
    # Kept as text, it would have 4 bytes a letter.
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="")
    writer = csv.writer(text)
    for at, row in enumerate(rows):
        if at == 0:
            writer.writerow(map(_cell, row))
        writer.writerow(map(_cell, row.values()))
    text.flush()
    return out.getvalue()


def told_as_json(told: Mapping[str, object]) -> bytes:
    """JSON for programs, letters as they are."""
    return carried(json.dumps(told, ensure_ascii=False)).encode()


def _cell(value: object) -> object:
    return _inert(value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)  # a table says the same few tokens in each of its lines
def _inert(value: str) -> str:
    text = carried(_CONTROLS.sub(lambda found: code(found[0]), value))
    return f"'{text}" if _FORMULA.match(text) else text
