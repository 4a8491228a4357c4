"""The fonts of a PDF are matplotlib's own, without what no PDF reads."""

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.backends import _backend_pdf_ps as backend
from matplotlib.figure import Figure
from matplotlib.font_manager import FontPath, FontProperties
from matplotlib.ft2font import FT2Font, LoadFlags
from pypdf import PdfReader

from viz.export.paper.embedded import cut, lean_fonts
from viz.export.paper.style import _fonts, paper, printed

NEEDED = {"cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"}
LETTERS = "The quick brown fox: 나는 어제 카페에 갔었어. é ñ Ǻ ﬁ √∞ №"
FACES = [(name, weight) for name in _fonts() for weight in (400, 600)]


def drawn(font: FT2Font, glyph: Any) -> tuple[object, ...]:
    """How wide a glyph is, and its outline."""
    found = font.load_glyph(glyph, flags=LoadFlags.NO_SCALE | LoadFlags.NO_HINTING)
    points, codes = font.get_path()
    return found.linearHoriAdvance, points.tolist(), codes.tolist()


def opened(made: AbstractContextManager[Any]) -> tuple[FT2Font, dict[int, int], int]:
    with made as found:
        found.font.save(body := io.BytesIO())
        return FT2Font(body), dict(found.glyph_index_map), body.getbuffer().nbytes


@pytest.mark.parametrize(("face", "weight"), FACES)
def test_a_cut_font_draws_what_the_whole_one_draws(face: str, weight: int) -> None:
    path = font_manager.findfont(FontProperties(family=face, weight=weight))
    assert isinstance(path, FontPath)
    whole = FT2Font(path)
    known = whole.get_charmap()

    @settings(max_examples=4)
    @given(st.sets(st.sampled_from(LETTERS) | st.sampled_from([*map(chr, known)]), min_size=1))
    def same(letters: set[str]) -> None:
        glyphs = {known[ord(letter)] for letter in letters if ord(letter) in known}
        ours, numbers, size = opened(cut(path, glyphs))
        theirs, others, larger = opened(backend.get_glyphs_subset(path, glyphs))
        assert numbers.keys() <= others.keys()  # theirs has what a shaper might put instead
        assert size < larger
        for glyph in glyphs:
            assert drawn(ours, numbers[glyph]) == drawn(theirs, others[glyph])
            assert drawn(ours, numbers[glyph]) == drawn(whole, glyph)

    same()


def embedded(body: bytes) -> Iterator[TTFont]:
    for page in PdfReader(io.BytesIO(body)).pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            (inner,) = font.get_object()["/DescendantFonts"]
            file = inner.get_object()["/FontDescriptor"]["/FontFile2"]
            yield TTFont(io.BytesIO(file.get_data()))


def test_a_pdf_holds_such_fonts_and_nothing_else_of_matplotlib_is_changed() -> None:
    own = backend.get_glyphs_subset
    with paper():
        assert backend.get_glyphs_subset is cut
        figure = Figure()
        figure.text(0.1, 0.5, LETTERS)
        figure.text(0.1, 0.2, LETTERS, weight="bold")
        fonts = list(embedded(printed(figure, "pdf")))
    assert backend.get_glyphs_subset is own
    assert len(fonts) >= 2
    for font in fonts:
        assert {*font.keys()} - {"GlyphOrder"} <= NEEDED
        assert {"glyf", "loca", "hmtx"} <= {*font.keys()}


def test_matplotlibs_way_comes_back_after_a_fault() -> None:
    own = backend.get_glyphs_subset
    with pytest.raises(ZeroDivisionError), lean_fonts():
        1 / 0  # noqa: B018
    assert backend.get_glyphs_subset is own


def test_a_font_of_other_outlines_is_left_to_matplotlib(tmp_path: Path) -> None:
    built = FontBuilder(1000, isTTF=False)
    built.setupGlyphOrder([".notdef", "A"])
    built.setupCharacterMap({65: "A"})
    pen = T2CharStringPen(500, None)
    pen.moveTo((0, 0))
    pen.lineTo((400, 0))
    pen.lineTo((0, 700))
    pen.closePath()
    outlines = {".notdef": pen.getCharString(), "A": pen.getCharString()}
    built.setupCFF("Other", {}, outlines, {})
    built.setupHorizontalMetrics({".notdef": (500, 0), "A": (500, 0)})
    built.setupHorizontalHeader(ascent=800, descent=-200)
    built.setupOS2()
    built.setupPost()
    built.setupNameTable({"familyName": "Other", "styleName": "Regular"})
    built.save(tmp_path / "other.otf")
    path = FontPath(str(tmp_path / "other.otf"), 0)
    font, numbers, _ = opened(cut(path, {1}))
    assert drawn(font, numbers[1])[1]
