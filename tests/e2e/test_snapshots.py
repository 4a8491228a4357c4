"""Each view of the inspector as a picture, pixel by pixel but for the noise of hinting.

A picture means something beside a browser and faces that are known to draw it: of these
`snapshots/made-with.json` has a list, and where another Chromium (by its major version) or other
faces draw, one of these is taken instead where `browser.py` found it, else the tests are skipped
and counted at the end of the run. After a wanted change, renew the pictures, look at
each one, and commit them with it; the list has this machine's browser alone then:

    HEADLIGHT_SNAPSHOTS=renew python -m pytest -n 0 tests/e2e/test_snapshots.py

Another browser joins the list with `join` instead of `renew`: what it draws otherwise is laid into
a folder of its own, to be looked at. Join only where nothing of the inspector has changed since the
pictures were taken.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast, get_args

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.e2e.browser import MADE_WITH, QUIET, drawers, find_drawer
from tests.e2e.inspector.film.shelf import put_film
from tests.e2e.inspector.page import Harness, put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.e2e.inspector.test_beam import put_beam
from tests.e2e.inspector.test_pair import put_pair
from tests.e2e.pictures import (
    MEAN,
    SEEN,
    SHARE,
    Maker,
    difference,
    read_makers,
    save,
    taken,
    write_makers,
)
from tests.viz.inspector.made import ENGLISH, ENGLISH_WORDS, KOREAN, KOREAN_WORDS, trace
from viz.inspector.payload import View
from viz.text.language import Language

pytestmark = pytest.mark.e2e

HERE = Path(__file__).parent / "snapshots"
TASK = os.environ.get("HEADLIGHT_SNAPSHOTS", "compare")
OPTIONS: tuple[tuple[str, Language], ...] = (("light", "en"), ("dark", "en"), ("light", "ko"))
PARTS: dict[str, dict[str, str]] = {
    "inspect": {
        "steps": ".hl-steps",
        "order": ".hl-order",
        "grid": ".hl-grid-box",
        "matrix": ".hl-matrix",
        "lines": ".hl-lines",
        "next": "[data-testid=hl-next]",
    },
    "step": {"row": ".hl-flow", "share": ".hl-share", "strip": ".hl-strip"},
    "stages": {
        "scores": ".hl-stage:nth-of-type(1)",
        "masked": ".hl-stage:nth-of-type(3)",
        "numbers": ".hl-numbers-table",
        "candidates": ".hl-stage-next .hl-bars",
    },
    "film": {"player": ".hl-player", "curves": ".hl-curves", "outputs": ".hl-outputs"},
    "pair": {
        "first": ".hl-side[data-side=first]",
        "difference": ".hl-side[data-side=difference]",
        "scales": "[data-testid=hl-scale]",
    },
    "beam": {"tree": ".hl-beam-rows", "hypothesis": ".hl-beam-detail"},
}
CASES = [
    (view, *snapshot)
    for view in PARTS
    for snapshot in OPTIONS
    if view in ("inspect", "step", "stages") or snapshot == OPTIONS[0]
]
SIZE = {"width": 1180, "height": 800}
FOLDERS = {"pair": "compare"}  # of views, where their module is in another one
SELECTION = {"kind": "decoder_self", "layer": 2, "head": 3, "step": 4, "pinned": None}
LARGEST, LARGEST_OF_ALL = 32_000, 800_000  # bytes

Opened = Callable[..., Harness]


SMALL = (KOREAN[:4], KOREAN_WORDS[:4], ENGLISH[3:9], ENGLISH_WORDS[3:9])
OTHER = (("누나", *KOREAN[1:4]), KOREAN_WORDS[:4], ENGLISH[3:8], ENGLISH_WORDS[3:8])


def lay(shelf: Shelf, view: str, language: Language) -> str:
    """Puts what a view draws on the shelf, and says how an address asks for it."""
    if view == "film":
        put_film(shelf, view, language=language)
    elif view == "pair":
        made = (trace(*SMALL, layers=2, heads=4), trace(*OTHER, layers=2, heads=4, seed=30))
        chosen = {**SELECTION, "step": None, "other": "same"}
        put_pair(shelf, made, view, language=language, selection=chosen)
    elif view == "beam":
        put_beam(shelf, language)
    elif view in (*get_args(View), "stages"):
        own = cast("View", "step" if view == "stages" else view)
        small = trace(*SMALL, layers=2, heads=4)
        chosen = {**SELECTION, "stages": "on" if view == "stages" else None}
        put(shelf, view, small, view=own, language=language, selection=chosen)
        return ""
    return f"&module={FOLDERS.get(view, view)}/main.js"


@pytest.fixture(scope="module")
def drawer(chromium: Browser) -> Iterator[Browser]:
    """A Chromium of a version that draws the pictures, where there is one; else the usual one."""
    known = chromium.version.partition(".")[0] in drawers()
    executable = None if known or TASK in TASKS else find_drawer()
    if executable is None:
        yield chromium
        return
    browser = chromium.browser_type.launch(executable_path=executable, args=list(QUIET))
    yield browser
    browser.close()


@pytest.fixture
def opened(drawer: Browser) -> Iterator[Opened]:
    """A view of something small, in one theme and language."""
    pages: list[Harness] = []
    shelf = Shelf()
    with serving(shelf) as base:

        def open_page(view: str, scheme: str, language: Language, script: str = "") -> Harness:
            shelf.dark = scheme == "dark"
            query = lay(shelf, view, language)
            page = drawer.new_page(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
            page.add_init_script(script)
            here = watch(page, base)
            pages.append(here)
            if view == "beam":
                page.goto(f"{base}?data={view}{query}")
                expect(page.get_by_role("option").first).to_have_css("display", "grid")
            else:
                here.open(view, query)
            page.mouse.move(1, 1)
            return here

        yield open_page
        for here in pages:
            here.page.close()
            assert here.problems == []


def part(here: Harness, selector: str) -> Image.Image:
    return taken(here.page.locator(f"#place {selector}").first)


def picture(name: str, maker: Maker) -> Image.Image:
    """What `maker` draws: its own picture, where that is another one than everybody's."""
    own = HERE / maker.name / name
    return Image.open(own if own.is_file() else HERE / name).convert("RGB")


def renew(now: Mapping[str, Image.Image], maker: Maker) -> None:
    """Takes every picture anew; what other browsers draw is not known any more."""
    for folder in HERE.glob("chromium-*"):
        shutil.rmtree(folder)
    for name, image in now.items():
        save(image, HERE / name)
    write_makers(MADE_WITH, [maker])


def join(now: Mapping[str, Image.Image], maker: Maker) -> None:
    """Lays what `maker` draws otherwise beside the rest."""
    for name, image in now.items():
        if difference(image, picture(name, maker)).seen:
            save(image, HERE / maker.name / name)
    write_makers(MADE_WITH, list(dict.fromkeys([*read_makers(MADE_WITH), maker])))


def compare(here: Harness, parts: dict[str, str], snapshot: str, folder: Path) -> None:
    """Each part beside its picture; what differs is laid into `folder`."""
    maker = Maker.of(here.page)
    now = {f"{name}-{snapshot}.png": part(here, selector) for name, selector in parts.items()}
    if TASK in TASKS:
        TASKS[TASK](now, maker)
        pytest.skip("look at the pictures before they are committed")
    makers = read_makers(MADE_WITH)
    if maker not in makers:
        pytest.skip(f"the pictures are those of {makers}, here draws {maker}")
    apart = {name: difference(image, picture(name, maker)) for name, image in now.items()}
    seen = {name: found for name, found in apart.items() if found.seen}
    for name in seen:
        save(now[name], folder / name)
    assert seen == {}, f"what was drawn lies in {folder}; to renew, see this module's docstring"


TASKS = {"renew": renew, "join": join}


@pytest.mark.parametrize(("view", "scheme", "language"), CASES)
def test_a_view_looks_as_it_did(
    opened: Opened, tmp_path: Path, view: str, scheme: str, language: Language
) -> None:
    compare(opened(view, scheme, language), PARTS[view], f"{scheme}-{language}", tmp_path)


def test_the_pictures_are_small_and_all_are_compared() -> None:
    names = {
        f"{name}-{scheme}-{language}.png"
        for view, scheme, language in CASES
        for name in PARTS[view]
    }
    assert {path.name for path in HERE.glob("*.png")} == names
    assert {path.name for path in HERE.glob("*/*.png")} <= names
    folders = {path.name for path in HERE.iterdir() if path.is_dir()}
    assert folders <= {maker.name for maker in read_makers(MADE_WITH)}
    sizes = [path.stat().st_size for path in HERE.rglob("*.png")]
    assert max(sizes) <= LARGEST
    assert sum(sizes) <= LARGEST_OF_ALL


MOVED = """
const real = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  return real.call(this, text, text === "there" || text === "the" ? x + 3 : x, y);
};
"""


def test_a_label_that_moved_is_seen(opened: Opened) -> None:
    """On the canvas of the matrix and of the lines."""
    before, after = opened("inspect", "light", "en"), opened("inspect", "light", "en", MOVED)
    for name in ("matrix", "lines"):
        selector = PARTS["inspect"][name]
        assert difference(part(before, selector), part(after, selector)).seen, name


@pytest.mark.parametrize(
    ("view", "name", "style"),
    [
        ("stages", "numbers", "td { position: relative; left: 3px }"),
        ("stages", "candidates", ".hl-bar-chosen .hl-bar-name { position: relative; left: 3px }"),
        ("inspect", "next", ".hl-bar-chosen .hl-bar-fill { background: #c08000 }"),
        ("inspect", "steps", ".hl-now { border-color: #0072b2 }"),
        ("inspect", "order", ".hl-order > * { translate: 1px 0 }"),
    ],
)
def test_a_change_of_place_or_colour_is_seen(
    opened: Opened, view: str, name: str, style: str
) -> None:
    here = opened(view, "light", "en")
    selector = PARTS[view][name]
    before = part(here, selector)
    assert not difference(before, part(here, selector)).seen
    here.page.evaluate(
        """style => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(style);
          document.querySelector("#place").shadowRoot.adoptedStyleSheets = [sheet];
        }""",
        style,
    )
    assert difference(before, part(here, selector)).seen


def test_noise_is_not_seen() -> None:
    """A few levels anywhere, as hinting and other processors make them."""
    random = np.random.default_rng(5)
    pixels = random.integers(40, 216, (120, 200, 3))
    noise = np.where(
        random.random((120, 200, 1)) < 0.08, random.integers(-20, 21, (120, 200, 3)), 0
    )
    one, other = (Image.fromarray(a.astype(np.uint8)) for a in (pixels, pixels + noise))
    assert 0 < difference(one, other).mean < MEAN
    assert not difference(one, other).seen
    spot = pixels.copy()
    spot[:4, :4] += SEEN + 1
    found = difference(one, Image.fromarray(spot.astype(np.uint8)))
    assert found.share == pytest.approx(16 / 24_000)
    assert found.share > SHARE
    assert found.seen
    assert difference(one, other.crop((0, 0, 199, 120))).seen
