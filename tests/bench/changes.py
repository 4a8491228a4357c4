"""What a change costs in the inspector: script, and the time until it is painted.

The law: at most 8 ms of script, and painted within two frames (35 ms) at 256 tokens. Heads,
layers, steps and trims are each new to the page, so that nothing kept from an earlier look helps,
and the next key comes as soon as the numbers are here: faster than a hand, slower than a key that
is held down. The first change after opening counts like any other.

Two clocks: the wall's, of drawing, by what the inspector says of itself; and the processor's, of
all script of the page from the key until the second frame, address and bookkeeping included. Where
other programs take the processor away, only the second one tells what script costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from playwright.sync_api import Browser, Locator
from rich.box import SIMPLE_HEAD
from rich.table import Table

from tests.bench.inspector import SIZE, browsers
from tests.bench.race import Spread
from tests.e2e.inspector.page import PAINTED, SCRIPT_MS, Harness, put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.viz.inspector.made import long_trace

SHAPES: Final = ((12, 12, 128), (4, 6, 256), (12, 12, 256))
"""Layers, heads, tokens a side."""
PAINTED_MS: Final = 35.0
_TIMES: Final = 20


@dataclass(frozen=True, slots=True)
class Changed:
    """One kind of change, made again and again.

    Attributes:
        shape: layers, heads, tokens a side.
        what: is changed.
        painted_ms: from the key to the second frame after it.
        script_ms: of the wall, for drawing.
        exact_ms: the same when the exact numbers arrive, 0 where they are here already.
        processor_ms: of the processor, for all script until the second frame.
        largest_ms: the most that one change took of that.
    """

    shape: tuple[int, int, int]
    what: str
    painted_ms: Spread
    script_ms: Spread
    exact_ms: Spread
    processor_ms: Spread
    largest_ms: float

    @property
    def met(self) -> bool:
        """Does it keep the law?"""
        return self.painted_ms.median <= PAINTED_MS and self.largest_ms <= SCRIPT_MS


@dataclass(frozen=True, slots=True)
class _Change:
    what: str
    focus: Callable[[Harness], Locator]
    keys: Callable[[int, int], Sequence[str]]
    """Those to press, again from the start at the end, for so many layers and heads."""
    before: str | None = None
    """A key that makes ready for it."""
    view: str = "inspect"
    """What is opened: Inspect, or either view of Step."""


def _first_head(here: Harness) -> Locator:
    return here.page.get_by_role("gridcell").first


def _at(testid: str) -> Callable[[Harness], Locator]:
    return lambda here: here.at(testid)


def _units(here: Harness) -> Locator:
    return here.at("hl-units").locator("[role=radio][tabindex='0']")


def _snake(length: int, there: str, back: str, over: str) -> tuple[str, ...]:
    """There along a line of heads, over to the next line, and back along that."""
    return (there,) * (length - 1) + (over,) + (back,) * (length - 1) + (over,)


def _keys(*keys: str) -> Callable[[int, int], Sequence[str]]:
    return lambda _layers, _heads: keys


CHANGES: Final = (
    _Change(
        "head", _first_head, lambda _, heads: _snake(heads, "ArrowRight", "ArrowLeft", "ArrowDown")
    ),
    _Change(
        "layer", _first_head, lambda layers, _: _snake(layers, "ArrowDown", "ArrowUp", "ArrowRight")
    ),
    _Change("step", _at("hl-steps"), _keys("ArrowLeft")),
    _Change("pin", _at("hl-matrix"), _keys("Enter"), before="ArrowLeft"),
    _Change("words", _units, _keys("ArrowRight", "ArrowLeft")),
    _Change("trim", _at("hl-trim"), _keys(*["ArrowRight"] * 10, *["ArrowLeft"] * 10)),
    _Change(
        "head in stages",
        _first_head,
        lambda _, heads: _snake(heads, "ArrowRight", "ArrowLeft", "ArrowDown"),
        view="stages",
    ),
    _Change("step in stages", _at("hl-steps"), _keys("ArrowLeft"), view="stages"),
    _Change(
        "head in a row",
        _first_head,
        lambda _, heads: _snake(heads, "ArrowRight", "ArrowLeft", "ArrowDown"),
        view="step",
    ),
    _Change("step in a row", _at("hl-steps"), _keys("ArrowLeft"), view="step"),
)
LAW: Final = (
    *("head", "layer", "step", "pin"),
    *(f"{what} in {view}" for view in ("stages", "a row") for what in ("head", "step")),
)
"""Changes that the law speaks of; others are told by the same measure."""

# Everything that is chosen, as text; a change is over when it is another one and exact.
_CHOSEN: Final = "JSON.stringify([window.headlight().selection, window.headlight().options])"
_WATCH: Final = f"""() => {{ window.shown = new Promise((done) => {{
  const earlier = {_CHOSEN};
  addEventListener("keydown", () => {{
    const began = performance.now();
    const look = () => {{
      if (window.headlight().pending || {_CHOSEN} === earlier) requestAnimationFrame(look);
      else requestAnimationFrame(() => {{
        done([performance.now() - began, window.headlight().scriptMs.length]);
      }});
    }};
    look();
  }}, {{ once: true, capture: true }});
}}); }}"""


def measure(shapes: Sequence[tuple[int, int, int]] = SHAPES) -> Iterator[Changed]:
    """Every change at every shape, each shape in a browser of its own."""
    with browsers() as launch:
        for shape in shapes:
            with closing(launch()) as browser:
                yield from _changes(browser, shape)


def _changes(browser: Browser, shape: tuple[int, int, int]) -> Iterator[Changed]:
    layers, heads, tokens = shape
    shelf = Shelf()
    start = {"kind": "decoder_self", "layer": 1, "head": 1, "step": 3 * tokens // 4}
    trace = long_trace(tokens, layers=layers, heads=heads, pieces=2)
    put(shelf, "inspect", trace, selection=start)
    put(shelf, "step", trace, view="step", selection=start)
    put(shelf, "stages", trace, view="step", selection={**start, "stages": "on"})
    with serving(shelf) as base, browser.new_page(viewport=SIZE) as page:
        here = watch(page, base)
        clock = here.script_clock()
        for change in CHANGES:
            keys = list(islice(cycle(change.keys(layers, heads)), _TIMES))
            _ready(here, change)
            processor = [_processor(here, clock, key) for key in keys]
            _ready(here, change)
            painted, script, exact = zip(*[_one(here, key) for key in keys], strict=True)
            yield Changed(
                shape,
                change.what,
                Spread.of(painted),
                Spread.of(script),
                Spread.of(exact),
                Spread.of(processor),
                max(processor),
            )
        if here.problems:
            raise RuntimeError(here.problems[0])


def _ready(here: Harness, change: _Change) -> None:
    """Opened afresh (a view remembers the script of its last 200 draws), and looked at first."""
    here.open(change.view)
    change.focus(here).focus()
    if change.before is not None:
        here.page.keyboard.press(change.before)
    here.until("state.status === 'exact' && state.ahead === 0")


def _one(here: Harness, key: str) -> tuple[float, float, float]:
    """Milliseconds until a key's change is painted, of script in it, and of script after it."""
    before = len(here.state()["scriptMs"])
    here.page.evaluate(_WATCH)
    here.page.keyboard.press(key)
    painted, draws = here.page.evaluate("window.shown")
    here.until("state.status === 'exact'")
    script = [float(ms) for ms in here.state()["scriptMs"][before:]]
    at = int(draws) - before
    return float(painted), sum(script[:at]), sum(script[at:])


def _processor(here: Harness, clock: Callable[[], float], key: str) -> float:
    """Milliseconds of it for all script from a key until the second frame."""
    began = clock()
    here.page.keyboard.press(key)
    here.page.evaluate(PAINTED)
    taken = clock() - began
    here.until("state.status === 'exact'")
    return taken


def table(found: Sequence[Changed]) -> Table:
    """For a terminal of 80 columns."""
    shown = Table(
        title="changes, in milliseconds (script: all of it, by the processor's clock)",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    shown.add_column("heads, tokens", no_wrap=True)
    for heading in ("painted", "drawn", "exact", "script", "", "largest", ""):
        shown.add_column(heading, justify="right", no_wrap=True)
    for row in found:
        layers, heads, tokens = row.shape
        if row.what == CHANGES[0].what:
            shown.add_row(f"{layers} x {heads}, {tokens}", style="bold")
        shown.add_row(
            f"  {row.what}",
            f"{row.painted_ms.median:.0f}",
            f"{row.script_ms.median:.1f}",
            f"{row.exact_ms.median:.1f}" if row.exact_ms.median else "",
            f"{row.processor_ms.median:.1f}",
            f"{row.processor_ms.low:.1f}-{row.processor_ms.high:.1f}",
            f"{row.largest_ms:.1f}",
            "met" if row.met else "missed" if row.what in LAW else "over",
        )
    return shown
