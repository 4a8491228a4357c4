"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from core.errors import wrong
from core.model import Sampling
from core.reasons import RefusedError, because

INTERRUPTED: Final = 130  # exit code: 128 + SIGINT, as shells report it

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="ID_OR_PATH",
        help="A model id, a checkpoint or Hugging Face folder, or a GGUF file.",
    ),
]
Device = Annotated[
    str | None,
    typer.Option("--device", help="cuda, mps or cpu; the fastest one here if left out."),
]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample", metavar="SEED", help="Draw what is written, by this seed; greedy without."
    ),
]
Temperature = Annotated[
    float, typer.Option("--temperature", help="Of --sample: what logits are divided by, 0 to 2.")
]
TopP = Annotated[
    float,
    typer.Option(
        "--top-p", help="Of --sample: draw from the likeliest tokens of this share, above 0 to 1."
    ),
]
Message = Annotated[
    bool,
    typer.Option(
        "--message", help="Read it as a user's message, within the model's chat template."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]


def sampling_of(seed: int | None, temperature: float, top_p: float) -> Sampling | None:
    """By what chance is written; None for greedily.

    Raises:
        HeadlightError: parameter_invalid.
    """
    if seed is None:
        return None
    with named_fault("--sample", f"{seed} --temperature {temperature:g} --top-p {top_p:g}"):
        return Sampling(seed, temperature, top_p)


def check_empty(out: Path) -> None:
    """That a folder may be written there: nothing of anybody's is lost.

    Raises:
        HeadlightError: parameter_invalid, where something is there.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise wrong("--out", str(out), because("folder_full"))


@contextmanager
def named_fault(name: str, value: str) -> Iterator[None]:
    """What is refused within is the fault of this parameter."""
    try:
        yield
    except RefusedError as error:
        raise wrong(name, value, error.reason) from None
