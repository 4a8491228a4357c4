"""Models are added in a page: by the path of a folder, and by a name on a Hub that stands here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests import hub
from tests.e2e.conftest import OPEN_MS, arrived, free_port, serving
from tests.e2e.test_app import asked, drawn
from tests.hub_server import Hub
from tests.hub_server import serving as serving_hub
from viz.text import inspect
from viz.text.add import TEXT
from viz.text.language import Language

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
NAME = "openai-community/gpt2"
KINDS = {"내 모델": ("bert", "fills"), "gpt": ("gpt2", "goes on"), "both": ("marian", "writes")}
"""Folders by what they do; the first under a name that no address could spell."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("added")
    sizes = {**hub.ENCODERS, **hub.DECODERS, **hub.BOTH}
    for name, (kind, head) in KINDS.items():
        hub.folder(root / name, kind, sizes[kind], head)
    (root / "empty").mkdir()
    refused = root.parent / f"{root.name}-refused" / "one_of_pickles_alone"
    hub.folder(refused, "bert", hub.ENCODER, "fills")
    (refused / "model.safetensors").rename(refused / "pytorch_model.bin")
    return root


@pytest.fixture(scope="module")
def address(
    folders: Path, app_models: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    kept = tmp_path_factory.mktemp("kept")
    places = {"HEADLIGHT_CHECKPOINTS": str(app_models), "HEADLIGHT_RUNS": str(kept / "runs")}
    with (
        serving_hub(Hub({NAME: {"main": folders / "gpt"}})) as server,
        serving(free_port(), **places, **server.environment(kept)) as address,
    ):
        yield address


def _name(page: Page, text: str) -> None:
    field = page.get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def _taken(page: Page, form: str, path: Path) -> Path:
    with page.expect_download() as begun:
        page.locator(f'[data-form="{form}"]').click()
    begun.value.save_as(path)
    return path


def _button(place: Locator, label: str) -> Locator:
    return place.get_by_role("button", name=label)


@pytest.mark.parametrize(("name", "language"), [("내 모델", "ko"), ("gpt", "en"), ("both", "ko")])
def test_a_folder_opens_by_its_path_is_exported_and_its_address_opens_again(
    visit: Visit, chromium: Browser, folders: Path, tmp_path: Path, name: str, language: Language
) -> None:
    page = visit(f"/add?lang={language}")
    _name(page, str(folders / name))
    field = page.get_by_label(inspect.TEXT[language].source, exact=True)
    expect(field).to_be_visible(timeout=OPEN_MS)
    expect(page.get_by_text(str(folders))).to_have_count(0)
    expect(page.locator(".st-key-header")).to_contain_text("CPU", timeout=2 * OPEN_MS)
    field.fill("어제 카페에 갔었어.")
    field.press("Enter")
    before = drawn(page, status="exact")
    page.get_by_test_id("hl-export").first.click()
    assert "<svg" in _taken(page, "head.svg", tmp_path / "head.svg").read_text("utf-8")
    offline = _taken(page, "whole.html", tmp_path / "whole.html")
    query = "&".join(f"{key}={value}" for key, value in asked(page).items())
    again = drawn(visit(f"/?{query}"), status="exact")
    context = chromium.new_context(offline=True)
    alone = context.new_page()
    alone.goto(offline.as_uri())
    for state in (again, drawn(alone)):
        assert state["selection"] == before["selection"]
        assert state["weights"] == pytest.approx(before["weights"], abs=1e-6)
    context.close()


def test_a_model_is_looked_up_downloaded_and_opened(visit: Visit) -> None:
    words = TEXT["en"]
    page = visit("/add?lang=en")
    card = page.locator(".st-key-add-gpt2")
    _button(card, words.look_up).click()
    shown = page.locator(".st-key-add-download")
    expect(shown).to_contain_text(" MB in ", timeout=OPEN_MS)
    _button(shown, words.download).click()
    expect(shown).to_contain_text(words.here, timeout=OPEN_MS)
    expect(_button(card, words.open)).to_be_visible()
    _button(shown, words.open).click()
    arrived(page, "inspect")
    assert "model=openai-community--gpt2" in page.url


def test_what_is_nowhere_or_no_model_is_told_and_folders_are_forgotten(
    visit: Visit, folders: Path
) -> None:
    page = visit("/add?lang=en")
    _name(page, "nobody/nothing")
    shown = page.locator(".st-key-add-download")
    expect(shown).to_contain_text("nobody/nothing cannot be fetched", timeout=OPEN_MS)
    expect(shown.get_by_role("button")).to_have_text(TEXT["en"].again)
    _name(page, str(folders / "elsewhere"))
    expect(page.get_by_text("neither a folder nor a file")).to_be_visible()
    _name(page, "no such thing")
    expect(page.get_by_text("as owner/name")).to_be_visible()
    _name(page, str(folders / "empty"))
    expect(page.get_by_text("neither it nor a folder in it")).to_be_visible()
    _name(page, str(folders))
    expect(page.get_by_text(TEXT["en"].several.format(count=3))).to_be_visible()
    # What stood here before is taken away when the run ends, and the button moves up.
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=OPEN_MS)
    _button(
        page.locator("[class*=st-key-add-place]").filter(has_text=str(folders)).first, ""
    ).click()
    expect(page.get_by_text(str(folders), exact=True)).to_have_count(0)


def test_why_a_model_is_refused_can_be_read_whole(visit: Visit, folders: Path) -> None:
    """The line that a translation has is cut where it is long; a refusal is not."""
    page = visit("/add?lang=en")
    _name(page, str(folders.parent / f"{folders.name}-refused" / "one_of_pickles_alone"))
    refused = page.locator(".st-key-translation").get_by_test_id("stAlert").locator("p")
    expect(refused).to_contain_text("take the model's .safetensors", timeout=OPEN_MS)
    assert refused.evaluate("said => said.scrollWidth <= said.clientWidth")
