"""One look for every Plotly figure: fonts, colours and scales in light and dark.

Figures are drawn with this template and shown with `theme=None`, so that a figure looks
the same in the app, in a test and in an export.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import plotly.graph_objects as go

from core.trace import Kind
from viz.figures.colour import full, ramp

Mode = Literal["light", "dark"]
Scale = list[tuple[float, str]]

# Hangul and Latin from the reader's own machine: no font is fetched.
FONT_FAMILY: Final = (
    'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans KR", "Apple SD Gothic Neo", '
    '"Malgun Gothic", NanumGothic, sans-serif'
)

# One hue for each kind of attention, safe for colour-blind readers (Okabe and Ito).
KIND_HUES: Final[dict[Kind, str]] = {
    "encoder_self": "#0072B2",
    "decoder_self": "#D55E00",
    "cross": "#009E73",
}

# Signed values: purple below zero, the page's own colour at zero, teal above.
NEGATIVE: Final = "#8A4FB5"
POSITIVE: Final = "#00808F"
TICK_SIZE: Final = 12  # of the names and numbers along an axis
_STOPS: Final = 17  # on each side of zero; Plotly goes straight from one to the next


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one mode.

    Attributes:
        paper: the page behind the figure.
        ink, muted: text and secondary text (at least 4.5 : 1 on paper).
        line: axes and frames; grid: rules inside a plot.
        series: a curve or bar that carries no further meaning; series_soft: its companion.
        accent: what is chosen now.
    """

    paper: str
    ink: str
    muted: str
    line: str
    grid: str
    series: str
    series_soft: str
    accent: str


PALETTES: Final[dict[Mode, Palette]] = {
    "light": Palette(
        paper="#FFFFFF",
        ink="#1B1D25",
        muted="#5A6270",
        line="#C3C8D0",
        grid="#E9EBEF",
        series="#4A5A78",
        series_soft="#B9C3D6",
        accent="#E09F00",
    ),
    "dark": Palette(
        paper="#14151A",
        ink="#ECECF2",
        muted="#A3ABB8",
        line="#4A4E5A",
        grid="#282B33",
        series="#A9B9D8",
        series_soft="#52607A",
        accent="#F0AE2A",
    ),
}


@cache
def diverging(mode: Mode) -> Scale:
    """Colours for signed values: white at zero (the page's own colour where it is dark).

    To be drawn with a range that is symmetric about zero.
    """
    paper, dark = PALETTES[mode].paper, mode == "dark"
    below = ramp(full(NEGATIVE, dark=dark), paper, _STOPS)
    above = ramp(paper, full(POSITIVE, dark=dark), _STOPS)
    colours = below + above[1:]
    return [(at / (len(colours) - 1), colour) for at, colour in enumerate(colours)]


def rising(mode: Mode) -> Scale:
    """The upper half of `diverging`, for values of which none is below zero."""
    return [(2 * at - 1, colour) for at, colour in diverging(mode) if at >= 0.5]


def plain(text: str) -> str:
    """Text from outside for a Plotly label: markup characters are shown, not obeyed."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def token_axis(tokens: Sequence[str]) -> dict[str, object]:
    """Axis settings that label positions 0, 1, ... with tokens.

    The axis stays numeric: on a category axis two equal tokens would share one place.

    Args:
        tokens: as a person reads them, in order; any characters.
    """
    return {
        "type": "linear",
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": [plain(token) for token in tokens],
    }


@cache
def template(mode: Mode) -> go.layout.Template:
    """The shared Plotly template of one mode."""
    palette = PALETTES[mode]
    axis = {
        "automargin": True,
        "color": palette.ink,
        "gridcolor": palette.grid,
        "linecolor": palette.line,
        "tickcolor": palette.line,
        "tickfont": {"color": palette.muted, "size": TICK_SIZE},
        "title": {"font": {"size": 13, "color": palette.muted}, "standoff": 8},
        "zeroline": False,
        "showline": False,
        "ticks": "outside",
        "ticklen": 4,
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT_FAMILY, "size": 13, "color": palette.ink},
            "paper_bgcolor": palette.paper,  # as on the page: a PNG of it is read anywhere
            "plot_bgcolor": "rgba(0,0,0,0)",
            "colorway": [palette.series, palette.accent, palette.series_soft],
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "hoverlabel": {
                "bgcolor": palette.ink,
                "bordercolor": palette.ink,
                "font": {"family": FONT_FAMILY, "size": 13, "color": palette.paper},
                "align": "left",
            },
            "xaxis": axis,
            "yaxis": axis,
            "modebar": {
                "bgcolor": "rgba(0,0,0,0)",
                "color": palette.muted,
                "activecolor": palette.ink,
            },
            "dragmode": "zoom",
        }
    )


def signed(value: float) -> str:
    """A tick label with a true minus sign and no needless decimals."""
    return f"{value:g}".replace("-", "\u2212")
