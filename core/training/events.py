"""What a training run tells, as typed values and as lines of `events.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from core.reasons import Reason


@dataclass(frozen=True, slots=True)
class DataRead:
    """One corpus was read. Every row is in exactly one of the counts.

    Attributes:
        rows: that were there, blank ones not counted.
        bad: rows that are no pair; bad_rows words the first of them, "line 7: one column", and
            faults are the same for other languages, where a version was new enough to tell.
        repeated: pairs that stood there before.
        leaked: pairs left out because a stricter part has their source or target.
        too_long: training pairs beyond the recipe's max_source or max_target.
        train, valid, test: pairs of each part.
        unshown: training pairs that no epoch shows, of a corpus whose `repeat` is 0.
        single: its one pair is all that the run has, so it is learned by heart.
    """

    name: str
    path: str
    rows: int
    bad: int
    bad_rows: tuple[str, ...]
    repeated: int
    leaked: int
    too_long: int
    train: int
    valid: int
    test: int
    single: bool = False
    faults: tuple[Reason, ...] = ()
    unshown: int = 0


@dataclass(frozen=True, slots=True)
class Started:
    """The run begins, or goes on after `step`.

    Attributes:
        pairs: that an epoch shows.
        device: "cpu", "cuda" or "mps".
        processes: that share each update.
        precision: of its matrix products, "fp32" or "bf16"; None in runs of before it was told.
        gain: how many times as fast bf16 was as float32 when that was measured, 0 where it does
            not work; None where the recipe or a saved state said what to take.
    """

    step: int
    steps: int
    parameters: int
    vocabulary: int
    pairs: int
    device: str
    processes: int
    precision: str | None = None
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Means since the report before.

    Attributes:
        loss: nats a target token, as it is trained on: with label smoothing and dropout, so
            it cannot be compared with the losses of `Validated`.
        tokens_per_second: target tokens.
        gradient_norm: of the newest update, before clipping.
        seconds_left: until the last step, at this speed.
    """

    step: int
    loss: float
    tokens_per_second: float
    learning_rate: float
    gradient_norm: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Scores:
    """How a validation part fares.

    Attributes:
        loss: nats a target token, without smoothing or dropout.
        bleu, chrf: 0 to 100, greedy outputs; None of labels; exact: share of outputs that equal
            the reference, 0 to 1; None of language models. All three over the first `pairs` pairs.
    """

    loss: float
    bleu: float | None
    chrf: float | None
    exact: float | None
    pairs: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One validation pair, and what the model writes for it now."""

    source: str
    reference: str
    output: str


@dataclass(frozen=True, slots=True)
class Validated:
    """Scores on each validation part, by the corpus's name."""

    step: int
    scores: Mapping[str, Scores]
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """A run that is killed from here on goes on after this step."""

    step: int


@dataclass(frozen=True, slots=True)
class FellBack:
    """A saved state was damaged; the run goes on from one before it."""

    step: int
    reason: str


@dataclass(frozen=True, slots=True)
class Milestone:
    """The weights after this step are a checkpoint folder of their own."""

    step: int
    folder: str


@dataclass(frozen=True, slots=True)
class Best:
    """Never was the mean validation loss (nats a token) lower; its weights are kept."""

    step: int
    loss: float
    folder: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ends before its last step because it was asked to; its state is saved."""

    step: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The folder is now a checkpoint.

    Attributes:
        reason: "steps" when all were made, "patience" when the validation loss fell no more.
    """

    step: int
    folder: str
    reason: str = "steps"


@dataclass(frozen=True, slots=True)
class Failed:
    """The run ends with an error: the code and parameters of a `HeadlightError`."""

    step: int
    code: str
    parameters: Mapping[str, str | int | float | Reason]


Event = (
    DataRead
    | Started
    | Progress
    | Validated
    | Saved
    | FellBack
    | Milestone
    | Best
    | Stopped
    | Finished
    | Failed
)

_PARSERS: Final[dict[str, TypeAdapter[Any]]] = {
    kind.__name__.lower(): TypeAdapter(kind) for kind in get_args(Event)
}


def append_event(path: Path, event: Event) -> None:
    """One more line of `events.jsonl`, with the event's name under "event"."""
    line = {"event": type(event).__name__.lower(), **asdict(event)}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def mend_events(path: Path) -> None:
    """Take away the half of a line that a killed run may have left at the end."""
    with suppress(FileNotFoundError), path.open("r+b") as file:
        whole = file.read().rfind(b"\n") + 1
        file.truncate(whole)


def read_events(path: Path) -> tuple[Event, ...]:
    """The story of a run, told once.

    What a run told after the step from which it later went on again is left out: it is told
    again. So are a line that is not whole yet, and events of a newer version. A file that is
    missing holds none.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    events: list[Event] = []
    for line in lines[:-1]:
        event = parse_event(line)
        if isinstance(event, Started):
            events = [past for past in events if _happened_by(past, event.step)]
        if event is not None:
            events.append(event)
    return tuple(events)


def parse_event(line: bytes) -> Event | None:
    """One line of `events.jsonl`; None for what is not whole, or of a newer version."""
    try:
        values = json.loads(line)
        event: Event = _PARSERS[values.pop("event")].validate_python(values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError):
        return None
    return event


def _happened_by(event: Event, step: int) -> bool:
    """Whether an event of an earlier attempt still holds for a run that goes on after `step`."""
    if isinstance(event, DataRead | Stopped | Failed):
        return False
    return event.step <= step
