"""Why rows of somebody's data are no pairs, in both languages. The core words them in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from viz.text.language import Language

_ROW: Final = re.compile(r"(?P<file>.*?) ?(?P<unit>line|row) (?P<number>\d+): (?P<fault>.*)")
_UNITS: Final = {"line": "줄", "row": "행"}
_COLUMNS: Final = {"column 1": "첫째 열", "column 2": "둘째 열"}
_KO: Final[tuple[tuple[str, Callable[..., str]], ...]] = (
    (r"one column", lambda: "열이 하나뿐"),
    (r"(\d+) columns", lambda count: f"열이 {count}개"),
    (r"(\d+) columns, where the first row has (\d+)", lambda n, m: f"열이 {n}개, 첫 행은 {m}개"),
    (r"longer than ([\d,]+) characters", lambda most: f"{most}자보다 긴 줄"),
    (r"more than ([\d,]+) characters in (.*)", lambda most, at: f"{_column(at)}: {most}자가 넘음"),
    (r"no text in (.*)", lambda at: f"{_column(at)}: 글이 없음"),
    (r"a NUL character", lambda: "NUL 문자가 있음"),
    (r"not UTF-8", lambda: "UTF-8이 아님"),
    (r"not a JSON object", lambda: "JSON 객체가 아님"),
    (r"no (.*)", lambda names: f"{columns_in_korean(names)} 없음"),
)


def bad_rows(rows: Sequence[str], language: Language) -> list[str]:
    """The rows that a `DataRead` names, in the reader's language.

    Args:
        rows: as the core words them: "line 7: one column". Others stay as they are.
    """
    return list(rows) if language == "en" else [_korean(row) for row in rows]


def _korean(row: str) -> str:
    found = _ROW.fullmatch(row)
    if found is None:
        return row
    fault = fault_in_korean(found["fault"])
    place = f"{found['file']} {found['number']}번째 {_UNITS[found['unit']]}".strip()
    return row if fault == found["fault"] else f"{place}: {fault}"


def fault_in_korean(fault: str) -> str:
    """What is wrong with one row: "one column". What is not known stays as it is."""
    for pattern, worded in _KO:
        found = re.fullmatch(pattern, fault)
        if found is not None:
            return worded(*found.groups())
    return fault


def columns_in_korean(names: str) -> str:
    """Names of columns between which a reader looked for two."""
    return names.replace('" and "', '", "').replace(" or ", " 또는 ")


def _column(name: str) -> str:
    return _COLUMNS.get(name, name)
