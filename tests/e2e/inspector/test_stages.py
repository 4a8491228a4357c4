"""The step view: five stages, number by number, and a second look beside the first."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from core.probe import Edit, edits_as_json
from core.trace import AttentionTrace
from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.twins.packed import unpack
from tests.viz.inspector.made import forced, sunk, trace
from viz.inspector.payload import Comparison
from viz.text.inspector import EN, TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.numbers import points
from viz.text.rows import by_name
from viz.text.stages import TEXT as STAGES

pytestmark = pytest.mark.e2e

WHOLE = {**START, "stages": "on"}

CELL = """(canvas, [x, y, width, height]) => {
  const ratio = canvas.width / canvas.clientWidth;
  const area = [x + 2, y + 2, width - 4, height - 4].map((at) => Math.round(at * ratio));
  return Array.from(canvas.getContext('2d').getImageData(...area).data);
}"""
"""The pixels inside a box of a canvas."""


def test_the_stages_are_the_tensors(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**WHOLE, "kind": "decoder_self"})
    here = opened("step")
    site = trace().sites["decoder_self"]
    assert site.scores is not None
    scores, open_scores = site.scores[1, 4], site.scores[1, 4][site.allowed]
    stages = here.state()["stages"]
    assert stages["scores"]["rows"] == 7
    for name, values in (("scores", scores), ("masked", open_scores)):
        assert stages[name]["low"] == pytest.approx(float(values.min()), rel=1e-6)
        assert stages[name]["high"] == pytest.approx(float(values.max()), rel=1e-6)
        scale = f"{values.min():.3f}{values.max():.3f}".replace("-", "−")
        expect(here.at(f"hl-scale-{name}")).to_have_text(scale)


def test_the_mask_is_what_it_adds_and_no_score(opened: Open, shelf: Shelf) -> None:
    """0 where a query may look, and −∞ where it may not: no colour of a score, and no scale."""
    put(shelf, "step", trace(), view="step", selection={**WHOLE, "kind": "decoder_self"})
    here = opened("step")
    allowed = trace().sites["decoder_self"].mask(1, 4)
    expect(here.at("hl-scale-mask")).to_be_hidden()
    tip = here.at("hl-stage-mask").locator("xpath=..").get_by_test_id("hl-stage-tip")
    drawn = []
    for row, key in ((5, 2), (5, 4), (5, 8)):
        here.page.mouse.move(*here.stage_cell("mask", row, key))
        adds = "the mask adds 0" if allowed[row, key] else "the mask adds −∞"
        expect(tip).to_contain_text(adds)
        here.page.mouse.move(0, 0)
        box = here.state()["stages"]["mask"]["box"]
        place = [box["x"] + key * box["width"], box["y"] + row * box["height"]]
        size = [box["width"], box["height"]]
        drawn.append(here.at("hl-stage-mask").evaluate(CELL, [*place, *size]))
    assert drawn[0] == drawn[1] != drawn[2]


def test_each_number_can_be_worked_out_from_the_one_before(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**WHOLE, "kind": "decoder_self"})
    here = opened("step")
    site = trace().sites["decoder_self"]
    assert site.scores is not None
    row = site.scores[1, 4, 6].astype(np.float64)
    largest = row[:7].max()
    lines = [
        line.replace("−", "-").split("\t")
        for line in here.at("hl-numbers").locator("tbody tr").all_inner_texts()
    ]
    assert len(lines) == 14
    keys = [token.text for token in trace().target]
    for line in lines[:7]:
        at = keys.index(line[0])
        exp, weight = np.exp(row[at] - largest), site.weights[1, 4, 6, at]
        assert line[1:] == [f"{row[at]:.3f}", f"{row[at]:.3f}", f"{exp:.3f}", f"{weight:.3f}"]
    assert [line[2] for line in lines[7:]] == ["-∞"] * 7
    total = np.exp(row[:7] - largest).sum()
    assert here.at("hl-numbers").locator(".hl-sum").inner_text().split() == [
        "sum", f"{total:.3f}", "1.000",
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_to_no_key_is_a_number_of_the_row(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    at = {**WHOLE, "kind": "decoder_self"}
    put(shelf, "step", sunk(), view="step", language=language, selection=at)
    here = opened("step")
    site, words = sunk().sites["decoder_self"], TEXT[language]
    expect(here.at("hl-sink")).to_have_text(words.sink)
    expect(here.page.get_by_text(STAGES[language].stage_weights_sink_note)).to_be_visible()
    assert site.scores is not None
    assert site.sinks is not None
    sink = float(site.sinks[1, 4, 6])
    row = site.scores[1, 4, 6, :7].astype(np.float64)
    exp = np.exp(row - row.max())
    total = exp.sum() / (1 - sink)
    assert exp / total == pytest.approx(site.weights[1, 4, 6, :7], abs=1e-6)
    told = here.at("hl-numbers").locator("tfoot tr").all_inner_texts()
    assert [line.split("\t")[-2:] for line in told[-2:]] == [
        [f"{total * sink:.3f}", f"{sink:.3f}"],
        [f"{total:.3f}", "1.000"],
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("score", ["dot", "general", "additive", "capped", "unscaled", "scaled"])
def test_a_score_is_called_what_it_is(
    opened: Open, shelf: Shelf, score: str, language: Language
) -> None:
    told = replace(trace(), meta={"score": score, "bias": "relative"})
    put(shelf, "step", told, view="step", language=language, selection=WHOLE)
    here, words = opened("step"), by_name(STAGES[language])
    note = words["stage_scores_relative_note"].format(score=words[f"score_is_{score}"])
    expect(here.page.get_by_text(note, exact=True)).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_that_an_edit_met_are_not_q_k_alone(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    """Of the head that it met: another one's are as the model has them."""
    edits = [Edit("scores", "cross", value=5.0, layer=1, head=4, columns=(0,))]
    told = replace(trace(), meta={"edits": edits_as_json(edits)})
    words = by_name(STAGES[language])
    plain = words["stage_scores_note"].format(score=words["score_is"])
    for head in (5, 6):
        selection = {**WHOLE, "kind": "cross", "layer": 2, "head": head}
        put(shelf, str(head), told, view="step", language=language, selection=selection)
        edited = words["scores_edited"].format(scores=plain)
        said = opened(str(head)).page.locator(".hl-stage > .hl-note").first
        expect(said).to_have_text(edited if head == 5 else plain)


def test_nothing_is_said_of_scores_that_are_not_there(opened: Open, shelf: Shelf) -> None:
    put(shelf, "bare", trace(scores=False), view="step", selection=WHOLE)
    here = opened("bare")
    notes = here.page.locator(".hl-stage > .hl-note").all_inner_texts()
    words = STAGES["en"]
    assert notes == ["", words.stage_mask_open, "", words.stage_weights_note]


@pytest.mark.parametrize("made", [trace, sunk])
def test_weights_that_were_put_in_are_not_worked_out_of_scores(
    opened: Open, shelf: Shelf, made: Callable[[], AttentionTrace]
) -> None:
    """In the row where they were: its neighbour is a softmax's, with its sink."""
    at = {**WHOLE, "kind": "decoder_self"}
    put(shelf, "step", forced(made()), view="step", selection=at)
    here, words = opened("step"), STAGES["en"]
    expect(here.page.get_by_text(words.stage_weights_forced_note)).to_be_visible()
    table = here.at("hl-numbers")
    expect(table.locator("thead th").last).to_have_text(words.column_forced)
    expect(here.page.get_by_text(words.numbers_forced)).to_be_visible()
    assert table.locator("tbody td:last-child").all_inner_texts() == ["0.500"] * 14
    assert table.locator(".hl-sum").inner_text().split()[-1] == "7.000"
    expect(table.locator(".hl-sink")).to_have_count(0)
    put(shelf, "before", forced(made()), view="step", selection={**at, "step": 6})
    here = opened("before")
    table = here.at("hl-numbers")
    expect(table.locator("thead th").last).to_contain_text("exp")
    assert table.locator(".hl-sum").inner_text().split()[-1] == "1.000"
    expect(here.page.get_by_text(words.numbers_forced)).to_have_count(0)


def test_a_stage_answers_to_hover(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**WHOLE, "kind": "decoder_self"})
    here = opened("step")
    site = trace().sites["decoder_self"]
    assert site.scores is not None
    for name, forbidden, said in (
        ("scores", False, [f"score {site.scores[1, 4, 5, 8]:.3f}".replace("-", "−")]),
        ("masked", True, ["score −∞", "forbidden by the mask"]),
        ("weights", True, ["forbidden by the mask"]),
    ):
        here.page.mouse.move(*here.stage_cell(name, 5, 8))
        tip = here.at(f"hl-stage-{name}").locator("xpath=..").get_by_test_id("hl-stage-tip")
        expect(tip).to_be_visible()
        assert not site.allowed[5, 8]
        assert tip.inner_text().split("\n") == ["writes caf", "reads the", "key ,", *said]
        assert ("forbidden by the mask" in said) == forbidden
    here.page.mouse.move(*here.stage_cell("weights", 5, 2))
    expect(here.page.get_by_text(f"weight {site.weights[1, 4, 5, 2]:.3f}")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_stage_names_its_axes(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "step", trace(), view="step", language=language, selection=WHOLE)
    here = opened("step")
    words = TEXT[language]
    for name in ("scores", "mask", "masked", "weights"):
        stage = here.page.locator(".hl-stage").filter(has=here.at(f"hl-stage-{name}"))
        for axis in (words.axis_key, words.axis_query):
            expect(stage.get_by_text(axis)).to_be_visible()
    expect(here.at("hl-grid-note")).to_contain_text(words.grid_axes)


@pytest.mark.parametrize(("refused", "mark"), [(False, ""), (True, "≈\u00a0")])
def test_sums_and_weights_say_how_exact_they_are(
    opened: Open, shelf: Shelf, refused: bool, mark: str
) -> None:
    shelf.refuse_exact = refused
    packed = put(shelf, "step", trace(), view="step", selection=WHOLE)
    here = opened("step", status="failed" if refused else "exact")
    weights = unpack(*packed.whole())["cross"][0] if refused else trace().sites["cross"].weights
    shown = weights[1, 4].astype(np.float64)
    sums = here.state()["stages"]["weights"]["sums"]
    assert sums == [[row, f"Σ {mark}{shown[row].sum():.3f}"] for row in range(7)]
    here.page.mouse.move(*here.stage_cell("weights", 5, 2))
    expect(here.page.get_by_text(f"weight {mark}{shown[5, 2]:.3f}")).to_be_visible()
    here.problems[:] = [problem for problem in here.problems if "404" not in problem]


def test_a_model_without_scores_says_so(opened: Open, shelf: Shelf) -> None:
    put(shelf, "bare", trace(scores=False), view="step", selection=WHOLE)
    here = opened("bare")
    expect(
        here.page.get_by_text("This model does not expose its raw scores.").first
    ).to_be_visible()
    assert here.state()["stages"]["weights"]["rows"] == 7


def test_what_lifting_the_mask_does_to_the_right_answer(opened: Open, shelf: Shelf) -> None:
    """It is said of the row in which the mask is lifted, in points, and of which token."""
    lifted, causal = trace(lifted=True), trace()
    other = put(Shelf(), "other", causal)
    put(shelf, "both", lifted, view="step", comparison=Comparison(other, "causal", "own", "open"))
    here = opened("both")
    chosen = []
    for made in (lifted, causal):
        assert made.logits is not None
        odds = np.exp(made.logits.astype(np.float64))
        ids = [token.id for token in made.written]
        chosen.append(odds[np.arange(len(ids)), ids] / odds.sum(-1))
    pairs = zip(chosen[1].tolist(), chosen[0].tolist(), strict=True)
    changes = [f"{points(*pair):+.1f}".replace("-", "−") for pair in pairs]
    assert here.at("hl-steps").locator(".hl-delta").all_inner_texts() == changes
    expect(here.at("hl-compare").locator(".hl-delta")).to_have_count(0)
    expect(here.page.get_by_text(EN.compare_changes.format(row="open"))).to_be_visible()
    at = here.state()["selection"]["step"] - 1
    said = EN.compare_delta.format(token=lifted.written[at].text, change=changes[at])
    expect(here.at("hl-delta")).to_have_text(said)
    assert len(here.state()["next"]) == 2


def test_free_running_beside_forced_marks_where_they_part(opened: Open, shelf: Shelf) -> None:
    free = trace(target=("yesterday", "we", "went"), target_words=(0, 1, 2))
    other = put(Shelf(), "free", free)
    put(shelf, "both", trace(), view="step", comparison=Comparison(other, "free", "free", "forced"))
    here = opened("both")
    chips = here.at("hl-compare").locator(".hl-differs").all_inner_texts()
    assert chips == ["we", "end"]
    expect(here.page.get_by_text("already ended")).to_be_visible()
    assert here.at("hl-delta").count() == 0


def test_the_grid_stays_in_view_beside_the_stages_and_never_over_what_is_below(
    opened: Open, shelf: Shelf
) -> None:
    put(shelf, "step", trace(), view="step", selection=WHOLE)
    here = opened("step")
    places = """to => {
      document.body.style.paddingBottom = "900px";
      const root = document.querySelector("#place").shadowRoot;
      const box = (name) => root.querySelector(name).getBoundingClientRect();
      window.scrollTo(0, 0);
      const [stages, below] = [box(".hl-stages").bottom - 500, box(".hl-below").top];
      window.scrollTo(0, to === "stages" ? stages : below);
      return [box(".hl-grid").bottom, box(".hl-below").top, box(".hl-grid").top];
    }"""
    bottom, below, top = here.page.evaluate(places, "stages")
    assert bottom <= below
    assert top > 0
    bottom, below, _ = here.page.evaluate(places, "below")
    assert bottom <= below


def test_a_picture_does_not_tell_how_often_it_was_drawn(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection=WHOLE)
    here = opened("step")
    once = here.pictures()
    for key in ("ArrowLeft", "ArrowRight"):
        before = here.state()["selection"]["step"]
        here.at("hl-steps").press(key)
        here.until(f"state.selection.step !== {before}")
    assert here.pictures() == once
