"""States and gates over time, as a visitor meets them: every number is the trace's."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page, Position, Route, expect

from core import registry
from core.model import Inspectable, TraceRequest
from core.trace import AttentionTrace
from tests.e2e.conftest import arrived, free_port, serving, told_by
from tests.small import WORDS, learnt
from viz.text import frame, inspector
from viz.text.language import Language
from viz.text.states import EN, KO, TEXT

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
SOURCE = WORDS[2][0]
CELLS = {"with": ("gru", "dot"), "without": ("lstm", "none"), "plain": ("rnn", "none")}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("recurrent")
    for name, (cell, attention) in CELLS.items():
        sizes = {"cell": cell, "attention": attention, "d_model": 40, "layers": 2}
        learnt(root / name, "seq2seq", sizes)
    labels = {"answers": "label", "labels": ["short", "long"], "cell": "gru", "d_model": 12}
    pairs = [(word, "long" if len(word) > 4 else "short") for word, _ in WORDS]
    learnt(root / "label", "recurrent", labels, pairs)
    return root


@pytest.fixture(scope="module")
def address(models: Path) -> Iterator[str]:
    with serving(free_port(), HEADLIGHT_CHECKPOINTS=str(models)) as address:
        yield address


def opened(models: Path, name: str) -> Inspectable:
    return registry.load(models / name, torch.device("cpu"))


def drawn(page: Page, holds: str = "true", given: object = None) -> dict[str, Any]:
    return told_by(page, "hl-states", holds, given)


def agrees(state: dict[str, Any], trace: AttentionTrace) -> None:
    """That what is drawn is what the trace holds, the formulas too."""
    chosen = state["selection"]
    parts = trace.states[chosen["stack"]]
    layer, at, unit = chosen["stack_layer"] - 1, chosen["position"] - 1, state["chosen"]
    np.testing.assert_allclose(
        np.array(state["values"]), parts[chosen["state"]][layer].ravel(), atol=1e-6
    )
    assert state["said"]
    for said in state["said"]:
        formula, _, result = said.replace("−", "-").replace("·", "*").rpartition(" = ")
        names = {"tanh": np.tanh, "σ": lambda x: 1 / (1 + np.exp(-x))}
        assert eval(formula, names) == pytest.approx(float(result), abs=0.02), said
    result = float(state["said"][-1].replace("−", "-").rpartition(" = ")[2])
    assert result == pytest.approx(float(parts["hidden"][layer, at, unit]), abs=6e-4)


@pytest.mark.parametrize("name", CELLS)
def test_every_number_is_the_trace_s(models: Path, visit: Visit, name: str) -> None:
    trace = opened(models, name).trace(TraceRequest(SOURCE))
    page = visit(f"/?lang=en&model={name}&source={SOURCE}")
    state = drawn(page)
    assert state["selection"]["stack"] == "encoder"
    assert state["selection"]["position"] == len(trace.source)
    agrees(state, trace)
    spread = trace.states["encoder"]["hidden"][0].var(0)
    assert spread[state["order"]].tolist() == sorted(spread.tolist(), reverse=True)[:32]

    page.get_by_test_id("hl-states-stacks").get_by_text(EN.states_decoder).click()
    page.get_by_test_id("hl-states-layers").get_by_role("radio").nth(1).click()
    if name != "plain":  # which has a hidden state and no gates
        page.get_by_test_id("hl-states-names").get_by_role("radio").last.click()
    state = drawn(page, "state.selection.stack_layer === 2 && state.selection.stack === 'decoder'")
    agrees(state, trace)
    page.get_by_test_id("hl-states-steps").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    agrees(drawn(page, "state.selection.position === 2"), trace)
    page.get_by_test_id("hl-states-units").select_option("model")
    state = drawn(page, "state.order.length === 40")
    assert state["order"] == list(range(40))


def test_a_cell_that_is_clicked_is_in_the_address_and_comes_back(visit: Visit) -> None:
    page = visit(f"/?lang=en&model=without&source={SOURCE}&stack=decoder&state=forget")
    state = drawn(page, "state.selection.stack === 'decoder'")
    box, order = state["box"], state["order"]
    heat = page.get_by_test_id("hl-states-heat")
    expect(page.get_by_test_id("hl-next")).to_be_visible()
    row = order.index(state["chosen"])
    x = box["x"] - 1.5 * box["width"]
    place = Position(x=x, y=box["y"] + (3.5 - row) * box["height"])
    heat.hover(position=place)
    expect(page.get_by_test_id("hl-states-tip")).to_contain_text(f"unit {order[3] + 1}: forget")
    heat.click(position=place)
    told = drawn(page, "state.selection.unit !== null")["selection"]
    assert told["unit"] == str(order[3] + 1)
    for name, value in told.items():
        if value is not None:
            expect(page).to_have_url(re.compile(rf"[?&]{name}={value}(&|$)"))
    page.reload()
    again = drawn(page, "state.selection.unit === given", told["unit"])
    assert again["selection"] == told
    page.get_by_test_id("hl-states-heat").focus()
    page.keyboard.press("ArrowDown")
    after = drawn(page, "state.selection.unit !== given", told["unit"])
    assert after["selection"]["unit"] == str(order[4] + 1)
    expect(page.get_by_test_id("hl-states-reading")).to_be_hidden()  # the arithmetic says it
    page.get_by_test_id("hl-states-steps").focus()
    page.keyboard.press("PageUp")
    drawn(page, "state.selection.position === 1")
    page.keyboard.press("ArrowDown")
    stepped = drawn(page, "state.selection.position === 2")
    assert stepped["selection"]["unit"] == after["selection"]["unit"]


def test_files_are_made_of_what_is_drawn(models: Path, visit: Visit) -> None:
    page = visit(f"/?lang=en&model=without&source={SOURCE}&stack=decoder&state=forget")
    drawn(page, "state.selection.stack === 'decoder'")
    menu = page.get_by_test_id("hl-states").get_by_test_id("hl-export")
    menu.click()
    with page.expect_download() as begun:
        page.locator('[data-form="states.csv"]').click()
    assert begun.value.suggested_filename == "headlight-states-decoder-layer1.csv"
    rows = list(csv.DictReader(io.StringIO(begun.value.path().read_text("utf-8-sig"))))
    trace = opened(models, "without").trace(TraceRequest(SOURCE))
    told = np.array([float(row["forget"]) for row in rows]).reshape(len(trace.target), -1)
    np.testing.assert_allclose(told, trace.states["decoder"]["forget"][0], atol=1e-6)
    link = page.locator('[data-form="states.svg"]').get_attribute("href")
    assert link is not None
    assert "stack=decoder&stack_layer=1&state=forget" in link


def test_a_page_of_states_opens_from_disk(
    models: Path, visit: Visit, chromium: Browser, tmp_path: Path
) -> None:
    page = visit(f"/?lang=en&model=label&source={SOURCE}&position=3&unit=5")
    drawn(page, "state.selection.unit === '5'")
    page.get_by_test_id("hl-states").get_by_test_id("hl-export").click()
    with page.expect_download() as begun:
        page.locator('[data-form="whole.html"]').click()
    begun.value.save_as(tmp_path / "states.html")
    link = page.locator('[data-form="next.csv"]').get_attribute("href")
    assert link is not None
    told = page.request.get(link)
    assert told.ok
    assert len(told.text().splitlines()) == 3  # a header, and a line a label
    asked: list[str] = []
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "states.html").as_uri())
    trace = opened(models, "label").trace(TraceRequest(SOURCE))
    state = drawn(page)
    assert (state["selection"]["position"], state["selection"]["unit"]) == (3, "5")
    agrees(state, trace)
    expect(page.get_by_test_id("hl-export")).to_have_count(0)
    page.get_by_test_id("hl-states-steps").press("End")
    agrees(drawn(page, "state.selection.position === given", len(trace.source)), trace)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
    assert not [url for url in asked if url.startswith("http")]


def test_step_opens_without_attention(visit: Visit) -> None:
    page = visit(f"/step?lang=en&model=without&source={SOURCE}")
    arrived(page, "step")
    assert drawn(page)["said"]
    expect(page.get_by_text(inspector.EN.nothing)).to_have_count(0)


def test_numbers_that_come_late_do_not_bring_back_what_was_left(visit: Visit) -> None:
    """Layer 2 is chosen, then layer 1 again and another step, before layer 2's numbers are here."""
    page = visit(f"/?lang=en&model=without&source={SOURCE}")
    drawn(page)
    held: list[Route] = []
    page.route("**/states/encoder/1", lambda route: held.append(route))
    layers = page.get_by_test_id("hl-states-layers").get_by_role("radio")
    with page.expect_request("**/states/encoder/1"):
        layers.nth(1).click()
    layers.nth(0).click()
    page.get_by_test_id("hl-states-steps").focus()
    page.keyboard.press("Home")
    drawn(page, "state.selection.position === 1")
    with page.expect_response("**/states/encoder/1"):
        held[0].continue_()
    page.get_by_test_id("hl-states-units").select_option("model")
    chosen = drawn(page, "state.selection.units === 'model'")["selection"]
    assert (chosen["stack_layer"], chosen["position"]) == (1, 1)


def test_two_choices_in_a_row_are_both_kept(visit: Visit) -> None:
    """The decoder is chosen, then layer 2, before the decoder's numbers are here."""
    page = visit(f"/?lang=en&model=without&source={SOURCE}")
    drawn(page)
    held: list[Route] = []
    page.route("**/states/decoder/0", lambda route: held.append(route))
    with page.expect_request("**/states/decoder/0"):
        page.get_by_test_id("hl-states-stacks").get_by_text(EN.states_decoder).click()
    page.get_by_test_id("hl-states-layers").get_by_role("radio").nth(1).click()
    chosen = drawn(page, "state.selection.stack_layer === 2")["selection"]
    assert chosen["stack"] == "decoder"
    with page.expect_response("**/states/decoder/0"):
        held[0].continue_()


def test_what_does_not_fit_is_said_and_left(visit: Visit) -> None:
    page = visit(f"/?lang=en&model=plain&source={SOURCE}&stack=sideways&state=forget&position=99")
    arrived(page, "inspect")
    state = drawn(page)
    assert state["selection"]["state"] == "hidden"
    said = page.get_by_text(frame.TEXT["en"].refused.split("{")[0])
    expect(said).to_contain_text("stack, state, position")


def test_another_sentence_has_its_own_steps(models: Path, visit: Visit) -> None:
    page = visit(f"/?lang=ko&model=with&source={SOURCE}&position=2&unit=5")
    drawn(page, "state.selection.position === 2")
    expect(page.get_by_role("heading", name=KO.states_title)).to_be_visible()
    field = page.locator(".st-key-sentence input")
    field.fill("bus")
    field.press("Enter")
    trace = opened(models, "with").trace(TraceRequest("bus"))
    state = drawn(page, "state.values.length === given", trace.states["encoder"]["hidden"][0].size)
    assert state["selection"]["position"] == len(trace.source)
    agrees(state, trace)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_one_sees_what_a_model_says_after_each_token(
    models: Path, visit: Visit, language: Language
) -> None:
    model = opened(models, "label")
    trace = model.trace(TraceRequest(SOURCE))
    assert trace.logits is not None
    logits = trace.logits.astype(float)
    exact = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    page = visit(f"/?lang={language}&model=label&source={SOURCE}")
    words = TEXT[language]
    expect(page.get_by_text(words.states_told, exact=True)).to_be_visible()
    expect(page.get_by_text(words.states_told_note)).to_be_visible()
    expect(page.get_by_text(str(trace.meta["target_text"]), exact=True).first).to_be_visible()

    def agrees_at(position: int) -> None:
        state = drawn(page, "state.selection.position === given", position + 1)
        told = {name: p for name, p, _ in state["next"]}
        wanted = dict(zip(model.card.labels, exact[position], strict=True))
        assert told == pytest.approx(wanted, abs=1e-5)

    agrees_at(len(SOURCE) - 1)
    heat = page.get_by_test_id("hl-states-heat")
    heat.focus()
    page.keyboard.press("Home")
    agrees_at(0)
    # Beneath the units, a click chooses the token that it stands under, and no unit.
    box = heat.bounding_box()
    assert box is not None
    before = drawn(page)
    x = before["box"]["x"] + before["box"]["width"] * 3.5
    heat.click(position=Position(x=x, y=box["height"] - 8))
    agrees_at(3)
    assert drawn(page)["chosen"] == before["chosen"]


def test_attention_and_states_step_together(visit: Visit) -> None:
    """One row of tokens for both: what was looked at and what was carried at one step."""
    page = visit(f"/?lang=en&model=with&source={SOURCE}&stack=decoder&step=2")
    drawn(page, "state.selection.position === 2")
    looked, carried = page.get_by_test_id("hl-steps"), page.get_by_test_id("hl-states-steps")
    looked.press("ArrowRight")
    drawn(page, "state.selection.position === 3")
    carried.press("Home")
    expect(looked).to_have_attribute("aria-valuenow", "1")
    expect(page).to_have_url(re.compile(r"[?&]step=1&"))
    expect(page).to_have_url(re.compile(r"[?&]position=1(&|$)"))
    # The encoder reads another sentence: its steps are its own, until the decoder is shown again.
    stacks = page.get_by_test_id("hl-states-stacks")
    stacks.get_by_text(EN.states_encoder).click()
    drawn(page, "state.selection.stack === 'encoder'")
    looked.press("ArrowRight")
    expect(looked).to_have_attribute("aria-valuenow", "2")
    carried.press("Home")
    drawn(page, "state.selection.position === 1")
    expect(looked).to_have_attribute("aria-valuenow", "2")
    stacks.get_by_text(EN.states_decoder).click()
    drawn(page, "state.selection.stack === 'decoder' && state.selection.position === 2")


def test_step_shows_states_of_the_row_it_opens_with(visit: Visit) -> None:
    page = visit(f"/step?lang=en&model=with&source={SOURCE}&stack=decoder")
    arrived(page, "step")
    step = page.get_by_test_id("hl-steps").get_attribute("aria-valuenow")
    drawn(page, "state.selection.position === given", int(step or 0))
