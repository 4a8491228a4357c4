"""What the commands of `study` share: a line of progress, and JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from core.cli.progress import progress as bar


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """What to call with (finished, all) steps: a bar in a terminal, else lines "3/16" of stderr."""
    if not sys.stderr.isatty():
        yield _told
        return
    with bar("Measuring") as done:
        yield done


def _told(finished: int, all: int) -> None:
    """A line for each part in a hundred, at most."""
    if 100 * finished // all > 100 * (finished - 1) // all:
        print(f"{finished}/{all}", file=sys.stderr, flush=True)


def as_line(name: str, options: Mapping[str, Any], found: Any) -> str:
    """One line; numbers as exact as they can be read off a figure."""
    told = {"study": name, "options": dict(options)} | dataclasses.asdict(found)
    return json.dumps(_short(told), allow_nan=False)


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_short(one) for one in value]
    return value
