"""Another token is chosen in the next-token panel: what Python is told, and when it cannot be."""

from typing import Any

import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import ENGLISH, trace
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import Language
from viz.text.next_token import TEXT

pytestmark = pytest.mark.e2e


@pytest.fixture
def traced(shelf: Shelf) -> AttentionTrace:
    traced = trace()
    put(shelf, "default", traced, view="step", branches=True)
    return traced


def told(here: Harness) -> list[Any]:
    triggered: list[Any] = here.page.evaluate("window.triggered")
    return triggered


def candidate(here: Harness, traced: AttentionTrace, step: int, place: int) -> int:
    """Vocabulary row of a candidate that is shown, from the exact logits."""
    assert traced.logits is not None
    return int((-traced.logits[step - 1]).argsort(kind="stable")[place])


def test_a_click_asks_for_what_was_written_and_the_other_token(
    opened: Open, traced: AttentionTrace
) -> None:
    here = opened()
    here.at("hl-pick-2").click()
    written = [token.id for token in traced.written[:6]]
    plain = dict.fromkeys(("order", "top", "temperature", "top_k", "top_p", "shaping", "stages"))
    expected = {"prefix": [*written, candidate(here, traced, 7, 2)], "selection": START | plain}
    assert told(here) == [["branch", expected]]
    expect(here.page.locator(".hl-bar-asked")).to_have_count(1)


def test_keys_walk_the_candidates_and_enter_chooses_one(
    opened: Open, traced: AttentionTrace
) -> None:
    here = opened()
    here.at("hl-steps").press("Home")
    here.until("state.selection.step === 1")
    here.at("hl-pick-0").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        here.page.keyboard.press(key)
    expect(here.at("hl-pick-1")).to_be_focused()
    expect(here.at("hl-pick-1")).to_have_attribute("tabindex", "0")
    expect(here.at("hl-pick-0")).to_have_attribute("tabindex", "-1")
    here.page.keyboard.press("Enter")
    (call,) = told(here)
    assert call[1]["prefix"] == [candidate(here, traced, 1, 1)]
    assert call[1]["selection"]["step"] == 1  # also before it was reported
    assert here.state()["selection"]["step"] == 1


def test_a_token_is_chosen_at_the_step_that_it_was_seen_at(
    opened: Open, traced: AttentionTrace
) -> None:
    here = opened()
    here.at("hl-pick-2").evaluate(
        """(pick) => {  // in one task: the next step is chosen, and not drawn when the click comes
            const steps = pick.getRootNode().querySelector("[data-testid=hl-steps]");
            steps.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
            pick.click();
        }"""
    )
    ((_, asked),) = told(here)
    assert asked["prefix"][-1] == candidate(here, traced, 7, 2)
    assert (len(asked["prefix"]), asked["selection"]["step"]) == (7, 7)
    assert here.state()["selection"]["step"] == 7


def test_what_is_written_already_is_no_branch(opened: Open, traced: AttentionTrace) -> None:
    here = opened()
    here.at("hl-pick-0").click(force=True)
    expect(here.at("hl-pick-0")).to_have_attribute("aria-disabled", "true")
    assert told(here) == []


@pytest.mark.parametrize("language", ["en", "ko"])
def test_candidates_say_what_they_do(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "default", trace(), branches=True, language=language)
    here = opened(size=(390, 800), touch=True)
    words = TEXT[language]
    expect(here.at("hl-next")).to_contain_text(words.branch_hint)
    label = here.at("hl-pick-1").get_attribute("aria-label")
    assert label is not None
    assert label.startswith(words.branch_pick.split("{", maxsplit=1)[0])
    own = here.at("hl-pick-0").get_attribute("aria-label")
    assert own is not None
    assert ENGLISH[6] in own
    box = here.at("hl-pick-1").bounding_box()
    assert box is not None
    assert box["height"] >= 20
    here.at("hl-pick-1").tap()
    assert len(told(here)) == 1
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("why", ["no model", "mask lifted", "written by nobody"])
def test_where_it_cannot_go_on_nothing_is_offered(opened: Open, shelf: Shelf, why: str) -> None:
    made = trace()
    meta = {"lift_mask": True} if why == "mask lifted" else {}
    logits = None if why == "written by nobody" else made.logits
    traced = AttentionTrace(
        "m", made.source, made.target, made.written, made.sites, logits, dict(meta)
    )
    put(shelf, "default", traced, branches=why != "no model")
    here = opened()
    assert here.at("hl-pick-0").filter(visible=True).count() == 0
    note = here.page.locator(".hl-bar-note")
    expect(note).to_have_text("" if logits is not None else INSPECTOR["en"].next_missing)


def test_focus_stays_where_it_was_when_the_branch_is_here(
    opened: Open, shelf: Shelf, traced: AttentionTrace
) -> None:
    put(shelf, "other", trace(seed=20), view="step", branches=True)
    here = opened()
    here.at("hl-pick-1").click()
    here.show("other")
    expect(here.at("hl-pick-1")).to_be_focused()
    assert here.state()["selection"]["step"] == 7
