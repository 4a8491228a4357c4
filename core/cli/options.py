"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from core.errors import HeadlightError
from core.reasons import RefusedError

INTERRUPTED: Final = 130  # exit code: 128 + SIGINT, as shells report it

Model = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="ID_OR_DIR", help="A model id, or a checkpoint or Hugging Face folder."
    ),
]
Device = Annotated[
    str | None,
    typer.Option("--device", help="cuda, mps or cpu; the fastest one here if left out."),
]
Json = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]


@contextmanager
def named_fault(name: str, value: str) -> Iterator[None]:
    """What is refused within is the fault of this parameter."""
    try:
        yield
    except RefusedError as error:
        raise HeadlightError(
            "parameter_invalid", name=name, value=value, reason=error.reason
        ) from None
