"""The main walk in Firefox: another engine for the modules, the canvases, fetches and keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from tests.e2e.browser import find_firefox
from tests.e2e.firefox import Page, opened
from viz.text import inspect

FIREFOX = find_firefox()
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox: run tests/e2e/browser.py"),
]
RAIN = "어제 비가 왔어"
SOURCE = f'input[aria-label="{inspect.EN.source}"]'
# Streamlit tries whether it may run WebAssembly, may not, and does without; Firefox reports that.
REFUSED = "blocked WebAssembly"
# Streamlit's word of a report that the page being left had still to send; a page that really lost
# its server fails at what the walk waits for.
LEFT = "when disconnected from server"
DRAWN = """(() => {
  const state = find("[data-testid=headlight]").headlight.state();
  const now = { ...state.selection, status: state.status };
  const agrees = Object.entries(given[0]).every(([name, value]) => now[name] === value);
  return state.ready && !state.pending && agrees ? state : null;
})()"""


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """Inspect; whatever Firefox complains of, is refused or asks of strangers fails the test."""
    assert FIREFOX is not None
    with opened(FIREFOX, address) as page:
        page.goto("/?lang=en")
        yield page
        assert [said for said in page.complaints if REFUSED not in said and LEFT not in said] == []


def drawn(page: Page, **wanted: Any) -> dict[str, Any]:
    """The inspector's own account of what it drew, once it agrees with `wanted`."""
    state: dict[str, Any] = page.until(DRAWN, wanted)
    return state


def says(page: Page, selector: str, text: str) -> None:
    page.until("find(given[0]).textContent.includes(given[1])", selector, text)


def goes(page: Page, name: str, row: str = "nav") -> None:
    page.click(f".st-key-{row}-page-{name} a")
    page.until("!!find(given[0])", f".st-key-{row}-here-{name}")


def inked(page: Page, testid: str) -> int:
    """How many colours a canvas has."""
    colours: int = page.run(
        """const canvas = find(`canvas[data-testid=${given[0]}]`);
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;""",
        testid,
    )
    return colours


def test_the_main_walk(page: Page, tiny_model: TransformerModel) -> None:
    says(page, ".st-key-translation", "I drink water")
    drawn(page, status="exact")
    page.write(SOURCE, RAIN)
    says(page, ".st-key-translation", "it rained yesterday")
    page.until("new URLSearchParams(location.search).get('source') === given[0]", RAIN)
    trace = tiny_model.trace(TraceRequest(RAIN))

    page.click('.hl-head[data-layer="1"][data-head="2"]')
    state = drawn(page, layer=2, head=3, status="exact")
    expected = trace.sites[state["selection"]["kind"]].weights[1, 2].ravel()
    np.testing.assert_allclose(state["weights"], expected, atol=1e-6)
    assert inked(page, "hl-matrix-canvas") > 8

    page.click("[data-testid=hl-steps] .hl-chip")
    page.press("Home", "ArrowRight", "ArrowRight")
    drawn(page, step=3)
    page.until("new URLSearchParams(location.search).get('step') === '3'")
    page.goto(page.run("return location.pathname + location.search"))
    drawn(page, step=3, layer=2, head=3)

    goes(page, "step")
    drawn(page, step=3, layer=2, head=3, status="exact")
    assert page.run("return find(given[0]).value", SOURCE) == RAIN
    assert inked(page, "hl-flow-canvas") > 4
    for name in ("learn", "model"):
        goes(page, name)
        page.until("!!find('[data-testid=stPlotlyChart] svg')")
    goes(page, "compare")
    page.until("!!find('.hl-side[data-side=difference] canvas')")
    goes(page, "train")
    goes(page, "milestones", "within")
    page.until("!!find('[data-testid=hl-milestones]')")
    goes(page, "train", "within")
    page.until(
        "!!find('[data-testid=training], .st-key-train-choices, [data-testid=stMain] button')"
    )
    goes(page, "inspect")
    drawn(page, layer=2, head=3, status="exact")
    assert page.run("return document.title") == "Inspect · Headlight"
