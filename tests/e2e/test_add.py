"""Models are added in a page: by the path of a folder, and by a name on a Hub that stands here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import hub
from tests.e2e.conftest import OPEN_MS, arrived, free_port, serving, visiting
from tests.hub_server import Hub
from tests.hub_server import serving as serving_hub
from viz.text.add import TEXT

pytestmark = pytest.mark.e2e
NAME = "openai-community/gpt2"
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("added")
    hub.folder(root / "내 모델", "bert", hub.ENCODERS["bert"], "fills")
    hub.folder(root / "gpt", "gpt2", hub.GPT2, "goes on")
    (root / "empty").mkdir()
    return root


@pytest.fixture(scope="module")
def address(
    folders: Path, app_models: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    kept = tmp_path_factory.mktemp("kept")
    with serving_hub(Hub({NAME: {"main": folders / "gpt"}})) as server:
        places = {"HEADLIGHT_CHECKPOINTS": str(app_models), "HEADLIGHT_RUNS": str(kept / "runs")}
        with serving(free_port(), **places, **server.environment(kept)) as address:
            yield address


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Visit]:
    with visiting(chromium, address) as open_page:
        yield open_page


def _name(page: Page, text: str) -> None:
    field = page.get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def _shown(page: Page) -> None:
    expect(page.get_by_test_id("hl-grid")).to_be_visible(timeout=OPEN_MS)


def test_a_folder_opens_by_its_path_and_its_address_opens_again(
    visit: Visit, folders: Path, address: str
) -> None:
    page = visit("/add?lang=ko")
    _name(page, str(folders / "empty"))
    expect(page.get_by_text("config.json")).to_be_visible()
    _name(page, str(folders / "내 모델"))
    _shown(page)
    link = page.url
    assert "model=model" in link
    again = visit(link.removeprefix(address))
    _shown(again)
    listed = visit("/add?lang=ko")
    expect(listed.get_by_text(str(folders / "내 모델"), exact=True)).to_be_visible()


def test_a_model_is_looked_up_downloaded_and_opened(visit: Visit) -> None:
    words = TEXT["en"]
    page = visit("/add?lang=en")
    card = page.locator(".st-key-add-gpt2")
    card.get_by_role("button", name=words.look_up).click()
    shown = page.locator(".st-key-add-download")
    expect(shown).to_contain_text(" MB in ", timeout=OPEN_MS)
    shown.get_by_role("button", name=words.download).click()
    expect(shown).to_contain_text(words.here, timeout=OPEN_MS)
    expect(card.get_by_role("button", name=words.open)).to_be_visible()
    shown.get_by_role("button", name=words.open).click()
    arrived(page, "inspect")
    assert "model=openai-community--gpt2" in page.url


def test_a_name_that_is_nowhere_is_told(visit: Visit) -> None:
    page = visit("/add?lang=en")
    _name(page, "nobody/nothing")
    expect(page.locator(".st-key-add-download")).to_contain_text("nobody/nothing cannot be fetched")
    _name(page, "no such thing")
    expect(page.get_by_text("as owner/name")).to_be_visible()
