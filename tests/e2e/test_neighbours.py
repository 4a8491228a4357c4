"""Neighbours, as a visitor meets them: of a skip-gram and of any other model."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, expect

from core import registry
from core.errors import HeadlightError
from core.studies.neighbours import neighbours
from tests.e2e.conftest import free_port, serving
from tests.e2e.test_accessibility import hindrances
from tests.small import WORDS, learnt
from viz.screens.neighbours import COUNT
from viz.text import frame, next_token, states
from viz.text import neighbours as words
from viz.text.errors import worded
from viz.text.language import Language
from viz.text.plain import plain
from viz.text.tokens import visible

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
SOURCE = WORDS[2][0]  # tomato
BARS = ".barlayer .point"
WAIT = 60_000  # milliseconds; a machine may be busy


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("neighbours")
    learnt(root / "near", "skipgram", {"d_model": 8, "window": 2})
    sizes = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2, "objective": "forward"}
    learnt(root / "ahead", "language", sizes)
    return root


@pytest.fixture(scope="module")
def address(models: Path) -> Iterator[str]:
    with serving(free_port(), HEADLIGHT_CHECKPOINTS=str(models)) as address:
        yield address


def nearest(models: Path, name: str, token: str) -> list[str]:
    embedding = registry.load(models / name, torch.device("cpu")).embedding(SOURCE)
    near = neighbours(embedding, COUNT).near
    one = next(each for each in near if each.token.text == token)
    return [visible(embedding.tokens[id].text) for id in one.ids]


def shown(page: Page, token: str, neighbours: list[str], language: Language = "en") -> None:
    text = words.TEXT[language]
    heading = page.get_by_role("heading", name=text.bars.format(token=token))
    expect(heading).to_be_visible(timeout=WAIT)
    alt = text.bars_alt.format(token=token, neighbours=", ".join(neighbours))
    expect(page.get_by_label(alt)).to_be_visible(timeout=WAIT)
    expect(page.locator(BARS)).to_have_count(len(neighbours), timeout=WAIT)


@pytest.mark.parametrize("name", ["near", "ahead"])
def test_a_token_that_is_chosen_is_shown_among_its_nearest(
    models: Path, visit: Visit, name: str
) -> None:
    page = visit(f"/neighbours?lang=en&model={name}&source={SOURCE}")
    shown(page, "t", nearest(models, name, "t"))
    said = words.EN.skipgram if name == "near" else words.EN.other.format(model="near")
    expect(page.get_by_text(said)).to_be_visible(timeout=WAIT)
    page.get_by_role("radio", name="m", exact=True).click()
    shown(page, "m", nearest(models, name, "m"))
    page.wait_for_url(re.compile("token=3"))
    page.reload()
    shown(page, "m", nearest(models, name, "m"))


def test_its_numbers_are_a_file(models: Path, visit: Visit) -> None:
    page = visit(f"/neighbours?lang=en&model=near&source={SOURCE}")
    shown(page, "t", nearest(models, "near", "t"))
    with page.expect_download() as begun:
        page.get_by_role("button", name=words.EN.csv).click()
    assert begun.value.suggested_filename == "headlight-neighbours.csv"
    rows = list(csv.DictReader(io.StringIO(begun.value.path().read_text("utf-8-sig"))))
    own = [row["neighbour"] for row in rows if row["position"] == "1"]
    assert own == nearest(models, "near", "t")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_shows_the_same_and_an_empty_sentence_is_said(
    models: Path, visit: Visit, language: Language
) -> None:
    page = visit(f"/neighbours?lang={language}&model=near&source={SOURCE}&token=2", 390, 844)
    shown(page, "o", nearest(models, "near", "o"), language)
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390
    assert hindrances(page) == []
    page.get_by_role("textbox").fill("")
    page.get_by_role("textbox").press("Enter")
    said = worded(HeadlightError("text_empty"), language)
    expect(page.get_by_text(plain(said).replace("\\", ""))).to_be_visible(timeout=WAIT)


def test_what_an_address_asks_for_and_is_not_there_is_said(models: Path, visit: Visit) -> None:
    page = visit(f"/neighbours?lang=en&model=near&source={SOURCE}&token=40")
    shown(page, "t", nearest(models, "near", "t"))
    expect(page.get_by_text(frame.EN.refused.format(names="token"))).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_inspect_shows_the_vectors_and_what_is_near(visit: Visit, language: Language) -> None:
    page = visit(f"/?lang={language}&model=near&source={SOURCE}")
    text = states.TEXT[language]
    expect(page.get_by_role("heading", name=text.states_vectors)).to_be_visible(timeout=WAIT)
    expect(page.get_by_text(text.states_still_note)).to_be_visible()  # it reads no steps
    expect(page.get_by_text(next_token.TEXT[language].told_near)).to_be_visible(timeout=WAIT)
    # There is no arithmetic that would say the number of a cell that was tapped.
    expect(page.get_by_test_id("hl-states-reading")).to_contain_text(re.compile(r"\d\.\d{3}"))
    assert hindrances(page) == []
