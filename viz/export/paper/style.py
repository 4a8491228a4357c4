"""What every printed figure shares: its fonts, Hangul among them, its colours, its tokens."""

from __future__ import annotations

import io
import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, Final
from unicodedata import bidirectional, category

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from core.trace import Kind, Token
from viz.export.paper.embedded import lean_fonts
from viz.figures.colour import full, ramp
from viz.figures.theme import KIND_HUES, PALETTES, diverging
from viz.text.tokens import by_letters, code, is_sign, named

INK: Final = PALETTES["light"].ink
MUTED: Final = PALETTES["light"].muted
LINE: Final = PALETTES["light"].line
PAPER: Final = PALETTES["light"].paper
HATCH: Final = "////"
UNWRITTEN: Final = "\\\\\\"
POINT: Final = 1 / 72  # inches
SEVERAL: Final = (
    "#0072b2", "#d55e00", "#009e73", "#aa4499", "#e69f00", "#56b4e9", "#882255", "#5c5f66",
)  # fmt: skip
"""Of heads beside each other, by their numbers, as in web/views/colour.js on light."""
LEADING: Final = 1.35
"""Of a small text of several lines, one to the next."""

# DejaVu brings every mark that the others lack, and matplotlib brings DejaVu.
_FACES: Final = ("NanumGothic", "Noto Sans CJK KR", "Noto Sans KR", "DejaVu Sans")
_ILL_DRAWN: Final = frozenset("\\√∞")  # by a Korean face: as a won sign, and as hairlines
_JOINTS: Final = frozenset("\u200d\ufe0e\ufe0f")  # blank in a face, and part of a picture
_LONGEST: Final = 18  # letters of a label
_PART: Final = re.compile("⟨[^⟩]*⟩|.", re.DOTALL)
_JOINER: Final = "\u200d"
_SMALLEST: Final = 3.0  # points of a cell, as long as a side is not longer than
_TALLEST: Final = 1000.0  # points
EDGE: Final = 0.14  # inches between what is drawn and the edge of the paper
SIDE: Final = 2000
"""Tokens that a side of a figure may have, two dots of the printer each: more would be lost."""
_DOTS: Final = 300  # an inch, of what is drawn in dots
_CANVASES: Final = {"png": FigureCanvasAgg, "svg": FigureCanvasSVG, "pdf": FigureCanvasPdf}
_DRAWING: Final = threading.Lock()  # matplotlib's settings belong to the process
_UNDATED: Final[Mapping[str, dict[str, Any]]] = {  # a date would make every file another one
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
Words = Mapping[str, str]
"""The words of the inspector, by field (`viz.text.inspector`)."""


@contextmanager
def paper() -> Iterator[None]:
    """Draw in the house's style; nothing of it stays behind."""
    settings: dict[Any, Any] = {
        "font.family": list(_fonts()),
        "font.size": 9.0,
        "text.color": INK,
        "axes.edgecolor": LINE,
        "axes.labelcolor": MUTED,
        "axes.titlecolor": INK,
        "axes.unicode_minus": True,
        "figure.constrained_layout.w_pad": EDGE,
        "figure.constrained_layout.h_pad": EDGE,
        "xtick.color": INK,
        "ytick.color": INK,
        "hatch.color": MUTED,
        "hatch.linewidth": 0.4,
        "text.parse_math": False,  # a token with dollar signs is no formula
        "pdf.fonttype": 42,
        "svg.fonttype": "none",  # text stays text: to be searched, edited, read out
        "svg.hashsalt": "headlight",  # equal figures are equal files
    }
    # Tables that printing does not need are no news.
    logging.getLogger("fontTools.subset").setLevel(logging.ERROR)
    with _DRAWING, lean_fonts(), mpl.rc_context(settings):
        yield


def printed(figure: Figure, form: str) -> bytes:
    """The bytes of a figure that was made on `paper`: png, svg or pdf."""
    target = io.BytesIO()
    for axes in figure.axes:  # which writes the labels of ticks
        axes.get_xticklabels(), axes.get_yticklabels()
    for text in figure.findobj(lambda artist: isinstance(artist, Text)):
        assert isinstance(text, Text)
        if _ILL_DRAWN & set(text.get_text()):
            text.set_fontfamily(faces(text.get_text()))
    # `Figure.savefig` comes to the same bytes, but draws all of it twice, first for its layout.
    figure.set_dpi(_DOTS)
    canvas = _CANVASES[form](figure)
    getattr(canvas, f"print_{form}")(target, metadata=_UNDATED.get(form))
    return target.getvalue()


def side_of_cell(shape: tuple[int, int], wide: float, largest: float, beside: int = 1) -> float:
    """Points that a cell of (rows, columns) has where the columns share `wide`.

    Args:
        beside: matrices that share the side of a figure.
    """
    rows, columns = (max(cells, 1) for cells in shape)
    most = _TALLEST / beside
    return min(largest, max(wide / columns, min(_SMALLEST, most / columns)), most / rows)


def faces(*texts: str) -> list[str]:
    """What texts that stand beside each other are set in: a face that draws all their signs."""
    return ["DejaVu Sans"] * bool(_ILL_DRAWN & set("".join(texts))) + list(_fonts())


@cache
def _fonts() -> tuple[str, ...]:
    """Names of the faces that are here, the one with Hangul first."""
    # A face without some weight is no news, whether it is drawn with or only asked for its signs.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    # A package that carries the font file; importing it would change matplotlib's settings.
    with suppress(PackageNotFoundError):
        fonts = distribution("koreanize-matplotlib").locate_file("koreanize_matplotlib/fonts")
        for name in ("NanumGothic.ttf", "NanumGothicBold.ttf"):
            font_manager.fontManager.addfont(str(fonts / name))
    known = {font.name for font in font_manager.fontManager.ttflist}
    return tuple(name for name in _FACES if name in known)


@cache
def colours(kind: Kind) -> LinearSegmentedColormap:
    """White to the full hue of a kind of attention, as on the screen."""
    stops = ramp(PAPER, full(KIND_HUES[kind], dark=False), 17)
    return LinearSegmentedColormap.from_list(f"headlight-{kind}", stops, N=256)


@cache
def differences() -> LinearSegmentedColormap:
    """Signed values on a range that is symmetric about zero, as on the screen."""
    return LinearSegmentedColormap.from_list("headlight-signed", diverging("light"), N=256)


def label(token: Token, words: Words, *, joint: bool = False) -> str:
    """A token as an axis shows it: one line, not too long."""
    shown = isolated(shortened(legible(named(token, words))))
    return f"[{shown}]" if token.special else f"-{shown}" if joint else shown


def mentioned(shown: str) -> str:
    """A label within a sentence: signs in quotation marks, or they would read as its own."""
    return f"“{shown}”" if is_sign(shown) else shown


def isolated(text: str) -> str:
    """Text that turns nothing beside it round, however it is written itself (Unicode TR 9, FSI)."""
    turns = any(bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI") for letter in text)
    return f"\u2068{text}\u2069" if turns else text


def shortened(shown: str) -> str:
    """Not too long for an axis, and never cut within a letter, or within one that is spelt out."""
    if len(shown) <= _LONGEST:
        return shown
    kept = ""
    for unit in _units(shown):
        if len(kept) + len(unit) >= _LONGEST:
            break
        kept += unit
    return (kept or shown[: _LONGEST - 1]) + "…"


def _units(text: str) -> list[str]:
    """Letters with their marks and what is joined to them, and what is spelt out."""
    units: list[str] = []
    for part in _PART.findall(text):
        joined = category(part[0]).startswith("M") or part == _JOINER
        if units and (joined or units[-1].endswith(_JOINER)):
            units[-1] += part
        else:
            units.append(part)
    return units


def legible(text: str) -> str:
    """Text with every sign that no face here has spelt out, as ⟨U+1F600⟩: a box says nothing.

    Where a sign of a picture is spelt out, so is what joins it to others or colours it: two
    pictures that differ have two names.
    """
    known = _signs()
    missing = any(ord(letter) not in known for letter in text if not letter.isspace())
    joints = _JOINTS if missing else frozenset()
    return "".join(
        letter
        if letter.isspace() or (ord(letter) in known and letter not in joints)
        else code(letter)
        for letter in text
    )


@cache
def _signs() -> frozenset[int]:
    """Code points that the faces draw, plain and bold."""
    found: set[int] = set()
    for name in _fonts():
        plain, bold = (
            FT2Font(font_manager.findfont(FontProperties(family=name, weight=weight))).get_charmap()
            for weight in (400, 600)
        )
        found |= plain.keys() & bold.keys()
    return frozenset(found)


def labels(tokens: Sequence[Token], words: Words) -> list[str]:
    """Labels of an axis; a dash joins a piece to the word before it, unless letters are spelt."""
    dashes = not by_letters(tokens)
    joints = [
        dashes and at > 0 and token.word >= 0 and token.word == tokens[at - 1].word
        for at, token in enumerate(tokens)
    ]
    return [label(token, words, joint=joint) for token, joint in zip(tokens, joints, strict=True)]


def width_of(text: Text, figure: Figure) -> float:
    """Inches that a text is wide."""
    # A figure that has no canvas of its own would make another one for every text.
    canvas = (
        figure.canvas if isinstance(figure.canvas, FigureCanvasAgg) else FigureCanvasAgg(figure)
    )
    measure = canvas.get_renderer()  # type: ignore[no-untyped-call]
    wide: float = text.get_window_extent(measure).width
    return wide / figure.dpi


def title(words: Words, kind: Kind, layer: int, head: int) -> str:
    """What a figure of one head is called; layer and head count from 0."""
    return words["title"].format(kind=words[f"kind_{kind}"], layer=layer + 1, head=head + 1)


def signed(value: float) -> str:
    """Three digits with their sign, as the inspector says a change; what shows as 0 has none."""
    shown = f"{abs(value):.3f}"
    return shown if not shown.strip("0.") else f"{'−' if value < 0 else '+'}{shown}"
