"""`back-translate`, `distill`: pairs to train on, of texts of one language in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.options import Beam, Device, named_fault, open_model
from core.cli.progress import progress
from core.errors import reading, unreadable, wrong
from core.reasons import because, reason_of

if TYPE_CHECKING:
    from core.model import Done, Inspectable
    from core.text.corpora import Pair

Out = Annotated[Path, typer.Option("--out", metavar="FILE.tsv", help="Where to write pairs.")]
Likely = Annotated[
    float,
    typer.Option(
        "--likely",
        min=0.0,
        max=1.0,
        help="Pairs are kept whose tokens the models asked find at least this probable.",
    ),
]


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
    from core.training.back_translation import back_translate as made_of

    forth, back = (_answering(name, device) for name in (through, checked_by))
    ends = (back.card.target_language, back.card.source_language)
    if (forth.card.source_language, forth.card.target_language) != ends:
        reason = because("languages_apart", source=ends[0], target=ends[1])
        raise wrong("--through", through, reason)
    with named_fault("--checked-by", checked_by):  # where it answers by labels: others than these
        _write_made(texts, out, lambda lines, done: made_of(lines, forth, back, likely, done))


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
    beam: Beam = 1,
    device: Device = None,
) -> None:
    """Make pairs to train on of texts: of what several models write, what all find likeliest."""
    from core.training.distillation import distill as taught_by

    opened = [_answering(name, device) for name in teachers]
    ends = (opened[0].card.source_language, opened[0].card.target_language)
    for name, teacher in zip(teachers, opened, strict=True):
        if (teacher.card.source_language, teacher.card.target_language) != ends:
            reason = because("languages_unlike", source=ends[0], target=ends[1])
            raise wrong("--teacher", name, reason)

    def made_of(lines: list[str], done: Done) -> list[Pair]:
        return taught_by(lines, opened, likely, done, beam=beam)

    with named_fault("--teacher", ", ".join(teachers)):  # where one knows no label of another
        _write_made(texts, out, made_of)


def _answering(name: str, device: str | None) -> Inspectable:
    """A model that answers a text by another, and says how likely it finds any such answer.

    Raises:
        HeadlightError: as `open_model`; unsupported, for one that foretells a text's own tokens.
    """
    opened = open_model(name, device)
    from core.families.refusing import unsupported

    if opened.card.answers == "tokens":
        raise unsupported(opened.card, because("answering"))
    return opened


def _write_made(path: Path, out: Path, make: Callable[[list[str], Done], list[Pair]]) -> None:
    """Write the pairs that `make` makes of a file's texts, and say how many.

    Args:
        path: a text a line; empty lines are none.
        make: given the texts, and what to tell how far it is.

    Raises:
        HeadlightError: no such file, or no UTF-8 text; parameter_invalid, where it would be
            written over.
    """
    from core.text.corpora import write_pairs

    texts = _read(path)
    if out.exists() and out.samefile(path):  # what is read would be lost
        raise wrong("--out", str(out), because("folder_full"))
    began = not out.exists()
    out.open("a").close()  # rather now than after hours
    try:
        with progress() as done:
            pairs = make(texts, done)
    except BaseException:
        if began:
            out.unlink()
        raise
    write_pairs(out, pairs)
    typer.echo(f"{out}: {len(pairs):,} pairs of {len(texts):,} texts")


def _read(path: Path) -> list[str]:
    try:
        with reading(path):
            lines = path.read_text("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise unreadable(path, reason_of(error)) from error
    return [" ".join(line.split()) for line in lines if line.strip()]
