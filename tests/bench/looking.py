"""What people wait for: a sentence, a look in a notebook, a class, the first picture.

Wall time of the real app and of a real browser, each quiet and beside a training as the Train page
starts one. Nothing else should run: `make bench BENCH=looking` takes some six minutes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

from playwright.sync_api import Browser, Page
from rich.box import SIMPLE_HEAD
from rich.table import Table

from core import registry
from core.training.events import Progress, read_events
from core.training.folder import RunFolder
from core.training.ready import Choices, digits, recipe_text
from tests.bench.inspector import SIZE, browsers
from tests.bench.opening import openings
from tests.bench.visitors import WHAT, WHEN, WHO, Crowd
from tests.e2e.conftest import ROOT, free_port, serving
from viz.jobs import runs

SENTENCES: Final = 20
"""Typed by one visitor, each new to the server; the first two are not counted."""
CLASS, LOOKERS, CLASS_SECONDS = 30, 50, 40.0
_RUN: Final = "beside"
_TRAINS: Final = 5
"""Steps after which a training is at its work."""


@dataclass(frozen=True, slots=True)
class Wait:
    """How long something takes.

    Attributes:
        what: in words.
        seconds: the median, or the quantile that `what` names.
        most: the longest.
        target: what `seconds` should stay within, if anything.
    """

    what: str
    seconds: float
    most: float
    target: float | None = None

    @property
    def met(self) -> bool:
        return self.target is None or self.seconds <= self.target


def measure() -> Iterator[Wait]:
    """All of it, in the order of the table."""
    with browsers() as launch:
        browser = launch()
        with tempfile.TemporaryDirectory() as folder, _runs_in(Path(folder)):
            look = notebook()
            yield Wait("notebook look", statistics.median(look), max(look))
            port = free_port()
            with serving(port) as address:
                page = opened(browser, address)
                waits = typed(page, 0)
                yield Wait("sentence typed, to paint", statistics.median(waits), max(waits), 0.15)
                alone = statistics.median(waits)
                with training():
                    waits = typed(page, SENTENCES)
                    yield Wait(
                        "  beside a training", statistics.median(waits), max(waits), 1.5 * alone
                    )
                    look = notebook()
                    yield Wait("notebook look beside it", statistics.median(look), max(look))
                page.context.close()
                yield _quantile(f"class of {CLASS} typing, p95", crowd(port, CLASS, "typing"), 1.5)
                yield _quantile(f"{LOOKERS} plain reruns, p95", crowd(port, LOOKERS, "plain"), 2.3)
        bare, ours = openings(browser)
        for what, share, at in (("first picture", 1.5, 0), ("second visitor", 1.3, 1)):
            plain = statistics.median(one[at] for one in bare)
            yield Wait(f"{what}, a bare page", plain, max(one[at] for one in bare))
            found = [one[at] for one in ours]
            yield Wait(f"{what}, Headlight", statistics.median(found), max(found), share * plain)


def _quantile(what: str, found: Crowd, target: float) -> Wait:
    if found.errors:
        raise RuntimeError(f"{what}: {len(found.errors)} errors, the first: {found.errors[0]}")
    return Wait(what, found.quantile(0.95), found.seconds[-1], target)


# The sentence


_READY: Final = """(root) => new Promise((done) => {
  const look = () => {
    const state = root.headlight?.state() ?? { ready: false };
    if (state.ready && !state.pending && state.status === "exact") done(state.traceId);
    else requestAnimationFrame(look);
  };
  look();
})"""
_WATCH: Final = """(root, earlier) => { window.painted = new Promise((done) => {
  addEventListener("keydown", () => {
    const began = performance.now();
    const look = () => {
      const here = root.isConnected ? root.headlight?.state() : null;
      if (!here?.ready || here.pending || here.traceId === earlier) requestAnimationFrame(look);
      else requestAnimationFrame(() => done(performance.now() - began));
    };
    look();
  }, { once: true, capture: true });
}); }"""


def opened(browser: Browser, address: str) -> Page:
    """A visitor's page, once its model is open."""
    page = browser.new_context(viewport=SIZE, locale="en-US").new_page()
    page.goto(address)
    page.get_by_test_id("headlight").evaluate(_READY)
    page.get_by_text("CPU", exact=False).first.wait_for()
    return page


def typed(page: Page, first: int) -> list[float]:
    """Seconds from Enter to the frame in which the new look is painted, one a sentence.

    Args:
        first: sentences to skip: those that the server has looked at.
    """
    made = [f"{who} {when} {what}" for when in WHEN for what in WHAT for who in WHO]
    waits = []
    field = page.get_by_role("textbox").first
    for sentence in made[first : first + SENTENCES]:
        root = page.get_by_test_id("headlight")
        root.evaluate(_WATCH, root.evaluate(_READY))
        field.fill(sentence)
        field.press("Enter")
        waits.append(float(page.evaluate("window.painted")) / 1000)
        page.get_by_test_id("headlight").evaluate(_READY)
    return waits[2:]


# The notebook


_SNAPSHOTS: Final = """
import json, sys, time
from core import registry
from core.model import TraceRequest
model = registry.load()
waits = []
for sentence in json.loads(sys.argv[1]):
    began = time.perf_counter()
    model.trace(TraceRequest(sentence))
    waits.append(time.perf_counter() - began)
print(json.dumps(waits[2:]))
"""


def notebook() -> list[float]:
    """Seconds of `registry.load().trace(...)`, one a sentence, as a library's user has them."""
    made = [f"{who} {when} {what}" for what in WHAT for who in WHO for when in WHEN][:SENTENCES]
    plain = {name: text for name, text in os.environ.items() if not name.startswith("OMP_")}
    command = [sys.executable, "-c", _SNAPSHOTS, json.dumps(made)]
    said = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, check=True).stdout
    waits: list[float] = json.loads(said)
    return waits


# Beside a training, and with others


@contextmanager
def _runs_in(folder: Path) -> Iterator[None]:
    """For us and for the server."""
    before = os.environ.get("HEADLIGHT_RUNS")
    os.environ["HEADLIGHT_RUNS"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("HEADLIGHT_RUNS")
        if before is not None:
            os.environ["HEADLIGHT_RUNS"] = before


@contextmanager
def training() -> Iterator[None]:
    """A training as the Train page starts one, at work for the length of the block."""
    pairs = digits(4000)
    choices = Choices(_RUN, "en", "en", "small", 20_000, "characters", dropout=0.1)
    content = "".join(f"{source}\t{target}\n" for source, target in pairs)
    recipe = recipe_text(choices, runs.path_of(_RUN, "pairs.tsv"), pairs)
    folder = RunFolder(registry.runs_root() / _RUN)
    runs.start(_RUN, {"recipe.toml": recipe.encode(), "pairs.tsv": content.encode()})
    try:
        _until(lambda: _steps(folder) >= _TRAINS)
        yield
    finally:
        runs.stop(_RUN)
        _until(lambda: runs.run(_RUN).state not in runs.ACTIVE)


def _steps(folder: RunFolder) -> int:
    told = [event.step for event in read_events(folder.events) if isinstance(event, Progress)]
    return max(told, default=0)


def _until(true: Callable[[], bool]) -> None:
    pause = Event()
    for _ in range(600):
        if true():
            return
        pause.wait(0.2)
    raise RuntimeError("the training is not at work after two minutes")


def crowd(port: int, count: int, mode: str) -> Crowd:
    """Many visitors, in a process of their own."""
    command = [sys.executable, "-m", "tests.bench.visitors", str(port), str(count)]
    said = subprocess.run(
        [*command, str(CLASS_SECONDS), mode], cwd=ROOT, capture_output=True, check=True
    ).stdout
    told = json.loads(said)
    return Crowd(count, tuple(told["seconds"]), tuple(told["errors"]))


def table(found: Sequence[Wait]) -> Table:
    """For a terminal of 80 columns."""
    shown = Table(
        title="looking, in seconds", title_justify="left", title_style="bold", box=SIMPLE_HEAD
    )
    shown.add_column("", no_wrap=True)
    for heading in ("waited", "most", "target", ""):
        shown.add_column(heading, justify="right")
    for row in found:
        shown.add_row(
            row.what,
            f"{row.seconds:.2f}",
            f"{row.most:.2f}",
            "" if row.target is None else f"{row.target:.2f}",
            "" if row.target is None else "met" if row.met else "missed",
        )
    return shown
