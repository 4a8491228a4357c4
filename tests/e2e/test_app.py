"""What a visitor does, in a real browser, with the real server."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.trace import Kind
from tests.e2e.conftest import arrived, told, way_to
from tests.e2e.inspector.page import PAINTED
from viz.screens.header import ENTRIES, page_labels
from viz.session.address import PAGES, PageName
from viz.text import frame, inspect, step
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)

Visit = Callable[..., Page]
RAIN = "어제 비가 왔어"
PEOPLE = "사람이 많더라"

AGREES = """Object.entries(given).every(([name, value]) =>
  ({ ...state.selection, status: state.status, dark: state.dark })[name] === value)"""


def drawn(page: Page, **wanted: Any) -> dict[str, Any]:
    """The inspector's own account of what it drew, once it agrees with `wanted`."""
    return told(page, AGREES, wanted)


def asked(page: Page) -> dict[str, str]:
    """The parameters of the address."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def typed(page: Page, text: str) -> None:
    """Types a sentence once there is one to see, as people do."""
    drawn(page)
    field = page.get_by_label(inspect.EN.source, exact=True)
    field.fill(text)
    field.press("Enter")


def translated(page: Page, text: str) -> Locator:
    """The line of the page that says what was written; the inspector quotes it, too."""
    return page.locator("p").filter(has_text=re.compile(f"^{re.escape(text)}$"))


def choose_model(page: Page, name: str) -> Locator:
    """Chooses in the header's menu, which is returned: it names the model at work."""
    models = page.locator('[class*="st-key-widget-models"]')
    models.get_by_role("button").click()
    page.get_by_text(name, exact=True).click()
    return models


def chips(page: Page) -> str:
    return "".join(page.get_by_test_id("hl-steps").inner_text().split())


class Wire:
    """What the server tells the page over Streamlit's connection, and may be held back.

    So may what the page tells the server (`mutes`).
    """

    def __init__(self, page: Page) -> None:
        self.holds = False
        self.mutes = False
        self.muted: list[Callable[[], None]] = []
        self._held: list[Callable[[], None]] = []
        self._finished = 0
        self._page = page
        page.route_web_socket("**/_stcore/stream", self._connect)
        page.reload()

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()
        server.on_message(lambda message: self._pass(browser, message))
        browser.on_message(lambda message: self._tell(server, message))

    def _tell(self, server: WebSocketRoute, message: str | bytes) -> None:
        if self.mutes:
            self.muted.append(lambda: server.send(message))
        else:
            server.send(message)

    def _pass(self, browser: WebSocketRoute, message: str | bytes) -> None:
        if not self.holds:
            browser.send(message)
            return
        self._held.append(lambda: browser.send(message))
        if isinstance(message, bytes):
            told = ForwardMsg.FromString(message)
            self._finished += told.WhichOneof("type") == "script_finished" and (
                told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            )

    def until_run(self) -> None:
        """Waits until a run has drawn its page to the end, whose messages are held back."""
        while not self._finished:
            self._page.evaluate(PAINTED)
        self._finished = 0

    def speak(self) -> None:
        """What the page had to say goes to the server, all at once."""
        for message in self.muted:
            message()
        self.muted.clear()
        self.mutes = False

    def let_go(self, *, at_once: bool = False) -> None:
        """What was held back comes, each in a frame of its own, or all before the page can act."""
        for message in self._held:
            message()
            if not at_once:
                self._page.evaluate(PAINTED)
        self._held.clear()
        self.holds = False


LENGTHENED = """row => {
  const [said, doubt] = row.querySelectorAll('p');
  said.textContent = 'a long translation '.repeat(14);
  const one = parseFloat(getComputedStyle(said).lineHeight);
  const lines = p => Math.round(p.getBoundingClientRect().height / one);
  return { cut: said.scrollWidth > said.clientWidth, lines: [said, doubt].map(lines) };
}"""


@pytest.mark.parametrize("page_name", ["", "step"])
@pytest.mark.parametrize("width", [1366, 390])
def test_a_long_translation_is_read_in_full_and_so_is_a_doubt(
    visit: Visit, page_name: str, width: int
) -> None:
    page = visit(f"/{page_name}?{urlencode({'source': '나는 핵융합 마신다'})}")
    page.set_viewport_size({"width": width, "height": 844})
    drawn(page)
    row = page.locator(".st-key-translation")
    expect(row.get_by_text("핵융합")).to_be_visible()
    shown = row.evaluate(LENGTHENED)
    assert not shown["cut"]
    said, doubt = shown["lines"]
    assert said > 1
    assert doubt <= 3, "it has the row's width, not what is left of a line"


def test_a_typed_sentence_is_drawn_before_its_page(visit: Visit) -> None:
    """And the page, when it comes, has nothing to draw anew; Back leads to the sentence before."""
    page = visit("/?kind=cross&layer=2&head=3", alone=True)
    wire = Wire(page)
    arrived(page, "inspect")
    before = drawn(page, status="exact", kind="cross", layer=2, head=3)
    address = page.url
    wire.holds = True
    typed(page, RAIN)
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    early = drawn(page, status="exact", kind="cross", layer=2, head=3)
    assert early["traceId"] != before["traceId"]
    expect(translated(page, "I drink water")).to_be_visible()
    assert page.url == address  # it is the other sentence's
    page.get_by_test_id("headlight").evaluate("root => { window.first = root.firstElementChild; }")
    wire.let_go()
    expect(translated(page, "it rained yesterday")).to_be_visible()
    arrived(page, "inspect")
    page.wait_for_url(lambda url: "source=" in url and f"step={early['selection']['step']}" in url)
    late = drawn(page, status="exact", kind="cross", layer=2, head=3)
    assert late["traceId"] == early["traceId"]
    assert page.get_by_test_id("headlight").evaluate(
        "root => window.first.isConnected && root.firstElementChild === window.first"
    )
    page.go_back()
    expect(translated(page, "I drink water")).to_be_visible()
    told(page, "state.traceId === given", before["traceId"])
    drawn(page, status="exact", step=before["selection"]["step"])


def test_of_two_sentences_the_later_is_drawn_whichever_way_they_come(visit: Visit) -> None:
    page = visit(alone=True)
    wire = Wire(page)
    arrived(page, "inspect")
    drawn(page, status="exact")
    wire.holds = True
    typed(page, PEOPLE)
    expect(page.get_by_test_id("hl-steps")).to_contain_text("many")
    wire.until_run()
    typed(page, RAIN)
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    wanted = drawn(page, status="exact")["traceId"]
    wire.until_run()
    page.get_by_test_id("headlight").evaluate(
        """(root) => {
          window.seen = new Set();
          const look = () => {
            window.seen.add(root.isConnected && root.headlight.state().traceId);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    wire.let_go()
    expect(translated(page, "it rained yesterday")).to_be_visible()
    arrived(page, "inspect")
    told(page, "state.traceId === given && state.status === 'exact'", wanted)
    assert page.evaluate("[...window.seen]") == [wanted]


def test_a_chosen_head_of_a_sentence_that_ran_ahead_is_kept(visit: Visit) -> None:
    page = visit("/?kind=cross&layer=1&head=1", alone=True)
    wire = Wire(page)
    arrived(page, "inspect")
    drawn(page, status="exact", kind="cross", layer=1, head=1)
    wire.holds = True
    typed(page, RAIN)
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    page.get_by_test_id("hl-matrix").focus()
    page.keyboard.press("ArrowRight")
    head = drawn(page, status="exact")["selection"]
    wire.let_go()
    expect(translated(page, "it rained yesterday")).to_be_visible()
    told(page, "JSON.stringify(state.selection) === JSON.stringify(given)", head)
    page.wait_for_url(lambda url: f"head={head['head']}" in url and f"step={head['step']}" in url)
    page.reload()
    drawn(page, status="exact", head=head["head"], step=head["step"])


def test_a_view_that_gave_way_to_another_listens_no_more(visit: Visit) -> None:
    """The document outlives it: whatever listens there keeps a whole trace."""
    page = visit("/")
    drawn(page, status="exact")
    session = page.context.new_cdp_session(page)

    def listening() -> list[str]:
        node = session.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        found = session.send("DOMDebugger.getEventListeners", {"objectId": node})["listeners"]
        return sorted(one["type"] for one in found)

    before = listening()
    assert "wheel" in before
    for sentence, said in ((RAIN, "it rained yesterday"), (PEOPLE, "there were many people")):
        typed(page, sentence)
        expect(translated(page, said)).to_be_visible()
        drawn(page, status="exact")
    assert listening() == before


def test_where_a_sentence_cannot_run_ahead_its_page_draws_it(visit: Visit) -> None:
    page = visit()
    page.route("**/snapshot?**", lambda route: route.fulfill(status=204))
    with page.expect_response("**/snapshot?**"):
        typed(page, RAIN)
    expect(translated(page, "it rained yesterday")).to_be_visible()
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    page.goto(page.url.replace("/?", "/step?") + "&mask=off")
    arrived(page, "step")
    asked_ahead: list[str] = []
    page.on("request", lambda request: asked_ahead.append(request.url))
    typed(page, PEOPLE)
    expect(translated(page, "there were many people")).to_be_visible()
    assert not [url for url in asked_ahead if "/snapshot?" in url]


def test_a_sentence_typed_before_the_inspector_has_loaded_is_the_one_drawn(visit: Visit) -> None:
    page = visit("/positions")
    held: list[Route] = []
    page.route("**/inspector/main.js", lambda route: held.append(route))
    with page.expect_request("**/inspector/main.js"):
        page.goto(page.url.split("/positions")[0])
    expect(translated(page, "I drink water")).to_be_visible()
    field = page.get_by_label(inspect.EN.source, exact=True)
    field.fill(RAIN)
    field.press("Enter")
    expect(translated(page, "it rained yesterday")).to_be_visible()
    assert held
    for route in held:
        route.continue_()
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    drawn(page, status="exact")
    assert "rain" in chips(page)


def test_a_sentence_is_translated_and_every_number_is_the_models(
    visit: Visit, tiny_model: TransformerModel
) -> None:
    page = visit("/")
    expect(translated(page, "I drink water")).to_be_visible()
    typed(page, RAIN)
    expect(translated(page, "it rained yesterday")).to_be_visible()
    expect(page.get_by_test_id("hl-steps")).to_contain_text("rain")
    trace = tiny_model.trace(TraceRequest(RAIN))
    choices: tuple[tuple[Kind, int, int], ...] = (("cross", 0, 0), ("encoder_self", 1, 3))
    for kind, layer, head in choices:
        words = INSPECTOR["en"]
        label = {"cross": words.kind_cross, "encoder_self": words.kind_encoder_self}[kind]
        page.get_by_test_id("hl-kinds").get_by_text(label).click()
        cell = f'[data-layer="{layer}"][data-head="{head}"].hl-head'
        page.get_by_test_id("hl-grid").locator(cell).click()
        state = drawn(page, kind=kind, layer=layer + 1, head=head + 1, status="exact")
        expected = trace.sites[kind].weights[layer, head].ravel()
        np.testing.assert_allclose(state["weights"], expected, atol=1e-6)


def test_steps_move_by_keys_and_the_address_follows(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": RAIN, "step": "3"}))
    drawn(page, step=3)
    page.get_by_test_id("hl-steps").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    drawn(page, step=5)
    page.wait_for_url(re.compile(r"step=5\b"))
    page.reload()
    drawn(page, step=5)


def test_another_head_is_chosen_by_click_and_survives_other_pages(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE}))
    drawn(page)
    page.get_by_test_id("hl-grid").locator('[data-layer="2"][data-head="1"].hl-head').click()
    drawn(page, layer=3, head=2)
    page.wait_for_url(re.compile(r"layer=3&head=2"))
    page.get_by_role("link", name=frame.EN.learn).click()
    page.wait_for_url(re.compile(r"/positions"))
    arrived(page, "positions")
    page.get_by_role("link", name=frame.EN.step, exact=True).click()
    arrived(page, "step")
    drawn(page, layer=3, head=2)
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(PEOPLE)
    page.get_by_role("link", name=frame.EN.inspect).click()
    drawn(page, layer=3, head=2)
    assert asked(page)["source"] == PEOPLE


def test_the_sentence_stays_in_its_field_on_every_page_there_and_back(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": PEOPLE}))
    drawn(page)

    def kept(name: PageName) -> None:
        arrived(page, name)
        assert page.locator("input[type=text]").first.input_value() == PEOPLE, name

    pages: tuple[PageName, ...] = ("step", "compare", "inspect")
    for name in pages:
        page.get_by_role("link", name=page_labels("en")[name], exact=True).click()
        kept(name)
    for name in ("compare", "step"):
        page.go_back()
        kept(name)


def test_links_to_pages_show_that_they_are_in_focus(visit: Visit) -> None:
    page = visit("/?lang=en")
    drawn(page)
    link = page.get_by_role("link", name=frame.EN.step, exact=True)
    page.get_by_label(inspect.EN.source, exact=True).focus()
    page.keyboard.press("Shift+Tab")
    for _ in range(30):
        if link.evaluate("link => link.matches(':focus')"):
            break
        page.keyboard.press("Shift+Tab")
    expect(link).to_have_css("outline-style", "solid")


def test_the_language_switch_changes_words_only(visit: Visit) -> None:
    page = visit("/?" + urlencode({"source": RAIN, "kind": "decoder_self", "head": "4"}))
    before = drawn(page, kind="decoder_self", head=4, status="exact")
    page.get_by_text("한국어", exact=True).click()
    expect(page.get_by_role("link", name=frame.KO.learn, exact=True)).to_be_visible()
    kinds = page.get_by_test_id("hl-kinds")
    expect(kinds).to_contain_text(INSPECTOR["ko"].kind_decoder_self)
    after = drawn(page, kind="decoder_self", head=4, status="exact")
    assert after["traceId"] == before["traceId"]
    assert after["weights"] == before["weights"]
    expect(page.get_by_label(inspect.KO.source, exact=True)).to_have_value(RAIN)
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    assert asked(page)["lang"] == "ko"


def test_a_korean_browser_is_greeted_in_korean(visit: Visit) -> None:
    page = visit("/", locale="ko-KR")
    expect(page.get_by_role("link", name=frame.KO.step, exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    drawn(page)


def test_an_address_brings_everything_back(visit: Visit) -> None:
    query = {
        "lang": "ko",
        "model": "tiny",
        "source": PEOPLE,
        "target": "it rained",
        "kind": "decoder_self",
        "layer": "2",
        "head": "3",
        "step": "4",
    }
    page = visit("/step?" + urlencode(query))
    drawn(page, kind="decoder_self", layer=2, head=3, step=4, status="exact")
    expect(page.get_by_label(step.KO.target, exact=True)).to_have_value("it rained")
    expect(page.get_by_text(step.KO.free, exact=True).first).to_be_visible()
    assert asked(page) == query


def typed_both(page: Page) -> None:
    """Types both sentences, each once the one before is there and in the address."""
    # A run writes the address at its end, after the translation is on the page.
    for sentence, written in ((RAIN, "it rained yesterday"), (PEOPLE, "there were many people")):
        typed(page, sentence)
        expect(translated(page, written)).to_be_visible()
        page.wait_for_function(
            "text => new URLSearchParams(location.search).get('source') === text", arg=sentence
        )


def test_back_returns_to_the_sentence_before(visit: Visit) -> None:
    page = visit("/")
    typed_both(page)
    page.go_back()
    expect(translated(page, "it rained yesterday")).to_be_visible()
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(RAIN)


def test_back_right_behind_a_report_returns_to_the_sentence_before(visit: Visit) -> None:
    """Python hears of both at once, or of Back in the run of the report."""
    page = visit("/")
    typed_both(page)
    drawn(page)
    page.wait_for_function("() => [...document.headlights].every(one => !one.rests())")
    page.evaluate(
        """() => {
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function (message) {
            WebSocket.prototype.send = send;
            this.send(message);
            history.back();
          };
        }"""
    )
    page.get_by_test_id("hl-steps").press("Home")
    expect(translated(page, "it rained yesterday")).to_be_visible()
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(RAIN)


def test_an_address_written_once_more_is_no_second_stop_for_back(visit: Visit) -> None:
    page = visit("/")
    typed_both(page)
    drawn(page)
    stops = page.evaluate(
        """() => {
          const [before, url] = [history.length, new URL(location.href)];
          url.searchParams.set("step", "1");  // as Python knew it when its run began
          history.pushState(history.state, "", url);
          const again = history.length;
          url.searchParams.set("source", "물");
          history.pushState(history.state, "", url);
          return [again - before, history.length - before];
        }"""
    )
    assert stops == [0, 1]


def test_the_lifted_mask_shows_the_leak_as_a_number(visit: Visit) -> None:
    page = visit("/step?" + urlencode({"source": RAIN}))
    drawn(page)
    page.get_by_text(step.EN.lift).click()
    expect(page.get_by_text(re.compile(r"mean over \d+ steps"))).to_be_visible()
    expect(page.get_by_text(step.EN.lifted, exact=True).first).to_be_visible()
    drawn(page, kind="decoder_self")
    assert asked(page)["mask"] == "off"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_s_leak_is_read_whole_on_a_phone(visit: Visit, language: Language) -> None:
    page = visit(f"/step?lang={language}&model=zz-everyday&mask=off", 390, 844)
    drawn(page)
    page.get_by_role("button", name=step.TEXT[language].leak_table).click()
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_role("columnheader")).to_have_count(6)
    right = "one => one.getBoundingClientRect().right"
    cell = body.get_by_role("columnheader").last
    assert cell.evaluate(right) <= body.evaluate(right)
    over = """one => {
      const wide = [];
      for (; one.dataset.testid !== "stPopoverBody"; one = one.parentElement)
        wide.push(one.scrollWidth - one.clientWidth);
      return Math.max(...wide);
    }"""
    assert cell.evaluate(over) <= 1


def test_the_model_switch_opens_the_other_model(visit: Visit) -> None:
    page = visit("/")
    drawn(page)
    models = choose_model(page, "tiny-spelling")
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value("cafe")
    expect(models).to_contain_text("tiny-spelling · 2+3 layers")
    drawn(page)


def test_a_model_that_was_left_again_does_not_come_back(visit: Visit) -> None:
    page = visit("/")
    drawn(page)
    models = choose_model(page, "tiny-spelling")
    expect(models).to_contain_text("tiny-spelling · 2+3 layers")
    expect(page).to_have_url(re.compile("model=tiny-spelling"))  # the end of a run writes it
    drawn(page)
    page.go_back()
    expect(models).to_contain_text("tiny · 2+3 layers")
    for name in ("step", "inspect"):
        page.get_by_role("link", name=page_labels("en")[name], exact=True).click()
        arrived(page, name)
        drawn(page)
        expect(models).to_contain_text("tiny · 2+3 layers")


def test_a_chosen_example_closes_its_menu(visit: Visit) -> None:
    page = visit("/")
    drawn(page)
    page.get_by_role("button", name=inspect.EN.examples).click()
    expect(page.get_by_role("button", name=PEOPLE)).to_be_visible()
    page.get_by_role("button", name=PEOPLE).click()
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(PEOPLE)
    expect(page.get_by_role("button", name=PEOPLE)).to_be_hidden()
    expect(translated(page, "there were many people")).to_be_visible()


@pytest.mark.parametrize(
    "text",
    ["<script>document.title='x'</script>", "물 🙂 שלום", "</textarea><img src=x onerror=x>"],
)
def test_markup_stays_text(visit: Visit, text: str) -> None:
    page = visit("/")
    drawn(page)
    typed(page, text)
    page.wait_for_url(re.compile("source="))
    expect(page.get_by_text(re.compile("hardly knows"))).to_be_visible()
    drawn(page)
    assert page.title() == f"{frame.EN.inspect} · Headlight"
    assert page.locator("img[src=x]").count() == 0


def test_a_sentence_that_is_too_long_is_refused_and_kept(visit: Visit) -> None:
    page = visit("/")
    drawn(page)
    typed(page, "물" * 20_000)
    expect(page.get_by_text(re.compile("20,000 characters"))).to_be_visible()
    expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value("물" * 20_000)


def test_a_wrong_address_is_put_right_with_a_word(visit: Visit) -> None:
    page = visit("/?layer=77&kind=nothing&lang=xx")
    expect(page.get_by_text(re.compile("not there"))).to_be_visible()
    drawn(page, kind="cross", layer=3)
    page.wait_for_url(re.compile(r"layer=3\b"))
    assert asked(page)["kind"] == "cross"


def test_light_and_dark_are_both_drawn(visit: Visit) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        page = visit("/", color_scheme=scheme)
        drawn(page, dark=scheme == "dark")
        colours[scheme] = page.locator(".stApp").evaluate(
            "element => getComputedStyle(element).backgroundColor"
        )
    assert colours == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 21, 26)"}


@pytest.mark.parametrize("path", ["/", "/step?mask=off&target=I+went+home", "/positions", "/model"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_scrolls_one_way_only(visit: Visit, path: str, language: str) -> None:
    page = visit(path + ("&" if "?" in path else "?") + f"lang={language}", 390, 844)
    if path in ("/positions", "/model"):
        expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    else:
        drawn(page)
    wide = page.evaluate(
        "Math.max(document.scrollingElement.scrollWidth,"
        " document.querySelector('[data-testid=stMain]').scrollWidth)"
    )
    assert wide <= 390


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_header_of_a_phone_takes_two_rows(visit: Visit, language: Language) -> None:
    page = visit(f"/step?model=zz-everyday&lang={language}", 390, 844)
    header = page.locator(".st-key-header")
    links = header.get_by_role("link")
    expect(links).to_have_count(len(ENTRIES))
    assert len(ENTRIES) <= 6
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    expect(header.get_by_role("button", name=re.compile("zz-everyday.*CPU"))).to_be_visible()
    box = header.bounding_box()
    assert box is not None
    assert box["height"] <= 76
    # Narrower than all the names together, the row of pages scrolls, and nothing else does.
    page = visit(f"/model?model=zz-everyday&lang={language}", 180, 844)
    header = page.locator(".st-key-header")
    links = header.locator(".st-key-pages").get_by_role("link")
    first, last = links.first, links.last
    expect(last).to_be_in_viewport(ratio=1)
    expect(first).not_to_be_in_viewport()
    first.focus()
    expect(first).to_be_in_viewport(ratio=1)
    for _ in range(len(ENTRIES) - 1):
        page.keyboard.press("Tab")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport(ratio=1)
    assert header.evaluate(
        "element => Math.max(...[...element.children].map("
        "child => child.getBoundingClientRect().right)) <= innerWidth"
    )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_page_is_two_links_away_at_most(visit: Visit, language: Language) -> None:
    """By keys, on a phone: what they lead to is what their addresses always led to."""
    page = visit(f"/?lang={language}", 390, 844)
    for name in PAGES[1:]:
        for label in way_to(name, language):
            link = page.locator(".st-key-header").get_by_role("link", name=label, exact=True)
            link.focus()
            expect(link).to_be_in_viewport(ratio=1)
            page.keyboard.press("Enter")
            arrived(page, next(n for n in PAGES if way_to(n, language)[-1] == label))
        page.wait_for_url(re.compile(f"/{name}"))
        outlined(page, name, language)
    page.get_by_text({"en": "한국어", "ko": "English"}[language], exact=True).click()
    outlined(page, PAGES[-1], "ko" if language == "en" else "en")


def outlined(page: Page, name: PageName, language: Language) -> None:
    """The page says which it is to who does not see the header, and in a tab's name."""
    title = f"{page_labels(language)[name]} · Headlight"
    expect(page).to_have_title(title)
    expect(page.get_by_role("heading", level=1)).to_have_accessible_name(title)
    entry, *within = way_to(name, language)
    pages = page.get_by_role("navigation", name="Headlight", exact=True)
    current = pages.locator("[aria-current]")
    expect(current).to_have_text([entry])
    below = page.get_by_role("navigation", name=entry, exact=True)
    if len(next(pages for pages in ENTRIES.values() if name in pages)) > 1:
        expect(below.locator("[aria-current=page]")).to_have_count(1)
        for label in within:
            expect(below.locator("[aria-current=page]")).to_have_text([label])
            expect(current).to_have_attribute("aria-current", "true")
    else:
        expect(current).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("path", ["model", "milestones", ""])
def test_the_header_of_a_desk_takes_one_row(visit: Visit, path: str) -> None:
    page = visit(f"/{path}?model=zz-everyday")
    header = page.locator(".st-key-header")
    expect(header.get_by_role("button", name=re.compile("zz-everyday.*CPU"))).to_be_visible()
    box = header.bounding_box()
    assert box is not None
    assert box["height"] <= 40


def test_no_page_moves_the_links_to_the_others(visit: Visit) -> None:
    """That of the page in view is bold, and no wider."""
    places: list[list[float]] = []
    page: Page | None = None
    for path in ("", "step", "model"):
        page = visit(f"/{path}?model=zz-everyday", page=page)
        header = page.locator(".st-key-header")
        expect(header.get_by_role("button", name=re.compile("zz-everyday.*CPU"))).to_be_visible()
        links = header.locator(".st-key-pages").get_by_role("link")
        expect(links).to_have_count(len(ENTRIES))
        places.append([link.evaluate("e => e.getBoundingClientRect().x") for link in links.all()])
    assert places[1:] == places[:-1]


@pytest.mark.parametrize("width", [1366, 1024, 800, 390])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_model_and_what_a_field_is_for_are_read_whole(
    visit: Visit, width: int, language: Language
) -> None:
    page = visit(f"/step?lang={language}&model=zz-everyday", width)
    chip = page.get_by_role("button", name=re.compile("zz-everyday.*CPU"))
    cut = """one => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const [text, box] = [range, one].map((it) => it.getBoundingClientRect());
      return Math.max(text.width - box.width, text.height - box.height);
    }"""
    assert chip.locator("p").evaluate(cut) <= 1
    field = page.get_by_placeholder(step.TEXT[language].target_placeholder)
    over = """one => {
      const style = getComputedStyle(one);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      return pen.measureText(one.placeholder).width - room;
    }"""
    assert field.evaluate(over) <= 0


def test_a_list_that_goes_on_below_fades_at_its_end(visit: Visit) -> None:
    page = visit("/?model=zz-everyday", 1366, 260)
    page.get_by_role("button", name=re.compile("zz-everyday.*CPU")).click()
    body = page.get_by_test_id("stPopoverBody")
    expect(body).to_be_visible()
    assert body.evaluate("one => one.scrollHeight > one.clientHeight")
    assert body.evaluate("one => getComputedStyle(one, '::after').position") == "sticky"


def test_korean_breaks_between_words_in_help_and_in_tables_too(visit: Visit) -> None:
    breaks = "one => getComputedStyle(one).wordBreak"
    page = visit("/step?lang=ko&model=zz-everyday")
    help_of = page.get_by_test_id("stCheckbox").get_by_test_id("stTooltipIcon")
    help_of.hover()
    told = page.get_by_test_id("stTooltipContent").locator("p")
    expect(told).to_be_visible()
    assert told.evaluate(breaks) == "keep-all"
    page = visit("/model?lang=ko&model=zz-everyday", page=page)
    for name in ("columnheader", "cell"):
        one = page.get_by_role(name).first
        expect(one).to_be_visible()
        assert one.evaluate(breaks) == "keep-all"


def test_what_all_pages_share_keeps_its_place_on_a_tablet(visit: Visit) -> None:
    """Some pages have others beside them, which take a row of their own there."""
    places = []
    page: Page | None = None
    for path in ("step", "model", ""):
        page = visit(f"/{path}?model=zz-everyday", 1024, 768, page=page)
        header = page.locator(".st-key-header")
        chip = header.get_by_role("button", name=re.compile("zz-everyday.*CPU"))
        expect(chip).to_be_visible()
        switch = header.locator(".st-key-widget-lang")
        expect(switch.get_by_text("한국어")).to_be_visible()
        boxes = [one.bounding_box() for one in (chip, switch)]
        places.append([(box["x"] + box["width"], box["y"]) for box in boxes if box])
    assert places[1:] == places[:-1]


@pytest.mark.parametrize("path", ["", "step", "model"])
def test_letters_twice_as_large_leave_all_within_the_window(visit: Visit, path: str) -> None:
    """Whether a browser's own letters are so large, or a style of the reader's makes them so."""
    page = visit(f"/{path}?model=zz-everyday", alone=True)
    header = page.locator(".st-key-header")
    chip = header.get_by_role("button", name=re.compile("zz-everyday.*CPU"))
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"

    def fits() -> None:
        expect(chip).to_be_visible()
        for link in header.get_by_role("link").all():
            expect(link).to_be_in_viewport(ratio=1)
        expect(header.locator(".st-key-widget-lang")).to_be_in_viewport(ratio=1)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("element => element.scrollWidth - element.clientWidth") <= 0

    usual = page.evaluate(size)
    assert usual == 15
    page.add_style_tag(content="html { font-size: 200% !important; }")
    fits()
    page.reload()
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    assert page.evaluate(size) == 2 * usual
    fits()


@pytest.mark.parametrize("touch", [False, True])
def test_the_help_of_a_switch_is_read_and_flips_nothing(visit: Visit, touch: bool) -> None:
    page = visit("/step?model=zz-everyday", has_touch=touch)
    drawn(page)
    switch = page.get_by_test_id("stCheckbox").filter(has_text=step.EN.lift)
    mark = switch.get_by_test_id("stTooltipIcon")
    (mark.tap if touch else mark.click)()
    expect(page.get_by_test_id("stTooltipContent")).to_have_text(step.EN.lift_help)
    expect(switch.get_by_role("switch")).not_to_be_checked()
    label = switch.get_by_text(step.EN.lift)
    (label.tap if touch else label.click)()
    expect(switch.get_by_role("switch")).to_be_checked()


@pytest.mark.parametrize("path", ["", "compare"])
def test_a_page_on_paper_has_its_pictures_and_no_control(visit: Visit, path: str) -> None:
    page = visit(f"/{path}?model=zz-everyday", alone=True)
    drawn(page, status="exact")
    page.emulate_media(media="print")
    model = page.locator('[class*="st-key-widget-models"]')
    expect(model).to_have_text(re.compile("^zz-everyday · "))
    expect(model).to_be_visible()
    for link in page.get_by_test_id("stPageLink-NavLink").all():
        expect(link).to_be_hidden()
    expect(page.get_by_role("radio", name="English")).to_be_hidden()
    others = page.locator(":not([class*=st-key-widget-models], [class*=st-key-widget-models] *)")
    for control in ("stPopover", "stCheckbox", "hl-export"):
        for one in page.get_by_test_id(control).and_(others).all():
            expect(one).to_be_hidden()
    expect(page.get_by_test_id("hl-grid").first).to_be_visible()
    main = page.get_by_test_id("stMain")  # what scrolls on a screen goes on overleaf
    assert main.evaluate("element => element.scrollHeight - element.clientHeight") <= 0


def test_the_first_screen_of_the_shipped_model_needs_no_scrolling(visit: Visit) -> None:
    page = visit("/?model=zz-everyday")
    # In the page's line, and within the inspector once that is there.
    expect(page.get_by_text(re.compile("cafe.*many people")).first).to_be_visible()
    drawn(page, status="exact")
    expect(page.get_by_test_id("hl-next")).to_be_in_viewport(ratio=1)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollHeight - element.clientHeight") <= 0


def test_the_page_says_its_name_before_any_run(visit: Visit) -> None:
    page = visit("/")
    assert "<title>Headlight</title>" in page.request.get(page.url).text()
    expect(page.locator('link[rel="icon"]').first).to_have_attribute("href", re.compile("icon.svg"))
