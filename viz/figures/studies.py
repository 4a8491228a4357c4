"""What a study measured, as lines: one a layer or a model, with what lies between its seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import plotly.graph_objects as go

from viz.figures import theme
from viz.figures.theme import Mode

# Safe for colour-blind readers (Okabe and Ito), the greyest last.
HUES: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C")
_MANY: Final = 6  # powers of ten, each with its tick
_FEW: Final = 12
_DASHES: Final = ("solid", "dash", "dot")

Drawn = Literal["line", "dashed", "marks"]


@dataclass(frozen=True, slots=True)
class Series:
    """One line.

    Attributes:
        name: of what it is of.
        values: one a place of the shared axis; None where there is none.
        low, high: what the values lie between, one a place; () where nothing is known.
        drawn: "marks" where the order of the places means nothing; "dashed" where it may lie on
            another line, which is seen between its dashes.
    """

    name: str
    values: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    drawn: Drawn = "line"


def study_lines(
    places: Sequence[str] | Sequence[float],
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    logarithmic: Literal["", "y", "xy"] = "",
    mode: Mode,
) -> go.Figure:
    """Lines over places that are numbers, or names.

    Args:
        places: of all series.
        logarithmic: axes; a value of 0 or less is left out there.

    Raises:
        ValueError: a series has another number of values.
    """
    figure = go.Figure()
    named = [theme.plain(one) if isinstance(one, str) else one for one in places]
    for number, one in enumerate(series):
        if len(one.values) != len(places):
            raise ValueError(f"{one.name} has {len(one.values)} values, not {len(places)}")
        hue = HUES[number % len(HUES)]
        if one.low:
            figure.add_scatter(
                x=[*named, *reversed(named)],
                y=[*one.high, *reversed(one.low)],
                mode="lines",  # left out, few places would be marked, each in a hue of its own
                fill="toself",
                fillcolor=hue,
                opacity=0.15,
                line={"width": 0},
                hoverinfo="skip",
                showlegend=False,
            )
        figure.add_scatter(
            x=named,
            y=list(one.values),
            name=theme.plain(one.name),
            mode=_mode(one),
            line={"color": hue, "width": 2, "dash": _dash(one, number // len(HUES))},
            marker={"color": hue, "size": 8 if one.drawn == "marks" else 6},
            hovertemplate="%{y:.3g}",
        )
    figure.update_layout(
        template=theme.template(mode),
        height=440,
        hovermode="x unified",
        showlegend=True,  # of one line, too: nothing else says what it is of
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        margin={"t": 70, "r": 24},  # a number under the last place is wider than the usual margin
    )
    # "1.10" is no number
    kind = "category" if named and isinstance(named[0], str) else "linear"
    figure.update_xaxes(title_text=x_title, showgrid=False, type=kind)
    figure.update_yaxes(title_text=y_title, type="log" if logarithmic else "linear")
    if logarithmic:
        figure.update_yaxes(
            exponentformat="power",
            dtick=max(1, math.ceil(_decades(series) / _MANY)),
            # Plotly writes powers of ten larger by a quarter than any other tick
            tickfont={"size": theme.TICK_SIZE / 1.25},
        )
    if logarithmic == "xy":
        figure.update_xaxes(type="log", tickmode="array", tickvals=list(places))
    return figure


def _mode(one: Series) -> str:
    """Lines of few places are marked, and those with gaps: one value alone would be no line."""
    if one.drawn == "marks":
        return "markers"
    return "lines+markers" if len(one.values) < _FEW or None in one.values else "lines"


def _dash(one: Series, lap: int) -> str:
    """By how often the hues have been used up before it."""
    return _DASHES[(lap + (one.drawn == "dashed")) % len(_DASHES)]


def _decades(series: Sequence[Series]) -> float:
    """Powers of ten between the least and the largest value."""
    values = [value for one in series for value in one.values if value is not None and value > 0]
    return math.log10(max(values) / min(values)) if values else 0.0
