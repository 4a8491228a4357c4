"""Options that several commands share, and the model that they name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from core import registry
from core.errors import wrong
from core.families.hub.folder import is_hub
from core.families.hub.trial import tried
from core.model import TEMPERATURE, TOP_P, Inspectable, Sampling
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
Beam = Annotated[int, typer.Option("--beam", min=1, max=16, help="Width of the beam; 1 is greedy.")]
Json = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]


def open_model(
    model: str | Path | None, device: str | None, *, message: bool = False
) -> Inspectable:
    """A model; where messages are read, with what a trial found that its template puts there.

    Raises:
        HeadlightError: as `registry.load`; device_unknown.
    """
    folder = registry.find_folder(model)  # before torch is waited for
    from core.device import best_device

    template = tried(folder).template if message and is_hub(folder) else None
    return registry.load(folder, best_device(device), template)


def open_writer(
    model: str | Path | None, device: str | None, *, message: bool = False
) -> Inspectable:
    """The same of a model that writes.

    Raises:
        HeadlightError: as `open_model`; unsupported, for one that only reads, or tells no more
            than what is hidden of a text.
    """
    opened = open_model(model, device, message=message)
    from core.families.refusing import unsupported

    if opened.card.answers == "tokens" and not opened.card.capabilities.sampling:
        raise unsupported(opened.card, because("writing"))
    return opened


def sampling_of(seed: int | None, temperature: float, top_p: float) -> Sampling | None:
    """By what chance is written; None for greedily.

    Raises:
        HeadlightError: parameter_invalid; also for what says how to draw where nothing is drawn.
    """
    if seed is None:
        for name, value, usual in (
            ("--temperature", temperature, TEMPERATURE),
            ("--top-p", top_p, TOP_P),
        ):
            if value != usual:
                raise wrong(name, f"{value:g}", because("sample_wanted"))
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
