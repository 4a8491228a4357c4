"""Hostile strings on every page of the real app: nothing runs, and they are shown as they are."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from core.checkpoint import folder as checkpoint
from core.checkpoint.manifest import CARD
from core.text.corpora import Pair, read_pairs, write_pairs
from core.text.sources import Source
from core.text.tokenizer import clean
from core.training import ready
from core.training.events import DataRead, Milestone, Sample, Started, Validated, append_event
from core.training.folder import RunFolder
from core.training.preview import preview
from tests.e2e.conftest import arrived, free_port, serving, visiting
from tests.e2e.test_app import drawn, typed
from tests.e2e.test_milestones import shows
from tests.e2e.test_train import until
from tests.viz.inspector.hostile import MODEL, STRINGS
from viz.session.address import clean_text
from viz.text import frame, inspect, milestones, train
from viz.text.tokens import spelt, visible

pytestmark = pytest.mark.e2e

# What fits the tiny model's 48 tokens, and is more than a blank once it is cleaned.
TYPED = [
    text
    for text in map(clean_text, STRINGS.values())
    if len(text.strip()) > 2 and len(text.encode()) < 42
]
WRITABLE: Final = [
    text for text in STRINGS.values() if text == text.encode("utf-8", "replace").decode()
]
"""Those that a file can hold: all but the lone surrogate."""
FOREIGN = "img, script, iframe, svg[onload], a[href^=javascript], .katex, [onerror], [onfocus]"
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def address(
    tmp_path_factory: pytest.TempPathFactory, tiny_checkpoint: Path, tiny_run: Path
) -> Iterator[str]:
    """The app with a model whose card is hostile, and a run that tells nothing else."""
    models, runs = (tmp_path_factory.mktemp(name) for name in ("models", "runs"))
    tiny = models / "tiny"
    shutil.copytree(tiny_checkpoint, tiny)
    (tiny / CARD).write_text("\n\n".join(["# " + MODEL, *WRITABLE]), "utf-8", newline="\n")
    checkpoint.seal(tiny)
    shutil.copytree(tiny_run, models / tiny_run.name)
    hostile_run(runs / "made", tiny_checkpoint)
    environment = {"HEADLIGHT_CHECKPOINTS": str(models), "HEADLIGHT_RUNS": str(runs)}
    with serving(free_port(), **environment) as address:
        yield address


def hostile_run(path: Path, tiny_checkpoint: Path) -> None:
    """All that a run tells of its data and of what it wrote."""
    folder = RunFolder(path)
    folder.work.mkdir(parents=True)
    folder.recipe.write_text("# a test's own\n")
    folder.held_out.mkdir()
    write_pairs(folder.held_out / "x.valid.tsv", [Pair("물", STRINGS["script"])])
    append_event(folder.events, Started(0, 100, 4321, 310, 6, "cpu", 1))
    for name in (STRINGS["image"], STRINGS["override"]):
        rows = tuple(f"line 7: {text}" for text in WRITABLE)
        append_event(folder.events, DataRead(name, "p", 9, len(rows), rows, 0, 0, 0, 5, 2, 1))
    shutil.copytree(tiny_checkpoint, folder.milestone(0))
    append_event(folder.events, Milestone(0, str(folder.milestone(0))))
    turned = reversed(WRITABLE)
    samples = tuple(Sample(text, text, other) for text, other in zip(WRITABLE, turned, strict=True))
    append_event(folder.events, Validated(10, {}, samples))


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Visit]:
    """Pages on which whatever runs would run; whatever did fails the test."""
    opened: list[Page] = []
    with visiting(chromium, address) as open_page:

        def open_bare(path: str) -> Page:
            page = open_page(path, bypass_csp=True)
            page.on("dialog", lambda dialog: pytest.fail(dialog.message))
            opened.append(page)
            return page

        yield open_bare
        for page in opened:
            assert page.evaluate("window.fired") is None, page.url


def foreign(page: Page) -> int:
    return page.get_by_test_id("stMain").locator(FOREIGN).count()


def test_a_sentence_is_shown_as_it_was_typed(visit: Visit) -> None:
    page = visit("/")
    drawn(page)
    before = foreign(page)
    doubted = 0
    for text in TYPED:
        typed(page, text)
        page.wait_for_function(
            "text => new URLSearchParams(location.search).get('source') === text", arg=text
        )
        arrived(page, "inspect")  # the address comes before what the run drew is on the page
        said = page.locator(".st-key-translation").text_content() or ""
        doubted += (spelt(text.split()[0]) in said) and "hardly knows" in said
        expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(text)
        drawn(page)
        assert foreign(page) == before, text
        assert page.evaluate("window.fired") is None, text
    assert page.title() == f"{frame.EN.inspect} · Headlight"
    assert doubted > len(TYPED) / 2 > 10


CHIPS = """() => [...document.querySelectorAll(".ht-pair")].map((pair) =>
  [...pair.querySelectorAll(".ht-side")].map((side) =>
    [...side.querySelectorAll("bdi")].map((chip) => chip.textContent)))"""


def previewed(content: bytes) -> list[list[list[str]]]:
    """What the page's preview is to show of a file's pairs: a chip a token, a side, a pair."""
    pairs = read_pairs(Source("pairs.jsonl", content=content)).pairs
    kind, size = ready.vocabulary_for(pairs)
    choices = ready.Choices("trial", "en", "en", "tiny", 1000, kind, size or 1000)
    recipe = ready.recipe_of(ready.recipe_text(choices, "pairs.jsonl", pairs))
    found = preview(recipe, {ready.CORPUS: content}).tokens
    assert found is not None
    return [
        [[visible(token.text) for token in side[:24]] for side in pair] for pair in found.pairs[:4]
    ]


def test_pairs_of_ones_own_are_previewed_as_they_are(visit: Visit) -> None:
    """As many at a time as are shown; letter by letter, the first two dozen of each."""
    page = visit("/train?run=&lang=en")
    page.get_by_text(train.EN.what_pairs, exact=True).click()
    fit = [text for text in WRITABLE if clean(text).strip() and "\x00" not in text]
    left = {n: text for n, text in enumerate(fit) if len(text) < 200}  # no more than a recipe takes
    for turn in range(30):
        # A number tells which ones are shown; a text that is held out comes again as another one.
        some = [(n, f"{text} {turn}") for n, text in list(left.items())[:5]]
        rows = [{"source": text, "target": f"{n} {text}"} for n, text in some]
        rows += [{"source": f"word {n}", "target": f"99 {n}"} for n in range(8)]
        content = "\n".join(map(json.dumps, rows)).encode()
        name = f"{STRINGS['image']}{turn}.jsonl"
        page.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "application/json", "buffer": content}
        )
        expect(page.get_by_text(train.EN.uploaded.format(name=name))).to_be_visible()
        expected = previewed(content)
        page.wait_for_function(
            f"wanted => JSON.stringify(({CHIPS})()) === wanted", arg=compact(expected)
        )
        assert foreign(page) == 0, rows
        for _, target in expected:
            left.pop(int("".join(target).partition("␣")[0]), None)
        if not left:
            return
    raise AssertionError(f"never shown: {left}")


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_what_a_run_tells_is_shown_as_it_is(visit: Visit) -> None:
    """Samples of a validation, names and bad rows of data, a sentence to look at."""
    page = visit("/train?run=made&lang=en")
    until(page, "panel.attention.film.length === 1")
    rows = page.get_by_test_id("tr-samples").locator("tbody tr")
    expect(rows).to_have_count(len(WRITABLE))
    written = page.get_by_test_id("tr-samples").locator("tbody bdi").all_text_contents()
    expected = [
        shown
        for text, other in zip(WRITABLE, reversed(WRITABLE), strict=True)
        for shown in (visible(text), "–" if other == "" else visible(other), visible(text))
    ]
    assert written == expected
    data = page.get_by_test_id("tr-data")
    data.locator("summary").click()
    told = data.locator("li li").all_text_contents()
    assert told == [visible(f"line 7: {text}") for text in WRITABLE] * 2
    assert data.get_by_text(STRINGS["image"]).count() > 0
    field = page.get_by_test_id("tr-sentence")
    for text in TYPED:
        field.fill(text)
        field.press("Enter")
        asked = json.dumps(text.strip())  # as the panel asks
        until(page, f"panel.attention.asked === {asked} && panel.attention.film.length")
    assert foreign(page) == 0


def test_a_film_of_them_is_shown_as_they_are(visit: Visit) -> None:
    page = visit("/milestones?film=tiny-run&lang=en")
    shows(page, 80)
    before = foreign(page)
    field = page.get_by_label(inspect.EN.source, exact=True)
    for text in TYPED[::4]:
        field.fill(text)
        field.press("Enter")
        page.wait_for_function(
            "text => new URLSearchParams(location.search).get('sentence') === text", arg=text
        )
        shows(page, 80)
        expect(field).to_have_value(text)
        assert foreign(page) == before, text
    page.get_by_role("button", name=milestones.EN.target).click()
    target = page.get_by_label(milestones.EN.target_label)
    for text in TYPED[1::4]:
        target.fill(text)
        target.press("Enter")
        page.wait_for_function(
            "text => new URLSearchParams(location.search).get('forced') === text", arg=text.strip()
        )
        shows(page, 80)
        assert foreign(page) == before, text


def test_a_card_is_shown_and_never_obeyed(visit: Visit) -> None:
    page = visit("/model?model=tiny&lang=en")
    expect(page.get_by_test_id("stMain")).to_contain_text(STRINGS["script"])
    assert foreign(page) == 0
    said = page.get_by_test_id("stMain").inner_text()
    for name in ("script ends", "image", "svg", "frame", "details", "broken formula"):
        assert STRINGS[name] in said, name
    hrefs = page.get_by_test_id("stMain").locator("a").evaluate_all("all => all.map((a) => a.href)")
    assert [href for href in hrefs if not re.match("https?://", href)] == []
