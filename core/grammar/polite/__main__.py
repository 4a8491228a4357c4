"""``python -m core.grammar.polite data/tatoeba.ko-en.tsv --out data/tatoeba.polite.tsv``

Writes the rows with their Korean said politely, without those of which it is not sure. The table
has columns ``korean`` and ``english``; others are handed on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from core.grammar.needed import told

with told():
    from core.grammar.polite.register import polite


def main() -> None:
    """Parse the command line and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m core.grammar.polite",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", type=Path, help="TSV with columns korean and english")
    parser.add_argument("--out", type=Path, required=True, help="TSV file to write")
    options = parser.parse_args()
    try:
        header, *lines = _lines(options.table)
    except OSError as fault:
        parser.error(f"{options.table} cannot be read: {fault.strerror}")
    except UnicodeDecodeError as fault:
        at = fault.object[: fault.start].count(b"\n") + 1
        parser.error(f"{options.table}, line {at}: this is not UTF-8")
    columns = header.split("\t")
    if not header:
        parser.error(f"{options.table}, line 1: there are no names of columns")
    if not {"korean", "english"} <= {*columns}:
        parser.error(f"{options.table}, line 1: there are no columns korean and english")
    korean, english = columns.index("korean"), columns.index("english")
    rows, counts = [header], Counter[str]()
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) <= max(korean, english):
            parser.error(
                f"{options.table}, line {number}: {len(cells)} of {len(columns)} columns are there"
            )
        said = polite(cells[korean], cells[english])
        if said is None:
            counts["left out"] += 1
            continue
        counts["kept" if said == cells[korean] else "changed"] += 1
        cells[korean] = said
        rows.append("\t".join(cells))
    try:
        options.out.write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    except OSError as fault:
        parser.error(f"{options.out} cannot be written: {fault.strerror}")
    told = ", ".join(f"{counts[what]} {what}" for what in ("changed", "kept", "left out"))
    print(f"{options.out.name}: {told}")


def _lines(table: Path) -> list[str]:
    """The lines of a table: other separators of lines, as U+2028, are characters of a cell."""
    lines = table.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in lines]


if __name__ == "__main__":
    main()
