"""`distill`: pairs to train on, from texts and what several models make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import registry
from core.cli.options import Device
from core.cli.progress import progress
from core.cli.texts import read_texts
from core.cli.threads import wait_passively
from core.errors import HeadlightError
from core.reasons import because


def distill(
    texts: Annotated[
        Path, typer.Argument(metavar="FILE.txt", help="What shall be read, a text a line.")
    ],
    teachers: Annotated[
        list[str],
        typer.Option(
            "--teacher", metavar="ID_OR_PATH", help="A model of the direction; repeatable."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.tsv", help="Where to write pairs.")],
    likely: Annotated[
        float,
        typer.Option(
            "--likely",
            min=0.0,
            max=1.0,
            help="Pairs are kept whose tokens the teachers find at least this probable.",
        ),
    ] = 0.2,
    device: Device = None,
) -> None:
    """Make pairs to train on of texts: of what several models write, what all find likeliest."""
    wait_passively()
    from core.device import best_device
    from core.text.corpora import write_pairs
    from core.training.distillation import distill as taught_by

    place = best_device(device)
    opened = [registry.load(registry.find_folder(name), place) for name in teachers]
    ends = (opened[0].card.source_language, opened[0].card.target_language)
    for name, teacher in zip(teachers, opened, strict=True):
        if (teacher.card.source_language, teacher.card.target_language) != ends:
            reason = because("languages_unlike", source=ends[0], target=ends[1])
            raise HeadlightError("parameter_invalid", name="--teacher", value=name, reason=reason)
    lines = read_texts(texts)
    out.open("a").close()  # rather now than after hours
    with progress() as done:
        pairs = taught_by(lines, opened, likely, done)
    write_pairs(out, pairs)
    typer.echo(f"{out}: {len(pairs):,} pairs of {len(lines):,} texts")
