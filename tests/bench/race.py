"""Contenders side by side: one process, one thread, the processor's clock, the same rounds."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who does the same work as the others.

    Attributes:
        name: as the table prints it.
        work: does the work of one round, given its number from 0 on.
    """

    name: str
    work: Callable[[int], object]


class Spread(NamedTuple):
    """A median, and the quartiles on either side of it."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of one value or more."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds that a contender took, round by round."""

    name: str
    seconds: tuple[float, ...]

    def speed(self, units: Sequence[float]) -> float:
        """Median of units a second, given the units of each round."""
        pairs = zip(units, self.seconds, strict=True)
        return statistics.median(unit / seconds for unit, seconds in pairs)

    def times_as_fast_as(self, other: Timing) -> Spread:
        """How often this one does the work while the other does it once, round by round."""
        pairs = zip(other.seconds, self.seconds, strict=True)
        return Spread.of([theirs / mine for theirs, mine in pairs])


def race(
    contenders: Sequence[Contender],
    rounds: int,
    *,
    clock: Callable[[], float] = time.process_time,
    told: Callable[[], None] = lambda: None,
) -> tuple[Timing, ...]:
    """Let all do the work of each round, one after another.

    Each round starts with somebody else, so that nobody always runs on a warm or on a cold
    cache. A first round is run and not counted. No garbage is collected while the clock runs.

    Args:
        rounds: that are counted, 1 or more.
        clock: seconds; time of this process alone, other processes take nothing from it.
        told: called after each turn.

    Returns:
        In the order of the contenders.
    """
    seconds: list[list[float]] = [[] for _ in contenders]
    for number in range(-1, rounds):
        for turn in range(len(contenders)):
            place = (turn + number) % len(contenders)
            gc.collect()
            gc.disable()
            try:
                began = clock()
                contenders[place].work(max(number, 0))
                ended = clock()
            finally:
                gc.enable()
            if number >= 0:
                seconds[place].append(ended - began)
            told()
    return tuple(
        Timing(contender.name, tuple(own))
        for contender, own in zip(contenders, seconds, strict=True)
    )
