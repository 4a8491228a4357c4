"""`average`: one model of several that began alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import registry
from core.checkpoint.manifest import Storage
from core.cli.options import check_empty, named_fault
from core.errors import wrong
from core.reasons import because


def average(
    models: Annotated[
        list[str], typer.Argument(metavar="ID_OR_PATH...", help="Two models or more.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the folder.")],
    shares: Annotated[
        list[float] | None,
        typer.Option(
            "--share", min=0, max=1e6, help="Of each model in its order; equal if left out."
        ),
    ] = None,
    storage: Annotated[
        Storage, typer.Option("--storage", help="How weights are stored.")
    ] = "float16",
) -> None:
    """Write the mean of models that were trained from the same one.

    It often does better than each of them. Runs from seeds of their own mean nothing together.
    """
    from core.checkpoint.average import average as mean_of

    if len(models) < 2:
        raise wrong("models", models[0], because("models_few"))
    shared = shares or [1.0] * len(models)
    if len(shared) != len(models) or sum(shared) <= 0:
        told = " ".join(f"{share:g}" for share in shared)
        raise wrong("--share", told, because("shares_each", count=str(len(models))))
    check_empty(out)
    with named_fault("models", " ".join(models)):
        mean_of([registry.find_folder(name) for name in models], shared, out, storage)
    typer.echo(f"{out}: the mean of {len(models)} models")
