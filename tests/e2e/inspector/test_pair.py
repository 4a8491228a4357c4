"""Two looks beside each other: every number is one of theirs, every difference one of both."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace, Floats, Kind, Token
from tests.e2e.inspector.page import Harness, Open
from tests.e2e.inspector.server import Shelf
from tests.twins.words import word_weights
from tests.viz.inspector.made import ENGLISH, KOREAN, sunk, trace
from viz.export.paper.both import both as laid_over
from viz.inspector.pack import pack
from viz.inspector.pair import alignment, pair_data
from viz.text.browser import inspector_words
from viz.text.heads import EN as HEADS
from viz.text.inspector import EN as INSPECTOR
from viz.text.language import Language
from viz.text.pair import EN, TEXT
from viz.text.rows import by_name

pytestmark = pytest.mark.e2e

OTHER_KOREAN = (KOREAN[0], "학교", *KOREAN[2:])
OTHER_ENGLISH = (*ENGLISH[:4], "school", *ENGLISH[7:])  # three tokens less, one more
START: dict[str, Any] = {"kind": "cross", "layer": 2, "head": 5, "pinned": None, "other": "same"}
SIDES = ("first", "second", "difference")


def two_traces() -> tuple[AttentionTrace, AttentionTrace]:
    words = tuple(range(len(OTHER_ENGLISH)))
    return trace(), trace(OTHER_KOREAN, target=OTHER_ENGLISH, target_words=words, seed=30)


def put_pair(
    shelf: Shelf,
    traces: tuple[AttentionTrace, AttentionTrace],
    name: str = "pair",
    *,
    language: Language = "en",
    selection: dict[str, Any] | None = None,
) -> None:
    """Lays two looks on the shelf."""
    packed = []
    for at, made in enumerate(traces):
        packed.append(pack(made, trace_id=f"{name}-{at}"))
        shelf.traces[f"{name}-{at}"] = made
    text = inspector_words(language) | by_name(TEXT[language])
    shelf.data[name] = pair_data(
        *packed, language=language, text=text, selection=START if selection is None else selection
    )


PAIR = "&module=compare/main.js"


def open_pair(opened: Open, name: str = "pair", **options: Any) -> Harness:
    here: Harness = opened(name, PAIR, **options)
    return here


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    put_pair(shelf, two_traces())
    return shelf


def placed(
    traces: tuple[AttentionTrace, AttentionTrace], kind: Kind
) -> tuple[list[list[int]], ...]:
    """The pairs of rows and of columns."""
    a, b = traces
    rows = alignment(a.queries(kind), b.queries(kind))
    return rows, alignment(a.keys(kind), b.keys(kind))


def minus(
    traces: tuple[AttentionTrace, AttentionTrace], kind: Kind, first: Floats, second: Floats
) -> Floats:
    """Slow twin of `Both.minus`."""
    rows, columns = placed(traces, kind)
    out = np.zeros((len(rows), len(columns)), np.float32)
    for r, (a, b) in enumerate(rows):
        for c, (x, y) in enumerate(columns):
            if min(a, b, x, y) >= 0:
                out[r, c] = second[b, y] - first[a, x]
    return out


def change(
    traces: tuple[AttentionTrace, AttentionTrace], kind: Kind, layer: int, head: int
) -> float:
    """Slow twin of `Both.change`: each pair of rows as distributions over all places and none."""
    rows, columns = placed(traces, kind)
    weights = [made.sites[kind].weights[layer, head].astype(np.float64) for made in traces]
    weights = [each / np.maximum(1, each.sum(-1, keepdims=True)) for each in weights]
    distances = []
    for pair in rows:
        if min(pair) < 0:
            continue
        spread = [
            np.array(
                [0.0 if at[side] < 0 else weights[side][pair[side], at[side]] for at in columns]
            )
            for side in (0, 1)
        ]
        none = [1 - each[at].sum() for each, at in zip(weights, pair, strict=True)]
        distances.append((np.abs(spread[0] - spread[1]).sum() + abs(none[0] - none[1])) / 2)
    return float(np.mean(distances))


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_three_pictures_hold_the_numbers_of_both_and_their_difference(
    opened: Open, kind: Kind
) -> None:
    here = open_pair(opened)
    here.page.locator(f'[data-testid="hl-kinds"] [data-value="{kind}"]').click()
    state = here.until(f"state.selection.kind === '{kind}' && state.status === 'exact'")
    traces = two_traces()
    first, second = (made.sites[kind].weights[1, 4] for made in traces)
    np.testing.assert_allclose(state["weights"][0], first.ravel(), atol=1e-6)
    np.testing.assert_allclose(state["weights"][1], second.ravel(), atol=1e-6)
    expected = minus(traces, kind, first, second)
    np.testing.assert_allclose(state["values"], expected.ravel(), atol=1e-6)
    rows, columns = placed(traces, kind)
    both = np.array([[min(*r, *c) >= 0 for c in columns] for r in rows])
    assert state["sides"][2]["matrix"]["forbidden"] >= (~both).sum()
    assert both.all() == (kind == "encoder_self")


def test_heads_are_ranked_by_how_much_of_their_attention_lies_elsewhere(opened: Open) -> None:
    here = open_pair(opened)
    state = here.state()
    heads = [(layer, head) for layer in range(3) for head in range(8)]
    known = {at: change(two_traces(), "cross", *at) for at in heads}
    ranked = [known[tuple(at)] for at in state["ranking"]]
    np.testing.assert_allclose(ranked, sorted(known.values(), reverse=True), atol=0.005)
    layer, head = state["ranking"][0]
    grid = here.page.locator('[data-side="difference"] [role="gridcell"]').first
    expect(grid).to_have_attribute("data-layer", str(layer))
    expect(grid).to_have_attribute("data-head", str(head))
    grid.click()
    here.until(f"state.selection.layer === {layer + 1} && state.selection.head === {head + 1}")
    caption = here.page.locator('[data-side="difference"] .hl-side-caption')
    share = f"≈\u00a0{round(100 * known[(layer, head)])}\u00a0%"  # of packed weights
    said = EN.change_here.format(
        head=INSPECTOR.head_name.format(layer=layer + 1, head=head + 1), share=share
    )
    rows, _ = placed(two_traces(), "cross")
    shared = EN.shared_rows.format(rows=sum(min(pair) >= 0 for pair in rows), all=len(rows))
    expect(caption).to_have_text(f"{EN.most_first} {said} {shared}")
    here.page.locator('[data-testid="hl-kinds"] [data-value="encoder_self"]').click()
    expect(caption).not_to_contain_text(EN.shared_rows[:9])  # all of them


@pytest.mark.parametrize("both_have", [True, False])
def test_what_goes_to_no_key_lies_elsewhere_too(
    opened: Open, shelf: Shelf, both_have: bool
) -> None:
    first, second = two_traces()
    traces = (sunk(5, first), sunk(6, second) if both_have else second)
    put_pair(shelf, traces, "sunk")
    here = open_pair(opened, "sunk")
    said_as_known(here, traces)


def said_as_known(here: Harness, traces: tuple[AttentionTrace, AttentionTrace]) -> None:
    """The ranking of cross-attention, and what is said of head 5 of layer 2."""
    known = {at: change(traces, "cross", *at) for at in product(range(3), range(8))}
    ranked = [known[tuple(at)] for at in here.state()["ranking"]]
    np.testing.assert_allclose(ranked, sorted(known.values(), reverse=True), atol=0.005)
    said = here.page.locator('[data-side="difference"] .hl-side-caption').inner_text()
    share = re.search(r"(\d+)\u00a0%", said)
    assert share
    assert int(share[1]) == pytest.approx(100 * known[1, 4], abs=1)


@pytest.mark.parametrize("scale", [0.0, 0.25, 3.0, None])
def test_rows_of_any_sum_are_compared_by_what_they_share_out(
    opened: Open, shelf: Shelf, scale: float | None
) -> None:
    """A head silenced by its weights or by its mask has moved wholly, and a louder one not."""
    plain, _ = two_traces()
    site = plain.sites["cross"]
    weights = np.copy(site.weights)
    weights[1, 4] *= scale or 0
    edited = replace(site, weights=weights, forced=True)
    if scale is None:
        allowed = np.copy(np.broadcast_to(site.allowed, weights.shape))
        allowed[1, 4] = False
        edited = replace(site, weights=weights, allowed=allowed)
    traces = plain, replace(plain, sites={**plain.sites, "cross": edited})
    put_pair(shelf, traces, "edited")
    known = change(traces, "cross", 1, 4)
    assert known == pytest.approx({0.0: 1, 0.25: 0.75, 3.0: 0, None: 1}[scale], abs=1e-6)
    said_as_known(open_pair(opened, "edited"), traces)


def test_pointing_at_a_cell_reads_it_in_all_three(opened: Open) -> None:
    here = open_pair(opened)
    traces = two_traces()
    first, second = (made.sites["cross"].weights[1, 4] for made in traces)
    point(here, "first", 2, 1)  # went → 카페, which is 학교 in the other
    a, b = first[2, 1], second[2, 1]
    change = f"{b - a:+.3f}".replace("-", "−")
    reading = here.at("hl-reading")
    expect(reading).to_have_text(
        EN.pair_writing.format(
            query="went", key="카페 / 학교", first=f"{a:.3f}", second=f"{b:.3f}", change=change
        )
    )
    point(here, "difference", 2, 1)
    tip = here.page.locator('[data-side="difference"] [data-testid="hl-tip"]')
    expect(tip).to_contain_text(EN.cell_change_of_pair.format(change=change))
    point(here, "first", 5, 1)  # caf, which the other did not write
    expect(reading).to_have_text(
        EN.pair_writing.format(
            query="caf",
            key="카페 / 학교",
            first=f"{first[5, 1]:.3f}",
            second=EN.no_such_cell,
            change="–",
        )
    )
    here.page.mouse.click(*cell(here, "first", 2, 1))
    here.selection(pinned="[3,2]")
    here.page.mouse.move(1, 1)
    expect(reading).to_contain_text(change)  # a pinned cell stays read


def cell(here: Harness, side: str, row: int, column: int) -> tuple[float, float]:
    """Middle of a cell of one side, in page pixels."""
    box = here.state()["sides"][SIDES.index(side)]["box"]
    place = here.page.locator(f'[data-side="{side}"] [data-testid="hl-matrix"]').bounding_box()
    assert place is not None
    return (
        place["x"] + box["x"] + (column + 0.5) * box["width"],
        place["y"] + box["y"] + (row + 0.5) * box["height"],
    )


def point(here: Harness, side: str, row: int, column: int) -> None:
    here.page.mouse.move(*cell(here, side, row, column))
    here.until("state.hover !== null")


def test_keys_move_over_the_cells_of_a_side(opened: Open) -> None:
    here = open_pair(opened)
    here.page.locator('[data-side="second"] [data-testid="hl-matrix"]').focus()
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowDown")
    here.until("state.hover?.[0] === 1 && state.hover?.[1] === 0")
    live = here.page.locator('[data-testid="headlight"] .hl-frame > [aria-live]')
    expect(live).to_contain_text("I")
    here.page.keyboard.press("Enter")
    here.selection(pinned="[2,1]")
    here.page.keyboard.press("Escape")
    here.page.keyboard.press("Escape")
    here.until("state.selection.pinned === null")


def test_a_head_is_chosen_in_both_or_apart(opened: Open) -> None:
    here = open_pair(opened)
    head = '[data-side="{}"] [data-layer="{}"][data-head="{}"]'
    here.page.locator(head.format("second", 0, 2)).click()
    here.until("state.selection.layer === 1 && state.selection.head === 3")
    here.at("hl-linked").uncheck()
    here.until("state.selection.other === '1.3'")
    here.page.locator(head.format("second", 2, 7)).click()
    state = here.until("state.selection.other === '3.8' && state.status === 'exact'")
    assert (state["selection"]["layer"], state["selection"]["head"]) == (1, 3)
    traces = two_traces()
    first = traces[0].sites["cross"].weights[0, 2]
    second = traces[1].sites["cross"].weights[2, 7]
    expected = minus(traces, "cross", first, second)
    np.testing.assert_allclose(state["values"], expected.ravel(), atol=1e-6)
    here.page.wait_for_url(re.compile(r"other=3\.8"))
    here.at("hl-linked").check()
    here.until("state.selection.other === 'same'")


def test_models_of_unlike_heads_are_chosen_apart(opened: Open, shelf: Shelf) -> None:
    first, _ = two_traces()
    put_pair(shelf, (first, trace(layers=1, heads=2, seed=3)), "unlike")
    here = open_pair(opened, "unlike")
    state = here.state()
    assert state["alike"] is False
    assert state["ranking"] is None
    assert (
        state["sides"][1]["title"] == f"{EN.second} · {INSPECTOR.head_name.format(layer=1, head=2)}"
    )
    expect(here.page.get_by_text(EN.unlike)).to_be_visible()
    expect(here.at("hl-linked")).to_be_hidden()
    here.page.locator('[data-side="second"] [data-layer="0"][data-head="0"]').click()
    here.until("state.selection.other === '1.1' && state.selection.head === 5")


@pytest.mark.parametrize(
    "selection",
    [
        {},
        {"kind": "nonsense", "layer": -4, "head": "x", "other": "<b>", "pinned": [1e9, 0]},
        {"kind": "cross", "layer": 999, "head": 0, "other": "999.999", "pinned": "no"},
        {"other": "1.1.1", "pinned": [None, {}]},
    ],
)
def test_a_selection_that_fits_nothing_is_replaced(
    opened: Open, shelf: Shelf, selection: dict[str, Any]
) -> None:
    put_pair(shelf, two_traces(), "odd", selection=selection)
    state = open_pair(opened, "odd").state()
    chosen = state["selection"]
    assert (chosen["kind"], chosen["other"], chosen["pinned"]) == ("cross", "same", None)
    assert 1 <= chosen["layer"] <= 3


def test_the_scale_of_both_heads_is_one(opened: Open) -> None:
    here = open_pair(opened)
    expect(here.at("hl-scale-high")).to_have_text("1")
    here.at("hl-scale").click()
    here.until("state.stretch")
    largest = max(float(made.sites["cross"].weights[1, 4].max()) for made in two_traces())
    expect(here.at("hl-scale-high")).to_have_text(f"{largest:.3f}")


def test_a_row_is_told_in_numbers_to_those_who_do_not_see_it(opened: Open) -> None:
    here = open_pair(opened)
    point(here, "first", 2, 1)
    table = here.page.locator('table[data-testid="hl-table"]')
    heads = "Cross; A · Layer 2, head 5; B · Layer 2, head 5"
    expect(table.locator("caption")).to_have_text(f"{EN.pair_table}: went; {heads}")
    traces = two_traces()
    first, second = (made.sites["cross"].weights[1, 4, 2] for made in traces)
    column = int(np.abs(second - first).argmax())
    cells = table.locator("tbody tr").first.locator("td")
    expect(cells.nth(0)).to_have_text(f"{first[column]:.3f}")
    expect(cells.nth(1)).to_have_text(f"{second[column]:.3f}")
    expect(cells.nth(2)).to_have_text(f"{second[column] - first[column]:+.3f}".replace("-", "−"))
    here.page.mouse.move(0, 0)  # where nothing is read, nothing is told
    expect(table.locator("caption")).to_have_text(EN.point_pair)
    expect(table.locator("tbody tr")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_it_fits_a_phone(opened: Open, shelf: Shelf, language: Language) -> None:
    put_pair(shelf, two_traces(), f"phone-{language}", language=language)
    here = open_pair(opened, f"phone-{language}", size=(390, 800), touch=True)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
    lefts = [here.page.locator(f'[data-side="{side}"]').bounding_box() for side in SIDES]
    assert len({box["x"] for box in lefts if box}) == 1  # one under the other
    here.page.touchscreen.tap(*cell(here, "first", 2, 1))
    here.selection(pinned="[3,2]")


@pytest.mark.parametrize(
    ("size", "layers", "heads", "least"),
    [((390, 844), 3, 8, 40), ((390, 844), 12, 12, 24), ((1280, 720), 12, 12, 24)],
)
def test_every_small_picture_is_large_enough_to_tap(
    opened: Open, shelf: Shelf, size: tuple[int, int], layers: int, heads: int, least: int
) -> None:
    """At least 24 pixels (WCAG 2.5.8); the changes of a small model are seen at a glance."""
    first, second = (trace(layers=layers, heads=heads, seed=seed) for seed in (7, 30))
    put_pair(shelf, (first, second), "many", selection={"kind": "cross", "layer": 1, "head": 1})
    here = open_pair(opened, "many", size=size, touch=size[0] < 600)
    for side in SIDES:
        cells = here.page.locator(f'[data-side="{side}"]').get_by_role("gridcell")
        found = cells.evaluate_all("cells => cells.map((at) => [at.offsetWidth, at.offsetHeight])")
        assert len(found) == layers * heads
        assert min(map(min, found)) >= (least if side == "difference" else 24)
    head = here.page.locator('[data-side="difference"]').get_by_role("gridcell").last
    head.scroll_into_view_if_needed()
    (head.tap if size[0] < 600 else head.click)()
    expect(head).to_have_attribute("aria-selected", "true")
    assert here.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_kind_that_does_not_arrive_leaves_what_is_there(opened: Open, shelf: Shelf) -> None:
    here = open_pair(opened)
    shelf.refuse_packed = True
    here.page.locator('[data-testid="hl-kinds"] [data-value="encoder_self"]').click()
    said = INSPECTOR.kind_missing.format(kind=INSPECTOR.kind_encoder_self)
    expect(here.page.get_by_text(said)).to_be_visible()
    assert here.state()["selection"]["kind"] == "cross"
    here.problems.clear()  # the browser itself says that a request was refused


def test_what_is_pinned_and_the_scale_are_in_the_address(opened: Open, shelf: Shelf) -> None:
    here = open_pair(opened)
    here.at("hl-scale").click()
    here.page.mouse.click(*cell(here, "second", 4, 1))  # school, which the first did not write
    here.until("state.hover !== null && state.selection.pinned === null")
    here.page.mouse.click(*cell(here, "second", 2, 1))
    here.selection(pinned="[3,2]")
    here.page.wait_for_url(re.compile(r"pinned=3\.2"))
    here.page.wait_for_url(re.compile("stretch=on"))
    put_pair(shelf, two_traces(), "again", selection={**START, "pinned": [3, 2], "stretch": "on"})
    state = open_pair(opened, "again").state()
    assert (state["selection"]["pinned"], state["stretch"]) == ([3, 2], True)


@pytest.mark.parametrize("unit", ["pieces", "words"])
def test_a_cell_that_only_the_second_has_is_kept_by_a_link(
    opened: Open, shelf: Shelf, unit: str
) -> None:
    here = open_pair(opened)
    row = OTHER_ENGLISH.index("school")
    here.page.locator(f'[data-testid="hl-units"] [data-value="{unit}"]').click()
    here.until(f"state.words === {str(unit == 'words').lower()}")
    here.page.mouse.click(*cell(here, "second", row, 1))
    state = here.until("state.selection.place !== null")
    assert state["selection"]["pinned"] is None
    read = here.at("hl-reading").inner_text()
    assert "school" in read
    assert EN.no_such_cell in read
    here.page.wait_for_url(re.compile(r"place=\d+\.2"))
    again = {"place": state["selection"]["place"], "words": state["selection"]["words"]}
    put_pair(shelf, two_traces(), "again", selection={**START, **again})
    there = open_pair(opened, "again")
    assert there.state()["selection"] == state["selection"]
    expect(there.at("hl-reading")).to_have_text(read)
    there.at("hl-export").click()
    link = there.page.get_by_role("link", name=f"{EN.export_pair}, PDF")
    assert parse_qs(urlsplit(link.get_attribute("href") or "").query)["place"] == [again["place"]]
    there.page.mouse.click(*cell(there, "first", 1, 1))
    there.until("state.selection.place === null && state.selection.pinned !== null")
    there.page.wait_for_function("() => !/place=/.test(location.search)")


def test_both_looks_are_taken_along_whole(opened: Open) -> None:
    here = open_pair(opened)
    here.at("hl-linked").uncheck()
    here.page.locator('[data-side="second"] [data-layer="0"][data-head="2"]').click()
    here.until("state.selection.other === '1.3'")
    here.at("hl-export").click()
    for traced, at, head in ((EN.first, 0, ("2", "5")), (EN.second, 1, ("1", "3"))):
        link = here.page.get_by_role("link", name=f"{INSPECTOR.export_whole} · {traced}, HTML")
        parts = urlsplit(link.get_attribute("href") or "")
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert parts.path == f"/export/pair-{at}/trace.html"
        assert (asked["layer"], asked["head"], asked["side"]) == (*head, "ab"[at])


def test_the_comparison_is_taken_along_as_it_is(opened: Open, shelf: Shelf) -> None:
    seen = {"other": "1.3", "pinned": [3, 2], "words": "on", "stretch": "on"}
    put_pair(shelf, two_traces(), "seen", selection={**START, **seen})
    here = open_pair(opened, "seen")
    here.at("hl-export").click()
    expect(here.page.get_by_text(EN.export_pair_note)).to_be_visible()
    link = here.page.get_by_role("link", name=f"{EN.export_both}, HTML")
    parts = urlsplit(link.get_attribute("href") or "")
    assert parts.path == "/export/seen-0/beside/seen-1/trace.html"
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert asked == {
        "view": "head", "kind": "cross", "layer": "2", "head": "5", "lang": "en",
        "other": "1.3", "pinned": "3.2", "words": "on", "stretch": "on",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_menu_of_files_stays_within_a_phone(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    put_pair(shelf, two_traces(), "phone", language=language)
    here = open_pair(opened, "phone", size=(390, 844))
    here.at("hl-export").click()
    expect(here.page.get_by_text(TEXT[language].export_pair_note)).to_be_visible()
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_both_heads_are_taken_along(opened: Open) -> None:
    here = open_pair(opened)
    here.at("hl-linked").uncheck()
    here.page.locator('[data-side="second"] [data-layer="0"][data-head="2"]').click()
    here.until("state.selection.other === '1.3'")
    here.at("hl-export").click()
    link = here.page.get_by_role("link", name=f"{EN.export_pair}, PDF")
    expect(link).to_be_visible()
    parts = urlsplit(link.get_attribute("href") or "")
    assert parts.path == "/export/pair-0/beside/pair-1/trace.pdf"
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    expected = {"kind": "cross", "layer": "2", "head": "5", "lang": "en", "other": "1.3"}
    assert asked == {**expected, "view": "head"}


def test_all_heads_are_taken_along(opened: Open) -> None:
    here = open_pair(opened)
    here.at("hl-scale").click()
    here.page.locator('[data-testid="hl-units"] [data-value="words"]').click()
    here.until("state.words && state.stretch")
    here.at("hl-export").click()
    for traced, path in (
        (EN.difference, "/export/pair-0/beside/pair-1/trace.svg"),
        (EN.first, "/export/pair-0/trace.svg"),
        (EN.second, "/export/pair-1/trace.svg"),
    ):
        link = here.page.get_by_role("link", name=f"{INSPECTOR.export_grid} · {traced}, SVG")
        parts = urlsplit(link.get_attribute("href") or "")
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        seen = {"kind": "cross", "lang": "en", "words": "on", "stretch": "on"}
        side = {EN.first: {"side": "a"}, EN.second: {"side": "b"}}.get(traced, {})
        assert (parts.path, asked) == (path, {**seen, **side, "view": "grid"})


def test_unlike_heads_have_no_differences_to_take_along(opened: Open, shelf: Shelf) -> None:
    put_pair(shelf, (trace(), trace(layers=1, heads=2)), "unlike")
    here = open_pair(opened, "unlike")
    here.at("hl-export").click()
    row = here.page.get_by_role("group", name=f"{INSPECTOR.export_grid} · {EN.first}")
    expect(row).to_be_visible()
    hidden = here.page.locator(f'[aria-label="{INSPECTOR.export_grid} · {EN.difference}"]')
    expect(hidden).to_be_hidden()


def name_of(token: Token) -> str:
    """What a token is called on the page."""
    special = {"<s>": INSPECTOR.special_start, "</s>": INSPECTOR.special_end}
    return special.get(token.piece, token.text)


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_between_words_the_difference_is_one_sum_less_another(opened: Open, kind: Kind) -> None:
    here = open_pair(opened)
    here.page.locator(f'[data-testid="hl-kinds"] [data-value="{kind}"]').click()
    here.until(f"state.selection.kind === '{kind}'")
    here.page.locator('[data-testid="hl-units"] [data-value="words"]').click()
    state = here.until("state.words && state.status === 'exact'")
    assert state["selection"]["words"] == "on"
    traces = two_traces()
    sums = [
        word_weights(made.sites[kind].weights[1, 4], made.queries(kind), made.keys(kind))
        for made in traces
    ]
    for side in (0, 1):
        np.testing.assert_allclose(state["weights"][side], sums[side].ravel(), atol=1e-5)
    found = laid_over(traces, kind, by_words=True).minus(((1, 4), (1, 4)))
    np.testing.assert_allclose(state["values"], found.ravel(), atol=1e-5)
    expect(here.at("hl-status")).to_contain_text(HEADS.units_summed)
    laid = laid_over(traces, kind, by_words=True)
    for column, places in enumerate(laid.columns):
        names = [
            name_of(part.keys[at]) for part, at in zip(laid.parts, places, strict=True) if at >= 0
        ]
        point(here, "difference", len(laid.rows) - 1, column)
        key = " / ".join(dict.fromkeys(names))
        put = EN.pair_writing if kind != "encoder_self" else EN.pair_reading
        looking = put.format(query="|", key=key, first="|", second="|", change="|").split("|")[1]
        expect(here.at("hl-reading")).to_contain_text(looking)


def test_a_pinned_cell_stays_pinned_between_words_and_back(opened: Open) -> None:
    here = open_pair(opened)
    here.page.locator('[data-side="first"] [data-testid="hl-matrix"]').focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        here.page.keyboard.press(key)
    before = here.until("state.selection.pinned !== null")["selection"]["pinned"]
    switch = here.at("hl-units")
    switch.get_by_role("radio", name=HEADS.units_words).click()
    words = here.until("state.words")["selection"]["pinned"]
    switch.get_by_role("radio", name=HEADS.units_pieces).click()
    after = here.until("!state.words")["selection"]["pinned"]
    assert after == words
    assert before == [1, 4]
    assert after == [1, 3]  # the first piece of the word


def test_words_are_in_the_address_and_in_the_file(opened: Open, shelf: Shelf) -> None:
    put_pair(shelf, two_traces(), "worded", selection={**START, "words": "on"})
    here = open_pair(opened, "worded")
    here.until("state.words")
    here.at("hl-export").click()
    link = here.page.locator('[data-form="pair.svg"]')
    expect(link).to_have_attribute("href", re.compile("words=on"))
    here.at("hl-units").get_by_role("radio", name=HEADS.units_pieces).click()
    here.until("!state.words")
    here.at("hl-export").click()
    expect(link).to_have_attribute("href", re.compile("^((?!words).)+$"))
    assert here.problems == []


def test_looks_of_whole_words_have_no_switch(opened: Open, shelf: Shelf) -> None:
    short = ("I", "went", "home")
    made = trace(short, (0, 1, 2), short, (0, 1, 2))
    put_pair(shelf, (made, made), "whole")
    here = open_pair(opened, "whole")
    expect(here.at("hl-units")).to_have_count(0)
