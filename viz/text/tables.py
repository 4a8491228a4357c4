"""Small static tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Align = Literal["left", "right"]
_RULE = {"left": ":---", "right": "---:"}


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], align: Sequence[Align]
) -> str:
    """A table; cells are Markdown, so text from outside goes through `plain` first.

    Args:
        header: titles of the columns; may be empty strings.
        rows: as many cells each as the header has.
        align: one for each column.

    Raises:
        ValueError: when a row or `align` does not fit the header.
    """
    if any(len(cells) != len(header) for cells in (*rows, align)):
        raise ValueError("a row does not fit the header")
    rule = [_RULE[side] for side in align]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))
