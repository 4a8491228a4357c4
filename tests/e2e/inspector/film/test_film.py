"""Scrubbing through the milestones of a run: every number is that milestone's own."""

import itertools
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from core.studies.heads import head_traits
from tests.e2e.inspector.film.shelf import (
    OUTPUTS,
    START,
    STEPS,
    open_film,
    put_film,
    shows,
    traced,
)
from tests.e2e.inspector.page import Harness, Open
from tests.e2e.inspector.server import Shelf
from viz.inspector.quantise import WEIGHT_ERROR
from viz.text.film import EN, TEXT
from viz.text.inspector import EN as INSPECTOR
from viz.text.language import Language

pytestmark = pytest.mark.e2e


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    put_film(shelf)
    return shelf


def test_keys_go_through_the_milestones_and_show_their_own_numbers(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-milestones").focus()
    shows(here, STEPS[-1])
    for step in reversed(STEPS[:-1]):
        here.page.keyboard.press("ArrowLeft")
        state = shows(here, step)
        expected = traced(step).sites["cross"].weights[1, 2].ravel()
        np.testing.assert_allclose(state["values"], expected, atol=1e-6)
        assert state["traceId"] == f"film-{step}"
    here.page.keyboard.press("ArrowLeft")
    shows(here, 0)
    here.page.keyboard.press("End")
    shows(here, STEPS[-1])
    here.page.keyboard.press("Home")
    shows(here, 0)


def test_the_slider_says_what_each_milestone_writes(opened: Open) -> None:
    here = open_film(opened)
    slider = here.at("hl-milestones")
    slider.focus()
    expect(slider).to_have_attribute(
        "aria-valuetext", "after update 2,000, milestone 7 of 7: I went to the"
    )
    expect(here.at("hl-said")).to_have_text("After 2,000 updates it writes I went to the")
    here.page.keyboard.press("Home")
    expect(here.at("hl-said")).to_have_text("Untrained it writes nothing")
    here.page.keyboard.press("ArrowRight")
    expect(here.at("hl-said")).to_have_text(
        "After 1 updates it writes the the the (cut off: it did not end)"
    )
    expect(here.at("hl-milestone-count")).to_have_text("milestone 2 of 7")


def test_the_film_plays_to_its_end_and_begins_again_when_asked(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-speed").get_by_text("4×").click()
    here.at("hl-milestones").focus()
    here.page.keyboard.press("Home")
    shows(here, 0)
    here.page.keyboard.press("Space")
    here.until("state.playing")
    expect(here.at("hl-play")).to_have_attribute("aria-label", INSPECTOR.pause)
    here.until(f"!state.playing && state.selection.milestone === {STEPS[-1]}")
    here.page.keyboard.press("Space")
    here.until(f"state.playing && state.selection.milestone < {STEPS[-1]}")
    here.page.keyboard.press("Space")
    here.until("!state.playing")


def test_space_on_what_opens_opens_it(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-export").focus()
    here.page.keyboard.press("Space")
    expect(here.page.locator("details[open]").filter(has=here.at("hl-export"))).to_have_count(1)
    assert not here.state()["playing"]


def test_a_looped_film_goes_round_until_it_is_paused(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-speed").get_by_text("4×").click()
    here.at("hl-loop").click()
    here.at("hl-play").click()
    here.until(f"state.playing && state.selection.milestone === {STEPS[-2]}")
    here.until("state.playing && state.selection.milestone === 0")
    here.at("hl-milestones").press("ArrowRight")
    here.until("!state.playing")


def test_a_touched_slider_takes_the_film_over(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-play").click()
    here.until("state.playing")
    here.at("hl-milestones").fill("3")
    here.until(f"!state.playing && state.selection.milestone === {STEPS[3]}")


def test_the_address_follows_and_python_hears_of_it(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-milestones").press("Home")
    here.until("new URL(location).searchParams.get('milestone') === '0'")
    here.until("window.sent.length > 0")
    name, value = here.page.evaluate("window.sent.at(-1)")
    assert name == "selection"
    chosen = {"kind": "cross", "layer": 2, "head": 3, "milestone": 0, "compare": 0, "view": "maps"}
    assert value == {**chosen, **dict.fromkeys(("pinned", "stretch", "speed", "loop"))}
    query = parse_qs(urlsplit(here.page.url).query)
    assert {key: query[key] for key in chosen} == {key: [str(v)] for key, v in chosen.items()}


def test_how_it_is_played_is_in_the_address(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-speed").get_by_text("0.5×").click()
    here.at("hl-loop").click()
    here.until("new URL(location).searchParams.get('loop') === 'on'")
    assert parse_qs(urlsplit(here.page.url).query)["speed"] == ["0.5"]
    here.until("window.sent.at(-1)?.[1].loop === 'on'")
    assert here.page.evaluate("window.sent.at(-1)[1].speed") == "0.5"
    here.at("hl-speed").get_by_text("1×", exact=True).click()
    here.at("hl-loop").click()
    here.until("!/speed|loop/.test(location.search)")


def test_a_difference_is_that_of_the_tensors(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-views").get_by_text(EN.view_difference).click()
    here.at("hl-compare").select_option(label="after update 20")
    state = here.until("state.status === 'exact' && state.selection.compare === 20")
    after, before = (traced(step).sites["cross"].weights[1, 2] for step in (STEPS[-1], 20))
    np.testing.assert_allclose(state["values"], (after - before).ravel(), atol=1e-6)
    scale = state["scale"]
    assert (scale["low"], scale["middle"], scale["high"]) == ("−1", "0", "+1")
    here.at("hl-scale").click()
    most = float(np.abs(after - before).max())
    expect(here.at("hl-scale")).to_have_text(f"−{most:.3f}0+{most:.3f}")
    here.page.mouse.move(*here.cell(4, 2))
    now, then, change = after[4, 2], before[4, 2], after[4, 2] - before[4, 2]
    sign = "+" if change >= 0 else "−"
    expect(here.at("hl-tip")).to_contain_text(
        f"weight {now:.3f}, after update 20 {then:.3f}: {sign}{abs(change):.3f}"
    )


def test_where_nothing_changed_nothing_is_coloured(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-views").get_by_text(EN.view_difference).click()
    here.at("hl-compare").select_option(label="after update 2,000")
    here.until("state.selection.compare === 2000 && state.values.every((value) => value === 0)")
    for row, column in itertools.product((0, 5), (1, 6)):
        assert set(here.pixels(row, column)) == {(255, 255, 255)}


def test_more_and_less_have_two_colours(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-milestones").focus()
    here.page.keyboard.press("Shift+ArrowRight")
    here.until("state.selection.view === 'difference' && state.selection.compare === 1")
    change = traced(2000).sites["cross"].weights[1, 2] - traced(1).sites["cross"].weights[1, 2]
    shows(here, 2000)
    for extreme, warmer in ((change.argmin(), True), (change.argmax(), False)):
        row, column = divmod(int(extreme), change.shape[1])
        red, green, _ = here.pixels(row, column)[0]
        assert (red > green) is warmer


@pytest.mark.parametrize(("view", "sides"), [("maps", 1), ("difference", 2)])
def test_numbers_that_are_not_exact_are_marked(
    opened: Open, shelf: Shelf, view: str, sides: int
) -> None:
    shelf.refuse_exact = True
    put_film(shelf, "rough", selection={"kind": "cross", "view": view, "compare": 4})
    here = open_film(opened, "rough", status="failed")
    expect(here.at("hl-status")).to_contain_text(f"error below {sides * WEIGHT_ERROR}")
    here.page.mouse.move(*here.cell(2, 3))
    expect(here.at("hl-tip")).to_contain_text("≈")
    here.problems[:] = [problem for problem in here.problems if "404" not in problem]


def test_curves_are_the_traits_of_the_chosen_head(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-kinds").get_by_text(INSPECTOR.kind_encoder_self).click()
    here.at("hl-milestones").focus()
    for step in reversed(STEPS):
        state = shows(here, step)
        made = traced(step)
        traits = head_traits(made.sites["encoder_self"], made.keys("encoder_self"))
        own = {name: values[1][2] for name, values in traits.items()}
        assert set(own) <= set(state["curves"])
        for name, value in own.items():
            printed = f"{value:.2f}" if name in ("entropy", "distance") else None
            share = f"{np.floor(100 * value + 0.5):.0f}\u00a0%"
            assert state["curves"][name] == (printed or share), name
        here.page.keyboard.press("ArrowLeft")


def test_what_the_run_reported_is_shown_from_when_it_was_known(opened: Open) -> None:
    here = open_film(opened)
    found = {}
    here.at("hl-milestones").focus()
    for step in reversed(STEPS):
        curves = shows(here, step)["curves"]
        found[step] = (curves["valid-words"], curves["exact-words"])
        here.page.keyboard.press("ArrowLeft")
    assert found == {
        0: ("–", "–"),
        1: ("–", "–"),
        4: ("–", "–"),
        20: ("4.00 (after update 10)", "–"),
        100: ("2.50", "–"),
        500: ("2.50 (after update 100)", "–"),
        2000: ("1.25 (after update 1,900)", "50\u00a0% (after update 1,900)"),
    }


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("size", [(1366, 768), (1000, 768), (390, 844)])
def test_when_a_number_was_reported_leaves_its_curve_its_name_and_moves_nothing(
    opened: Open, shelf: Shelf, language: Language, size: tuple[int, int]
) -> None:
    put_film(shelf, "reported", language=language)
    here = open_film(opened, "reported", size=size)
    captions = here.page.locator(".hl-curve[data-model] figcaption")
    laid = "all => all.map(one => one.getBoundingClientRect().top)"
    tops = captions.evaluate_all(laid)
    assert len(set(tops)) == -(-len(tops) // (4 if 680 <= size[0] < 1100 else 2))  # rows
    here.at("hl-milestones").press("Home")
    shows(here, 0)
    assert captions.evaluate_all(laid) == tops
    here.at("hl-milestones").press("End")
    shows(here, STEPS[-1])
    cut = """all => all.flatMap(one => [one, ...one.children])
        .filter(one => one.scrollWidth > one.clientWidth)
        .map(one => one.textContent)"""
    assert captions.evaluate_all(cut) == []
    assert min(captions.locator("span").evaluate_all("all => all.map(one => one.clientWidth)")) > 40


def test_a_pinned_cell_gets_a_curve_of_its_own(opened: Open) -> None:
    here = open_film(opened)
    here.page.mouse.click(*here.cell(3, 1))
    here.until("JSON.stringify(state.selection.pinned) === '[4,2]'")
    here.page.mouse.move(2, 2)
    here.at("hl-milestones").focus()
    for step in reversed(STEPS):
        state = shows(here, step)
        shown = float(state["curves"]["pinned"].removeprefix("≈\u00a0"))
        weight = traced(step).sites["cross"].weights[1, 2, 3, 1]
        assert shown == pytest.approx(weight, abs=WEIGHT_ERROR + 5e-4)
        here.page.keyboard.press("ArrowLeft")


def test_a_curve_is_a_slider_too(opened: Open) -> None:
    here = open_film(opened)
    plot = here.page.locator('[data-name="entropy"] .hl-plot')
    box = plot.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    here.page.mouse.move(box["x"] + 1, y)
    here.page.mouse.down()
    shows(here, STEPS[0])
    here.page.mouse.move(box["x"] + box["width"] / 2, y, steps=4)
    shows(here, STEPS[3])
    here.page.mouse.up()


def test_the_list_of_outputs_follows_and_leads(opened: Open) -> None:
    here = open_film(opened)
    items = here.at("hl-outputs").locator("li")
    expected = [
        f"{step:,}{text or EN.wrote_nothing}" for step, text in zip(STEPS, OUTPUTS, strict=True)
    ]
    assert [text.replace("\n", "") for text in items.all_inner_texts()] == expected
    items.nth(2).click()
    shows(here, STEPS[2])
    expect(items.nth(2)).to_have_class("hl-out hl-out-now")
    expect(here.at("hl-outputs").locator(".hl-out-now")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everything_stands_in_a_table_too(opened: Open, shelf: Shelf, language: Language) -> None:
    put_film(shelf, "told", language=language)
    here = open_film(opened, "told")
    rows = here.at("hl-table").locator("tbody tr")
    expect(rows).to_have_count(len(STEPS))
    cells = [cell.strip() for cell in rows.nth(4).locator("th, td").all_inner_texts()]
    words = TEXT[language]
    assert cells[:2] == ["100", OUTPUTS[4]]
    assert cells[2] == words.validated_at.format(scores=f"{words.score_loss} 2.50", step="100")
    made = traced(100)
    entropy = head_traits(made.sites["cross"], made.keys("cross"))["entropy"][1][2]
    assert cells[3] == f"{entropy:.2f}"
    assert len(cells) == here.at("hl-table").locator("thead th").count()
    nothing = rows.nth(0).locator("th, td").nth(1)
    expect(nothing).to_have_text(words.wrote_nothing)
    expect(here.at("hl-outputs").get_by_role("listitem").nth(0)).to_contain_text(
        words.wrote_nothing
    )


def test_heads_are_told_anew_at_each_milestone(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-milestones").press("Home")
    made = traced(0)
    entropy = head_traits(made.sites["cross"], made.keys("cross"))["entropy"][1][2]
    cell = here.page.locator('.hl-head[data-layer="1"][data-head="2"]')
    expect(cell).to_have_attribute("aria-label", re.compile(f"{entropy:.2f} bits"))


def lengthen(here: Harness) -> None:
    """A run has kept another milestone; nobody waits for the promise, which Chromium 150 loses."""
    here.page.evaluate("() => { window.show('longer'); }")


def test_another_head_keeps_the_milestone_and_a_longer_film_keeps_both(
    opened: Open, shelf: Shelf
) -> None:
    put_film(shelf, "longer", steps=(*STEPS, 9000))
    here = open_film(opened)
    here.at("hl-milestones").press("ArrowLeft")
    here.page.locator('.hl-head[data-layer="0"][data-head="1"]').click()
    state = shows(here, 500)
    np.testing.assert_allclose(
        state["values"], traced(500).sites["cross"].weights[0, 1].ravel(), atol=1e-6
    )
    lengthen(here)
    state = here.until("state.traceId === 'longer-500' && state.status === 'exact'")
    assert (state["selection"]["layer"], state["selection"]["head"]) == (1, 2)


def test_a_film_that_grows_while_it_plays_plays_on(opened: Open, shelf: Shelf) -> None:
    put_film(shelf, "longer", steps=(*STEPS, 9000))
    here = open_film(opened)
    here.at("hl-loop").click()
    here.at("hl-play").click()
    here.until("state.playing")
    lengthen(here)
    here.until("state.playing && state.selection.milestone === 9000")
    here.at("hl-play").click()
    here.until("!state.playing")


def test_one_milestone_is_a_film_that_stands_still(opened: Open, shelf: Shelf) -> None:
    put_film(shelf, "still", steps=(0,))
    here = open_film(opened, "still")
    shows(here, 0)
    expect(here.at("hl-milestones")).to_be_disabled()
    expect(here.at("hl-play")).to_be_disabled()
    here.page.keyboard.press("Space")
    assert not here.state()["playing"]


def test_one_milestone_alone_chooses_none_to_compare_with(opened: Open, shelf: Shelf) -> None:
    put_film(shelf, "still", steps=(STEPS[-1],))
    put_film(shelf, "longer")
    here = open_film(opened, "still")
    here.page.locator('.hl-head[data-layer="0"][data-head="1"]').click()
    here.until("window.sent.length > 0")
    _, value = here.page.evaluate("window.sent.at(-1)")
    assert value["milestone"] == STEPS[-1]
    assert "compare" not in value
    assert "compare" not in parse_qs(urlsplit(here.page.url).query)
    lengthen(here)
    here.until("state.traceId === 'longer-2000' && state.selection.compare === 0")


def test_markup_stays_text(opened: Open, shelf: Shelf) -> None:
    evil = "<img/src=x/onerror=alert(1)>"
    put_film(shelf, "evil", outputs=[evil])
    here = open_film(opened, "evil")
    expect(here.at("hl-said")).to_contain_text(evil)
    assert here.page.locator("#place img").count() == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_scrolls_one_way_only(
    opened: Open, shelf: Shelf, language: Language, dark: bool
) -> None:
    shelf.dark = dark
    put_film(shelf, "phone", language=language, selection={"view": "difference"})
    here = open_film(opened, "phone", size=(390, 844), touch=True)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert here.state()["dark"] is dark
    here.page.mouse.wheel(0, 900)
    expect(here.at("hl-milestones")).to_be_in_viewport()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("width", [320, 360])
def test_nothing_of_the_player_lies_over_another_part_of_it(
    opened: Open, shelf: Shelf, language: Language, width: int
) -> None:
    put_film(shelf, "narrow", language=language)
    here = open_film(opened, "narrow", size=(width, 740), touch=True)
    parts = [here.page.locator(f".hl-player .{name}") for name in ("hl-step-text", "hl-controls")]
    count, controls = [part.bounding_box() for part in parts]
    assert count is not None
    assert controls is not None
    beside = count["x"] + count["width"] <= controls["x"]
    assert beside or count["y"] + count["height"] <= controls["y"]
    assert controls["x"] + controls["width"] <= width


def test_all_heads_of_a_difference_are_taken_where_it_is_in_view(
    opened: Open, shelf: Shelf
) -> None:
    put_film(shelf, "apart", selection={**START, "view": "difference", "compare": STEPS[1]})
    here = open_film(opened, "apart")
    here.at("hl-export").click()
    name = f"{INSPECTOR.export_grid} · {EN.view_difference}, CSV"
    parts = urlsplit(here.page.get_by_role("link", name=name).get_attribute("href") or "")
    assert parts.path == f"/export/apart-{STEPS[1]}/beside/apart-{STEPS[-1]}/trace.csv"
    asked = parse_qs(parts.query)
    assert (asked["view"], asked["kind"]) == (["grid"], ["cross"])
    here.page.keyboard.press("Escape")
    here.page.get_by_role("radio", name=EN.view_maps).click()
    here.until("state.selection.view === 'maps'")
    here.at("hl-export").click()
    expect(here.page.get_by_role("link", name=f"{INSPECTOR.export_grid}, CSV")).to_be_visible()
    expect(here.page.get_by_role("link", name=name)).to_have_count(0)


def test_what_is_taken_along_is_the_milestone_in_view(opened: Open) -> None:
    here = open_film(opened)
    here.at("hl-milestones").focus()
    here.page.keyboard.press("ArrowLeft")
    shows(here, STEPS[-2])
    here.at("hl-export").click()
    menu = {
        EN.export_head: (f"/export/film-{STEPS[-2]}/trace.svg", {}),
        INSPECTOR.export_grid: (f"/export/film-{STEPS[-2]}/trace.svg", {"view": "grid"}),
        EN.export_difference: (f"/export/film-0/beside/film-{STEPS[-2]}/trace.svg", {}),
    }
    chosen = {"kind": "cross", "layer": "2", "head": "3", "lang": "en"}
    for name, (path, more) in menu.items():
        link = here.page.get_by_role("link", name=f"{name}, SVG")
        expect(link).to_be_visible()
        parts = urlsplit(link.get_attribute("href") or "")
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        assert (parts.path, asked) == (path, chosen | more)


def test_a_difference_is_taken_with_its_pin_and_its_scale(opened: Open) -> None:
    here = open_film(opened)
    here.page.mouse.click(*here.cell(1, 2))
    here.at("hl-scale").click()
    here.until("JSON.stringify(state.selection.pinned) === '[2,3]'")
    here.at("hl-export").click()
    link = here.page.get_by_role("link", name=f"{EN.export_difference}, SVG")
    asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    assert (asked["pinned"], asked["stretch"]) == (["2.3"], ["on"])
