"""What was measured: rows, as a table for people and as JSON for machines."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tests.bench.race import Spread, Timing


@dataclass(frozen=True, slots=True)
class Row:
    """One contender at one piece of work.

    Attributes:
        section: "training", "decoding" or "capture".
        work: what was done, in words.
        contender: who did it.
        speed: median, in `unit`.
        ratio: how often this contender does the work while the yardstick does it once.
        target: what `ratio` should reach, if anything.
        seconds: CPU time of each round.
    """

    section: str
    work: str
    contender: str
    speed: float
    unit: str
    ratio: Spread
    target: float | None
    seconds: tuple[float, ...]

    @property
    def met(self) -> bool:
        return self.target is None or self.ratio.median >= self.target


def rows(
    section: str,
    work: str,
    timings: Sequence[Timing],
    units: Sequence[float],
    unit: str,
    targets: dict[str, float],
) -> Iterable[Row]:
    """A row for each contender; the first one is the yardstick.

    Args:
        units: that each round was made of.
        targets: by the contender's name.
    """
    for timing in timings:
        yield Row(
            section,
            work,
            timing.name,
            timing.speed(units),
            unit,
            timing.times_as_fast_as(timings[0]),
            targets.get(timing.name),
            timing.seconds,
        )


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it was measured.

    Attributes:
        load: the system's load average over the last minute; CPU time suffers from neighbours
            through shared caches and memory alone, ratios hardly.
    """

    cpu: str
    cores: int
    load: float
    python: str
    torch: str
    transformers: str

    @classmethod
    def here(cls) -> Machine:
        return cls(
            _cpu_name(),
            os.cpu_count() or 1,
            round(os.getloadavg()[0], 2),
            platform.python_version(),
            version("torch"),
            version("transformers"),
        )


def _cpu_name() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"model name\s*:\s*(.+)", text)
    return found[1] if found else platform.machine()


def table(section: str, found: Sequence[Row]) -> Table:
    """One section, of rows in one unit, for a terminal of 80 columns."""
    shown = Table(
        title=section, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0
    )
    shown.add_column("", no_wrap=True)
    for heading in (found[0].unit, "ratio", "quartiles", "target", ""):
        shown.add_column(heading, justify="right")
    for work, own in groupby(found, key=lambda row: row.work):
        shown.add_row(work, style="bold")
        for row in own:
            shown.add_row(
                f"  {row.contender}",
                f"{row.speed:,.0f}",
                f"{row.ratio.median:.2f}",
                f"{row.ratio.low:.2f} - {row.ratio.high:.2f}",
                "" if row.target is None else f"{row.target:.2f}",
                "" if row.target is None else "met" if row.met else "missed",
            )
    return shown


def as_json(machine: Machine, found: Sequence[Row]) -> dict[str, object]:
    """Everything, rounds included."""
    return {
        "machine": asdict(machine),
        "rows": [{**asdict(row), "ratio": row.ratio._asdict()} for row in found],
    }
