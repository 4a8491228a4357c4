"""What browser tests of the inspector share: a shelf of made traces, a watched page."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request

from core.trace import AttentionTrace
from tests.e2e.inspector.server import Shelf
from tests.e2e.tabs import Ears
from tests.viz.inspector.made import vocabulary_tokens
from viz.inspector.pack import Packed, pack
from viz.inspector.payload import Comparison, View, component_data
from viz.text.browser import inspector_words
from viz.text.language import Language

Open = Callable[..., "Harness"]
SCRIPT_MS = 8.0
"""Of the processor: what a change may take, so that it is painted with the next frame."""
_REFERENCE_MS = 1.5
"""What the reference takes of a processor for which SCRIPT_MS is meant; of a slower one, more."""
_REFERENCE = """new Promise((done) => requestAnimationFrame(() => {
  const cells = Array.from({ length: 4000 }, (_, at) => ({ row: at % 61, text: `${at * 0.37}` }));
  cells.sort((one, other) => one.row - other.row || (one.text < other.text ? -1 : 1));
  done(cells.length);
}))"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
START: dict[str, Any] = {"kind": "cross", "layer": 2, "head": 5, "step": 7, "pinned": None}

UNTIL = """source => new Promise((done, fail) => {
  const began = performance.now();
  const look = () => {
    const state = window.headlight ? window.headlight() : { ready: false };
    let ok = false;
    try { ok = !state.pending && (PREDICATE) } catch { ok = false }
    if (ok) return done(state);
    if (performance.now() - began > 20000) {
      delete state.weights;
      return fail(new Error(`never: ${source}; state ${JSON.stringify(state)}`));
    }
    return requestAnimationFrame(look);
  };
  look();
})"""


def put(
    shelf: Shelf,
    name: str,
    trace: AttentionTrace,
    *,
    view: View = "inspect",
    language: Language = "en",
    selection: dict[str, Any] | None = None,
    comparison: Comparison | None = None,
    branches: bool = False,
) -> Packed:
    """Lays a trace on the shelf under a name, which is its trace_id too."""
    packed = pack(trace, trace_id=name, vocabulary_tokens=vocabulary_tokens)
    shelf.traces[name] = trace
    shelf.data[name] = component_data(
        packed,
        view=view,
        language=language,
        text=inspector_words(language),
        selection=START if selection is None else selection,
        comparison=comparison,
        branches=branches,
    )
    return packed


@dataclass
class Harness:
    """One page with the inspector on it; `problems` is what the browser complained about."""

    page: Page
    base: str
    problems: list[str]

    def open(self, name: str = "default", query: str = "", *, status: str = "exact") -> None:
        self.page.goto(f"{self.base}?data={name}{query}")
        self.until(
            f"state.ready && state.status === '{status}' && state.grid.heads === state.grid.of"
        )

    def show(self, name: str) -> None:
        """Mounts other data over what is there."""
        self.page.evaluate("name => window.show(name)", name)
        self.until(f"state.ready && state.traceId === '{name}'")

    def until(self, predicate: str) -> dict[str, Any]:
        """Waits until a JavaScript predicate over `state` (the hook's answer) holds."""
        state: dict[str, Any] = self.page.evaluate(UNTIL.replace("PREDICATE", predicate), predicate)
        return state

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate("window.headlight()")
        return state

    def script_clock(self) -> Callable[[], float]:
        """Milliseconds of the processor that all script of the page has taken: load adds none."""
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

        def now() -> float:
            told: list[dict[str, Any]] = devtools.send("Performance.getMetrics")["metrics"]
            return 1000.0 * float(
                next(at["value"] for at in told if at["name"] == "ScriptDuration")
            )

        return now

    def pictures(self) -> list[str]:
        """All canvases that have a name, as PNG."""
        pictures: list[str] = self.page.evaluate(
            """() => {
              const root = document.querySelector("#place").shadowRoot;
              const canvases = [...root.querySelectorAll("canvas[data-testid]")];
              return canvases.map((one) => one.toDataURL());
            }"""
        )
        return pictures

    def selection(self, **expected: Any) -> None:
        """Waits until the selection has these values (counting from 1)."""
        tests = [f"JSON.stringify(state.selection.{k}) === '{v}'" for k, v in expected.items()]
        self.until(" && ".join(tests).replace("'cross'", "'\"cross\"'"))

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def cell(self, row: int, column: int) -> tuple[float, float]:
        """Middle of a cell of the large matrix, in page pixels."""
        box = self.state()["box"]
        place = self.at("hl-matrix").bounding_box()
        assert place is not None
        return (
            place["x"] + box["x"] + (column + 0.5) * box["width"],
            place["y"] + box["y"] + (row + 0.5) * box["height"],
        )

    def swipe(self, start: tuple[float, float], end: tuple[float, float], moves: int = 8) -> None:
        """A finger goes from one place of the window to another, as the browser sees fingers."""
        devtools = self.page.context.new_cdp_session(self.page)
        for at in range(moves + 1):
            x, y = (a + (b - a) * at / moves for a, b in zip(start, end, strict=True))
            event = {"type": "touchMove" if at else "touchStart", "touchPoints": [{"x": x, "y": y}]}
            devtools.send("Input.dispatchTouchEvent", event)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        devtools.detach()

    def stage_cell(self, name: str, row: int, column: int) -> tuple[float, float]:
        """Middle of a cell of a stage, in page pixels."""
        canvas = self.at(f"hl-stage-{name}")
        canvas.scroll_into_view_if_needed()
        box, place = self.state()["stages"][name]["box"], canvas.bounding_box()
        assert place is not None
        return (
            place["x"] + box["x"] + (column + 0.5) * box["width"],
            place["y"] + box["y"] + (row + 0.5) * box["height"],
        )

    def pixels(self, row: int, column: int, inset: float = 3) -> list[tuple[int, int, int]]:
        """The canvas pixels inside a cell of the large matrix."""
        flat: list[int] = self.page.evaluate(
            """([row, column, inset]) => {
              const root = document.querySelector('#place').shadowRoot;
              const canvas = root.querySelector('[data-testid=hl-matrix-canvas]');
              const box = window.headlight().box;
              const ratio = canvas.width / canvas.clientWidth;
              const area = [box.x + column * box.width + inset, box.y + row * box.height + inset,
                box.width - 2 * inset, box.height - 2 * inset].map((at) => Math.round(at * ratio));
              return Array.from(canvas.getContext('2d').getImageData(...area).data);
            }""",
            [row, column, inset],
        )
        return [tuple(flat[at : at + 3]) for at in range(0, len(flat), 4)]  # type: ignore[misc]


_T = TypeVar("_T")


class ScriptCost:
    """What changes of a page cost in script, beside what a piece of script of ours costs there."""

    def __init__(self, here: Harness) -> None:
        self._page = here.page
        self._clock = here.script_clock()
        self._changes: list[float] = []
        self._references: list[float] = []

    def of(self, change: Callable[[], _T]) -> _T:
        """Makes a change, and our piece of script after it: a neighbour slows both."""
        began = self._clock()
        made = change()
        self._changes.append(self._clock() - began)
        began = self._clock()
        self._page.evaluate(_REFERENCE)
        self._references.append(self._clock() - began)
        return made

    def ms(self) -> float:
        """The median change, in milliseconds of a processor for which SCRIPT_MS is meant."""
        slower = statistics.median(self._references) / _REFERENCE_MS
        return statistics.median_high(self._changes) / max(slower, 1.0)


def watch(page: Page, base: str) -> Harness:
    """Collects script errors, refused policies and requests that leave the server."""
    harness = Harness(page, base, [])
    for event, ear in ears(harness.problems, base).items():
        page.on(event, ear)  # type: ignore[call-overload]
    return harness


def ears(problems: list[str], base: str) -> Ears:
    """What `watch` listens with."""
    home = urlsplit(base).netloc

    def asked(sent: Request) -> None:
        address = urlsplit(sent.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.netloc != home:
            problems.append(f"left the server: {sent.url}")

    def told(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(message.text)

    return {
        "request": asked,
        "pageerror": lambda error: problems.append(str(error)),
        "console": told,
        "dialog": lambda dialog: problems.append(f"a dialog: {dialog.message}"),
    }
