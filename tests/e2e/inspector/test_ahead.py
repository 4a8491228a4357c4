"""Heads worked out before anybody asks for them: drawn as those that were not."""

import re

import pytest
from playwright.sync_api import Page

from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace

pytestmark = pytest.mark.e2e

NEVER = "window.requestIdleCallback = () => 1;"
BY_HAND = """window.idle = [];
window.requestIdleCallback = (run) => window.idle.push(run);
window.cancelIdleCallback = (handle) => { window.idle[handle - 1] = () => {}; };"""
RUN = "for (let at = 0; at < window.idle.length; at += 1) window.idle[at]();"

CHOSEN = "JSON.stringify([state.selection, state.words, state.trim])"
CLICK = "(name) => document.querySelector('#place').shadowRoot.querySelector(name).click()"


def packed(opened: Open, idle: str = "", name: str = "default") -> Harness:
    """A page on which no exact numbers arrive, so that packed ones stay to be compared."""
    here = opened(name, alone=bool(idle))
    if idle:
        here.page.add_init_script(idle)
    here.page.route(re.compile(r"/\d+/\d+$"), lambda _: None)
    here.open(name, status="loading")
    return here


def walked(here: Harness, keys: list[tuple[str, str]], *, idles: bool) -> list[list[str]]:
    """The pictures after each key; `idles` waits until there is nothing to work out ahead."""
    seen = []
    for place, key in keys:
        if idles:
            here.until("state.ahead === 0")
        before = here.page.evaluate(
            f"(() => {{ const state = window.headlight(); return {CHOSEN}; }})()"
        )
        here.page.locator(f"css={place}").first.press(key)
        after = here.until(f"{CHOSEN} !== {before!r}")
        assert after["status"] == "loading"
        seen.append(here.pictures())
    return seen


HEAD, STEPS = ".hl-head[tabindex='0']", "[data-testid=hl-steps]"
KIND, UNITS = "[data-testid=hl-kinds] [tabindex='0']", "[data-testid=hl-units] [tabindex='0']"
WALKS = {
    "default": [
        (HEAD, "ArrowRight"),
        (HEAD, "ArrowDown"),
        (STEPS, "ArrowLeft"),
        (HEAD, "ArrowLeft"),
        (KIND, "ArrowRight"),
        (HEAD, "ArrowUp"),
        ("[data-testid=hl-trim]", "ArrowRight"),
        (HEAD, "ArrowRight"),
        (UNITS, "ArrowRight"),
        (HEAD, "ArrowDown"),
    ],
    "step": [
        (HEAD, "ArrowRight"),
        (STEPS, "ArrowLeft"),
        (HEAD, "ArrowDown"),
        (KIND, "ArrowRight"),
        (HEAD, "ArrowUp"),
    ],
}
WALKS["stages"] = WALKS["step"]
CHANGES = {"default": 0, "step": 1, "stages": 5}
"""Which of the canvases is another with every step of a walk: matrix, row, the last stage."""


@pytest.mark.parametrize("name", WALKS)
def test_pictures_are_those_of_heads_that_nobody_worked_out(
    opened: Open, shelf: Shelf, name: str
) -> None:
    put(shelf, "step", trace(), view="step")
    put(shelf, "stages", trace(), view="step", selection={**START, "stages": "on"})
    keys = WALKS[name]
    ahead = walked(packed(opened, name=name), keys, idles=True)
    afresh = walked(packed(opened, NEVER, name), keys, idles=False)
    assert ahead == afresh
    assert len({pictures[CHANGES[name]] for pictures in ahead}) == len(keys)


def test_nothing_is_worked_out_between_a_choice_and_its_frame(opened: Open) -> None:
    def pictures(run: str) -> list[str]:
        here = packed(opened, BY_HAND)
        for value in ("decoder_self", "cross"):
            here.page.evaluate(CLICK, f"[data-testid=hl-kinds] [data-value={value}]")
            here.until(f"state.selection.kind === '{value}'")
        here.page.evaluate(f"({CLICK})('[data-testid=hl-kinds] [data-value=decoder_self]'); {run}")
        here.until("state.selection.kind === 'decoder_self'")
        here.page.locator(".hl-head[tabindex='0']").press("ArrowRight")
        here.until("state.selection.head === 6")
        return here.pictures()

    assert pictures(RUN) == pictures("")


def test_what_is_not_wanted_any_more_is_left(page: Page) -> None:
    """As where only one head is left in the grid; before the browser was idle, and after."""
    worked = page.evaluate(
        """async () => {
          const { Ahead } = await import("/inspector/data/ahead.js");
          const worked = [];
          let [asked, tell] = [[], null];
          const idle = () => new Promise((done) => { tell = done; });
          const run = () => asked.splice(0).forEach((now) => now());
          const ahead = new Ahead((head) => worked.push(head), [
            (now) => { tell(); return asked.push(now); }, (at) => asked.splice(at - 1, 1),
          ]);
          ahead.want([[0, 1], [1, 0]]);
          ahead.want([]);
          ahead.want([[1, 1], [1, 2]]);
          await idle();
          ahead.want([]);
          run();
          ahead.want([[2, 1], [2, 2]]);
          await idle();
          run();
          run();
          return worked;
        }"""
    )
    assert worked == [[2, 1], [2, 2]]
