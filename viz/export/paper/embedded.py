"""Fonts of a PDF, cut to the glyphs that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from fontTools import subset
from matplotlib.backends import _backend_pdf_ps as backend

# All that a PDF reads of a TrueType font whose glyphs it calls by number (ISO 32000-1, 9.9).
_READ: Final = frozenset(
    ("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep", "GlyphOrder")
)
_WHOLE: Final = backend.get_glyphs_subset  # as matplotlib cuts it


@contextmanager
def lean_fonts() -> Iterator[None]:
    """PDFs that are made meanwhile hold what `cut` leaves of their fonts.

    To cut four faces takes 0.15 s of the processor instead of 0.4 s, and a PDF of one head 0.7 s
    instead of 0.9 s (Korean faces have 20,000 glyphs). matplotlib has no setting for it: one at a
    time.
    """
    backend.get_glyphs_subset = cut
    try:
        yield
    finally:
        backend.get_glyphs_subset = _WHOLE


def cut(fontfile: Any, glyphs: Iterable[int]) -> AbstractContextManager[Any]:
    """As `get_glyphs_subset` of matplotlib: a font of some glyphs, and their new numbers.

    It has no table that no PDF reads: to cut those (kerning, shaping, names) is most of the work.
    """
    options = subset.Options(recommended_glyphs=True)
    options.font_number = fontfile.face_index
    font = subset.load_font(fontfile, options)
    if "glyf" not in font:  # outlines of another kind are found by other tables
        font.close()
        return _WHOLE(fontfile, set(glyphs))
    for table in set(font.keys()) - _READ:
        del font[table]
    # Its own names, of all its glyphs, would be made from the characters that they stand for.
    font.setGlyphOrder([f"glyph{number:05}" for number in range(font["maxp"].numGlyphs)])
    cutter = subset.Subsetter(options)
    cutter.populate(gids=glyphs)
    cutter.subset(font)
    return backend.SubsetResults(font, cutter.glyph_index_map)._as_cm()
