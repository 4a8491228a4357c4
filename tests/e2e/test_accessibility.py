"""What axe-core finds on every page, light and dark, wide and narrow, in both languages.

Nothing that hinders people seriously may be there. Canvases it cannot see; the colours that are
drawn with on them are looked at by themselves. Everything is ours or mended by us: no element of
Streamlit's is left out.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import free_port, serving
from tests.twins.contrast import contrast
from tests.viz.inspector.made import trace, vocabulary_tokens
from viz.export.one import Choice, exported
from viz.inspector.pack import pack
from viz.session.address import PAGES, PageName
from viz.text.language import Language

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
WAIT = 120_000  # milliseconds; a machine may be busy
SERIOUS = ("serious", "critical")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# Frames hold pages of others: BertViz's views within the page around them.
RUN = "() => axe.run(document, { iframes: false, resultTypes: ['violations'] })"
WIDE, NARROW = (1366, 768), (390, 844)
READY: dict[PageName, str] = {
    "positions": ".js-plotly-plot .main-svg",
    "gaps": "[data-testid=stAlert]",  # of the models here none fills any
    "neighbours": ".js-plotly-plot .barlayer .point",
    "studies": ".js-plotly-plot .main-svg",
    "train": "[data-testid=training], [data-testid=stBaseButton-primary]",
    "bertviz": "iframe",
    "model": ".js-plotly-plot .barlayer .point",
    "add": ".st-key-add-gpt2 button",
}
"""What is there once a page is; the others have our own views, which tell by themselves."""
DRAWN = """() => {
  const states = [...document.querySelectorAll("*")].flatMap(({ headlight, shadowRoot }) =>
    [headlight, ...[...shadowRoot?.querySelectorAll("*") ?? []].map((inner) => inner.headlight)]);
  const views = states.filter(Boolean).map((hook) => hook.state());
  return views.length > 0 && views.every(({ ready, pending }) => ready && !pending);
}"""
BAR = ".hl-bar-chosen .hl-bar-fill"
THEME = """async () => {
  const { readTheme } = await import("headlight/views/colour.js");
  return readTheme(document.querySelector(".hl-root"));
}"""


def hindrances(page: Page) -> list[str]:
    """One line for each element in which axe finds something serious."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(RUN)
    return [
        f"{rule['id']}: {node['target']} {node['html'][:160]} ({check['message']})"
        for rule in found["violations"]
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
        for check in (*node["any"], *node["all"], *node["none"])
    ]


@pytest.fixture(scope="module")
def address(
    tmp_path_factory: pytest.TempPathFactory, app_models: Path, tiny_run: Path
) -> Iterator[str]:
    """The app with all that the other tests have, and a run for Train and Milestones."""
    root = tmp_path_factory.mktemp("runs")
    shutil.copytree(tiny_run, root / "kept")
    places = {"HEADLIGHT_CHECKPOINTS": str(app_models), "HEADLIGHT_RUNS": str(root)}
    with serving(free_port(), **places) as found:
        yield found


def opened(visit: Visit, name: PageName, scheme: str, size: tuple[int, int], asked: str) -> Page:
    path = "" if name == PAGES[0] else name
    page = visit(f"/{path}?{asked}", *size, color_scheme=scheme, bypass_csp=True)
    if name in READY:
        expect(page.locator(READY[name]).first).to_be_visible(timeout=WAIT)
    else:
        page.wait_for_function(DRAWN, timeout=WAIT)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=WAIT
    )
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_a_page_hinders_seriously(visit: Visit, name: PageName, scheme: str) -> None:
    language = "en" if scheme == "light" else "ko"
    assert hindrances(opened(visit, name, scheme, WIDE, f"lang={language}")) == []


@pytest.mark.parametrize(
    ("scheme", "language"), [("light", "ko"), ("dark", "en"), ("light", "en"), ("dark", "ko")]
)
@pytest.mark.parametrize("name", ["inspect", "step"])
def test_nor_on_a_phone(visit: Visit, name: PageName, scheme: str, language: Language) -> None:
    """With a mask, so that there are forbidden cells and tokens that are not written yet."""
    asked = f"lang={language}&kind=decoder_self&step=2"
    assert hindrances(opened(visit, name, scheme, NARROW, asked)) == []


@pytest.mark.parametrize("name", ["Examples", "Greedy"])
def test_what_is_opened_by_a_key_is_walked_next(visit: Visit, name: str) -> None:
    page = opened(visit, "inspect", "light", WIDE, "lang=en")
    button = page.get_by_test_id("stPopoverButton").filter(has_text=name)
    body = page.get_by_test_id("stPopoverBody")
    button.focus()
    page.keyboard.press("Enter")
    expect(body.locator(":focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Escape")
    expect(body).to_have_count(0)
    expect(button).to_be_focused()


def test_what_is_chosen_by_a_key_leaves_the_focus_where_it_was_opened(visit: Visit) -> None:
    page = opened(visit, "inspect", "light", WIDE, "lang=en")
    examples = page.get_by_test_id("stPopoverButton").filter(has_text="Examples")
    field = page.get_by_role("textbox", name="Sentence", exact=True)
    first = field.input_value()
    examples.focus()
    page.keyboard.press("Enter")
    chosen = page.get_by_test_id("stPopoverBody").get_by_role("button")
    expect(chosen.first).to_be_focused()
    page.keyboard.press("Tab")
    expect(chosen.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(field).not_to_have_value(first)
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    expect(examples).to_be_focused()


def test_a_link_that_is_followed_by_a_key_has_the_focus_on_its_page(visit: Visit) -> None:
    page = opened(visit, "inspect", "light", WIDE, "lang=en")
    for entry, place in (("Learn", "nav-here-learn"), ("Studies", "within-here-studies")):
        page.get_by_role("link", name=entry, exact=True).focus()
        page.keyboard.press("Enter")
        link = page.locator(f".st-key-{place} a")
        expect(link).to_be_visible(timeout=WAIT)
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=WAIT
        )
        expect(link).to_be_focused()


def test_what_is_chosen_is_seen_where_the_system_forces_its_colours(visit: Visit) -> None:
    page = visit("/step?lang=en&step=2", *WIDE, forced_colors="active")
    page.wait_for_function(DRAWN, timeout=WAIT)
    now, other = (
        page.locator(".hl-chips .hl-now").first,
        page.locator(".hl-chip:not(.hl-now)").first,
    )
    own, others = (one.evaluate("e => getComputedStyle(e).backgroundColor") for one in (now, other))
    assert own != others
    head = page.locator('.hl-head[aria-selected="true"]')
    assert head.evaluate("e => getComputedStyle(e).boxShadow") != "none"
    colour = "e => getComputedStyle(e).backgroundColor"
    fill, ground = (page.locator(one).first.evaluate(colour) for one in (BAR, "body"))
    assert fill != ground


def test_a_korean_page_has_no_english_names_for_ears(visit: Visit) -> None:
    page = opened(visit, "positions", "light", WIDE, "lang=ko")
    names = "() => [...document.querySelectorAll('button[aria-label]')].map(e => e.ariaLabel)"
    english = "(names) => names.filter((name) => !/[가-힣]/.test(name))"
    expect(page.get_by_role("button", name="처음 범위로")).to_have_count(1)
    assert page.evaluate(f"({english})(({names})())") == ["Main menu"]  # which nobody meets
    expect(page.get_by_test_id("stMainMenuButton")).to_be_hidden()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("button", name="Reset axes")).to_have_count(1)
    expect(page.get_by_role("button", name="Increment")).to_have_count(3)


@pytest.fixture
def alone(chromium: Browser, tmp_path: Path) -> Callable[..., Page]:
    """A look as a file of its own, opened from disk."""

    def open_file(scheme: str, language: Language, size: tuple[int, int] = WIDE) -> Page:
        packed = pack(trace(), trace_id="x", vocabulary_tokens=vocabulary_tokens)
        path = tmp_path / f"{language}.html"
        choice = Choice("head", "decoder_self", 2, 5, 7)
        path.write_bytes(exported(packed, choice, "html", language=language, title="어제 카페"))
        width, height = size
        page = chromium.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            bypass_csp=True,
        )
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN)
        return page

    return open_file


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "ko")])
def test_nor_in_a_file_of_its_own_whatever_is_chosen(
    alone: Callable[..., Page], scheme: str, language: Language, size: tuple[int, int]
) -> None:
    page = alone(scheme, language, size)
    found = hindrances(page)
    page.get_by_test_id("hl-units").get_by_role("radio").nth(1).click()
    page.get_by_test_id("hl-shape").click()
    page.get_by_test_id("hl-top-k").press("Home")
    page.get_by_test_id("hl-matrix").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter", "l"):
        page.keyboard.press(key)
    page.wait_for_function(DRAWN)
    found += hindrances(page)
    page.close()
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_on_a_canvas_can_be_read(alone: Callable[..., Page], scheme: str) -> None:
    page = alone(scheme, "en")
    theme = page.evaluate(THEME)
    page.close()
    paper = theme["background"]
    shares = {
        name: contrast(hexed(theme[name]), hexed(paper)) for name in ("text", "muted", "quiet")
    }
    assert shares["text"] > shares["muted"] > shares["quiet"] >= 4.5
    assert shares["text"] >= 7


def hexed(colour: str) -> str:
    """ "rgb(1 2 3)" as "#010203"."""
    return "#" + "".join(f"{int(part):02x}" for part in colour[4:-1].split())


def test_a_hindrance_would_be_found(alone: Callable[..., Page]) -> None:
    """Within the inspector's own part of the page as well."""
    page = alone("light", "en")
    page.evaluate(
        """() => {
          const root = document.querySelector(".hl-root");
          root.append(document.createElement("button"));
          root.querySelector(".hl-sentence").style.color = "#bbb";
        }"""
    )
    found = " ".join(hindrances(page))
    page.close()
    assert "button-name" in found
    assert "color-contrast" in found
