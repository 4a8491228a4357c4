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
_MANY: Final = 6
_DASHES: Final = ("solid", "dash", "dot")


@dataclass(frozen=True, slots=True)
class Series:
    """One line.

    Attributes:
        name: of what it is of.
        values: one a place of the shared axis; None where there is none.
        low, high: what the values lie between, one a place; () where nothing is known.
    """

    name: str
    values: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


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
        mode: light or dark.

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
            # one value alone would be no line
            mode="lines+markers" if len(places) < 12 or None in one.values else "lines",
            line={"color": hue, "width": 2, "dash": _DASHES[number // len(HUES) % len(_DASHES)]},
            hovertemplate="%{y:.3g}",
        )
    figure.update_layout(
        template=theme.template(mode),
        height=440,
        hovermode="x unified",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        margin={"t": 70},
    )
    # "1.10" is no number
    kind = "category" if named and isinstance(named[0], str) else "linear"
    figure.update_xaxes(title_text=x_title, showgrid=False, type=kind)
    figure.update_yaxes(title_text=y_title, type="log" if logarithmic else "linear")
    if logarithmic:
        figure.update_yaxes(exponentformat="power", dtick=2 if _decades(series) > _MANY else 1)
    if logarithmic == "xy":
        figure.update_xaxes(type="log", tickmode="array", tickvals=list(places))
    return figure


def _decades(series: Sequence[Series]) -> float:
    """Powers of ten between the least and the largest value."""
    values = [value for one in series for value in one.values if value is not None and value > 0]
    return math.log10(max(values) / min(values)) if values else 0.0
