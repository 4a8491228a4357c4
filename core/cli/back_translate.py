"""`back-translate`: pairs to train on, from texts of one language."""

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


def back_translate(
    texts: Annotated[
        Path, typer.Argument(metavar="FILE.txt", help="What shall be written, a text a line.")
    ],
    through: Annotated[
        str,
        typer.Option(
            "--through", metavar="ID_OR_PATH", help="The model that makes sources of the texts."
        ),
    ],
    checked_by: Annotated[
        str,
        typer.Option(
            "--checked-by", metavar="ID_OR_PATH", help="A model of the direction to be trained."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.tsv", help="Where to write pairs.")],
    likely: Annotated[
        float,
        typer.Option(
            "--likely",
            min=0.0,
            max=1.0,
            help="Pairs are kept whose tokens are at least this probable in each direction.",
        ),
    ] = 0.2,
    device: Device = None,
) -> None:
    """Make pairs to train on of texts: what a model of the other direction makes of them."""
    wait_passively()
    from core.device import best_device
    from core.text.corpora import write_pairs
    from core.training.back_translation import back_translate as made_of

    place = best_device(device)
    forth, back = (
        registry.load(registry.find_folder(name), place) for name in (through, checked_by)
    )
    ends = (back.card.target_language, back.card.source_language)
    if (forth.card.source_language, forth.card.target_language) != ends:
        reason = because("languages_apart", source=ends[0], target=ends[1])
        raise HeadlightError("parameter_invalid", name="--through", value=through, reason=reason)
    lines = read_texts(texts)
    out.open("a").close()  # rather now than after hours
    with progress() as done:
        pairs = made_of(lines, forth, back, likely, done)
    write_pairs(out, pairs)
    typer.echo(f"{out}: {len(pairs):,} pairs of {len(lines):,} texts")
