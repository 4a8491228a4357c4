"""Heads worked out before anybody asks for them: drawn as those that were not."""

import re

import pytest

from tests.e2e.inspector.page import Harness, Open

pytestmark = pytest.mark.e2e

NEVER = "window.requestIdleCallback = () => 1;"
BY_HAND = """window.idle = [];
window.requestIdleCallback = (run) => window.idle.push(run);
window.cancelIdleCallback = (handle) => { window.idle[handle - 1] = () => {}; };"""
RUN = "for (let at = 0; at < window.idle.length; at += 1) window.idle[at]();"

PICTURES = """() => ["matrix", "lines"].map((name) => {
  const root = document.querySelector("#place").shadowRoot;
  return root.querySelector(`[data-testid=hl-${name}-canvas]`).toDataURL();
})"""
CHOSEN = "JSON.stringify([state.selection, state.words, state.trim])"
CLICK = "(name) => document.querySelector('#place').shadowRoot.querySelector(name).click()"


def packed(opened: Open, idle: str = "") -> Harness:
    """A page on which no exact numbers arrive, so that packed ones stay to be compared."""
    here = opened()
    if idle:
        here.page.add_init_script(idle)
    here.page.route(re.compile(r"/\d+/\d+$"), lambda _: None)
    here.open(status="loading")
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
        seen.append(here.page.evaluate(PICTURES))
    return seen


def test_pictures_and_lines_are_those_of_heads_that_nobody_worked_out(opened: Open) -> None:
    head, kind = ".hl-head[tabindex='0']", "[data-testid=hl-kinds] [tabindex='0']"
    keys = [
        (head, "ArrowRight"),
        (head, "ArrowDown"),
        ("[data-testid=hl-steps]", "ArrowLeft"),
        (head, "ArrowLeft"),
        (kind, "ArrowRight"),
        (head, "ArrowUp"),
        ("[data-testid=hl-trim]", "ArrowRight"),
        (head, "ArrowRight"),
        ("[data-testid=hl-units] [tabindex='0']", "ArrowRight"),
        (head, "ArrowDown"),
    ]
    ahead = walked(packed(opened), keys, idles=True)
    afresh = walked(packed(opened, NEVER), keys, idles=False)
    assert ahead == afresh
    assert len({pictures[0] for pictures in ahead}) == len(keys)


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
        drawn: list[str] = here.page.evaluate(PICTURES)
        return drawn

    assert pictures(RUN) == pictures("")
