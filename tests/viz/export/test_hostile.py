"""Hostile strings in every file that a person takes along, and in what is made of text."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from markdown_it import MarkdownIt
from PIL import Image, ImageChops

from core.trace import KINDS, read_trace
from tests.viz.export.paper.drawn import ACTIVE, pdf_keys, picture, say_the_same, svg_lines
from tests.viz.inspector.hostile import (
    MODEL,
    STRINGS,
    TEXTS,
    hostile_trace,
    hostile_vocabulary,
    tabled,
)
from viz.bertviz.views import VIEWS as BERTVIZ_VIEWS
from viz.bertviz.views import View as BertView
from viz.bertviz.views import page as bertviz_page
from viz.export.one import Choice, exported
from viz.export.paper.style import legible
from viz.export.request import VIEWS, View
from viz.inspector.pack import Packed, pack
from viz.text.plain import plain
from viz.text.tokens import carried, visible

CARRIED = tuple(map(carried, TEXTS))  # as UTF-8 has them
ARRAY = (
    rf"((source|target|written)_((tokens|texts)(_lengths)?|ids|words)|({'|'.join(KINDS)})"
    r"_(weights|scores|allowed|queries|keys|shares)|logits|meta|vocabulary(_lengths)?)\.npy"
)
HARMLESS = tuple(f"t{at}" for at in range(len(TEXTS)))


def packed_of(texts: tuple[str, ...]) -> Packed:
    return pack(hostile_trace(texts), trace_id="x", vocabulary_tokens=hostile_vocabulary)


@pytest.fixture(scope="module")
def packed() -> Packed:
    return packed_of(TEXTS)


class Elements(HTMLParser):
    """Names of a page's elements and of their attributes, as a parser finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag, *(f"@{name}" for name, _ in attrs)]


def test_the_list_is_long_and_none_is_there_twice() -> None:
    assert len(set(TEXTS)) == len(TEXTS) >= 40


@pytest.mark.parametrize("text", TEXTS, ids=STRINGS)
def test_nothing_invisible_is_left(text: str) -> None:
    shown = visible(text)
    assert shown
    assert shown.strip() == shown or text.strip() != text
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f]", shown)
    shown.encode()
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u202egnp.exe", "⟨U+202E⟩gnp.exe"),
        ("a\nb\tc", "a↵b⇥c"),
        ("\n", "↵"),
        (" \u00a0", "␣␣"),
        ("", "∅"),
        ("\u3164", "⟨U+3164⟩"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("\U0001fae8", "\U0001fae8"),  # younger than this Python
        ("\ud800\uffff", "⟨U+D800⟩⟨U+FFFF⟩"),
    ],
)
def test_what_is_spelt_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def whole_in(lines: list[str]) -> bool:
    """Whether every token is among them, from its first letters on."""
    starts = {line.strip("\u2068\u2069").removesuffix("…") for line in lines}
    starts |= {start.removeprefix("-") for start in starts}
    labels = (legible(visible(text)).strip() for text in TEXTS)
    return all(any(start and label.startswith(start) for start in starts) for label in labels)


@cache
def drawing(packed: Packed, view: View) -> bytes:
    return exported(packed, Choice(view), "svg", language="en")


@pytest.mark.parametrize("view", VIEWS)
def test_a_drawing_is_well_formed_and_shows_every_token(packed: Packed, view: View) -> None:
    body = drawing(packed, view)
    root = ElementTree.fromstring(body)
    names = {node.tag.rpartition("}")[2] for node in root.iter()}
    assert names.isdisjoint({"script", "a", "foreignObject", "animate", "set"})
    for node in root.iter():
        assert node.get("{http://www.w3.org/1999/xlink}href", "#").startswith(("#", "data:image/"))
    assert not any(name.lower().startswith("on") for node in root.iter() for name in node.attrib)
    # All labels are there; the matrix, and next tokens, leave some out.
    assert whole_in(svg_lines(body)) or view != "lines"


@pytest.mark.parametrize("view", VIEWS)
def test_paper_has_nothing_to_run_and_says_what_the_drawing_says(
    packed: Packed, view: View
) -> None:
    body = exported(packed, Choice(view), "pdf", language="en")
    assert pdf_keys(body).isdisjoint(ACTIVE)
    assert say_the_same(body, drawing(packed, view))


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_is_the_drawing_and_nothing_else(packed: Packed, view: View) -> None:
    drawn = picture(exported(packed, Choice(view), "png", language="en"))
    root = ElementTree.fromstring(drawing(packed, view))
    inches = [float(root.attrib[side].removesuffix("pt")) / 72 for side in ("width", "height")]
    assert drawn.size == pytest.approx([300 * inch for inch in inches], abs=1.5)
    blank = Image.new("RGB", drawn.size, "white")
    assert ImageChops.difference(drawn, blank).getbbox() is not None
    if view in ("head", "lines", "stages"):  # the others name few tokens of a look
        harmless = exported(packed_of(HARMLESS), Choice(view), "png", language="en")
        assert picture(harmless).tobytes() != drawn.tobytes()


@pytest.mark.parametrize("view", ["head", "grid"])
def test_a_table_has_no_formula_and_loses_nothing(packed: Packed, view: View) -> None:
    """A spreadsheet runs a cell that begins with one of these; an apostrophe makes it text."""
    body = exported(packed, Choice(view), "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body, newline="")))
    told = [{row[part] for row in rows} for part in ("query_token", "key_token", "query_reads")]
    for names in told:
        assert not [name for name in names if name[:1] in "=+-@\t\r" and name]
    written, keys, read = (
        {name.removeprefix("'") if name[1:2] in "=+-@\t\r" else name for name in names}
        for names in told
    )
    assert written | keys == {*map(tabled, CARRIED), "end"}
    assert read == {tabled(carried(token.text)) for token in packed.trace.target}
    assert tabled(body) == body


def test_a_table_of_next_tokens_has_no_formula(packed: Packed) -> None:
    body = exported(packed, Choice("next"), "csv", language="en").decode("utf-8-sig")
    names = [row["token"] for row in csv.DictReader(io.StringIO(body, newline=""))]
    assert not [name for name in names if name[:1] in "=+-@\t\r" and name]
    assert "'-2+3" in names


@pytest.mark.parametrize("view", ["head", "grid", "stages", "lines"])
def test_json_says_the_very_text(packed: Packed, view: View) -> None:
    told = json.loads(exported(packed, Choice(view), "json", language="en"))
    assert told["model_id"] == MODEL
    assert told["keys"] == [*CARRIED, "end"]
    assert told["queries"] == [carried(token.text) for token in packed.trace.written]
    assert told["reads"] == [carried(token.text) for token in packed.trace.target]
    assert set(CARRIED[:2]) < set(told["queries"])


def test_json_names_next_tokens_by_their_very_text(packed: Packed) -> None:
    told = json.loads(exported(packed, Choice("next"), "json", language="en"))
    named = {text for row, text in enumerate(told["tokens"]) if text != f"#{row}"}
    assert named <= set(CARRIED)
    assert len(named) >= 10
    assert told["written"] == packed.trace.written[-1].text


def test_a_trace_file_says_the_very_text(packed: Packed) -> None:
    body = exported(packed, Choice(), "npz", language="en")
    back, made = read_trace(io.BytesIO(body), "x.npz"), packed.trace
    assert [token.text for token in back.source] == [*TEXTS, "end"]
    assert (back.source, back.target, back.written) == (made.source, made.target, made.written)
    assert back.model_id == MODEL
    assert back.meta == made.meta
    with zipfile.ZipFile(io.BytesIO(body)) as whole:
        assert all(re.fullmatch(ARRAY, name) for name in whole.namelist())
    with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
        assert {array.dtype.kind for array in arrays.values()} <= set("Ufbi")


@pytest.mark.parametrize("title", ["", MODEL, *TEXTS[:20]])
def test_a_page_has_the_same_elements_as_any_other(packed: Packed, title: str) -> None:
    harmless = packed_of(HARMLESS)
    expected = Elements(exported(harmless, Choice(), "html", language="en", title="t").decode())
    text = exported(packed, Choice(), "html", language="en", title=title).decode()
    assert Elements(text).found == expected.found


@pytest.mark.parametrize("view", BERTVIZ_VIEWS)
@pytest.mark.parametrize("part", [slice(0, 28), slice(28, None)])
def test_bertviz_has_the_same_elements_as_any_other(view: BertView, part: slice) -> None:
    texts = TEXTS[part]
    harmless = hostile_trace(tuple(f"t{at}" for at in range(len(texts))))
    expected = Elements(bertviz_page(harmless, view, "cross", 1, language="ko")).found
    text = bertviz_page(hostile_trace(texts), view, "cross", 1, language="ko")
    text.encode()
    assert Elements(text).found == expected


@pytest.mark.parametrize("text", TEXTS, ids=STRINGS)
def test_markdown_of_the_pages_shows_them(text: str) -> None:
    (inline,) = [
        token
        for token in MarkdownIt("commonmark", {"html": True}).parse("x" + plain(text) + "x")
        if token.type == "inline"
    ]
    assert {child.type for child in inline.children or []} <= {"text", "text_special"}
