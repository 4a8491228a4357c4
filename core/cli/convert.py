"""`convert`: a model of ours as other libraries open it, and theirs as one of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import registry
from core.cli.options import Model, check_empty, named_fault
from core.families.hub.folder import claimed, is_hub
from core.families.hub.trial import tried
from core.reasons import RefusedError

_MARIAN = "marian"


def convert(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the folder.")],
    model: Model = None,
) -> None:
    """Write a Transformer of ours as a MarianMT folder, or a MarianMT folder as a checkpoint.

    Which of the two is decided by what --model is: a checkpoint of ours becomes a folder that
    transformers opens, and a MarianMT folder (such as opus-mt) a model of ours, to be searched,
    edited and trained further as any.
    """
    folder = registry.find_folder(model)
    check_empty(out)
    name = folder.resolve().name
    with named_fault("--model", name):
        if is_hub(folder):
            _read(folder, out)
            typer.echo(f"{out}: {name} as a checkpoint of ours")
        else:
            _write(folder, out)
            typer.echo(f"{out}: {name} as a MarianMT folder")


def _write(folder: Path, out: Path) -> None:
    import torch

    from core.checkpoint.folder import load
    from core.families.hub.marian_folder import write_marian
    from core.nn.transformer import Transformer

    checkpoint = load(folder, torch.device("cpu"))
    if not isinstance(checkpoint.model, Transformer):
        raise RefusedError("marian_none")
    write_marian(checkpoint, out)


def _read(folder: Path, out: Path) -> None:
    claim = claimed(folder)
    if claim.kind != _MARIAN:
        raise RefusedError("marian_other", name=claim.architecture or claim.kind)
    tried(folder)
    from core.checkpoint.folder import save
    from core.families.hub.marian_folder import read_marian

    found = read_marian(folder)
    save(out, found.config, found.model, found.tokenizer, step=0, seed=0, card=found.card)
