"""A browser in which everything may run, and ears for all that a page says.

The page's own policy is set aside, so that whatever would run does run and sets `window.fired`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser

from tests.e2e.inspector.page import Harness, watch
from tests.viz.inspector.hostile import TEXTS
from viz.text.tokens import visible

Bare = Callable[[str], Harness]
LARGE = {"width": 1600, "height": 1200}
FOREIGN = "img, script, iframe, math, [onload], [onerror], [onfocus], [ontoggle]"
SPY = """
window.painted = new Set();
for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
  const real = prototype.fillText;
  prototype.fillText = function (text, ...where) {
    window.painted.add(text);
    return real.call(this, text, ...where);
  };
}
"""
CENSUS = """() => {
  const count = {};
  const look = (root) => root.querySelectorAll("*").forEach((element) => {
    const names = element.getAttributeNames().filter((name) => !["style", "hidden"].includes(name));
    const kind = `${element.localName}[${names.sort()}]`;
    count[kind] = (count[kind] ?? 0) + 1;
    if (element.shadowRoot) look(element.shadowRoot);
  });
  look(document);
  return count;
}"""
SAID = """() => {
  const root = document.querySelector("#place").shadowRoot ?? document.body;
  window.said ??= new Set();
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { nodeValue, parentElement } = walk.currentNode;
    if (!["STYLE", "SCRIPT"].includes(parentElement?.tagName)) window.said.add(nodeValue);
  }
  root.querySelectorAll("*").forEach((element) => ["title", "aria-label", "aria-valuetext"]
    .forEach((name) => element.hasAttribute(name) && window.said.add(element.getAttribute(name))));
}"""
# Waits for a predicate over the inspector's state, which is not carried over each time.
AWAIT = """([source]) => new Promise((done, fail) => {
  const holds = new Function("state", `return ${source}`);
  const began = performance.now();
  const look = () => {
    const state = window.headlight();
    if (state.ready && !state.pending && holds(state)) return done();
    if (performance.now() - began > 20000) return fail(new Error(`never: ${source}`));
    return requestAnimationFrame(look);
  };
  look();
})"""
TIP = """(testid) => {
  const root = document.querySelector("#place").shadowRoot;
  const tips = root.querySelectorAll(`[data-testid=${testid}]`);
  const shown = [...tips].find((tip) => !tip.hidden);
  return shown ? [...shown.children].map((line) => line.textContent) : [];
}"""


@contextmanager
def baring(browser: Browser) -> Iterator[Bare]:
    """Opens pages; whatever ran on one, or was complained of, fails the test at the end."""
    opened: list[Harness] = []

    def open_page(base: str) -> Harness:
        context = browser.new_context(bypass_csp=True, viewport=LARGE)  # type: ignore[arg-type]
        context.add_init_script(SPY)
        harness = watch(context.new_page(), base)
        opened.append(harness)
        return harness

    yield open_page
    for harness in opened:
        fired = [frame.evaluate("window.fired") for frame in harness.page.frames]
        harness.page.context.close()
        assert fired == [None] * len(fired)
        assert harness.problems == []


SHOWN = tuple(map(visible, TEXTS))


def clear(texts: Iterable[str]) -> None:
    """Nothing in these is invisible."""
    for text in texts:
        assert text.strip() == "" or visible(text.replace("\n", " ")) == text, ascii(text[:80])


def said(here: Harness) -> set[str]:
    """All texts and names of elements that are there, and those of earlier calls."""
    here.page.evaluate(SAID)
    return set(here.page.evaluate("[...window.said]"))


def read_through(here: Harness) -> set[str]:
    """Everything that is said while one goes from the first step to the last."""
    here.at("hl-steps").press("Home")
    for step in range(1, len(TEXTS) + 2):
        here.page.evaluate(AWAIT, [f"state.selection.step === {step}"])
        here.page.evaluate(SAID)
        here.page.keyboard.press("ArrowRight")
    return said(here)
