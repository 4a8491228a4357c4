"""Every fault that the readers find has its Korean words."""

import re

import pytest

from core.reasons import Reason
from core.text.corpora import read_pairs
from core.text.sources import Source
from core.training.events import DataRead
from viz.text.reasons import bad_rows

GOOD = "\n".join(f"good {n}\t좋음 {n}" for n in range(9))
GOOD_JSON = "\n".join(f'{{"source": "good {n}", "target": "좋음"}}' for n in range(9))
FAULTY = [
    ("p.tsv", f"{GOOD}\nalone"),
    ("p.tsv", f"{GOOD}\na\tb\tc"),
    ("p.tsv", f"{GOOD}\na\t "),
    ("p.tsv", f"{GOOD}\na\x00b\tc"),
    ("p.tsv", f"{GOOD}\n{'a' * 30_000}\tb"),
    ("p.tsv", f"{GOOD}\n{'a' * 70_000}\tb"),
    ("p.jsonl", f"{GOOD_JSON}\n[1]"),
    ("p.jsonl", f'{GOOD_JSON}\n{{"source": "a"}}'),
    ("p.jsonl", f'{GOOD_JSON}\n{{"source": "a", "target": 3}}'),
]


def told_of(rows: tuple[str, ...], faults: tuple[Reason, ...] = ()) -> DataRead:
    return DataRead("p", "p.tsv", 10, 1, rows, 0, 0, 0, 9, 0, 0, faults=faults)


@pytest.mark.parametrize(("name", "text"), FAULTY)
def test_a_faulty_row_is_named_in_both_languages(name: str, text: str) -> None:
    reading = read_pairs(Source(name, content=text.encode()))
    told = told_of(reading.bad_rows, reading.faults)
    assert bad_rows(told, "en") == list(reading.bad_rows)
    (korean,) = bad_rows(told, "ko")
    assert re.search("10번째 [줄행]: ", korean), korean
    plain = re.sub(r'"\w+"|JSON|NUL|UTF-8', "", korean)
    assert not re.search("[A-Za-z]{2,}", plain), korean


def test_what_an_earlier_version_told_stays_as_it_is() -> None:
    rows = ("line 3: one column", "{odd}", "")
    assert bad_rows(told_of(rows), "ko") == list(rows)
