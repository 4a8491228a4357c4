"""How far a command is that writes many outputs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model import Done


@contextmanager
def progress(doing: str = "Translating") -> Iterator[Done]:
    """A bar on a terminal, told (finished, all); elsewhere nothing."""
    from rich.console import Console
    from rich.progress import Progress

    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda finished, all: bar.update(task, completed=finished, total=all)
