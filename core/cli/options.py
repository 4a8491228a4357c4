"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

INTERRUPTED: Final = 130  # exit code: 128 + SIGINT, as shells report it

Model = Annotated[
    str | None,
    typer.Option("--model", metavar="ID_OR_DIR", help="A model id or a checkpoint folder."),
]
Device = Annotated[
    str | None,
    typer.Option("--device", help="cuda, mps or cpu; the fastest one here if left out."),
]
Json = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]
