"""Where pairs stand: a file, a folder, a dataset; and their rows, whichever it is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Final, Literal, NamedTuple

from core.errors import HeadlightError, unreadable
from core.reasons import Reason, because, of_system
from core.text import hub
from core.text.apart import Task, rows_apart
from core.text.formats import Names, Row, jsonl_rows, tsv_rows

_TEXT: Final = (".tsv", ".txt", ".csv")
_JSON: Final = (".jsonl", ".ndjson", ".json")
_PARQUET: Final = ".parquet"
_IN_FOLDERS: Final = (".tsv", ".jsonl", _PARQUET)
_MOST_FILES: Final = 100_000  # in a folder, of any kind: more is a whole disk, named by mistake


@dataclass(frozen=True, slots=True)
class Source:
    """Where pairs stand.

    Attributes:
        path: a TSV, JSONL or Parquet file; a folder of such files, or one that the library
            `datasets` saved; or the id of a Hugging Face dataset, owner/name.
        columns: names of the two columns. Where left out: of TSV the first two, in the order
            that a header tells; elsewhere "source" and "target", or those named by `languages`.
        languages: codes of the source's and the target's language; of such as "en-GB" "en" does.
        subset, split: of a dataset of the Hub; a saved one has splits, too, and of a folder split
            picks the files named by it.
        reverse: the second column is the source; columns named by `languages` need none.
        content: what stands in the file, where there is none; `path` is then its name alone.
    """

    path: str
    columns: Names | None = None
    languages: Names | None = None
    subset: str | None = None
    split: str | None = None
    reverse: bool = False
    content: bytes | None = None

    @property
    def choices(self) -> tuple[Names, ...]:
        """Names under which a pair may stand, in the order in which they are looked for."""
        if self.columns is not None:
            return (self.columns,)
        if self.languages is None:
            return (("source", "target"),)
        # Swapped twice, they stand as they should: a language says by itself which side it is.
        source, target = self.languages[::-1] if self.reverse else self.languages
        plain = primary(source), primary(target)
        named = ((source, target), plain) if len(set(plain)) == 2 else ((source, target),)
        return tuple(dict.fromkeys((("source", "target"), *named)))


def primary(language: str) -> str:
    """What a BCP 47 tag begins with: the language, without where and how it is written."""
    return language.split("-")[0].casefold()


class Place(NamedTuple):
    """Where rows stand: a file as errors name it, and as its folder does, and what a row is."""

    path: str
    within: str
    unit: str

    def reason(self, number: int, fault: Reason) -> Reason:
        """What is wrong with a row, and where it stands: "train.tsv line 7: one column"."""
        at = because("row_at", number=number, fault=fault)
        if self.unit == "line":
            at = because("line_at", number=number, fault=fault)
        return because("within", file=self.within, reason=at) if self.within else at


def find_rows(source: Source) -> Iterator[tuple[Place, Row]]:
    """Every row of a source, and where it stands.

    Raises:
        HeadlightError: file_missing, file_unreadable, data_invalid when the columns are not
            there; of datasets also as `hub.hub_rows`.
    """
    path = Path(source.path)
    if source.content is not None:
        with TemporaryFile() as file:
            file.write(source.content)
            yield from _rows(source, source.path, "", file)
    elif source.subset is not None and os.path.exists(source.path):
        raise unreadable(source.path, because("subsets_none"))
    elif os.path.isdir(source.path) and hub.is_saved(path):
        yield from _table(source, "saved", str(path.absolute()))
    elif os.path.isdir(source.path):
        for one in _files(source, path):
            yield from _file_rows(source, one, one.relative_to(path).as_posix())
    elif os.path.exists(source.path):
        if source.split is not None:
            raise unreadable(source.path, because("splits_file"))
        yield from _file_rows(source, path, "")
    elif hub.is_id(source.path) and path.suffix.lower() not in (*_TEXT, *_JSON, _PARQUET):
        yield from _table(source, "hub", source.path)
    else:
        raise HeadlightError("file_missing", path=source.path)


def _table(source: Source, kind: Literal["saved", "hub"], path: str) -> Iterator[tuple[Place, Row]]:
    task = Task(kind, path, source.choices, source.subset, source.split)
    return _placed(Place(source.path, "", "row"), rows_apart(task))


def _files(source: Source, folder: Path) -> list[Path]:
    """The files of pairs in a folder and its folders, by name."""
    named = re.compile(rf"{re.escape(source.split or '')}(?![A-Za-z])")
    walk = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    everything = list(islice(walk, _MOST_FILES + 1))
    if len(everything) > _MOST_FILES:
        raise unreadable(folder, because("files_many", limit=_MOST_FILES))
    found = [
        path
        for path in sorted(everything)
        if path.suffix.lower() in _IN_FOLDERS
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and (source.split is None or any(map(named.match, path.relative_to(folder).parts)))
        and path.is_file()
    ]
    if not found:
        known, split = ", ".join(_IN_FOLDERS), source.split
        if split is None:
            raise unreadable(folder, because("files_none", known=known))
        raise unreadable(folder, because("files_none_of", known=known, split=split))
    return found


def _file_rows(source: Source, path: Path, within: str) -> Iterator[tuple[Place, Row]]:
    if not path.is_file():  # a pipe would wait for ever, a device never end
        raise unreadable(path, because("file_odd"))
    try:
        with path.open("rb") as file:
            yield from _rows(source, str(path), within, file)
    except OSError as error:
        raise unreadable(path, of_system(error)) from error


def _rows(source: Source, path: str, within: str, file: BinaryIO) -> Iterator[tuple[Place, Row]]:
    """Rows of an open file: its name says of what kind it is, or else how it begins."""
    file.seek(0)
    start = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    file.seek(0)
    suffix = Path(path).suffix.lower()
    if suffix == _PARQUET or start.startswith(b"PAR1"):
        rows = rows_apart(Task("parquet", path, source.choices), file)
        return _placed(Place(path, within, "row"), rows)
    if suffix in _JSON or (suffix not in _TEXT and start.startswith(b"{")):
        rows = jsonl_rows(path, file, source.choices)
    else:
        rows = tsv_rows(path, file, source.columns, source.choices)
    return _placed(Place(path, within, "line"), rows)


def _placed(place: Place, rows: Iterable[Row]) -> Iterator[tuple[Place, Row]]:
    return ((place, row) for row in rows)
