"""What a training run tells, as typed values and as lines of `events.jsonl`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Started:
    """The run begins, or goes on after `step`."""

    step: int
    steps: int
    parameters: int
    vocabulary: int
    pairs: int
    device: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Since the report before: mean loss (nats a token), target tokens a second.

    The loss is the one that is trained on: with label smoothing and dropout, so it cannot be
    compared with that of `Validated`.
    """

    step: int
    loss: float
    tokens_per_second: float
    learning_rate: float


@dataclass(frozen=True, slots=True)
class Validated:
    """Loss on each held-out part, in nats a token, without smoothing."""

    step: int
    losses: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Finished:
    """The folder is now a checkpoint."""

    step: int
    folder: str


Event = Started | Progress | Validated | Finished


def append_event(path: Path, event: Event) -> None:
    """One more line of `events.jsonl`, with the event's name under "event"."""
    line = {"event": type(event).__name__.lower(), **dataclasses.asdict(event)}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
