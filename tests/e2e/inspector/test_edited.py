"""Weights that an edit put where no softmax would: behind the mask, and above 1."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace, Floats
from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import open_pair, point, put_pair
from tests.e2e.inspector.test_stages import CELL
from tests.viz.inspector.made import forced, trace
from viz.inspector.payload import View
from viz.text.inspector import EN
from viz.text.language import LANGUAGES, Language
from viz.text.pair import TEXT as PAIR
from viz.text.stages import TEXT as STAGES

pytestmark = pytest.mark.e2e

AT = {**START, "kind": "decoder_self", "layer": 2, "head": 5}
ROW = 6  # where `forced` put 0.5 at every key


def scaled(factor: float, plain: AttentionTrace | None = None) -> AttentionTrace:
    """With the weights of cross-attention a multiple of a softmax's."""
    plain = plain or trace()
    site = plain.sites["cross"]
    edited = replace(site, weights=(site.weights * factor).astype(np.float32), forced=True)
    return replace(plain, sites={**plain.sites, "cross": edited})


def shut(made: AttentionTrace, upto: int) -> int:
    """Cells of the first rows that are forbidden, and hold nothing."""
    site = made.sites["decoder_self"]
    return int((~site.mask(1, 4) & (site.weights[1, 4] == 0))[:upto].sum())


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_weights_that_an_edit_put_behind_the_mask_are_drawn_and_said(
    opened: Open, shelf: Shelf, view: View
) -> None:
    for name, made in (("plain", trace()), ("edited", forced(trace()))):
        put(shelf, name, made, view=view, selection={**AT, "step": ROW + 1, "stages": "on"})
        here = opened(name)
        here.until("state.status === 'exact'")
        if view == "inspect":
            assert here.state()["matrix"]["forbidden"] == shut(made, ROW + 1)
            row = [said for r, _, said in here.state()["matrix"]["printed"] if r == ROW]
            assert (row == [".500"] * 14) == (name == "edited")
        keys = here.page.locator("table.hl-hidden tbody tr")
        expect(keys).to_have_count(12 if name == "edited" else ROW + 1)
    if view == "inspect":
        here.page.mouse.move(*here.cell(ROW, 11))
        for said in ("weight 0.500", EN.cell_forbidden):
            expect(here.at("hl-tip")).to_contain_text(said)


def test_a_difference_to_them_is_drawn_and_said(opened: Open, shelf: Shelf) -> None:
    traces = (trace(), forced(trace()))
    put_pair(shelf, traces, "edits", selection=AT)
    here = open_pair(opened, "edits")
    here.until("state.status === 'exact'")
    hidden = [side["matrix"]["forbidden"] for side in here.state()["sides"]]
    assert hidden == [shut(traces[0], 14), shut(traces[1], 14), shut(traces[1], 14)]
    point(here, "second", ROW, 11)
    said = {"query": traces[0].written[ROW].text, "key": traces[0].target[11].text}
    told = {"first": EN.cell_forbidden, "second": "0.500", "change": "+0.500"}
    expect(here.at("hl-reading")).to_have_text(PAIR["en"].pair_writing.format(**said, **told))
    rows = here.page.locator("table.hl-hidden tbody tr").all_inner_texts()
    assert any(row.split("\t")[-2:] == ["0.500", "+0.500"] for row in rows)


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_a_scale_says_that_weights_lie_beyond_it(opened: Open, shelf: Shelf, factor: float) -> None:
    at = {**AT, "kind": "cross", "stages": "on"}
    end = "≥ 1" if factor > 1 else "1"
    for view in ("inspect", "step"):
        put(shelf, view, scaled(factor), view=view, selection=at)
    here = opened("inspect")
    expect(here.at("hl-scale-high")).to_have_text(end)
    here.at("hl-scale").click()
    most = float(scaled(factor).sites["cross"].weights[1, 4].max())
    expect(here.at("hl-scale-high")).to_contain_text(f"{most:.3f}")
    expect(opened("step").at("hl-scale-weights").locator("span").last).to_have_text(end)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wide", [1366, 390])
@pytest.mark.parametrize("factor", [1.0, 9.0])
def test_every_bar_has_its_number(
    opened: Open, shelf: Shelf, factor: float, wide: int, language: Language
) -> None:
    """Even one that is whole: in two colours, of which one is the bar's."""
    made = scaled(factor)
    row: Floats = made.sites["cross"].weights[1, 4, ROW]
    put(
        shelf,
        "bars",
        made,
        view="step",
        language=language,
        selection={**AT, "kind": "cross", "step": ROW + 1},
    )
    here = opened("bars", size=(wide, 800))
    here.until("state.status === 'exact'")
    flow = here.state()["flow"]
    best = int(row.argmax())
    numbers = {column: said for name, column, said in flow["printed"] if name == "weights"}
    assert len(numbers) == len(row)
    box = flow["boxes"]["weights"]
    place = [box["x"], box["y"], box["width"], box["height"]]
    place[flow["down"]] += best * place[2 + flow["down"]]
    pixels = np.array(here.at("hl-flow-canvas").evaluate(CELL, place)).reshape(-1, 4)
    assert len(np.unique(pixels // 32, axis=0)) > 2  # a number is drawn with soft edges
    whole = STAGES[language].flow_whole.format(weight=f"{row.max():.3f}")
    note = here.page.locator(".hl-flow-note").last
    assert (whole in str(note.text_content())) == (row.max() > 1)
    if row.max() > 1 and not flow["down"]:
        said, room = note.bounding_box(), note.locator("../..").bounding_box()
        assert said is not None
        assert room is not None
        assert said["x"] + said["width"] <= room["x"] + room["width"]
        assert said["y"] + said["height"] <= room["y"] + room["height"]
