"""How much of what people type first a model translates as a teacher accepts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.checkpoint.calibration import Sure
from core.errors import HeadlightError
from core.model import Done, Inspectable, untold
from core.outputs import rarest
from core.text.accepted import Asked


@dataclass(frozen=True, slots=True)
class Judged:
    """A text of a list, and what a model made of it."""

    asked: Asked
    output: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some rows are accepted."""

    accepted: int
    rows: int


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A model judged by a list, whose order `judged` has."""

    judged: tuple[Judged, ...]

    @property
    def all(self) -> Share:
        """Of the whole list."""
        return Share(sum(one.accepted for one in self.judged), len(self.judged))

    @property
    def kinds(self) -> dict[str, Share]:
        """By kind, in the order in which the list has them."""
        rows = Counter(one.asked.kind for one in self.judged)
        right = Counter(one.asked.kind for one in self.judged if one.accepted)
        return {kind: Share(right[kind], count) for kind, count in rows.items()}

    @property
    def refused(self) -> tuple[Judged, ...]:
        """What was not accepted."""
        return tuple(one for one in self.judged if not one.accepted)


def certainties(
    model: Inspectable, rows: Sequence[Asked], *, done: Done = untold
) -> tuple[Sure, ...]:
    """Of each text of a list that something is written for, greedily.

    Args:
        done: called with (finished, all) rows.
    """
    found = []
    for number, row in enumerate(rows, start=1):
        with suppress(HeadlightError):  # a text that is too long tells nothing
            output = model.generate(row.source)
            if output.certainty is not None:
                seen = rarest(model.familiarity(row.source))
                found.append(Sure(output.certainty, row.accepts(output.text), seen))
        done(number, len(rows))
    return tuple(found)


def judge(
    model: Inspectable, rows: Sequence[Asked], *, beam: int = 1, done: Done = untold
) -> Acceptance:
    """Have every text translated, and each output judged by what is accepted of it.

    Args:
        beam: 1 is greedy.
        done: called with (finished, all) rows as outputs are written.
    """
    outputs = model.generate_all([row.source for row in rows], beam=beam, done=done)
    return Acceptance(
        tuple(
            Judged(row, output.strip(), row.accepts(output))
            for row, output in zip(rows, outputs, strict=True)
        )
    )
