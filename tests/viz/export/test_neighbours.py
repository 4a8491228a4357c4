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
READ = tuple(
    Token(text, text, id, at) for at, (text, id) in enumerate((("a", 1), ("a", 1), ("=b", 4)))
)
NAMES = {1: "어제", 2: "그저께", 3: "내일", 4: "=b"}


def rows_of(names: dict[int, str]) -> list[dict[str, str]]:
    text = neighbours_exported(FOUND, names, READ).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_every_neighbour_is_a_line_the_nearest_first() -> None:
    rows = rows_of(NAMES)
    assert [row["neighbour"] for row in rows] == ["그저께", "내일", "어제"]
    assert [row["rank"] for row in rows] == ["1", "2", "1"]
    assert [float(row["cosine"]) for row in rows] == [0.9, 0.5, 0.25]
    assert [(float(row["x"]), float(row["y"])) for row in rows] == [(0.5, 0.5), (2, -1), (0, 1)]
    assert rows[2]["token"] == "'=b"  # no formula


def test_a_position_is_where_the_token_first_stands_in_the_text() -> None:
    for row in rows_of(NAMES):
        at = int(row["position"]) - 1
        assert READ[at].id == int(row["token_id"])
        assert int(row["token_id"]) not in [token.id for token in READ[:at]]


def test_tokens_that_read_the_same_have_their_ids() -> None:
    told = [(row["token_id"], row["neighbour_id"]) for row in rows_of(dict.fromkeys(NAMES, "a"))]
    assert told == [(str(near.token.id), str(id)) for near in FOUND.near for id in near.ids]
