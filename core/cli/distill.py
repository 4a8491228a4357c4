"""`distill`: pairs to train on, from texts and what several models make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.options import Device
from core.cli.pairs import Likely, Out, open_writer, write_made
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
    out: Out,
    likely: Likely = 0.2,
    device: Device = None,
) -> None:
    """Make pairs to train on of texts: of what several models write, what all find likeliest."""
    wait_passively()
    from core.training.distillation import distill as taught_by

    opened = [open_writer(name, device) for name in teachers]
    ends = (opened[0].card.source_language, opened[0].card.target_language)
    for name, teacher in zip(teachers, opened, strict=True):
        if (teacher.card.source_language, teacher.card.target_language) != ends:
            reason = because("languages_unlike", source=ends[0], target=ends[1])
            raise HeadlightError("parameter_invalid", name="--teacher", value=name, reason=reason)
    write_made(texts, out, lambda lines, done: taught_by(lines, opened, likely, done))
