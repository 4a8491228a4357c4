"""States of two traces beside each other, as a visitor of Compare meets them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page, Position, expect

from core import registry
from core.model import TraceRequest
from core.trace import AttentionTrace
from tests.e2e.conftest import arrived, free_port, serving, told_by
from tests.small import WORDS, learnt
from viz.inspector.states import places
from viz.text.frame import TEXT as FRAME
from viz.text.language import LANGUAGES, Language
from viz.text.states import EN, TEXT

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
SOURCE, OTHER = "카페", "학교"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("beside")
    for name, cell, attention in (("gru", "gru", "dot"), ("lstm", "lstm", "none")):
        learnt(root / name, "seq2seq", {"cell": cell, "attention": attention, "d_model": 40})
    labels = {"answers": "label", "labels": ["short", "long"], "cell": "gru", "d_model": 12}
    pairs = [(word, "long" if len(word) > 4 else "short") for word, _ in WORDS]
    learnt(root / "label", "recurrent", labels, pairs)
    sizes = {"d_model": 16, "d_ff": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    learnt(root / "attending", "transformer", sizes)
    return root


@pytest.fixture(scope="module")
def address(models: Path) -> Iterator[str]:
    with serving(free_port(), HEADLIGHT_CHECKPOINTS=str(models)) as address:
        yield address


def traced(models: Path, name: str, source: str) -> AttentionTrace:
    return registry.load(models / name, torch.device("cpu")).trace(TraceRequest(source))


def drawn(page: Page, holds: str = "true", given: object = None) -> dict[str, Any]:
    return told_by(page, "hl-states", holds, given)


def test_two_sentences_of_one_model_and_what_differs(models: Path, visit: Visit) -> None:
    first, second = (traced(models, "label", source) for source in (SOURCE, OTHER))
    page = visit(f"/compare?lang=en&model=label&source={SOURCE}&beside={OTHER}")
    state = drawn(page)
    a, b = (trace.states["encoder"]["hidden"][0] for trace in (first, second))
    together = places(first, second)["encoder"]
    wanted = np.array([b[j] - a[i] if min(i, j) >= 0 else 0 * a[0] for i, j in together])
    for pane, values in zip(state["panes"], (a, b, wanted), strict=True):
        np.testing.assert_allclose(np.array(pane["values"]), values.ravel(), atol=1e-6)
    order = state["panes"][0]["order"]
    assert all(pane["order"] == order for pane in state["panes"])
    far = (wanted**2).sum(0)[order]
    assert far.tolist() == sorted(far.tolist(), reverse=True)
    at = next(place for place, (i, j) in enumerate(together) if min(i, j) >= 0)
    box = state["panes"][1]["box"]
    heat = page.get_by_test_id("hl-states-b")
    column = together[at][1]
    x = box["x"] + (column + 0.5) * box["width"]
    heat.click(position=Position(x=x, y=box["y"] + 2.5 * box["height"]))
    chosen = drawn(page, "state.selection.unit !== null")
    assert chosen["selection"]["position"] == at + 1
    unit = order[2]
    assert chosen["selection"]["unit"] == str(unit + 1)
    numbers = [a[together[at][0], unit], b[together[at][1], unit], wanted[at, unit]]
    said = re.findall(r"[−+]?\d\.\d+", chosen["reading"])
    told = [float(text.replace("−", "-")) for text in said]
    assert told == pytest.approx([float(value) for value in numbers], abs=6e-4)
    expect(page).to_have_url(re.compile(rf"position={at + 1}.*unit={unit + 1}"))
    page.reload()
    assert drawn(page, "state.selection.unit !== null")["selection"] == chosen["selection"]
    page.get_by_test_id("hl-states-a").press("ArrowDown")
    drawn(page, "state.selection.unit === given", str(order[3] + 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_models_have_each_their_own_units(
    models: Path, visit: Visit, language: Language
) -> None:
    words = TEXT[language]
    page = visit(f"/compare?lang={language}&model=gru&source={SOURCE}&beside_model=lstm&state=cell")
    state = drawn(page, "state.panes.length === 2")
    assert not state["alike"]
    assert state["panes"][0]["values"] == []  # a GRU has no cell
    missing = words.states_not_here.format(state=words.state_cell, layer=1)
    expect(page.get_by_text(missing)).to_be_visible()
    page.get_by_test_id("hl-states-names").get_by_role("radio").first.click()
    state = drawn(page, "state.panes[0].values.length > 0")
    assert state["panes"][0]["order"] != state["panes"][1]["order"]
    expect(page.get_by_text(words.states_unlike_note)).to_be_visible()
    page.get_by_test_id("hl-states").get_by_test_id("hl-export").click()
    link = page.locator('[data-form="states.1.json"]').get_attribute("href")
    assert link is not None
    told = page.request.get(link).json()
    second = traced(models, "lstm", SOURCE)
    assert told["tokens"] == [token.text for token in second.source]
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_beside_a_transformer_one_has_states_and_both_attend(visit: Visit) -> None:
    page = visit(f"/compare?lang=en&model=gru&source={SOURCE}&beside_model=attending")
    assert [pane["side"] for pane in drawn(page)["panes"]] == [0]
    expect(page.get_by_text(EN.states_none_second)).to_be_visible()
    expect(page.get_by_test_id("hl-reading")).to_be_visible()  # of their cross-attention


def test_a_stack_that_one_lacks_is_the_other_s_alone(models: Path, visit: Visit) -> None:
    page = visit(
        f"/compare?lang=en&model=label&source={SOURCE}&beside_model=gru&beside={OTHER}"
        "&stack=decoder&position=1"
    )
    state = drawn(page, "state.selection.stack === 'decoder'")
    first, second = state["panes"]
    assert first["values"] == first["order"] == []
    values = traced(models, "gru", OTHER).states["decoder"]["hidden"][0]
    np.testing.assert_allclose(np.array(second["values"]), values.ravel(), atol=1e-6)
    assert state["reading"].startswith("B: unit")
    page.get_by_test_id("hl-states-b").press("ArrowDown")
    drawn(page, "state.selection.unit !== null")
    page.get_by_role("radio", name="한국어").or_(page.get_by_text("한국어")).first.click()
    expect(page.get_by_text(TEXT["ko"].states_unlike_note)).to_be_visible()
    assert drawn(page)["selection"]["position"] == 1  # in another language, too


def test_what_does_not_fit_is_said(visit: Visit) -> None:
    page = visit(
        f"/compare?lang=en&model=label&source={SOURCE}&beside={OTHER}&state=cell&position=99&unit=x"
    )
    arrived(page, "compare")
    assert drawn(page)["selection"]["state"] == "hidden"
    said = page.get_by_text(FRAME["en"].refused.split("{")[0])
    expect(said).to_contain_text("state, position, unit")


def test_both_are_exported_as_they_are_drawn_and_open_from_disk(
    models: Path, visit: Visit, chromium: Browser, tmp_path: Path
) -> None:
    page = visit(f"/compare?lang=en&model=label&source={SOURCE}&beside={OTHER}&position=2&unit=5")
    before = drawn(page, "state.selection.unit === '5'")
    page.get_by_test_id("hl-states").get_by_test_id("hl-export").click()
    link = page.locator('[data-form="states.both.json"]').get_attribute("href")
    assert link is not None
    told = page.request.get(link).json()
    places = [pair for pair in told["places"] if None not in pair]
    changed = np.array([row for row in told["difference"] if None not in row])
    assert len(changed) == len(places)
    values = np.array(before["panes"][2]["values"]).reshape(len(told["places"]), -1)
    np.testing.assert_allclose(values[[None not in row for row in told["difference"]]], changed)
    with page.expect_download() as begun:
        page.locator('[data-form="whole.both.html"]').click()
    begun.value.save_as(tmp_path / "both.html")
    asked: list[str] = []
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "both.html").as_uri())
    state = drawn(page)
    assert state["selection"] == before["selection"]
    assert [pane["values"] for pane in state["panes"]] == [
        pane["values"] for pane in before["panes"]
    ]
    expect(page.get_by_test_id("hl-export")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
    assert not [url for url in asked if url.startswith("http")]
