"""`train`: a recipe becomes a checkpoint folder."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import typer

from core.cli.memory import keep_freed_memory
from core.cli.options import INTERRUPTED, Device
from core.training import events

_SINGLE: Final = (
    "  the data set holds a single pair: the model will learn it by heart, "
    "which proves nothing about other sentences"
)


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="The recipe of the run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="The folder to write; left out, the recipe's model_id in runs/ (HEADLIGHT_RUNS).",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after the last saved step.")
    ] = False,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write DIR/tensorboard.")
    ] = False,
    device: Device = None,
) -> None:
    """Train a model; every event is also a line of DIR/events.jsonl.

    Ctrl-C saves and ends, a second one ends at once. Under torchrun several processes share
    the work of each update.
    """
    from core.training.run import run

    keep_freed_memory()
    with _interruptions() as asked:
        story = run(config, out, resume=resume, tensorboard=tensorboard, device=device, asked=asked)
        if isinstance(_show(story), events.Stopped) and asked():
            raise typer.Exit(INTERRUPTED)


@contextmanager
def _interruptions() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C or SIGTERM came; a second one does what it always does."""
    caught = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        caught.set()
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, note)
    try:
        yield caught.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _show(story: Iterable[events.Event]) -> events.Event | None:
    """Print each event as it comes: lines, and on a terminal a bar with the time left.

    Returns:
        The last one.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    event: events.Event | None = None
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("reading the data", total=None)
        for event in story:
            if isinstance(event, events.Started):
                progress.update(task, total=event.steps, completed=event.step, description="")
            elif isinstance(event, events.Progress):
                figures = _figures(event)
                progress.update(task, completed=event.step, description=figures)
            for line in sentences(event):
                if progress.disable:
                    typer.echo(line)
                elif not isinstance(event, events.Progress):
                    progress.console.print(line, markup=False, highlight=False)
    return event


def sentences(event: events.Event) -> list[str]:
    """An event for people: a line, some or none."""
    match event:
        case events.DataRead():
            return _data(event)
        case events.Started():
            place = event.device if event.processes == 1 else f"{event.processes} x {event.device}"
            return [
                f"{event.parameters:,} parameters, {event.vocabulary:,} entries, "
                f"{event.pairs:,} pairs, {place}; "
                f"from update {event.step:,} to {event.steps:,}",
                *_precision(event),
            ]
        case events.Progress():
            return [f"update {event.step:,}: {_figures(event)}"]
        case events.Validated():
            return [
                f"update {event.step:,}: {name}: loss {found.loss:.4f}{_answers(found)}"
                for name, found in event.scores.items()
            ]
        case events.Best():
            return [f"update {event.step:,}: the best so far is in {event.folder}"]
        case events.FellBack():
            return [f"{event.reason} is damaged: going on after update {event.step:,}"]
        case events.Stopped():
            return [f"update {event.step:,}: stopped and saved; go on with --resume"]
        case events.Finished():
            return [f"update {event.step:,}: {event.folder} is a checkpoint now"]
        case _:  # errors are told by whoever catches them, the rest by events.jsonl alone
            return []


def _answers(found: events.Scores) -> str:
    """How many were right, and of texts how much of them; of what has no answers nothing."""
    if found.exact is None:
        return f" of {found.pairs}"
    overlap = ""
    if found.bleu is not None and found.chrf is not None:
        overlap = f", BLEU {found.bleu:.2f}, chrF {found.chrf:.2f}"
    return f"{overlap}, exact {found.exact:.1%} of {found.pairs}"


def _data(event: events.DataRead) -> list[str]:
    left_out = {
        "bad": event.bad,
        "repeated": event.repeated,
        "too long": event.too_long,
        "never shown": event.unshown,
        "too close to a held-out pair": event.leaked,
    }
    parts = f"{event.train:,} to train on, {event.valid:,} valid, {event.test:,} test"
    rest = "".join(f", {count:,} {what}" for what, count in left_out.items() if count)
    lines = [f"{event.name}: {event.rows:,} rows: {parts}{rest}"]
    lines += [f"  {event.path} {row}" for row in event.bad_rows]
    return [*lines, _SINGLE] if event.single else lines


def _precision(event: events.Started) -> list[str]:
    if event.gain is None:
        return [f"matrix products in {event.precision}"]
    compared = f"{event.gain:.2f} times as fast as fp32" if event.gain else "not at work"
    return [f"matrix products in {event.precision}: bf16 is {compared} here"]


def _figures(event: events.Progress) -> str:
    minutes, seconds = divmod(round(event.seconds_left), 60)
    return (
        f"loss {event.loss:.4f}, {event.tokens_per_second:,.0f} tokens/s, "
        f"rate {event.learning_rate:.2e}, {minutes // 60}:{minutes % 60:02}:{seconds:02} left"
    )
