"""BertViz's views in the app: drawn, told apart, and kept from everything else."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.probe import LIFTED_MASK
from core.trace import KINDS, AttentionTrace, Kind, save_trace
from tests.e2e.test_app import drawn
from tests.e2e.test_saved import opened
from tests.twins.contrast import contrast
from tests.viz.inspector.made import trace
from viz.bertviz.views import View, page
from viz.text.bertviz import TEXT
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import Language

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)


def chosen(page: Page) -> Locator:
    """The view and the kind that are lit."""
    return page.locator(".st-key-bertviz-switches").get_by_role("radio", checked=True)


def expand(view: Page | FrameLocator) -> None:
    """Opens the vectors, from the first token of the left side."""
    first = view.locator("#collapsed #leftText > g").first
    first.locator(".token").hover()
    first.locator("rect").nth(1).click()
    expect(view.locator("#expanded")).to_have_attribute("visibility", "visible")


def dot_products(view: Page | FrameLocator, row: int) -> list[float]:
    """Those that are seen while a token of the left side is pointed at; the vectors are open."""
    token = view.locator("#expanded #leftText > g").nth(row)
    token.locator(".token").hover()
    expect(token.locator(".highlight")).to_have_css("opacity", "1")
    found: list[float] = view.locator("#dotproducts").evaluate(
        """box => getComputedStyle(box).opacity === "0" ? [] : [...box.children].filter(
          (one) => getComputedStyle(one).opacity !== "0").map((one) => +one.dataset.value)"""
    )
    return found


def assert_scores(
    view: Page | FrameLocator, traced: AttentionTrace, kind: Kind, layer: int, head: int
) -> None:
    """Each row that is pointed at shows the scores of the model, where it may look."""
    site = traced.sites[kind]
    assert site.scores is not None
    for row, allowed in enumerate(site.allowed):
        expected = site.scores[layer, head, row, allowed]
        np.testing.assert_allclose(dot_products(view, row), expected, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_neuron_view_shows_the_scores_of_the_model(
    chromium: Browser, tiny_model: TransformerModel, kind: Kind
) -> None:
    """Without a network; the encoder has two layers, the decoder three, and both their lengths."""
    traced = tiny_model.trace(TraceRequest("나는 물을 마신다", "I went to the cafe yesterday"))
    site = traced.sites[kind]
    context = chromium.new_context(offline=True, viewport={"width": 1366, "height": 768})
    here = context.new_page()
    complaints: list[str] = []
    here.on("pageerror", lambda error: complaints.append(str(error)))
    here.on("request", lambda request: complaints.append(request.url))
    here.set_content(page(traced, "neuron", kind, site.layers, 2, language="en"))
    expand(here)
    assert_scores(here, traced, kind, site.layers - 1, 1)
    expect(here.locator("#queries .vector")).to_have_count(site.allowed.shape[0])
    expect(here.locator("#keys .vector")).to_have_count(site.allowed.shape[1])
    names = [token.text for token in traced.queries(kind)]
    assert here.locator("#expanded #leftText .token").all_text_contents() == names
    high = here.locator("#vis svg").evaluate(
        """svg => Math.max(...[...svg.querySelectorAll("text, rect")].map(
          (one) => one.getBoundingClientRect().bottom)) - svg.getBoundingClientRect().bottom"""
    )
    assert high <= 0  # nothing is cut off below
    assert complaints == []
    context.close()


def test_a_lifted_mask_hides_nothing_of_the_neuron_view(
    chromium: Browser, tiny_model: TransformerModel
) -> None:
    traced = tiny_model.trace(
        TraceRequest("나는 물을 마신다", "I drink water", edits=(LIFTED_MASK,))
    )
    here = chromium.new_page()
    here.set_content(page(traced, "neuron", "decoder_self", 1, 1, language="ko"))
    expand(here)
    assert len(dot_products(here, 0)) == len(traced.target)
    assert_scores(here, traced, "decoder_self", 0, 0)
    here.close()


def test_the_neuron_view_is_of_the_head_that_was_chosen(
    visit: Callable[..., Page], tiny_model: TransformerModel
) -> None:
    traced = tiny_model.trace(TraceRequest("나는 물을 마신다"))
    page = visit("/bertviz?source=나는 물을 마신다&bertviz=neuron&kind=cross&layer=3&head=2")
    switches = page.locator(".st-key-bertviz-switches")
    view = page.frame_locator("iframe").first
    words = TEXT["en"]
    expect(chosen(page)).to_have_text([words.view_neuron, INSPECTOR["en"].kind_cross, "3", "2"])
    expect(view.locator("body")).to_contain_text(words.neuron.format(width=8))
    expand(view)
    assert_scores(view, traced, "cross", 2, 1)
    switches.get_by_role("radiogroup", name=words.head).get_by_role("radio", name="4").click()
    page.wait_for_url(re.compile("head=4"))
    path = urlsplit(page.url)
    for again in (page, visit(f"{path.path}?{path.query}")):
        frame = again.locator("iframe[src*='head=4']").content_frame
        expand(frame)
        assert_scores(frame, traced, "cross", 2, 3)
    page.get_by_text(words.view_head, exact=True).click()
    expect(switches.get_by_text(words.head, exact=True)).to_have_count(0)
    expect(view.locator("#layer")).to_have_value("3")


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    here = chromium.new_page(viewport={"width": 1366, "height": 768})
    yield here
    here.close()


def opacity(parts: Locator) -> list[float]:
    """Of each of them, as it is seen."""
    found: list[float] = parts.evaluate_all(
        """parts => parts.map((part) => {
          let seen = getComputedStyle(part).visibility === "hidden" ? 0 : 1;
          for (let at = part; at; at = at.parentElement) seen *= getComputedStyle(at).opacity;
          return seen * (part.getAttribute("stroke-opacity") ?? 1);
        })"""
    )
    return found


def test_a_touch_opens_the_vectors_and_shuts_them(phone: Page) -> None:
    traced = trace()
    phone.set_content(page(traced, "neuron", "cross", 2, 3, language="ko"))
    site = traced.sites["cross"]
    assert site.scores is not None
    shut, opened = (phone.locator(f"#{name} #leftText > g") for name in ("collapsed", "expanded"))
    assert min(opacity(shut.locator(".plus-sign"))) >= 0.4  # seen before anything is touched
    shut.nth(2).locator(".token").tap()
    for row in (2, 4, 0):
        opened.nth(row).locator(".token").tap()
        expect(phone.locator("#product")).to_have_css("opacity", "1")
        values = phone.locator("#dotproducts rect").evaluate_all(
            "boxes => boxes.map((one) => +one.dataset.value)"
        )
        np.testing.assert_allclose(values, site.scores[1, 2, row], atol=1e-4)
    wide = "document.querySelector('#bertviz').scrollWidth"
    right = phone.locator("#expanded .dotproduct").last.evaluate("at => at.getBBox().x")
    assert phone.evaluate(wide) > right  # it is scrolled to
    opened.nth(0).locator("rect").last.tap()
    expect(phone.locator("#collapsed")).to_have_attribute("visibility", "visible")
    expect(phone.locator("#expanded")).to_have_attribute("visibility", "hidden")


def test_touches_reach_the_view_within_the_app(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?bertviz=neuron&kind=cross", width=390, height=844, has_touch=True)
    view = page.frame_locator("iframe").first
    view.locator("#collapsed #leftText > g").nth(2).tap()
    expect(view.locator("#expanded")).to_have_attribute("visibility", "visible")
    token = view.locator("#expanded #leftText > g").nth(1)
    token.locator(".token").tap()
    expect(token.locator(".highlight")).to_have_css("opacity", "1")
    token.locator("rect").last.tap()
    expect(view.locator("#collapsed")).to_have_attribute("visibility", "visible")


def test_keys_open_the_vectors_and_shut_them(desk: Page) -> None:
    traced = trace()
    site = traced.sites["cross"]
    assert site.scores is not None
    desk.set_content(page(traced, "neuron", "cross", 1, 1, language="en"))
    desk.keyboard.press("Tab")
    for name in ("ArrowDown", "ArrowDown", "ArrowUp", "Enter", "ArrowDown"):
        desk.keyboard.press(name)
    token = desk.locator("#expanded #leftText > g").nth(2)
    expect(token).to_be_focused()
    expect(token).to_have_attribute("aria-label", traced.written[2].text)
    expect(token).to_have_attribute("aria-expanded", "true")
    expect(token).not_to_have_css("outline-style", "none")
    values = desk.locator("#dotproducts rect").evaluate_all(
        "boxes => boxes.map((one) => +one.dataset.value)"
    )
    np.testing.assert_allclose(values, site.scores[0, 0, 2], atol=1e-4)
    assert opacity(desk.locator("#dotproducts")) == [1]
    desk.keyboard.press("Enter")
    token = desk.locator("#collapsed #leftText > g").nth(2)
    expect(token).to_be_focused()
    expect(token).to_have_attribute("aria-expanded", "false")
    desk.keyboard.press("Tab")
    assert desk.locator("#vis :focus").count() == 0  # one group, one stop


def seen_rows(here: Page) -> set[str | None]:
    """Left tokens whose lines are seen in the head view."""
    lines = here.locator("#attention line")
    rows = lines.evaluate_all("lines => lines.map((line) => line.getAttribute('left-token-index'))")
    return {row for row, seen in zip(rows, opacity(lines), strict=True) if seen > 0}


def test_the_head_view_answers_to_touch(phone: Page) -> None:
    phone.set_content(page(trace(), "head", "cross", 1, language="en"))
    phone.locator("#left text").nth(3).tap()
    assert seen_rows(phone) == {"3"}
    phone.locator("#left text").nth(5).tap()
    assert seen_rows(phone) == {"5"}
    heads = phone.get_by_role("button")
    expect(heads).to_have_count(8)
    heads.nth(1).tap()
    expect(heads.nth(1)).to_have_attribute("aria-pressed", "false")
    assert set(opacity(phone.locator("[head-index='1'] line"))) == {0}
    for part in (*heads.all(), *phone.locator("#vis g[role=img]").all()):
        box = part.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24


def test_the_head_view_answers_to_keys(desk: Page) -> None:
    desk.set_content(page(trace(), "head", "cross", 1, language="ko"))
    desk.keyboard.press("Tab")
    desk.keyboard.press("ArrowDown")
    expect(desk.get_by_role("img", name="I", exact=True)).to_be_focused()
    assert seen_rows(desk) == {"1"}
    desk.keyboard.press("Tab")
    assert len(seen_rows(desk)) == len(trace().written)  # all of them look at the first key
    desk.keyboard.press("Tab")
    desk.keyboard.press("ArrowRight")
    head = desk.get_by_role("button", name="헤드 2")
    expect(head).to_be_focused()
    desk.keyboard.press(" ")
    expect(head).to_have_attribute("aria-pressed", "false")


def pressed(here: Page) -> list[str | None]:
    """The state of each head of the head view."""
    return [head.get_attribute("aria-pressed") for head in here.get_by_role("button").all()]


ONLY_THIRD = ["true" if at == 2 else "false" for at in range(8)]
# Two taps on the third head, so many milliseconds from each other.
TAPS = """apart => {
  const head = document.querySelectorAll("#vis rect[role=button]")[2];
  const { x, y } = head.getBoundingClientRect();
  const touch = new Touch({ identifier: 1, target: head, clientX: x + 9, clientY: y + 9 });
  for (const [type, at] of [["start", 0], ["end", 50], ["start", apart], ["end", apart + 50]]) {
    const held = type === "start" ? [touch] : [];
    const event = new TouchEvent(`touch${type}`,
      { bubbles: true, cancelable: true, touches: held, changedTouches: [touch] });
    Object.defineProperty(event, "timeStamp", { value: 5000 + at });
    head.dispatchEvent(event);
  }
}"""


def test_two_taps_leave_a_head_alone_and_bring_all_back(phone: Page) -> None:
    phone.set_content(page(trace(), "head", "cross", 1, language="ko"))
    phone.evaluate(TAPS, 200)
    assert pressed(phone) == ONLY_THIRD
    lines = [set(opacity(phone.locator(f"[head-index='{at}'] line"))) for at in range(8)]
    assert [at for at, seen in enumerate(lines) if seen != {0}] == [2]
    phone.evaluate(TAPS, 200)
    assert pressed(phone) == ["true"] * 8


def test_slow_taps_are_one_at_a_time(phone: Page) -> None:
    phone.set_content(page(trace(), "head", "cross", 1, language="en"))
    phone.evaluate(TAPS, 1500)
    assert pressed(phone) == ["true"] * 8  # off, and on again


def test_shift_and_enter_leave_a_head_alone_and_bring_all_back(desk: Page) -> None:
    desk.set_content(page(trace(), "head", "cross", 1, language="en"))
    desk.get_by_role("button").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+Enter"):
        desk.keyboard.press(key)
    assert pressed(desk) == ONLY_THIRD
    desk.keyboard.press("Shift+Enter")
    assert pressed(desk) == ["true"] * 8
    desk.get_by_role("button").nth(2).dblclick()
    assert pressed(desk) == ONLY_THIRD  # a mouse's, said as well


@pytest.mark.parametrize("language", ["en", "ko"])
def test_it_is_said_how_a_head_is_left_alone(desk: Page, language: Language) -> None:
    for view, said in (("head", 1), ("model", 0)):
        desk.set_content(page(trace(), view, "cross", 1, language=language))  # type: ignore[arg-type]
        expect(desk.get_by_text(TEXT[language].heads)).to_have_count(said)


def line_contrast(here: Page, dark: bool) -> float:
    """How far the strongest twentieth of what is drawn between the sides is from the ground."""
    here.set_content(page(trace(), "head", "cross", 1, language="en", dark=dark))
    lines = here.locator("#attention").bounding_box()
    assert lines is not None
    shot = here.screenshot(clip={**lines})
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).reshape(-1, 3)
    ground = channels(here.locator("body").evaluate("at => getComputedStyle(at).backgroundColor"))
    colours, counts = np.unique(pixels, axis=0, return_counts=True)
    found = np.repeat(
        [contrast("#{:02x}{:02x}{:02x}".format(*one), ground) for one in colours], counts
    )
    return float(np.quantile(found[found > 1.0], 0.95))  # not of the ground, however wide it is


def test_lines_are_as_strong_in_the_dark(desk: Page) -> None:
    light, dark = line_contrast(desk, dark=False), line_contrast(desk, dark=True)
    assert dark >= max(light, 2.0)


def test_the_model_view_answers_to_touch(phone: Page) -> None:
    phone.set_content(page(trace(), "model", "cross", 1, language="en"))
    pictures = phone.locator("g:has(> .attn_background)")
    pictures.nth(0).tap()
    expect(phone.locator("rect.detail")).to_be_in_viewport(ratio=0.99)
    expect(pictures.nth(0)).to_have_attribute("aria-pressed", "true")
    pictures.nth(7).scroll_into_view_if_needed()
    pictures.nth(7).tap()
    expect(phone.locator("text.detail")).to_have_text("Layer 1, Head 8")
    expect(phone.locator("rect.detail")).to_be_in_viewport(ratio=0.99)
    pictures.nth(7).tap(position={"x": 110, "y": 100})
    expect(phone.locator("rect.detail")).to_have_count(0)


def test_the_model_view_answers_to_keys(desk: Page) -> None:
    desk.set_content(page(trace(), "model", "cross", 1, language="en"))
    desk.keyboard.press("Tab")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowRight")
    picture = desk.get_by_role("button", name="Layer 2, head 2", exact=True)
    expect(picture).to_be_focused()
    desk.keyboard.press("Enter")
    expect(picture).to_have_attribute("aria-pressed", "true")
    expect(desk.locator("text.detail")).to_have_text("Layer 2, Head 2")
    desk.keyboard.press("Tab")
    desk.keyboard.press("ArrowDown")
    expect(desk.get_by_role("img", name="I", exact=True)).to_be_focused()
    rows = opacity(desk.locator(".attn-line-group"))
    assert [at for at, seen in enumerate(rows) if seen > 0] == [1]


def test_a_look_of_a_file_without_vectors_says_so(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    path = tmp_path / "foreign.npz"
    save_trace(path, trace(vectors=False, model_id="elsewhere"))
    page = visit("/")
    drawn(page)
    opened(page, path)
    expect(page.get_by_text("as elsewhere computed it")).to_be_visible()
    page.get_by_role("link", name="BertViz", exact=True).click()
    view = page.frame_locator("iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    page.get_by_text(TEXT["en"].view_neuron, exact=True).click()
    expect(view.locator("body")).to_contain_text(TEXT["en"].neuron_missing)
    expect(view.locator("#vis")).to_have_count(0)


def test_bertviz_draws_the_sentence_at_hand(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?kind=decoder_self&lang=ko")
    view = page.frame_locator("iframe[title], iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    expect(view.locator("#vis")).to_contain_text("drink")
    expect(chosen(page)).to_have_text(["헤드 보기", "디코더 셀프", "1"])
    page.get_by_text(TEXT["ko"].view_model, exact=True).click()
    expect(view.locator("#vis")).to_contain_text("Heads")
    page.get_by_text(TEXT["ko"].view_neuron, exact=True).click()
    expect(view.locator("#collapsed #leftText")).to_contain_text("drink")


def test_a_link_brings_back_view_kind_and_layer(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?kind=cross")
    view = page.frame_locator("iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    page.locator(".st-key-bertviz-switches").get_by_role("radio", name="2", exact=True).click()
    page.wait_for_url(re.compile("layer=2"))
    page.get_by_text(INSPECTOR["en"].kind_encoder_self, exact=True).click()
    page.wait_for_url(re.compile("kind=encoder_self"))
    page.get_by_text(TEXT["en"].view_model, exact=True).click()
    page.wait_for_url(re.compile("bertviz=model"))
    path = urlsplit(page.url)
    for again in (visit(f"{path.path}?{path.query}"), page):
        expect(again.frame_locator("iframe").first.locator("#vis")).to_contain_text("Heads")
        both = [TEXT["en"].view_model, INSPECTOR["en"].kind_encoder_self]
        expect(chosen(again)).to_have_text(both)
    page.go_back()
    page.wait_for_url(re.compile(r"^((?!bertviz=model).)*$"))
    expect(chosen(page).first).to_have_text(TEXT["en"].view_head)
    shown = page.frame_locator("iframe").first.locator("#layer")
    expect(shown).to_be_hidden()
    expect(shown).to_have_value("2")


@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("view", ["head", "neuron", "vectors"])
def test_long_tokens_are_whole_or_scrolled_to(chromium: Browser, width: int, view: str) -> None:
    words = ("Q" * 60, "가" * 60, "mW@" * 20)
    traced = trace(words, (0, 1, 2), words, (0, 1, 2))
    text = page(traced, "head" if view == "head" else "neuron", "cross", 1, language="en")
    context = chromium.new_context(viewport={"width": width, "height": 500})
    drawn = context.new_page()
    drawn.set_content(text)
    expect(drawn.locator("#vis line").first).to_be_attached()
    if view == "vectors":
        expand(drawn)
    if view == "head":
        assert drawn.locator("#vis text").count() == len(words) * 2 + 2
    cut = drawn.locator("#vis").evaluate(
        """vis => { const svg = vis.querySelector("svg").getBoundingClientRect();
          return [...vis.querySelectorAll("text")].filter((text) => {
            if (getComputedStyle(text).visibility === "hidden") return false;
            const own = text.getBoundingClientRect();
            return own.left < svg.left || own.right > svg.right;
          }).map((text) => text.textContent); }"""
    )
    assert cut == []
    most = drawn.evaluate("document.querySelector('#bertviz').scrollWidth")
    assert drawn.evaluate("document.scrollingElement.scrollWidth") == width
    assert most >= drawn.locator("#vis svg").evaluate("svg => svg.getBoundingClientRect().right")
    context.close()


@pytest.mark.parametrize(("width", "view", "least"), [(1200, "head", 850), (1360, "model", 1200)])
def test_a_view_uses_the_width_that_it_has(
    chromium: Browser, width: int, view: View, least: int
) -> None:
    drawn = chromium.new_page(viewport={"width": width, "height": 500})
    drawn.set_content(page(trace(), view, "cross", 1, language="en"))
    expect(drawn.locator("#vis line").first).to_be_attached()
    right = drawn.locator("#vis").evaluate(
        """vis => Math.max(...[...vis.querySelectorAll("text, line")].map(
          (one) => one.getBoundingClientRect().right))"""
    )
    assert least <= right <= width
    drawn.close()


def test_it_cannot_reach_the_app_around_it(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz")
    expect(page.frame_locator("iframe").first.locator("#vis line").first).to_be_attached()
    frame = next(frame for frame in page.frames if "/bertviz/" in frame.url)
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate(
        "(() => { try { return String(parent.document.title) } catch { return 'refused' } })()"
    ) == ("refused")


def height_of(page: Page) -> float:
    box = page.locator("iframe").first.bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
def test_its_frame_is_as_high_as_what_is_in_it(
    visit: Callable[..., Page], size: tuple[int, int]
) -> None:
    """Nothing is scrolled within it, and below the picture there is no empty room."""
    page = visit("/bertviz?kind=cross", width=size[0], height=size[1])
    heights = []
    for view in ("head", "model", "neuron"):
        if view != "head":
            page.get_by_text(getattr(TEXT["en"], f"view_{view}"), exact=True).click()
        frame = page.locator(f"iframe[src*='/{view}?']").content_frame
        expect(frame.locator("#vis line").first).to_be_attached()
        frame.locator("body").evaluate(
            """body => new Promise((done) => { const look = () => {
              const { clientHeight, scrollHeight } = document.documentElement;
              return clientHeight === scrollHeight && clientHeight === body.offsetHeight
                ? done() : requestAnimationFrame(look); }; look(); })"""
        )
        bottom = frame.locator("#vis svg").evaluate("svg => svg.getBoundingClientRect().bottom")
        heights.append(height_of(page))
        assert 0 <= heights[-1] - bottom < 48
    assert len(set(heights)) > 1
    page.evaluate("window.postMessage({ height: 9 }, '*')")
    page.evaluate("new Promise((done) => setTimeout(done))")  # after it has been delivered
    assert height_of(page) == heights[-1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_as_light_or_dark_as_the_app(visit: Callable[..., Page], scheme: str) -> None:
    page = visit("/bertviz?kind=cross", color_scheme=scheme)
    ground = "element => getComputedStyle(element).backgroundColor"
    app = page.get_by_test_id("stApp")
    for view in ("head", "model", "neuron"):
        if view != "head":
            page.get_by_text(getattr(TEXT["en"], f"view_{view}"), exact=True).click()
        themed = f"iframe[src*='/{view}?']" + ("[src*='theme=dark']" if scheme == "dark" else "")
        frame = page.locator(themed).content_frame
        expect(frame.locator("#vis line").first).to_be_attached()
        assert frame.locator("body").evaluate(ground) == app.evaluate(ground)
        inks = frame.locator("#vis text").evaluate_all(
            "texts => [...new Set(texts.map((text) => getComputedStyle(text).fill))]"
        )
        paper = channels(app.evaluate(ground))
        assert inks
        assert all(contrast(channels(ink), paper) >= 4.5 for ink in inks)


def channels(colour: str) -> str:
    """#rrggbb of what a browser calls rgb(r, g, b)."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])
