"""Tables: what stands in a cell can be told from what stands in any other."""

import csv
import io
from itertools import product

from viz.export.paper.table import table


def cells(*texts: str) -> list[str]:
    body = table({"text": text} for text in texts).decode("utf-8-sig")
    return [row["text"] for row in csv.DictReader(io.StringIO(body, newline=""))]


def test_no_cell_is_a_formula_and_no_two_are_one() -> None:
    texts = [
        "".join(letters) for size in range(4) for letters in product("'=+-@\t\ra", repeat=size)
    ]
    read = cells(*texts)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in read)
    assert len({*read}) == len(texts)
    assert cells("'a", "it's", "'") == ["'a", "it's", "'"]
