"""What is drawn and said is what the arrays hold."""

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionSite, AttentionTrace, Kind
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.twins.packed import unpack
from tests.viz.inspector.made import ENGLISH, ENGLISH_WORDS, KOREAN, KOREAN_WORDS, long_trace, trace
from viz.inspector.payload import View
from viz.text import next_token
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e


def test_later_rows_are_hatched_and_not_drawn(opened: Open) -> None:
    here = opened()
    drawn = here.state()["matrix"]
    assert (drawn["values"], drawn["forbidden"], drawn["unwritten"]) == (7 * 9, 0, 7 * 9)
    assert len(set(here.pixels(10, 4))) > 1
    here.page.keyboard.press("Tab")
    here.at("hl-steps").press("End")
    here.selection(step=14)
    assert here.state()["matrix"]["unwritten"] == 0
    assert len(set(here.pixels(10, 4))) == 1


def test_forbidden_cells_are_hatched_and_a_lifted_mask_is_not(opened: Open, shelf: Shelf) -> None:
    for name, lifted in (("causal", False), ("lifted", True)):
        put(shelf, name, trace(lifted=lifted), selection={**START, "kind": "decoder_self"})
    causal, opened_up = opened("causal"), opened("lifted")
    assert causal.state()["matrix"]["forbidden"] == sum(13 - row for row in range(7))
    assert opened_up.state()["matrix"]["forbidden"] == 0
    for row, column in [(0, 1), (2, 9), (6, 13)]:
        assert len(set(causal.pixels(row, column))) > 1
        # One flat colour apart from the printed value.
        colours = opened_up.pixels(row, column)
        assert len(set(colours)) == 1 or max(map(colours.count, set(colours))) > len(colours) / 2
    expect(causal.at("hl-legend")).to_contain_text("forbidden by the mask")
    expect(opened_up.at("hl-legend").get_by_text("forbidden by the mask")).to_be_hidden()


def test_a_forbidden_cell_is_no_colour_of_the_scale(opened: Open, shelf: Shelf) -> None:
    put(shelf, "causal", trace(), selection={**START, "kind": "decoder_self"})
    here = opened("causal")
    greys = {max(colour) - min(colour) for colour in here.pixels(0, 3)}
    assert max(greys) < 12


def test_the_row_of_the_step_is_outlined_in_amber(opened: Open) -> None:
    here = opened()
    for row, outlined in ((6, True), (4, False)):
        edge = here.pixels(row, 0, inset=-2)
        amber = [c for c in edge if abs(c[0] - 224) < 8 and abs(c[1] - 159) < 8 and c[2] < 40]
        assert bool(amber) == outlined


AMBER = (224, 159, 40)


def is_outlined(here: Harness, row: int) -> bool:
    return any(
        abs(red - AMBER[0]) < 8 and abs(green - AMBER[1]) < 8 and blue < AMBER[2]
        for red, green, blue, *_ in here.pixels(row, 0, inset=-2)
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view", ["inspect", "step"])
def test_the_row_of_what_a_model_says_is_outlined_and_named(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    """Of a model that writes nothing, before anything is pointed at: at the last word."""
    full = trace()
    assert full.logits is not None
    sites: dict[Kind, AttentionSite] = {"encoder_self": full.sites["encoder_self"]}
    told = {"foretells": "here"}
    masked = AttentionTrace(
        "m", full.source, (), (), sites, full.logits[: len(full.source)], told, full.vocabulary
    )
    place = {"kind": "encoder_self", "layer": 1, "head": 1}
    put(shelf, "masked", masked, view=view, language=language, selection=place)
    here = opened("masked")
    last = len(full.source) - 2
    assert here.state()["row"] == last
    assert [is_outlined(here, row) for row in (last, last - 2)] == [True, False]
    expect(here.at("hl-sentence").locator("bdi").first).to_have_text(full.source[last].text)
    expect(here.at("hl-next")).to_have_accessible_name(next_token.TEXT[language].told_here)
    heading = here.at("hl-next").locator("h3")
    named = next_token.TEXT[language].told_at_here
    expect(heading).to_have_text(named.format(token=full.source[last].text))
    here.page.mouse.click(*here.cell(1, 0))
    here.page.mouse.move(5, 5)
    here.until("state.row === 1 && state.hover === null")
    expect(heading).to_have_text(named.format(token=full.source[1].text))
    assert [is_outlined(here, row) for row in (1, last)] == [True, False]


def test_what_is_said_of_the_whole_text_is_said_at_no_token(opened: Open, shelf: Shelf) -> None:
    full = trace()
    assert full.logits is not None
    sites: dict[Kind, AttentionSite] = {"encoder_self": full.sites["encoder_self"]}
    logits = np.repeat(full.logits[:1], len(full.source), 0)
    told = {"foretells": "text"}
    labelled = AttentionTrace("m", full.source, (), (), sites, logits, told, full.vocabulary)
    put(shelf, "labelled", labelled, selection={"kind": "encoder_self", "layer": 1, "head": 1})
    here = opened("labelled")
    words = next_token.TEXT["en"]
    expect(here.at("hl-next")).to_have_accessible_name(words.told_text)
    expect(here.at("hl-next").locator("h3")).to_have_text(words.told_at_text)


def test_the_row_that_is_worked_out_is_outlined_in_an_encoder_too(
    opened: Open, shelf: Shelf
) -> None:
    place = {"kind": "encoder_self", "layer": 1, "head": 1, "step": 3}
    for view in ("inspect", "step"):
        put(shelf, view, trace(), view=view, selection=place)
    worked, plain = opened("step"), opened("inspect")
    last = len(trace().source) - 1
    assert worked.state()["flow"]["row"] == worked.state()["row"] == last
    assert is_outlined(worked, last)
    assert plain.state()["row"] is None
    assert not is_outlined(plain, last)


LEGIBLE = """async ([count, cell, told]) => {
  const { legible } = await import("/inspector/views/labels.js");
  return [...legible(count, cell, 13, (at) => told.includes(at))].sort((a, b) => a - b);
}"""


@pytest.mark.parametrize(
    ("cell", "told", "shown"),
    [
        (13, [3], list(range(8))),  # there is room for all
        (10, list(range(8)), [0, 2, 4, 6]),
        (10, [3, 7], [0, 3, 5, 7]),  # those of which there is something to tell come first
        (6, [1, 5], [1, 5]),
    ],
)
def test_names_make_room_for_those_with_something_to_tell(
    opened: Open, cell: float, told: list[int], shown: list[int]
) -> None:
    here = opened()
    assert here.page.evaluate(LEGIBLE, [8, cell, told]) == shown


def test_the_first_row_is_named_where_no_row_is_spoken_of(opened: Open, shelf: Shelf) -> None:
    traced = long_trace(60, layers=1, heads=1)
    put(shelf, "tall", traced, selection={"kind": "encoder_self", "layer": 1, "head": 1})
    here = opened("tall")
    rows = [row for row, _ in here.state()["matrix"]["labels"]["rows"]]
    assert rows[0] == 0
    assert len(rows) < 40


def test_what_was_read_begins_with_a_whole_word(opened: Open, shelf: Shelf) -> None:
    words = tuple(word for at in range(12) for word in (f"begin{at:02}", "ning"))
    traced = trace(target=words, target_words=tuple(at // 2 for at in range(24)))
    put(shelf, "long", traced, selection={**START, "step": 25})
    said = opened("long").at("hl-sentence").inner_text()
    assert "“…begin07ning begin08ning begin09ning begin10ning begin11ning”" in said


@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 6), (6, 8)])
def test_hover_says_the_arrays_value(opened: Open, row: int, column: int) -> None:
    here = opened()
    here.page.mouse.move(*here.cell(row, column))
    here.until(f"JSON.stringify(state.hover) === '[{row},{column}]'")
    traced = trace()
    lines = here.at("hl-tip").inner_text().split("\n")
    assert lines == [
        f"writes {traced.written[row].text}",
        f"reads {traced.target[row].text}",
        f"key {traced.source[column].text}",
        f"weight {traced.sites['cross'].weights[1, 4, row, column]:.3f}",
    ]


def test_a_name_that_is_pointed_at_prints_no_number_elsewhere(opened: Open) -> None:
    here = opened()
    before = here.state()["matrix"]["printed"]
    x, y = here.cell(3, 0)
    here.page.mouse.move(x - here.state()["box"]["width"], y)
    here.until("JSON.stringify(state.hover) === '[3,-1]'")
    assert here.state()["matrix"]["printed"] == before


def test_hover_over_what_is_not_there_says_so(opened: Open, shelf: Shelf) -> None:
    put(shelf, "causal", trace(), selection={**START, "kind": "decoder_self"})
    here = opened("causal")
    here.page.mouse.move(*here.cell(2, 9))
    expect(here.at("hl-tip")).to_contain_text("forbidden by the mask")
    here.page.mouse.move(*here.cell(10, 2))
    expect(here.at("hl-tip")).to_contain_text("not written yet")
    here.page.mouse.click(*here.cell(10, 2))
    here.selection(step=11)


def test_a_click_pins_a_cell_and_a_second_lets_go(opened: Open) -> None:
    here = opened()
    here.page.mouse.click(*here.cell(6, 3))
    assert here.until("state.selection.pinned !== null")["selection"]["pinned"] == [7, 4]
    value = trace().sites["cross"].weights[1, 4, 6, 3]
    pinned = f"Pinned: é → {trace().source[3].text} {value:.3f}"
    expect(here.at("hl-sentence")).to_contain_text(pinned)
    assert [6, 3, f"{value:.3f}"[1:]] in here.state()["matrix"]["printed"]
    here.page.mouse.click(*here.cell(6, 3))
    here.until("state.selection.pinned === null")
    expect(here.at("hl-sentence")).not_to_contain_text("Pinned")


def test_the_sentence_is_built_from_the_numbers(opened: Open) -> None:
    here = opened()
    row = trace().sites["cross"].weights[1, 4, 6]
    key = trace().source[int(row.argmax())].text
    assert here.at("hl-sentence").inner_text() == (
        "After “yesterday I went to the caf” comes the next token. "
        f"Writing é, this head put {row.max():.3f} on {key}."
    )


def test_the_distribution_is_the_models(opened: Open) -> None:
    traced = trace()
    assert traced.logits is not None
    here = opened()
    odds = np.exp(traced.logits[6].astype(np.float64))
    odds /= odds.sum()
    shown = here.state()["next"][0]
    assert [p for _, p, _ in shown] == pytest.approx(np.sort(odds)[::-1][:4].tolist(), rel=5e-7)
    assert [text for text, _, chosen in shown if chosen] == ["é"]
    bar = here.page.locator(".hl-bar-chosen")
    expect(bar).to_contain_text(f"{odds[traced.written[6].id] * 100:.1f}\u00a0%")


def test_lines_say_what_they_hide(opened: Open) -> None:
    here = opened()
    weights = trace().sites["cross"].weights[1, 4, :7]
    drawn = here.state()["lines"]
    assert drawn["lines"] == int((weights > 0.06).sum())
    hidden = 1 - weights[weights > 0.06].sum() / weights.sum()
    assert drawn["hidden"] == pytest.approx(hidden, abs=1e-6)
    here.at("hl-threshold").focus()
    here.page.keyboard.press("End")
    state = here.until("state.threshold === 0.5")
    assert state["lines"]["lines"] == int((weights > 0.5).sum())
    assert state["selection"]["step"] == 7
    expect(here.at("hl-lines-note")).to_contain_text("weights over 0.50 drawn")


def test_screen_readers_get_the_row_as_a_table(opened: Open) -> None:
    here = opened()
    row = trace().sites["cross"].weights[1, 4, 6]
    order = np.argsort(-row)
    lines = here.at("hl-table").locator("tbody tr")
    assert [line.split("\t") for line in lines.all_inner_texts()] == [
        [trace().source[column].text, f"{row[column]:.3f}"] for column in order
    ]
    head = here.page.get_by_role("gridcell", name="Layer 2, head 5").get_attribute("aria-label")
    assert head is not None
    assert "bits of entropy" in head


@pytest.mark.parametrize("refused", ["refuse_exact", "wrong_head"])
def test_without_exact_numbers_the_packed_ones_are_marked(
    opened: Open, shelf: Shelf, refused: str
) -> None:
    setattr(shelf, refused, True)
    here = opened(status="failed")
    weights, _ = unpack(*put(Shelf(), "default", trace()).whole())["cross"]
    got = np.array(here.state()["weights"])
    assert got == pytest.approx(weights[1, 4].reshape(-1).tolist(), abs=1e-6)
    here.page.mouse.move(*here.cell(6, 3))
    expect(here.at("hl-tip")).to_contain_text(f"weight ≈ {weights[1, 4, 6, 3]:.3f}")
    expect(here.at("hl-status")).to_contain_text("≈")
    expect(here.at("hl-sentence")).to_contain_text("≈")
    expect(here.at("hl-lines-note")).to_contain_text("≈")
    here.at("hl-scale").click()
    largest = weights[1, 4].max()
    expect(here.at("hl-scale-high")).to_have_text(f"≈ {largest:.3f}, the largest here")
    here.problems[:] = [problem for problem in here.problems if "404" not in problem]


def test_a_small_picture_has_its_names_beside_it(opened: Open, shelf: Shelf) -> None:
    put(shelf, "small", trace(KOREAN[:1], KOREAN_WORDS[:1], ENGLISH[:1], ENGLISH_WORDS[:1]))
    here = opened("small")
    name = here.page.locator(".hl-matrix .hl-axis-query").bounding_box()
    surface = here.at("hl-matrix").bounding_box()
    assert name is not None
    assert surface is not None
    box = here.state()["box"]
    foot = surface["y"] + box["y"] + 2 * box["height"]
    assert name["y"] + name["height"] <= max(foot, surface["y"] + 130) + 2
