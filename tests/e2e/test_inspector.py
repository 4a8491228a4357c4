"""The inspector in a real browser, on made traces, without Streamlit."""

import json
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from core.trace import KINDS, AttentionTrace
from tests.e2e.browser import find_chromium
from tests.e2e.inspector_page import START, Harness, put, watch
from tests.e2e.inspector_server import Shelf, serving
from tests.viz.inspector.made import ENGLISH, trace
from viz.inspector.pack import unpack
from viz.inspector.payload import Comparison, Role, View
from viz.text.language import Language

pytestmark = pytest.mark.e2e
Open = Callable[..., Harness]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    assert executable is not None, "no Chromium: run tests/e2e/browser.py"
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    put(shelf, "default", trace())
    return shelf


@pytest.fixture
def opened(browser: Browser, shelf: Shelf) -> Iterator[Open]:
    """Opens a data set of the shelf; whatever the browser complains of fails the test."""
    pages = []
    with serving(shelf) as base:

        def open_page(
            name: str = "default",
            query: str = "",
            *,
            size: tuple[int, int] = (1366, 768),
            status: str = "exact",
            touch: bool = False,
            ratio: float = 1,
        ) -> Harness:
            page = browser.new_page(
                viewport={"width": size[0], "height": size[1]},
                has_touch=touch,
                device_scale_factor=ratio,
            )
            harness = watch(page, base)
            pages.append(harness)
            harness.open(name, query, status=status)
            return harness

        yield open_page
        for harness in pages:
            harness.page.close()
            assert harness.problems == []


def test_every_head_is_drawn_and_the_chosen_one_is_exact(opened: Open) -> None:
    here = opened()
    state = here.state()
    assert state["grid"]["heads"] == 24
    assert state["selection"] == START
    real = trace().sites["cross"].weights[1, 4]
    assert np.array_equal(np.array(state["weights"], np.float32), real.reshape(-1))
    expect(here.at("hl-title")).to_have_text("Cross · layer 2 · head 5")
    expect(here.at("hl-step-count")).to_have_text("step 7 of 14")
    expect(here.at("hl-status")).to_have_text("exact numbers (float32)")


def test_axes_are_named_and_rows_lead_with_what_is_written(opened: Open) -> None:
    here = opened()
    expect(here.page.get_by_text("query (looks)").first).to_be_visible()
    expect(here.page.get_by_text("key (is looked at)").first).to_be_visible()
    labels = here.state()["matrix"]["labels"]
    assert [text for _, text in labels["rows"]] == [*ENGLISH, "end"]
    assert [text for _, text in labels["columns"]][:2] == ["어제", "카페"]
    here.page.get_by_role("radio", name="Decoder self").click()
    labels = here.until("state.selection.kind === 'decoder_self'")["matrix"]["labels"]
    assert [text for _, text in labels["columns"]] == ["start", *ENGLISH]


def test_a_click_picks_a_head(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 3, head 8").click()
    state = here.until(
        "state.selection.layer === 3 && state.selection.head === 8 && state.status === 'exact'"
    )
    real = trace().sites["cross"].weights[2, 7]
    assert np.array_equal(np.array(state["weights"], np.float32), real.reshape(-1))
    assert "layer=3" in here.page.url
    assert "head=8" in here.page.url


def test_arrow_keys_walk_the_grid_and_stop_at_its_edges(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 2, head 5").focus()
    for key, layer, head in [
        ("ArrowRight", 2, 6),
        ("ArrowUp", 1, 6),
        ("ArrowUp", 1, 6),
        ("End", 1, 8),
        ("ArrowRight", 1, 8),
        ("PageDown", 3, 8),
        ("Home", 3, 1),
    ]:
        here.page.keyboard.press(key)
        here.selection(layer=layer, head=head)
        name = f"Layer {layer}, head {head}"
        expect(here.page.get_by_role("gridcell", name=name)).to_be_focused()
    assert here.state()["selection"]["step"] == 7


def test_steps_by_click_keys_and_drag(opened: Open) -> None:
    here = opened()
    steps = here.at("hl-steps")
    steps.get_by_text("people").click()
    here.selection(step=12)
    for key, step in [("ArrowLeft", 11), ("Home", 1), ("ArrowLeft", 1), ("End", 14), ("PageUp", 9)]:
        here.page.keyboard.press(key)
        here.selection(step=step)
    expect(steps).to_have_attribute("aria-valuetext", "there, step 9 of 14")
    places = [steps.get_by_text(word, exact=True).bounding_box() for word in ("went", "many")]
    assert places[0] is not None
    assert places[1] is not None
    here.page.mouse.move(places[0]["x"] + 5, places[0]["y"] + 5)
    here.page.mouse.down()
    here.selection(step=3)
    here.page.mouse.move(places[1]["x"] + 5, places[1]["y"] + 60, steps=5)
    here.selection(step=11)
    here.page.mouse.up()
    here.page.mouse.move(places[0]["x"] + 5, places[0]["y"] + 5)
    assert here.state()["selection"]["step"] == 11


def test_the_step_stays_in_view_when_the_room_changes(opened: Open, shelf: Shelf) -> None:
    words = tuple(range(90))
    target = tuple(f"word{at}" for at in words)
    put(shelf, "row", trace(target=target, target_words=words), selection={**START, "step": 70})
    here = opened("row")
    for width in (1366, 500, 1366, 820):
        here.page.set_viewport_size({"width": width, "height": 800})
        expect(here.at("hl-steps").locator(".hl-now")).to_be_in_viewport()


def test_a_tap_picks_a_step(opened: Open) -> None:
    here = opened(touch=True, size=(390, 800))
    here.at("hl-steps").get_by_text("went").tap()
    here.selection(step=3)


def test_play_runs_to_the_end(opened: Open) -> None:
    here = opened()
    here.at("hl-steps").get_by_text("people").click()
    here.at("hl-play").click()
    expect(here.at("hl-play")).to_have_attribute("aria-label", "Pause")
    here.selection(step=14)
    expect(here.at("hl-play")).to_have_attribute("aria-label", "Play the steps")


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


@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 6), (6, 8)])
def test_hover_says_the_arrays_value(opened: Open, row: int, column: int) -> None:
    here = opened()
    here.page.mouse.move(*here.cell(row, column))
    here.until(f"JSON.stringify(state.hover) === '[{row},{column}]'")
    look = trace()
    lines = here.at("hl-tip").inner_text().split("\n")
    assert lines == [
        f"writes {look.written[row].text}",
        f"reads {look.target[row].text}",
        f"key {look.source[column].text}",
        f"weight {look.sites['cross'].weights[1, 4, row, column]:.3f}",
    ]


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
        f"Next token after “yesterday I went to the caf”. "
        f"Writing é, this head put {row.max():.3f} on {key}."
    )


def test_the_distribution_is_the_models(opened: Open) -> None:
    look = trace()
    assert look.logits is not None
    here = opened()
    odds = np.exp(look.logits[6].astype(np.float64))
    odds /= odds.sum()
    shown = here.state()["next"][0]
    assert [p for _, p, _ in shown] == pytest.approx(np.sort(odds)[::-1][:4].tolist(), rel=1e-9)
    assert [text for text, _, chosen in shown if chosen] == ["é"]
    bar = here.page.locator(".hl-bar-chosen")
    expect(bar).to_contain_text(f"{odds[look.written[6].id] * 100:.1f}\u00a0%")


def test_kinds_by_click_and_by_keys(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("radio", name="Encoder self").click()
    state = here.until("state.selection.kind === 'encoder_self' && state.status === 'exact'")
    assert (state["rows"], state["columns"]) == (9, 9)
    assert state["matrix"]["unwritten"] == 0
    here.page.keyboard.press("ArrowRight")
    here.until("state.selection.kind === 'decoder_self'")
    here.page.keyboard.press("ArrowLeft")
    here.page.keyboard.press("ArrowLeft")
    here.until("state.selection.kind === 'cross'")
    expect(here.page.get_by_role("radio", name="Cross")).to_be_focused()
    assert here.state()["selection"] == START


def test_only_the_kinds_that_are_there_are_offered(opened: Open, shelf: Shelf) -> None:
    look = trace()
    encoder = AttentionTrace("e", look.source, (), (), {"encoder_self": look.sites["encoder_self"]})
    put(shelf, "encoder", encoder)
    put(shelf, "nothing", AttentionTrace("n", look.source, (), (), {}))
    here = opened("encoder")
    assert here.page.get_by_role("radio", name=re.compile("self|Cross")).count() == 1
    expect(here.at("hl-play")).to_be_hidden()
    here.page.goto(f"{here.base}?data=nothing")
    expect(here.page.get_by_text("This model has no attention to draw.")).to_be_visible()


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


def test_l_swaps_matrix_and_lines_where_only_one_fits(opened: Open) -> None:
    here = opened(size=(820, 900))
    expect(here.at("hl-matrix")).to_be_visible()
    expect(here.at("hl-lines")).to_be_hidden()
    here.at("hl-steps").press("l")
    expect(here.at("hl-lines")).to_be_visible()
    expect(here.at("hl-matrix")).to_be_hidden()
    here.until("state.lines.lines > 0")


def test_colours_can_reach_the_largest_weight(opened: Open) -> None:
    here = opened()
    largest = trace().sites["cross"].weights[1, 4].max()
    before = here.pixels(6, 8)
    here.at("hl-scale").click()
    expect(here.at("hl-scale-high")).to_have_text(f"{largest:.3f}, the largest here")
    assert here.pixels(6, 8) != before
    here.at("hl-scale").click()
    expect(here.at("hl-scale-high")).to_have_text("1")


def test_keys_alone_reach_everything(opened: Open) -> None:
    here = opened()
    reached = []
    for _ in range(7):
        here.page.keyboard.press("Tab")
        reached.append(
            here.page.evaluate(
                """() => { const active = document.querySelector('#place').shadowRoot.activeElement;
                return active.dataset.testid ?? active.getAttribute('role'); }"""
            )
        )
    assert reached == [
        "hl-play", "hl-steps", "radio", "gridcell", "hl-scale", "hl-matrix", "hl-threshold",
    ]  # fmt: skip
    here.page.keyboard.press("Shift+Tab")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowUp")
    here.until("JSON.stringify(state.hover) === '[5,1]'")
    value = trace().sites["cross"].weights[1, 4, 5, 1]
    spoken = here.page.locator("[aria-live]")
    expect(spoken).to_have_text(f"writes caf, reads the, key 카페, weight {value:.3f}")
    here.page.keyboard.press("Enter")
    here.until("JSON.stringify(state.selection.pinned) === '[6,2]'")
    here.page.keyboard.press("Escape")
    here.until("state.selection.pinned === null")


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
    weights, _ = unpack(put(Shelf(), "default", trace()))["cross"]
    got = np.array(here.state()["weights"])
    assert got == pytest.approx(weights[1, 4].reshape(-1).tolist(), abs=1e-6)
    here.page.mouse.move(*here.cell(6, 3))
    expect(here.at("hl-tip")).to_contain_text(f"weight ≈ {weights[1, 4, 6, 3]:.3f}")
    expect(here.at("hl-status")).to_contain_text("≈")
    expect(here.at("hl-sentence")).to_contain_text("≈")
    here.problems[:] = [problem for problem in here.problems if "404" not in problem]


@pytest.mark.parametrize("view", ["inspect", "step"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_narrow_page_does_not_scroll_sideways(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    put(shelf, "n", trace(), view=view, language=language)
    here = opened("n", size=(390, 800), ratio=2)
    for at, kind in enumerate(KINDS):
        here.at("hl-kinds").get_by_role("radio").nth(at).click()
        here.until(f"state.selection.kind === '{kind}'")
        assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_narrow_page_stacks_in_the_order_of_need(opened: Open) -> None:
    here = opened(size=(390, 800))
    tops = [
        place["y"]
        for name in ("hl-steps", "hl-kinds", "hl-matrix", "hl-next", "hl-grid", "hl-lines")
        if (place := here.at(name).bounding_box())
    ]
    assert len(tops) == 6
    assert tops == sorted(tops)


HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script>",
    "<img src=x onerror=window.hacked=1>",
    "\u202egnp.exe",
    "\x00",
    "{{}}",
    "{token}",
    "${1}",
    " ",
    "",
    "한" * 3000,
    "👩‍👩‍👧",
)


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_hostile_tokens_are_shown_as_they_are(opened: Open, shelf: Shelf, view: View) -> None:
    words = tuple(range(len(HOSTILE)))
    look = trace(HOSTILE, words, HOSTILE, words, model_id="</script><b>")
    put(shelf, "hostile", look, view=view)
    for size in ((1366, 768), (390, 800)):
        here = opened("hostile", size=size)
        chips = here.at("hl-steps").locator(".hl-chip").all_inner_texts()
        assert chips[:9] == ["start", *HOSTILE[:3], "⟨U+202E⟩gnp.exe", "⟨U+0000⟩", *HOSTILE[5:8]]
        assert chips[9:11] == ["␣", "∅"]
        for _ in range(len(HOSTILE)):
            here.at("hl-steps").press("ArrowRight")
        here.selection(step=len(HOSTILE) + 1)
        if view == "inspect":
            here.page.mouse.move(*here.cell(3, 2))
            expect(here.at("hl-tip")).to_contain_text("key <img src=x onerror=window.hacked=1>")
            expect(here.at("hl-tip")).to_contain_text("writes ⟨U+202E⟩gnp.exe")
        assert here.page.evaluate("window.hacked") is None
        assert here.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_new_data_keeps_what_still_fits(opened: Open, shelf: Shelf) -> None:
    put(shelf, "other", trace(seed=20))
    put(shelf, "small", trace(ENGLISH[:2], (0, 1), ENGLISH[:3], (0, 1, 2), layers=1, heads=2))
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 3, head 7").click()
    here.at("hl-steps").press("End")
    here.selection(layer=3, head=7, step=14)
    here.show("other")
    state = here.until("state.status === 'exact'")
    assert state["selection"] == {**START, "layer": 3, "head": 7, "step": 14}
    assert state["grid"]["of"] == 24
    here.until("window.sent.length > 0")
    here.show("small")
    state = here.until("state.status === 'exact'")
    assert state["selection"] == {**START, "layer": 1, "head": 2, "step": 4}
    assert here.page.locator("[data-testid=headlight]").count() == 1
    # What had to change is told, so that Python and the URL agree with what is drawn.
    here.until("location.search.includes('step=4')")
    told = json.dumps(state["selection"], separators=(",", ":"))
    here.until(f"JSON.stringify(window.sent.at(-1)[1]) === '{told}'")


def test_python_leads_only_when_it_says_something_new(opened: Open, shelf: Shelf) -> None:
    put(shelf, "again", trace(), selection={**START, "head": 2})
    here = opened()
    here.at("hl-steps").press("Home")
    here.selection(step=1)
    here.show("default")
    here.selection(step=1, head=5)
    here.show("again")
    here.selection(step=7, head=2)


def test_the_selection_is_reported_once_it_rests(opened: Open) -> None:
    here = opened(query="&lang=ko&source=%EC%B9%B4%ED%8E%98")
    for _ in range(3):
        here.at("hl-steps").press("ArrowRight")
    here.until("window.sent.length > 0 && location.search.includes('step=10')")
    assert "lang=ko" in here.page.url
    assert "source=%EC%B9%B4%ED%8E%98" in here.page.url
    assert here.page.evaluate("window.sent") == [["selection", {**START, "step": 10}]]
    assert here.page.evaluate("history.length") == 2


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"kind": "nonsense", "layer": 99, "head": -3, "step": 1000, "pinned": [400, 1]},
        {"kind": None, "layer": "2", "head": 1.5, "step": None, "pinned": "x"},
    ],
)
def test_a_selection_that_does_not_fit_is_settled(
    opened: Open, shelf: Shelf, wanted: dict[str, object]
) -> None:
    put(shelf, "odd", trace(), selection=wanted)
    selection = opened("odd").state()["selection"]
    assert selection["kind"] == "cross"
    assert 1 <= selection["layer"] <= 3
    assert 1 <= selection["head"] <= 8
    assert selection["step"] == 14
    assert selection["pinned"] is None


def test_the_stages_are_the_tensors(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": "decoder_self"})
    here = opened("step")
    site = trace().sites["decoder_self"]
    assert site.scores is not None
    scores, open_scores = site.scores[1, 4], site.scores[1, 4][site.allowed]
    stages = here.state()["stages"]
    assert stages["scores"]["rows"] == 7
    for name, values in (("scores", scores), ("mask", scores), ("masked", open_scores)):
        assert stages[name]["low"] == pytest.approx(float(values.min()), rel=1e-6)
        assert stages[name]["high"] == pytest.approx(float(values.max()), rel=1e-6)
        scale = f"{values.min():.3f}{values.max():.3f}".replace("-", "−")
        expect(here.at(f"hl-scale-{name}")).to_have_text(scale)


def test_each_number_can_be_worked_out_from_the_one_before(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": "decoder_self"})
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


def test_a_stage_answers_to_hover(opened: Open, shelf: Shelf) -> None:
    put(shelf, "step", trace(), view="step", selection={**START, "kind": "decoder_self"})
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


def test_a_model_without_scores_says_so(opened: Open, shelf: Shelf) -> None:
    put(shelf, "bare", trace(scores=False), view="step")
    here = opened("bare")
    expect(
        here.page.get_by_text("This model does not expose its raw scores.").first
    ).to_be_visible()
    assert here.state()["stages"]["weights"]["rows"] == 7


@pytest.mark.parametrize("role", ["lifted", "causal"])
def test_what_lifting_the_mask_does_to_the_right_answer(
    opened: Open, shelf: Shelf, role: Role
) -> None:
    looks = {"causal": trace(), "lifted": trace(lifted=True)}
    base = looks["causal" if role == "lifted" else "lifted"]
    other = put(Shelf(), "other", looks[role])
    put(shelf, "both", base, view="step", comparison=Comparison(other, role, role, "base"))
    here = opened("both")
    chosen = []
    for name in ("lifted", "causal"):
        logits = looks[name].logits
        assert logits is not None
        odds = np.exp(logits[6].astype(np.float64))
        chosen.append(odds[looks[name].written[6].id] / odds.sum())
    expect(here.at("hl-delta")).to_have_text(f"{chosen[0] - chosen[1]:+.3f} with the mask lifted")
    expect(here.at("hl-compare")).to_contain_text(f"{chosen[0] - chosen[1]:+.3f}")
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


def test_dark_is_dark_and_follows_a_change(opened: Open, shelf: Shelf) -> None:
    here = opened()
    assert here.state()["dark"] is False
    here.page.evaluate(
        """() => { document.documentElement.style.setProperty('--st-background-color', '#0e1117');
        document.documentElement.style.setProperty('--st-text-color', '#fafafa'); }"""
    )
    here.show("default")
    here.until("state.dark")
    assert max(here.pixels(1, 0)[0]) < 90


def test_unmounting_leaves_nothing(opened: Open) -> None:
    here = opened()
    here.at("hl-play").click()
    here.page.evaluate("window.unmount()")
    assert here.page.evaluate("document.querySelector('#place').shadowRoot.childElementCount") == 0
    assert here.page.evaluate("window.headlight()") == {"ready": False}
