"""`back-translate`: pairs to train on, from texts of one language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.options import Device
from core.cli.pairs import Likely, Out, open_writer, write_made
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
    out: Out,
    likely: Likely = 0.2,
    device: Device = None,
) -> None:
    """Make pairs to train on of texts: what a model of the other direction makes of them."""
    wait_passively()
    from core.training.back_translation import back_translate as made_of

    forth, back = (open_writer(name, device) for name in (through, checked_by))
    ends = (back.card.target_language, back.card.source_language)
    if (forth.card.source_language, forth.card.target_language) != ends:
        reason = because("languages_apart", source=ends[0], target=ends[1])
        raise HeadlightError("parameter_invalid", name="--through", value=through, reason=reason)
    write_made(texts, out, lambda lines, done: made_of(lines, forth, back, likely, done))
