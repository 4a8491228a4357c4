"""`train`: a recipe becomes a checkpoint folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from core.training.events import Event


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="The recipe of the run.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The folder to write.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after the last saved step.")
    ] = False,
) -> None:
    """Train a model; every event is also a line of DIR/events.jsonl."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from core.training import events
    from core.training.run import run

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("reading the data", total=None)
        for event in run(config, out, resume=resume):
            if isinstance(event, events.Started):
                progress.update(task, total=event.steps, completed=event.step, description="")
            elif isinstance(event, events.Progress):
                loss = f"loss {event.loss:.3f}, {event.tokens_per_second:,.0f} tokens/s"
                progress.update(task, completed=event.step, description=loss)
            if progress.disable:
                typer.echo(sentence(event))
            elif not isinstance(event, events.Progress):
                progress.console.print(sentence(event), markup=False, highlight=False)


def sentence(event: Event) -> str:
    """One line for people."""
    from core.training import events

    if isinstance(event, events.Started):
        return (
            f"{event.parameters:,} parameters, {event.vocabulary:,} entries, "
            f"{event.pairs:,} pairs, {event.device}; from step {event.step:,} to {event.steps:,}"
        )
    if isinstance(event, events.Progress):
        return (
            f"step {event.step:,}: loss {event.loss:.4f}, "
            f"{event.tokens_per_second:,.0f} tokens/s, rate {event.learning_rate:.2e}"
        )
    if isinstance(event, events.Validated):
        losses = ", ".join(f"{name} {loss:.4f}" for name, loss in event.losses.items())
        return f"step {event.step:,}: held out {losses or 'nothing'}"
    return f"step {event.step:,}: {event.folder} is a checkpoint now"
