"""Rows of pairs as files hold them: tab-separated text, JSON Lines, Parquet.

Whatever stands in a file, a reader holds a bounded part of it at a time, and a row that is no
pair is told with its number: nothing is dropped in silence.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import chain
from typing import Any, BinaryIO, Final

from core.errors import HeadlightError, invalid_line, unreadable
from core.reasons import Reason, because
from core.text.tokenizer import clean

WIDEST: Final = 20_000  # characters of a cell: several times what any model here reads
_LONGEST: Final = 65_536  # characters of a line
_BATCH: Final = 1_000  # rows of a table at a time

# First lines that name columns rather than being a pair: both cells must be among these, which
# say what they hold. All are ASCII: "영어<TAB>English" is a pair.
_COLUMN_NAMES: Final = {
    **dict.fromkeys(("source", "src"), "source"),
    **dict.fromkeys(("target", "tgt", "reference"), "target"),
    **dict.fromkeys(("ko", "kor", "korean", "hangul"), "ko"),
    **dict.fromkeys(("en", "eng", "english"), "en"),
}

_BROKEN: Final = re.compile("[\x00\ud800-\udfff]")


# A row's number, from 1, and its two cells or why they are no pair.
Row = tuple[int, tuple[str, str] | Reason]
# Names of the source's and the target's column, and what they are called in a reason.
Names = tuple[str, str]
Labels = Names | tuple[Reason, Reason]


def tsv_rows(
    path: str, file: BinaryIO, columns: Names | None, choices: Sequence[Names] = ()
) -> Iterator[Row]:
    """Rows of tab-separated text: UTF-8, no quoting, blank lines skipped.

    Without `columns` the first two count, further ones are ignored, and a first line such as
    `korean<TAB>english`, both cells names of columns, is a header. With more columns than the
    first row, a row is faulty: a tab too many shifts its cells.

    Args:
        choices: names of columns, as of `jsonl_rows`: a header that has them the other way round
            says that the second column is the source.

    Raises:
        HeadlightError: file_unreadable for UTF-16, data_invalid when the first line lacks a
            column of `columns`.
    """
    at = (0, 1) if columns is None else None
    numbered = because("column_first"), because("column_second")
    labels = numbered if columns is None else _quoted(columns)
    width = 0
    for number, line in _lines(path, file):
        if isinstance(line, Reason):
            yield number, line
            continue
        cells = line.rstrip("\r\n").split("\t")
        filled = len(line.rstrip().split("\t"))  # without empty cells behind the last
        if at is None or (width == 0 and _names_columns(cells, choices)):
            at = _find(path, number, cells, columns) if columns else _order(cells, choices)
            width = len(cells)
        elif filled <= max(at):
            few = because("cells_few", found=filled)
            yield number, because("cells_one") if filled == 1 else few
        elif 0 < width < filled:
            yield number, because("cells_wide", found=filled, first=width)
        else:
            width = width or len(cells)
            yield number, _pair(cells[at[0]], cells[at[1]], labels)


def jsonl_rows(path: str, file: BinaryIO, choices: Sequence[Names]) -> Iterator[Row]:
    """Rows of JSON Lines: one object a line.

    Args:
        choices: names under which a pair may stand, the first that fit; in the object
            itself, or in the object under its key "translation".
    """
    for number, line in _lines(path, file):
        if isinstance(line, Reason):
            yield number, line
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        yield number, _from_record(record, choices)


def parquet_rows(path: str, file: BinaryIO, choices: Sequence[Names]) -> Iterator[Row]:
    """Rows of a Parquet file; names as for `jsonl_rows`. Not in a process that must live on.

    Raises:
        HeadlightError: file_unreadable, or data_invalid without such columns.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(file)
        wanted = wanted_columns(path, table.schema_arrow.names, choices)
        batches = table.iter_batches(batch_size=_BATCH, columns=wanted, use_threads=False)
        yield from record_rows(batches, choices)
    except (pyarrow.ArrowException, ValueError, OSError, MemoryError) as error:
        raise unreadable(path, because("parquet_none")) from error


def record_rows(batches: Iterable[Any], choices: Sequence[Names]) -> Iterator[Row]:
    """Rows of a table, given as batches of Arrow's."""
    records = chain.from_iterable(batch.to_pylist() for batch in batches)
    for number, record in enumerate(records, start=1):
        yield number, _from_record(record, choices)


def wanted_columns(path: str, names: Sequence[str], choices: Sequence[Names]) -> list[str]:
    """Those of a table's columns in which pairs may stand; the others are never read.

    Raises:
        HeadlightError: data_invalid when there is none.
    """
    known = {"translation", *(name for choice in choices for name in choice)}
    wanted = [name for name in names if name in known]
    if not wanted:
        raise _no_columns(path, 1, names, choices)
    return wanted


def _lines(path: str, file: BinaryIO) -> Iterator[tuple[int, str | Reason]]:
    """Lines that are not blank, with their numbers, however they end."""
    start = file.read(2)
    file.seek(0)
    if start in (b"\xff\xfe", b"\xfe\xff"):
        raise unreadable(path, because("utf_16"))
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape")
    for number, line in enumerate(iter(partial(text.readline, _LONGEST), ""), start=1):
        if len(line) == _LONGEST and not line.endswith("\n"):
            while (rest := text.readline(_LONGEST)) and not rest.endswith("\n"):
                pass
            yield number, because("line_long", limit=_LONGEST)
        elif fault := _broken(line):
            yield number, fault
        elif line.strip():
            yield number, line


def _from_record(record: object, choices: Sequence[Names]) -> tuple[str, str] | Reason:
    if not isinstance(record, dict):
        return because("object_none")
    nested = record.get("translation")
    tables = (record, nested) if isinstance(nested, dict) else (record,)
    for source, target in choices:
        for table in tables:
            if source in table and target in table:
                return _pair(table[source], table[target], _quoted((source, target)))
    return because("keys_none", columns=_listed(choices))


def _pair(source: object, target: object, labels: Labels) -> tuple[str, str] | Reason:
    first = _cell(source, labels[0])
    if isinstance(first, Reason):
        return first
    second = _cell(target, labels[1])
    return second if isinstance(second, Reason) else (first, second)


def _cell(value: object, label: str | Reason) -> str | Reason:
    if not isinstance(value, str):
        return because("cell_empty", column=label)
    if len(value) > WIDEST:
        return because("cell_long", limit=WIDEST, column=label)
    return _broken(value) or clean(value).strip() or because("cell_empty", column=label)


def _broken(text: str) -> Reason | None:
    found = _BROKEN.search(text)
    if found is None:
        return None
    return because("nul") if found[0] == "\0" else because("utf_8")


def _names_of(cells: Sequence[str]) -> list[str | None]:
    return [_COLUMN_NAMES.get(cell.strip().casefold()) for cell in cells]


def _names_columns(cells: Sequence[str], choices: Sequence[Names]) -> bool:
    """Whether a line says what its columns hold: the first two, or of more a source and a target
    among them."""
    names = _names_of(cells)
    among = any(one != other and {one, other} <= {*names} for one, other in choices)
    return len(names) > 1 and (None not in names[:2] or (len(names) > 2 and among))


def _order(header: Sequence[str], choices: Sequence[Names]) -> tuple[int, int]:
    """Places of the source and the target, which a header names: in the first two columns, or,
    where these are of one language or hold something else, in any."""
    names = _names_of(header)
    first, second = names[:2]
    if first == second or None in (first, second):
        for source, target in choices:
            if source != target and source in names and target in names:
                return names.index(source), names.index(target)
    return (1, 0) if first != second and (second, first) in choices else (0, 1)


def _find(path: str, number: int, cells: Sequence[str], columns: Names) -> tuple[int, int]:
    names = [clean(cell).strip().casefold() for cell in cells]
    try:
        source, target = (names.index(column.casefold()) for column in columns)
    except ValueError:
        raise _no_columns(path, number, cells, [columns]) from None
    return source, target


def _no_columns(
    path: str, line: int, names: Sequence[str], choices: Sequence[Names]
) -> HeadlightError:
    shown = ", ".join(f'"{clean(name[:40]).strip()}"' for name in names[:8])
    columns = _listed(choices)
    none = because("columns_none", columns=columns)
    reason = because("columns_other", columns=columns, found=shown) if shown else none
    return invalid_line(path, line, reason)


def _listed(choices: Sequence[Names]) -> Reason:
    """Names between which two are looked for."""
    pairs = [because("columns_both", first=one, second=two) for one, two in map(_quoted, choices)]
    return reduce(lambda one, other: because("columns_either", one=one, other=other), pairs)


def _quoted(names: Names) -> Names:
    return f'"{names[0]}"', f'"{names[1]}"'
