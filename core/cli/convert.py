"""`convert`: a model of ours as other libraries open it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import registry
from core.cli.options import Model
from core.cli.threads import wait_passively
from core.errors import HeadlightError
from core.reasons import RefusedError, because


def convert(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the folder.")],
    model: Model = None,
) -> None:
    """Write a Transformer of ours as a MarianMT folder, which transformers opens."""
    wait_passively()
    folder = registry.find_folder(registry.default_model_id() if model is None else model)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        reason = because("folder_full")
        raise HeadlightError("parameter_invalid", name="--out", value=str(out), reason=reason)
    import torch

    from core.checkpoint.folder import load
    from core.families.hub.marian import write_marian
    from core.nn.transformer import Transformer

    checkpoint = load(folder, torch.device("cpu"))
    name = folder.resolve().name
    try:
        if not isinstance(checkpoint.model, Transformer):
            raise RefusedError("marian_none")
        write_marian(checkpoint, out)
    except RefusedError as error:
        raise HeadlightError(
            "parameter_invalid", name="--model", value=name, reason=error.reason
        ) from error
    typer.echo(f"{out}: {name} as a MarianMT folder")
