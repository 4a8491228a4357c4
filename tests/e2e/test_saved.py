"""A look that was taken along and is opened again, in the real app."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.trace import load_trace, save_trace
from tests.e2e.conftest import arrived
from tests.e2e.test_app import choose_model, drawn
from tests.e2e.test_permalinks import until
from tests.viz.inspector.made import trace
from viz.jobs.saved import LIMIT, MEGABYTES
from viz.text import frame
from viz.text.inspect import EN, TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.names import named

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)


def opened(page: Page, path: Path, language: Language = "en") -> None:
    page.get_by_role("button", name=TEXT[language].examples).click()
    page.locator("input[type=file]").set_input_files(str(path))


def with_foreign_look(visit: Callable[..., Page], folder: Path) -> Page:
    """A page that has opened a trace of a model that is not here."""
    path = folder / "foreign.npz"
    save_trace(path, trace(layers=5, heads=6, model_id="elsewhere"))
    page = visit("/")
    drawn(page)
    opened(page, path)
    expect(page.get_by_text("as elsewhere computed it")).to_be_visible()
    return page


def test_a_look_is_taken_along_and_opened_again(visit: Callable[..., Page], tmp_path: Path) -> None:
    page = visit("/")
    drawn(page, status="exact")
    page.get_by_test_id("hl-export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Everything, NPZ").click()
    path = tmp_path / "look.npz"
    download.value.save_as(path)
    taken = load_trace(path)
    assert download.value.suggested_filename == f"{named('headlight', taken)}.npz"
    assert download.value.suggested_filename.startswith("headlight-tiny-")
    opened(page, path)
    expect(page.get_by_text("A trace from a file, as tiny computed it")).to_be_visible()
    state = drawn(page, status="exact")
    chosen = state["selection"]
    weights = taken.sites[chosen["kind"]].weights[chosen["layer"] - 1, chosen["head"] - 1]
    assert np.allclose(np.array(state["weights"]), weights.reshape(-1))
    page.get_by_role("button", name=EN.saved_back).click()
    expect(page.get_by_label(EN.source, exact=True)).to_be_visible()


def test_a_model_that_is_chosen_is_shown_instead_of_an_opened_look(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = with_foreign_look(visit, tmp_path)
    choose_model(page, "tiny-spelling")
    expect(page.get_by_label(EN.source, exact=True)).to_have_value("cafe")
    expect(page.get_by_text("as elsewhere computed it")).to_be_hidden()
    drawn(page, status="exact")


def test_a_foreign_look_is_drawn_and_its_address_brings_it_back(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = with_foreign_look(visit, tmp_path)
    until(page, "state.status === 'exact' && state.grid.of === 30")  # the words come first
    page.wait_for_url("**trace=*")
    page.reload()
    expect(page.get_by_text("as elsewhere computed it")).to_be_visible()
    until(page, "state.status === 'exact' && state.grid.of === 30")  # the words come first


def test_a_look_is_shown_on_other_pages_and_left_for_another(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit("/")
    drawn(page)
    for model in ("elsewhere", "nowhere"):
        path = tmp_path / f"{model}.npz"
        save_trace(path, trace(layers=5, heads=6, model_id=model))
        opened(page, path)
        expect(page.get_by_text(f"as {model} computed it")).to_be_visible()
        until(page, "state.status === 'exact' && state.grid.of === 30")  # the words come first
        page.get_by_role("link", name="BertViz", exact=True).click()
        lines = page.frame_locator("iframe").first.locator("#vis line")
        expect(lines.first).to_be_attached()
        arrived(page, "bertviz")
        page.get_by_role("link", name="Compare", exact=True).click()
        expect(page.get_by_text(EN.saved_elsewhere)).to_be_visible()
        page.get_by_role("button", name=EN.saved_show).click()
        expect(page.get_by_text(f"as {model} computed it")).to_be_visible()
        drawn(page, status="exact")
        page.get_by_role("button", name=EN.saved_back).click()
        expect(page.get_by_label(EN.source, exact=True)).to_be_visible()
        drawn(page, status="exact")


def test_a_broken_file_is_named_and_nothing_is_lost(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    path = tmp_path / "broken.npz"
    save_trace(path, trace())
    path.write_bytes(path.read_bytes()[:3000])
    page = visit("/")
    before = drawn(page, status="exact")["traceId"]
    opened(page, path)
    expect(page.get_by_text("broken.npz is not a trace that Headlight can draw")).to_be_visible()
    assert drawn(page)["traceId"] == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_too_large_is_refused_in_our_words_and_blames_no_other(
    visit: Callable[..., Page], tmp_path: Path, language: Language
) -> None:
    broken, large = tmp_path / "broken.npz", tmp_path / "large.npz"
    broken.write_bytes(b"PK")
    with large.open("wb") as file:
        file.truncate(LIMIT + 1)
    page = visit(f"/?lang={language}")
    drawn(page, status="exact")
    opened(page, broken, language)
    refused = page.get_by_test_id("stAlert").filter(has_text="broken.npz")
    untaken = page.get_by_text(frame.TEXT[language].untaken.format(megabytes=MEGABYTES))
    expect(refused).to_be_visible()
    expect(untaken).to_be_hidden()
    page.locator("input[type=file]").set_input_files(str(large))
    expect(untaken).to_be_visible()
    expect(refused).to_be_hidden()
    chip = page.get_by_test_id("stFileChip").filter(has_text="large.npz")
    chip.hover()
    expect(page.get_by_test_id("stTooltipErrorContent")).to_be_attached()
    for theirs in page.get_by_text("or smaller").all():
        expect(theirs).to_be_hidden()
    chip.get_by_role("button").click()
    expect(refused).to_be_visible()
    expect(untaken).to_be_hidden()
