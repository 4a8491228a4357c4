"""Tables are read in a short-lived process of their own.

One wrong byte in a Parquet or Arrow file can end the whole process that reads it (measured: an
uncaught error in its C++), and a small one can unpack to any size. Here such a file costs its
reader alone, and the libraries that it takes are never loaded into the server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal

from pydantic import TypeAdapter

from core import settings
from core.errors import HeadlightError, unreadable
from core.reasons import Reason, because
from core.text.formats import Names, Row, parquet_rows
from core.text.hub import hub_rows, saved_rows
from core.told import error_of, told_of

_MEMORY: Final = 3 * 2**30  # bytes of address space; a batch of a sound file takes a tenth
_SECONDS: Final = 600  # of CPU time
_FAULT: Final = TypeAdapter(Reason)  # why a row is no pair


@dataclass(frozen=True, slots=True)
class Task:
    """What to read.

    Attributes:
        kind: "parquet" reads the process's standard input, and `path` is its name alone.
        choices, subset, split: as for `hub_rows`.
    """

    kind: Literal["parquet", "saved", "hub"]
    path: str
    choices: tuple[Names, ...]
    subset: str | None = None
    split: str | None = None


def rows_apart(task: Task, file: BinaryIO | None = None) -> Iterator[Row]:
    """The rows of a table.

    Args:
        file: of a Parquet file, opened and with a file descriptor.

    Raises:
        HeadlightError: as `parquet_rows`, `saved_rows` and `hub_rows`; file_unreadable when
            the table ends its reader.
    """
    reader = subprocess.Popen(
        [sys.executable, "-m", __name__, json.dumps(asdict(task))],
        cwd=settings.CODE,
        stdin=subprocess.DEVNULL if file is None else file,
        stdout=subprocess.PIPE,
        # Only a download has something to show.
        stderr=None if task.kind == "hub" else subprocess.DEVNULL,
    )
    with reader:
        try:
            assert reader.stdout is not None
            for number, line in enumerate(reader.stdout, start=1):
                match json.loads(line):
                    case [source, target]:
                        yield number, (source, target)
                    case {"fault": fault}:
                        yield number, _FAULT.validate_python(fault)
                    case {"code": _} as told:
                        raise error_of(told)
                    case _:
                        return
        except ValueError:  # half a line
            pass
        finally:
            reader.kill()
    raise unreadable(task.path, because("damaged"))


def _main() -> None:
    """Write each row as a line of JSON; at the end null, or what went wrong."""
    # What libraries print must not stand among the rows.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    values = json.loads(sys.argv[1])
    task = Task(**{**values, "choices": tuple(map(tuple, values["choices"]))})
    end: object = None
    try:
        for _, cells in _rows(task):
            told = {"fault": asdict(cells)} if isinstance(cells, Reason) else cells
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
    except HeadlightError as error:
        end = told_of(error)
    out.write(json.dumps(end) + "\n")
    out.flush()


def _rows(task: Task) -> Iterator[Row]:
    match task.kind:
        case "parquet":
            _bound()
            sys.stdin.buffer.seek(0)  # whoever opened it has looked at how it begins
            return parquet_rows(task.path, sys.stdin.buffer, task.choices)
        case "saved":
            return saved_rows(Path(task.path), task.choices, task.split)
        case "hub":
            return hub_rows(task.path, task.choices, task.subset, task.split)


def _bound() -> None:
    """Limit what a hostile file may take, on systems that can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


if __name__ == "__main__":
    _main()
