"""Every page with a model of each kind open: our own families, and Hugging Face folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests import hub
from tests.e2e.conftest import OPEN_MS, arrived, free_port, serving
from tests.small import WORDS, learnt
from viz.session.address import PAGES, PageName
from viz.text import step
from viz.text.inspector import TEXT
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
LABELS = [(word, "long" if len(word) > 4 else "short") for word, _ in WORDS]
LABELLED: dict[str, Any] = {"answers": "label", "labels": ["long", "short"], "d_model": 12}
STACK = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2, "objective": "masked"}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "recurrent": ("recurrent", LABELLED),
    "seq2seq": ("seq2seq", {"cell": "lstm", "attention": "dot", "d_model": 16}),
    "masked": ("language", STACK),
    "skipgram": ("skipgram", {"d_model": 16}),
}
FOLDERS: dict[str, tuple[str, str]] = {
    "causal": ("llama", "goes on"),
    "filling": ("bert", "fills"),
    "labelling": ("distilbert", "labels"),
    "translating": ("marian", "writes"),
    "body": ("bert", ""),
    "untouched": ("bloom", "goes on"),
    "sinking": ("gpt_oss", "goes on"),
}
"""Hugging Face folders by what they do; of one a probe does not reach into it."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root: Path = tmp_path_factory.mktemp("families")
    for name, (family, sizes) in KINDS.items():
        learnt(root / name, family, sizes, LABELS if name == "recurrent" else WORDS, steps=20)
    theirs: Path = tmp_path_factory.mktemp("folders")
    sizes_of = {**hub.ENCODERS, **hub.DECODERS, **hub.BOTH, **hub.OWN_WAYS}
    for name, (kind, head) in FOLDERS.items():
        hub.folder(theirs / name, kind, sizes_of[kind], head)
    places = {"HEADLIGHT_CHECKPOINTS": str(root), "HEADLIGHT_MODELS": str(theirs)}
    with serving(free_port(), **places) as address:
        yield address


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("model", KINDS)
def test_every_page_opens_with_it(visit: Visit, model: str, language: Language) -> None:
    opens(visit, model, language, PAGES)


def test_the_row_of_a_target_fits_before_its_field_is_here(visit: Visit) -> None:
    """The script of a text field is fetched when one is first drawn; its row keeps its place."""
    page = visit("/model?lang=en&model=seq2seq")
    arrived(page, "model")
    held: list[Route] = []
    page.route("**/TextInput.*.js", lambda route: held.append(route))
    address = page.url.partition("/model")[0]
    page.goto(f"{address}/step?lang=en&model=seq2seq&source=tomato")
    row = page.locator(".st-key-stepping")
    expect(row.get_by_text(step.EN.no_mask)).to_be_visible(timeout=OPEN_MS)
    expect(row.get_by_test_id("stTextInput")).to_have_count(0)
    assert beyond(page) <= 0
    assert held
    for route in held:
        route.continue_()
    expect(row.get_by_test_id("stTextInput")).to_be_visible()


@pytest.mark.parametrize("model", FOLDERS)
def test_pages_of_a_model_open_with_a_folder(visit: Visit, model: str) -> None:
    opens(visit, model, "en", ("inspect", "compare"))
    opens(visit, model, "ko", ("inspect", "step", "model"))


def opens(visit: Visit, model: str, language: Language, pages: Sequence[PageName]) -> None:
    """Without a word of failure, and no wider than the window."""
    phone = {"width": 390, "height": 844, "color_scheme": "dark"} if language == "ko" else {}
    page: Page | None = None
    for name in pages:
        path = "" if name == PAGES[0] else name
        asked = f"/{path}?lang={language}&model={model}&source=tomato"
        page = visit(asked, page=page, **phone)
        arrived(page, name)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_text(TEXT[language].failed)).to_have_count(0)
        main = page.get_by_test_id("stMain")
        expect(main.locator("h1, h2, h3, p, label").first).to_be_visible(timeout=OPEN_MS)
        assert beyond(page) <= 0, name


def beyond(page: Page) -> int:
    """Pixels by which a page is wider than the window."""
    main = page.get_by_test_id("stMain")
    return int(main.evaluate("main => main.scrollWidth - main.clientWidth"))
