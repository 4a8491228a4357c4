"""The nearest of each token as a spreadsheet has them."""

import csv
import io

from core.studies.neighbours import Near, Neighbours
from core.trace import Token
from viz.export.neighbours import neighbours_exported

FOUND = Neighbours(
    (Near(Token("a", "a", 1), (2, 3), (0.9, 0.5)), Near(Token("=b", "=b", 4), (1,), (0.25,))),
    {1: (0.0, 1.0), 2: (0.5, 0.5), 3: (2.0, -1.0), 4: (3.0, 3.0)},
    0.8,
)
NAMES = {1: "어제", 2: "그저께", 3: "내일", 4: "=b"}


def test_every_neighbour_is_a_line_the_nearest_first() -> None:
    text = neighbours_exported(FOUND, NAMES).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["neighbour"] for row in rows] == ["그저께", "내일", "어제"]
    assert [row["rank"] for row in rows] == ["1", "2", "1"]
    assert [float(row["cosine"]) for row in rows] == [0.9, 0.5, 0.25]
    assert [(float(row["x"]), float(row["y"])) for row in rows] == [(0.5, 0.5), (2, -1), (0, 1)]
    assert rows[2]["token"] == "'=b"  # no formula
