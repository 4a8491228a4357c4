"""A link brings back everything that was chosen, and survives whatever it is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.conftest import arrived, told
from tests.e2e.inspector.page import PAINTED
from tests.e2e.test_app import PEOPLE, RAIN, Wire, drawn, translated, typed
from viz.inspector.options import OPTIONS
from viz.text import beam, frame, inspect, stages, step
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import Language

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)

Visit = Callable[..., Page]

PART = "1-5.1-4"
MEASURED = ("hover", "scriptMs", "ahead")  # what no link can bring back, and what is no choice


def until(page: Page, predicate: str, view: str = "") -> dict[str, Any]:
    """The inspector's own account, once a predicate over `state` holds.

    Args:
        view: the page's view, where another one may still be there.
    """
    answer = told(page, predicate, view=view)
    return {name: value for name, value in answer.items() if name not in MEASURED}


def whole(page: Page) -> dict[str, Any]:
    """The same once every number is exact, those of kept heads too."""
    exact = "state.status === 'exact' && state.lines.status === 'exact'"
    exact += " && state.shape.status !== 'loading'"
    return until(page, f"{exact} && state.grid.heads === state.grid.of")


def addressed(page: Page) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def cell(page: Page, row: int, column: int) -> tuple[float, float]:
    """Middle of a cell of the matrix; -1 is the names beside it."""
    box = drawn(page)["box"]
    place = page.get_by_test_id("hl-matrix").bounding_box()
    assert place is not None
    across = box["x"] - 20 if column < 0 else box["x"] + (column + 0.5) * box["width"]
    return place["x"] + across, place["y"] + box["y"] + (row + 0.5) * box["height"]


def slide(page: Page, testid: str, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_test_id(testid).press(key)


def choose_everything(page: Page) -> None:
    """By hand, every look that Inspect has, but for the part in view of a text that is short."""
    page.get_by_test_id("hl-grid").locator('[data-layer="1"][data-head="2"].hl-head').click()
    page.get_by_test_id("hl-steps").press("Home")
    for _ in range(2):
        page.get_by_test_id("hl-steps").press("ArrowRight")
    drawn(page, layer=2, head=3, step=3)
    page.mouse.click(*cell(page, 1, 2))
    until(page, "state.selection.pinned !== null")
    page.mouse.click(*cell(page, 2, -1))
    until(page, "state.options.held !== null")
    page.get_by_test_id("hl-order").select_option("entropy")
    expect(page.get_by_test_id("hl-order-most")).to_be_visible()
    slide(page, "hl-order-most", "ArrowLeft", 2)
    slide(page, "hl-trim", "ArrowRight", 3)
    page.get_by_test_id("hl-scale").click()
    page.get_by_test_id("hl-units").get_by_role("radio").nth(1).click()
    page.get_by_test_id("hl-steps").press("l")
    slide(page, "hl-threshold", "ArrowRight", 4)
    cells = page.get_by_test_id("hl-grid").get_by_role("gridcell")
    for at in (0, 3):
        cells.nth(at).click(modifiers=["Shift"])
    page.get_by_test_id("hl-shape").click()
    slide(page, "hl-temperature", "ArrowRight", 3)
    slide(page, "hl-top-k", "ArrowLeft", 2)
    slide(page, "hl-top-p", "ArrowLeft")
    state = until(page, "Object.values(state.options).every((text) => text !== null)")
    assert state["options"] | {"order": "", "kept": "", "top": ""} == {
        "held": "query.3", "zoom": PART, "mode": "lines", "words": "on", "order": "",
        "top": "", "kept": "", "trim": "0.15", "stretch": "on", "threshold": "0.1",
        "temperature": "1.3", "top_k": "50", "top_p": "0.95", "shaping": "on",
    }  # fmt: skip
    page.wait_for_function(
        "names => names.every((name) => new URLSearchParams(location.search).has(name))",
        arg=[name for name in OPTIONS if name != "stages"],  # Step has that one
    )
    page.wait_for_url(re.compile(r"top_p=0\.95"))


def test_a_link_brings_back_every_choice(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE, "zoom": PART}))
    drawn(page)
    choose_everything(page)
    before = whole(page)
    assert addressed(page)["pinned"] == "2.3"
    page.reload()
    assert whole(page) == before
    other = visit(page.url.removeprefix("http://" + urlsplit(page.url).netloc))
    assert whole(other) == before


def test_no_choice_is_lost_by_the_language_and_by_other_pages(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE, "zoom": PART}))
    drawn(page)
    choose_everything(page)
    before = whole(page)
    page.get_by_text("한국어", exact=True).click()
    expect(page.get_by_role("link", name=frame.KO.learn, exact=True)).to_be_visible()
    page.wait_for_url(re.compile("lang=ko"))
    expect(page.get_by_label(inspect.KO.source, exact=True)).to_have_value(PEOPLE)
    expect(page.get_by_test_id("hl-kinds")).to_contain_text(INSPECTOR["ko"].kind_cross)
    now = whole(page)
    for name in ("selection", "options", "weights", "grid", "kept", "held", "shape"):
        assert now[name] == before[name], name
    page.get_by_role("link", name=frame.KO.learn, exact=True).click()
    page.wait_for_url(re.compile(r"/positions"))
    arrived(page, "positions")
    page.get_by_role("link", name=frame.KO.step, exact=True).click()
    there = until(page, "true", "step")
    own = {"stages": None}  # and a kind of attention, with what is pinned in it
    assert (
        there["options"]
        == {n: before["options"][n] for n in there["options"] if n not in own} | own
    )
    assert there["selection"] == {**before["selection"], "kind": "decoder_self", "pinned": None}
    arrived(page, "step")
    page.get_by_role("link", name=frame.KO.inspect, exact=True).click()
    until(page, "true", "inspect")
    assert whole(page) == now


def test_step_has_a_kind_of_attention_of_its_own(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE}))
    until(page, "state.selection.kind === 'cross'", "inspect")
    page.mouse.click(*cell(page, 1, 2))
    until(page, "state.selection.pinned !== null")
    page.get_by_role("link", name=frame.EN.step, exact=True).click()
    until(page, "state.selection.kind === 'decoder_self' && !state.selection.pinned", "step")
    arrived(page, "step")
    page.get_by_test_id("hl-kinds").get_by_role("radio").first.click()
    until(page, "state.selection.kind === 'encoder_self'", "step")
    page.get_by_role("radio", name=stages.EN.view_stages).click()
    until(page, "state.options.stages === 'on'", "step")
    page.get_by_role("link", name=frame.EN.inspect, exact=True).click()
    state = until(page, "state.selection.kind === 'cross'", "inspect")
    assert state["selection"]["pinned"] == [2, 3]
    arrived(page, "inspect")
    page.go_back()
    until(page, "state.selection.kind === 'encoder_self' && state.options.stages === 'on'", "step")
    page.go_back()
    until(page, "state.selection.kind === 'cross' && state.selection.pinned !== null", "inspect")


def test_a_link_to_a_kind_on_step_opens_that(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": PEOPLE, "kind": "cross"}))
    until(page, "state.selection.kind === 'cross'", "step")
    link = page.get_by_role("link", name=frame.EN.compare, exact=True)
    expect(link).to_have_attribute("href", re.compile("kind=cross"))


def test_a_choice_that_is_let_go_leaves_the_address(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE, "trim": "0.2", "mode": "lines"}))
    until(page, "state.options.trim === '0.2' && state.mode === 'lines'")
    page.get_by_test_id("hl-steps").press("l")
    slide(page, "hl-trim", "Home")
    page.wait_for_function("() => !/trim|mode=/.test(location.search)")
    page.get_by_role("link", name=frame.EN.learn).click()
    page.wait_for_url(re.compile(r"/positions"))
    arrived(page, "positions")
    page.get_by_role("link", name=frame.EN.inspect).click()
    state = whole(page)
    assert set(state["options"].values()) == {None}
    assert not set(addressed(page)) & set(OPTIONS)


def test_another_sentence_keeps_the_looks_but_not_the_pins(visit: Visit) -> None:
    query = {"source": PEOPLE, "pinned": "2.3", "held": "key.1", "trim": "0.2", "kept": "1.1"}
    page = visit("/?" + urlencode(query))
    until(page, "state.selection.pinned !== null && state.held !== null")
    field = page.get_by_label(inspect.EN.source, exact=True)
    field.fill(RAIN)
    field.press("Enter")
    expect(translated(page, "it rained yesterday")).to_be_visible()
    state = until(page, "state.selection.pinned === null && state.held === null")
    assert (state["options"]["trim"], state["options"]["kept"]) == ("0.2", "1.1")
    page.wait_for_function("() => !/pinned|held/.test(location.search)")
    link = page.get_by_role("link", name=frame.EN.step, exact=True)
    expect(link).to_have_attribute("href", re.compile(r"step=\d"))  # the report has arrived
    page.go_back()
    until(page, "state.selection.pinned !== null && state.held !== null")


def settled(page: Page, **expected: str | None) -> None:
    """Waits until the address says so; None for what it shall not name."""
    page.wait_for_function(
        """expected => {
          const query = new URLSearchParams(location.search);
          const holds = ([name, text]) => query.get(name) === text;
          return query.has("lang") && Object.entries(expected).every(holds);
        }""",
        arg=expected,
    )


def test_back_leaves_a_comparison_that_completed_its_address(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": RAIN}))
    whole(page)
    settled(page, source=RAIN)
    page.get_by_role("link", name=frame.EN.compare, exact=True).click()
    page.wait_for_function("() => new URLSearchParams(location.search).has('other')")
    page.go_back()
    page.wait_for_url(lambda url: urlsplit(url).path == "/")
    until(page, "state.selection.kind === 'cross'", "inspect")


def test_back_leaves_milestones_that_completed_their_address(visit: Visit) -> None:
    page = visit("/train?" + urlencode({"source": RAIN}))
    settled(page, source=RAIN)
    arrived(page, "train")
    page.get_by_role("link", name=frame.EN.milestones, exact=True).click()
    page.wait_for_function("() => new URLSearchParams(location.search).has('milestone')")
    page.go_back()
    page.wait_for_url(lambda url: urlsplit(url).path == "/train")
    arrived(page, "train")


def test_back_undoes_the_first_sentence(visit: Visit) -> None:
    page = visit("/")
    whole(page)
    settled(page, source=None)
    field = page.get_by_label(inspect.EN.source, exact=True)
    first = field.input_value()
    typed(page, PEOPLE)
    settled(page, source=PEOPLE)
    page.go_back()
    expect(field).to_have_value(first)
    whole(page)
    settled(page, source=None)


def forced(page: Page) -> Locator:
    """The field for a target, once one was typed and its run is over."""
    field = page.get_by_label(step.EN.target, exact=True)
    field.fill("it rained")
    field.press("Enter")
    settled(page, target="it rained")
    link = page.get_by_role("link", name=frame.EN.step, exact=True)
    expect(link).to_have_attribute("href", re.compile(r"target=it"))
    return field


def test_back_undoes_a_target_and_a_lifted_mask(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": RAIN}))
    drawn(page)
    settled(page, source=RAIN, mask=None, target=None)
    page.get_by_text(step.EN.lift).click()
    settled(page, mask="off")
    page.go_back()
    settled(page, mask=None, target=None)
    expect(page.get_by_text(re.compile(r"mean over \d+ steps"))).to_have_count(0)
    field = forced(page)
    page.go_back()
    expect(field).to_have_value("")
    settled(page, mask=None, target=None)


def test_back_is_not_undone_by_what_the_run_before_still_writes(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": RAIN}), alone=True)
    wire = Wire(page)
    drawn(page)
    page.get_by_test_id("hl-steps").press("Home")
    link = page.get_by_role("link", name=frame.EN.step, exact=True)
    expect(link).to_have_attribute("href", re.compile("step=1"))  # the report has arrived
    page.get_by_text("한국어", exact=True).click()
    settled(page, lang="ko", step="1")
    field = page.get_by_label(step.KO.target, exact=True)
    field.fill("it rained")
    wire.holds = True
    field.press("Enter")
    wire.until_run()
    page.go_back()
    wire.until_run()
    wire.let_go(at_once=True)
    settled(page, lang="en", target=None)
    expect(page.get_by_label(step.EN.target, exact=True)).to_have_value("")
    settled(page, lang="en", target=None)


# A report that was on its way when Back was followed is sent behind it.
REPORTED = """root => addEventListener("popstate", () => root.headlight.report(), { once: true })"""


@pytest.mark.parametrize("apart", [False, True])
def test_back_is_not_undone_by_a_report_that_is_sent_behind_it(visit: Visit, apart: bool) -> None:
    """Neither where both make one run, nor where Back's run is broken off, or over."""
    page = visit("/step?" + urlencode({"source": RAIN}), alone=True)
    wire = Wire(page)
    drawn(page)
    settled(page, target=None)
    field = forced(page)
    arrived(page, "step")
    page.get_by_test_id("headlight").evaluate(REPORTED)
    wire.mutes = True
    page.get_by_test_id("hl-steps").press("Home")
    page.go_back()
    while len(wire.muted) < 2:
        page.evaluate(PAINTED)
    if apart:
        wire.holds = True
        wire.muted.pop(0)()
        wire.until_run()
    wire.speak()
    if apart:
        wire.until_run()
        wire.let_go()
    expect(field).to_have_value("")
    settled(page, target=None)
    arrived(page, "step")  # a click within Back's own run is another matter
    page.get_by_text(step.EN.lift).click()
    settled(page, target=None, mask="off")


@pytest.mark.parametrize("rests", [False, True])
def test_back_brings_back_the_head_of_then(visit: Visit, rests: bool) -> None:
    page = visit("/?" + urlencode({"source": RAIN, "layer": "2", "head": "3"}))
    whole(page)
    settled(page, source=RAIN, layer="2", head="3")
    typed(page, PEOPLE)
    settled(page, source=PEOPLE)
    expect(translated(page, "there were many people")).to_be_visible()
    whole(page)
    page.get_by_role("gridcell", name=re.compile("Layer 1, head 2")).click()
    settled(page, source=PEOPLE, layer="1", head="2")
    if rests:  # until Python has heard of it
        link = page.get_by_role("link", name=frame.EN.step, exact=True)
        expect(link).to_have_attribute("href", re.compile(r"layer=1&head=2"))
    page.go_back()
    state = until(page, "state.selection.layer === 2 && state.selection.head === 3")
    expect(translated(page, "it rained yesterday")).to_be_visible()
    whole(page)
    settled(page, source=RAIN, layer="2", head="3")
    assert state["selection"]["kind"] == "cross"


# Keys on the strip of steps and at once, before anything has rested, a header link.
LEAVE = """(steps, [keys, label]) => {
  for (const key of keys) {
    const bubbling = { key, bubbles: true, composed: true, cancelable: true };
    steps.dispatchEvent(new KeyboardEvent("keydown", bubbling));
  }
  const links = [...document.querySelectorAll('[data-testid="stPageLink-NavLink"]')];
  links.find((link) => link.textContent.trim() === label).click();
}"""


def leave(page: Page, *keys: str, label: str) -> None:
    page.get_by_test_id("hl-steps").evaluate(LEAVE, [keys, label])


def test_a_step_chosen_just_before_leaving_comes_along(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": RAIN, "layer": "2", "head": "3"}))
    last = until(page, "state.status === 'exact'", "step")["selection"]["step"]
    link = page.get_by_role("link", name=frame.EN.inspect, exact=True)
    expect(link).to_have_attribute("href", re.compile(r"layer=2&head=3"))
    assert "step=" not in (link.get_attribute("href") or "")
    leave(page, "ArrowLeft", label=frame.EN.inspect)
    until(page, f"state.selection.step === {last - 1}", "inspect")
    settled(page, step=str(last - 1))


def test_what_rests_does_not_undo_the_click_that_leaves(visit: Visit) -> None:
    page = visit(
        "/step?" + urlencode({"source": RAIN, "layer": "2", "head": "3", "step": "2"}), alone=True
    )
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    holds = False

    def slow(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: held.append((socket, message)) if holds else socket.send(message)
        )

    page.route_web_socket("**/_stcore/stream", slow)
    page.reload()
    until(page, "state.status === 'exact' && state.selection.step === 2", "step")
    link = page.get_by_role("link", name=frame.EN.inspect, exact=True)
    expect(link).to_have_attribute("href", re.compile(r"layer=2&head=3.*step=2"))
    holds = True
    leave(page, "ArrowLeft", "ArrowRight", label=frame.EN.inspect)
    # The server is slow to answer: for longer than a selection rests before it is reported.
    left = page.evaluate("performance.now()")
    page.wait_for_function("left => performance.now() - left > 800", arg=left)
    holds = False
    for socket, message in held:
        socket.send(message)
    arrived(page, "inspect")
    until(page, "state.selection.step === 2", "inspect")


@pytest.mark.parametrize("path", ["/", "/step", "/milestones"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_hostile_address_opens_the_page(visit: Visit, path: str, language: Language) -> None:
    query = {
        "trim": "1e999", "kept": "99.99,x", "pinned": "NaN.1", "held": "query.9999", "top": "-1",
        "threshold": "NaN", "temperature": "0", "top_k": "1" * 200, "top_p": "[]", "mode": "pie",
        "words": "<script>", "order": "__proto__", "shaping": "constructor",
        "stretch": "1.1 " * 400, "lang": language,
    }  # fmt: skip
    page = visit(f"{path}?" + urlencode(query))
    state = until(page, "state.selection.pinned === null")
    assert set(state.get("options", {}).values()) <= {None}
    page.wait_for_function(
        "names => !names.some((name) => new URLSearchParams(location.search).has(name))",
        arg=[name for name in OPTIONS if name != "held"],
    )


def test_a_film_keeps_its_pinned_cell_and_its_scale(visit: Visit) -> None:
    page = visit("/milestones")
    until(page, "state.view === 'film'")
    page.mouse.click(*cell(page, 1, 2))
    page.get_by_test_id("hl-scale").click()
    before = until(page, "state.selection.pinned !== null && state.selection.stretch === 'on'")
    page.wait_for_url(re.compile(r"pinned=2\.3.*stretch=on"))
    page.reload()
    after = until(page, "state.view === 'film' && state.selection.pinned !== null")
    assert after["selection"] == before["selection"]
    page.get_by_role("link", name=frame.EN.inspect).click()
    assert until(page, "true", "inspect")["options"]["stretch"] == "on"


def hypotheses(page: Page) -> tuple[list[str], int]:
    """Rows of the beam search, and which of them is read, from 1."""
    rows = page.get_by_test_id("hl-beam").get_by_role("option")
    expect(rows.first).to_be_visible()
    told = rows.evaluate_all("rows => rows.map((row) => [row.textContent, row.ariaSelected])")
    return [text for text, _ in told], [chosen for _, chosen in told].index("true") + 1


def test_a_link_brings_back_the_hypothesis_that_is_read(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": PEOPLE, "beam": "3"}))
    rows, chosen = hypotheses(page)
    assert chosen == 1
    page.wait_for_url(re.compile("hypothesis=1"))
    page.get_by_test_id("hl-beam-2").click()
    page.wait_for_url(re.compile("hypothesis=3"))
    other = visit(page.url.removeprefix("http://" + urlsplit(page.url).netloc))
    assert hypotheses(other) == (rows, 3)
    page.get_by_role("link", name=frame.EN.learn, exact=True).click()
    page.wait_for_url(re.compile(r"/positions.*hypothesis=3"))
    arrived(page, "positions")
    page.get_by_role("link", name=frame.EN.step, exact=True).click()
    page.wait_for_url(re.compile(r"/step"))
    assert hypotheses(page) == (rows, 3)
    field = page.get_by_label(inspect.EN.source, exact=True)
    field.fill(RAIN)
    field.press("Enter")
    expect(page.get_by_test_id("hl-beam-0")).to_contain_text("rained")
    page.wait_for_url(re.compile("hypothesis=1"))
    again, chosen = hypotheses(page)
    assert again != rows
    assert chosen == 1


def test_a_hypothesis_that_is_none_is_said_and_the_first_is_read(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": PEOPLE, "beam": "3", "hypothesis": "999"}))
    assert hypotheses(page)[1] == 1
    expect(page.get_by_text("hypothesis", exact=False).first).to_be_visible()
    page.wait_for_url(re.compile("hypothesis=1(&|$)"))


def test_what_is_chosen_just_before_something_else_stays_in_the_address(visit: Visit) -> None:
    """Python writes the address before it has heard of the head, which it then must not undo."""
    page = visit("/step?" + urlencode({"source": PEOPLE}))
    until(page, "true", "step")
    page.get_by_test_id("hl-grid").locator('[data-layer="1"][data-head="2"].hl-head').click()
    page.get_by_role("button", name=beam.EN.width).click()
    page.get_by_test_id("stButtonGroup").filter(has_text="5").get_by_text("3", exact=True).click()
    expect(page.get_by_test_id("hl-beam")).to_be_visible()
    page.wait_for_url(re.compile("beam=3"))
    page.wait_for_function(
        "() => /layer=2/.test(location.search) && /[?&]head=3/.test(location.search)"
    )
    until(page, "state.selection.layer === 2 && state.selection.head === 3", "step")
