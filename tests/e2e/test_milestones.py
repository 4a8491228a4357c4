"""The Milestones page in a real browser, served by the real app."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from core import registry
from core.model import TraceRequest
from core.training.events import Milestone, append_event
from core.training.folder import RunFolder
from tests.e2e.conftest import arrived, free_port, serving, told, visiting
from tests.e2e.test_app import asked, drawn
from viz.text import frame, inspect
from viz.text.film import EN, TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.milestones import EN as PAGE
from viz.text.milestones import TEXT as PAGES

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
SHOWS = "state.status === 'exact' && state.selection.milestone === given[0]"
SHOWS += " && state.selection.view === given[1]"


def shows(page: Page, milestone: int, view: str = "maps") -> dict[str, Any]:
    """The film's own account of what it drew, once it is at that milestone."""
    return told(page, SHOWS, [milestone, view])


def opened(visit: Visit, width: int = 1366, height: int = 768, **query: str) -> Page:
    return visit("/milestones?" + urlencode({"lang": "en", **query}), width, height)


def test_a_film_is_there_at_once_and_every_number_is_that_milestones(
    visit: Visit, app_models: Any
) -> None:
    page = opened(visit)
    expect(page.get_by_text("카페", exact=False).first).to_be_visible()
    shows(page, 80)
    page.get_by_test_id("hl-milestones").focus()
    kept = RunFolder(app_models / "tiny-run").milestones()
    for milestone in reversed(kept):
        state = shows(page, milestone.step)
        chosen = state["selection"]
        model = registry.load(milestone.folder)
        site = model.trace(TraceRequest("cafe", "카페")).sites[chosen["kind"]]
        weights = site.weights[chosen["layer"] - 1, chosen["head"] - 1]
        np.testing.assert_allclose(state["values"], weights.ravel(), atol=1e-6)
        page.keyboard.press("ArrowLeft")


def test_scrubbing_asks_the_server_for_no_rerun_and_the_address_follows(visit: Visit) -> None:
    page = opened(visit)
    shows(page, 80)
    page.get_by_test_id("hl-milestones").press("Home")
    shows(page, 0)
    page.wait_for_url(re.compile(r"milestone=0\b"))
    page.get_by_test_id("hl-views").get_by_text(EN.view_difference).click()
    page.get_by_test_id("hl-compare").select_option(label="after update 8")
    shows(page, 0, "difference")
    page.wait_for_url(re.compile(r"compare=8\b.*view=difference|view=difference.*compare=8\b"))
    page.reload()
    state = shows(page, 0, "difference")
    assert state["selection"]["compare"] == 8


def test_another_sentence_becomes_another_film(visit: Visit) -> None:
    page = opened(visit, milestone="8")
    shows(page, 8)
    field = page.get_by_label(inspect.EN.source, exact=True)
    field.fill("tomato")
    field.press("Enter")
    expect(page.get_by_text(PAGE.shared.format(target="“토마토”"))).to_be_visible()
    expect(page.get_by_test_id("hl-outputs")).to_contain_text("토마토")
    shows(page, 8)
    page.wait_for_url(re.compile("sentence=tomato"))
    page.get_by_role("button", name=PAGE.target).click()
    target = page.get_by_label(PAGE.target_label)
    target.fill("버스")
    target.press("Enter")
    expect(page.get_by_text(PAGE.forced.format(target="“버스”"))).to_be_visible()
    page.wait_for_url(re.compile("forced="))


def test_going_elsewhere_and_back_loses_nothing(visit: Visit) -> None:
    page = opened(visit, source="어제 비가 왔어", sentence="bus")
    shows(page, 80)
    page.locator('.hl-head[data-layer="1"][data-head="2"]').click()
    page.get_by_test_id("hl-milestones").press("Home")
    shows(page, 0)
    page.get_by_role("link", name=frame.EN.inspect).click()
    arrived(page, "inspect")
    drawn(page, layer=2, head=3)
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value("어제 비가 왔어")
    page.get_by_role("link", name=frame.EN.train).click()
    arrived(page, "train")
    page.get_by_role("link", name=frame.EN.milestones).click()
    state = shows(page, 0)
    assert (state["selection"]["layer"], state["selection"]["head"]) == (2, 3)
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value("bus")


def test_the_language_switch_changes_words_only(visit: Visit) -> None:
    page = opened(visit, milestone="20", kind="encoder_self")
    before = shows(page, 20)
    page.get_by_text("한국어", exact=True).click()
    after = TEXT["ko"].after_updates.format(step="20")
    expect(page.get_by_test_id("hl-said")).to_contain_text(after)
    again = shows(page, 20)
    assert again["values"] == before["values"]
    assert again["selection"] == before["selection"]
    assert asked(page)["lang"] == "ko"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_the_first_screen_needs_no_scrolling(visit: Visit, language: Language, kind: str) -> None:
    page = opened(visit, lang=language, kind=kind, view="difference")
    shows(page, 80, "difference")
    expect(page.get_by_text(PAGES[language].shared.format(target="“카페”"))).to_be_visible()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollHeight - element.clientHeight") <= 0
    expect(page.get_by_test_id("hl-curves")).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("hl-legend")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_scrolls_one_way_only_and_keeps_the_slider(
    visit: Visit, language: Language
) -> None:
    page = opened(visit, 390, 844, lang=language)
    shows(page, 80)
    wide = page.evaluate(
        "Math.max(document.scrollingElement.scrollWidth,"
        " document.querySelector('[data-testid=stMain]').scrollWidth)"
    )
    assert wide <= 390
    page.get_by_test_id("hl-curves").scroll_into_view_if_needed()
    expect(page.get_by_test_id("hl-milestones")).to_be_in_viewport()


def test_what_a_run_keeps_while_it_trains_appears_and_moves_nothing(
    chromium: Browser, tiny_checkpoint: Path, tiny_run: Path, tmp_path: Path
) -> None:
    models, runs, later = (tmp_path / name for name in ("models", "runs", "later"))
    shutil.copytree(tiny_checkpoint, models / tiny_checkpoint.name)
    run = RunFolder(Path(shutil.copytree(tiny_run, runs / "tiny-run")))
    run.milestone(80).rename(later)
    environment = {"HEADLIGHT_CHECKPOINTS": str(models), "HEADLIGHT_RUNS": str(runs)}
    with (
        run.claim(),
        serving(free_port(), **environment) as address,
        visiting(chromium, address) as visit,
    ):
        page = opened(visit, milestone="8")
        shows(page, 8)
        slider = page.get_by_test_id("hl-milestones")
        slider.press("ArrowLeft")
        shows(page, 2)
        later.rename(run.milestone(80))
        append_event(run.events, Milestone(80, str(run.milestone(80))))
        expect(page.get_by_test_id("hl-milestone-count")).to_have_text(
            EN.milestone_of.format(at=2, count=5)
        )
        shows(page, 2)
        expect(slider).to_be_focused()
        slider.press("End")
        shows(page, 80)
