"""One step on one screen: the row from raw scores to weights, its share, the strip, the play."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace, Kind
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import forced, long_trace, sunk, trace
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import LANGUAGES, Language
from viz.text.stages import TEXT

pytestmark = pytest.mark.e2e

DECODER = {**START, "kind": "decoder_self"}
PLAIN = {"kind": "decoder_self", "layer": 2, "head": 5}


def printed(here: Harness, stage: str) -> dict[int, str]:
    """What stands in a stage, by key."""
    return {at: said for name, at, said in here.state()["flow"]["printed"] if name == stage}


def number(said: str) -> float:
    return float(said.replace("−", "-"))


def test_the_row_is_the_tensors_key_by_key(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection=DECODER)
    here = opened("step")
    site = trace().sites["decoder_self"]
    assert site.scores is not None
    scores, weights, allowed = site.scores[1, 4, 6], site.weights[1, 4, 6], site.allowed[6]
    digits = len(next(iter(printed(here, "scores").values())).partition(".")[2])
    assert digits >= 2
    for at, said in printed(here, "scores").items():
        assert number(said) == pytest.approx(float(scores[at]), abs=0.51 * 10**-digits)
    assert printed(here, "mask") == {at: "0" if may else "−∞" for at, may in enumerate(allowed)}
    masked = printed(here, "masked")
    assert masked == {
        at: said if allowed[at] else "−∞" for at, said in printed(here, "scores").items()
    }
    for at, said in printed(here, "weights").items():
        assert number(said) == pytest.approx(float(weights[at]), abs=0.0006)
    assert here.state()["flow"]["sum"] == f"Σ {weights.sum(dtype=np.float64):.3f}"


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_a_head_has_its_share_of_its_layer(opened: Open, shelf: Shelf, kind: Kind) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": kind})
    here = opened("step")
    row = 8 if kind == "encoder_self" else 6  # an encoder has no step: its last row
    shares = trace().sites[kind].shares
    assert shares is not None
    assert here.state()["share"]["shares"] == shares[1, :, row].tolist()
    heading = TEXT["en"].share_title.partition("{")[0]
    own = float(shares[1, 4, row])
    sign = "−" if own < 0 else ""
    expect(here.at("hl-share")).to_contain_text(f"{heading}{sign}{round(100 * abs(own))}")
    expect(here.at("hl-share")).to_contain_text("12.5\u00a0%")  # of eight heads
    here.at("hl-share").locator("[data-head='2']").click()
    here.selection(head=3)
    assert here.state()["flow"]["row"] == row


@pytest.mark.parametrize(("kind", "other"), [("decoder_self", "cross"), ("cross", "decoder_self")])
def test_the_same_step_elsewhere_is_one_strip_and_one_click_away(
    opened: Open, shelf: Shelf, kind: Kind, other: Kind
) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": kind})
    here = opened("step")
    strip = here.until("state.strip?.status === 'exact'")["strip"]
    weights = trace().sites[other].weights[1, 4, 6]
    assert (strip["kind"], strip["layer"], strip["head"], strip["row"]) == (other, 1, 4, 6)
    assert strip["printed"]
    for at, said in strip["printed"]:
        assert number(said) == pytest.approx(float(weights[at]), abs=0.0006)
    here.at("hl-strip").click()
    here.until(f"state.selection.kind === '{other}'")


def test_an_encoder_has_no_such_strip(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": "encoder_self"})
    here = opened("step")
    expect(here.at("hl-strip")).to_be_hidden()
    assert here.state()["strip"] is None


def test_it_opens_where_the_mask_shuts_something_and_some_is_open(
    opened: Open, shelf: Shelf
) -> None:
    put(shelf, "step", trace(), view="step", selection=PLAIN)
    here = opened("step")
    assert here.state()["selection"]["step"] == 7
    mask = set(printed(here, "mask").values())
    assert mask == {"0", "−∞"}


@pytest.mark.parametrize("made", [trace, sunk])
def test_a_key_is_told_from_score_to_weight(
    opened: Open, shelf: Shelf, made: Callable[[], AttentionTrace]
) -> None:
    """Also where a head's sink, which is no key, has a part of the sum."""
    put(shelf, "step", made(), view="step", selection=DECODER)
    here = opened("step")
    site = made().sites["decoder_self"]
    open_to_keys = 1 if site.sinks is None else 1 - float(site.sinks[1, 4, 6])
    assert site.scores is not None
    scores = site.scores[1, 4, 6].astype(np.float64)
    exps = np.exp(scores[:7] - scores[:7].max())
    tip = here.at("hl-flow-tip")
    for stage, at in (("scores", 2), ("weights", 2), ("mask", 9)):
        box = here.state()["flow"]["boxes"][stage]
        place = here.at("hl-flow-canvas").bounding_box()
        assert place is not None
        at_x, at_y = place["x"] + box["x"], place["y"] + box["y"]
        here.page.mouse.move(at_x + (at + 0.5) * box["width"], at_y + 4)
        expect(tip).to_be_visible()
        here.until(f"JSON.stringify(state.hover) === '[6,{at}]'")
        said = TEXT["en"].cell_chain.format(
            score=f"{scores[at]:.3f}".replace("-", "−"),
            exp=f"{exps[at]:.3f}" if at < 7 else "0.000",
            sum=f"{exps.sum() / open_to_keys:.3f}",
            weight=f"{site.weights[1, 4, 6, at]:.3f}",
        )
        expect(tip).to_contain_text(said)
        expect(here.at("hl-tip")).to_be_hidden()  # the matrix marks the cell, and does not say it
    expect(tip).to_contain_text(INSPECTOR["en"].cell_forbidden)
    here.page.mouse.click(at_x + 2.5 * box["width"], at_y + 4)
    here.selection(pinned="[7,3]")


@pytest.mark.parametrize("made", [trace, sunk])
def test_a_weight_that_was_put_in_comes_of_no_score(
    opened: Open, shelf: Shelf, made: Callable[[], AttentionTrace]
) -> None:
    put(shelf, "step", forced(made()), view="step", selection=DECODER)
    here = opened("step")
    expect(here.at("hl-flow")).to_contain_text(TEXT["en"].flow_weights_forced)
    assert set(printed(here, "weights").values()) == {".500"}, "what the mask forbids, too"
    box, place = here.state()["flow"]["boxes"]["weights"], here.at("hl-flow-canvas").bounding_box()
    assert place is not None
    here.page.mouse.move(place["x"] + box["x"] + 2.5 * box["width"], place["y"] + box["y"] + 4)
    scores = trace().sites["decoder_self"].scores
    assert scores is not None
    score = f"{scores[1, 4, 6, 2]:.3f}".replace("-", "−")
    said = TEXT["en"].cell_forced.format(score=score, weight="0.500")
    expect(here.at("hl-flow-tip")).to_contain_text(said)


def test_played_a_row_is_masked_and_normalised(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection=DECODER)
    here = opened("step")
    before = here.pictures()[1]
    here.at("hl-play").click()
    here.until("state.flow.acting")
    pictures: set[str] = set(
        here.page.evaluate(
            """() => new Promise((done) => {
              const root = document.querySelector("#place").shadowRoot;
              const canvas = root.querySelector("[data-testid=hl-flow-canvas]");
              const seen = new Set();
              const look = () => {
                seen.add(canvas.toDataURL());
                const { acting } = window.headlight().flow;
                return acting ? requestAnimationFrame(look) : done([...seen]);
              };
              look();
            })"""
        )
    )
    assert len(pictures) > 8
    here.at("hl-play").click()
    here.until("!state.flow.acting")
    here.until("state.selection.step >= 7")
    if here.state()["selection"]["step"] == 7:
        assert here.pictures()[1] == before


def test_play_goes_on_row_by_row_and_a_key_ends_it(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**DECODER, "step": 3})
    here = opened("step")
    here.at("hl-play").click()
    here.until("state.selection.step === 4 && state.flow.row === 3")
    here.at("hl-steps").press("ArrowLeft")
    here.until("state.selection.step === 3 && !state.flow.acting")
    expect(here.at("hl-play")).to_have_attribute("data-playing", "false")


def test_where_motion_is_not_wanted_rows_change_at_once(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**DECODER, "step": 3})
    here = opened("step")
    here.page.emulate_media(reduced_motion="reduce")
    here.at("hl-play").click()
    acting: list[bool] = here.page.evaluate(
        """() => new Promise((done) => {
          const seen = [];
          const look = () => {
            const { selection, flow } = window.headlight();
            seen.push(flow.acting);
            return selection.step < 4 ? requestAnimationFrame(look) : done(seen);
          };
          look();
        })"""
    )
    assert not any(acting)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_matrices_are_a_second_view_of_the_same(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    put(shelf, "step", trace(), view="step", language=language, selection=DECODER)
    here = opened("step")
    words = TEXT[language]
    expect(here.at("hl-stage-scores")).to_be_hidden()
    here.page.get_by_role("radio", name=words.view_stages).click()
    here.until("state.stages.weights?.rows === 7 && state.options.stages === 'on'")
    expect(here.at("hl-flow")).to_be_hidden()
    expect(here.at("hl-numbers")).to_be_visible()
    here.page.get_by_role("radio", name=words.view_row).click()
    expect(here.at("hl-flow")).to_be_visible()
    expect(here.at("hl-stage-scores")).to_be_hidden()
    here.until("state.options.stages === null")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 390, 700, 1366])
def test_nothing_is_cut_and_no_two_names_overlap(
    opened: Open, shelf: Shelf, language: Language, width: int
) -> None:
    put(shelf, "step", trace(), view="step", language=language, selection=DECODER)
    here = opened("step")
    here.page.set_viewport_size({"width": width, "height": 900})
    here.open("step")
    assert here.state()["flow"]["down"] == (width < 600)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(printed(here, "weights")) == 14
    boxes: list[Any] = [one.bounding_box() for one in here.page.locator(".hl-flow-name").all()]
    sides = ("x", "width") if width < 600 else ("y", "height")
    for one, next_one in pairwise(boxes):
        assert one[sides[0]] + one[sides[1]] <= next_one[sides[0]] + 1
    for name in here.page.locator(".hl-flow-name > div").all():
        inner, outer = name.bounding_box(), name.locator("..").bounding_box()
        assert inner is not None
        assert outer is not None
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


def test_a_long_row_is_drawn_whole_and_without_numbers(opened: Open, shelf: Shelf) -> None:
    put(
        shelf,
        "long",
        long_trace(700, layers=1, heads=2),
        view="step",
        selection={**DECODER, "layer": 1, "head": 1},
    )
    here = opened("long")
    flow = here.state()["flow"]
    box = flow["boxes"]["weights"]
    assert flow["columns"] == 700
    assert 0.5 < box["width"] < 1.5
    assert flow["printed"] == []


def test_without_scores_it_says_so_and_shows_the_weights(opened: Open, shelf: Shelf) -> None:
    put(shelf, "bare", trace(scores=False), view="step", selection=DECODER)
    here = opened("bare")
    expect(here.page.get_by_text(TEXT["en"].scores_missing).first).to_be_visible()
    expect(here.page.get_by_text(TEXT["en"].share_missing)).to_be_visible()
    assert {name for name, *_ in here.state()["flow"]["printed"]} == {"weights"}


@pytest.mark.parametrize("dark", [False, True])
def test_weights_that_are_packed_say_so(opened: Open, shelf: Shelf, dark: bool) -> None:
    shelf.refuse_exact, shelf.dark = True, dark
    put(shelf, "step", trace(), view="step", selection=DECODER)
    here = opened("step", status="failed")
    said = [text for name, _, text in here.state()["flow"]["printed"] if name == "weights"]
    assert all(re.match(r"≈|0$", text) for text in said)
    assert here.state()["flow"]["sum"].startswith("Σ ≈")
    here.until("state.strip?.status === 'failed'")
    here.problems[:] = [problem for problem in here.problems if "404" not in problem]
