"""Pictures of sinusoidal positions: plain functions of arrays and label texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.figures import theme
from viz.figures.heatmap import Numbers
from viz.figures.theme import Mode

_LANE = 74  # pixels for one curve


@dataclass(frozen=True, slots=True)
class Lane:
    """One dimension over all positions.

    Attributes:
        name: what is written above it.
        wave: (sample,) the curve at the shared sample places.
        values: (length,) what the table holds at each position.
    """

    name: str
    wave: Numbers
    values: Numbers


def curves(
    lanes: Sequence[Lane],
    places: Numbers,
    *,
    chosen: int,
    dots: bool,
    x_title: str,
    hover: str,
    mode: Mode,
) -> go.Figure:
    """Single dimensions under each other, on one axis of positions.

    Args:
        lanes: one for each dimension, at least one.
        places: (sample,) positions, whole or between, at which the waves are given.
        chosen: the position that is marked in every lane.
        dots: draw the table's own values, one dot a position.
        x_title: title of the axis of positions.
        hover: Plotly template with %{x} and %{y}.
    """
    palette = theme.PALETTES[mode]
    figure = make_subplots(
        rows=len(lanes),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.32 / len(lanes),
        subplot_titles=[lane.name for lane in lanes],
    )
    for row, lane in enumerate(lanes, start=1):
        positions = np.arange(len(lane.values))
        figure.add_scatter(
            row=row,
            col=1,
            x=places,
            y=lane.wave,
            mode="lines",
            line={"color": palette.series, "width": 1.5, "simplify": False},
            hoverinfo="skip" if dots else None,
            hovertemplate=None if dots else hover + "<extra></extra>",
        )
        if dots:
            figure.add_scatter(
                row=row,
                col=1,
                x=positions,
                y=lane.values,
                mode="markers",
                marker={"color": palette.series, "size": 5},
                hovertemplate=hover + "<extra></extra>",
            )
        figure.add_scatter(
            row=row,
            col=1,
            x=[chosen],
            y=lane.values[[chosen]],
            mode="markers",
            marker={
                "color": palette.accent,
                "size": 11,
                "line": {"color": palette.ink, "width": 1},
            },
            hovertemplate=hover + "<extra></extra>",
        )
    figure.update_layout(
        template=theme.template(mode),
        height=_LANE * len(lanes) + 70,
        showlegend=False,
        margin={"t": 26},
    )
    figure.update_annotations(
        x=0, xanchor="left", font={"size": 13, "color": palette.ink}, yshift=-2
    )
    figure.add_vline(x=chosen, line={"color": palette.accent, "width": 1.5})
    length = len(lanes[0].values)
    edge = max(0.5, 0.01 * length)
    figure.update_xaxes(showgrid=False, range=[-edge, length - 1 + edge], tickformat="d")
    if length < 10:  # no position between two positions
        figure.update_xaxes(dtick=1)
    figure.update_xaxes(title_text=x_title, row=len(lanes), col=1)
    figure.update_yaxes(range=[-1.3, 1.3], tickvals=[-1, 0, 1], ticktext=["−1", "0", "1"])
    return figure


def profile(
    offsets: Numbers,
    expected: Numbers,
    measured_offsets: Numbers,
    measured: Numbers,
    marked: tuple[float, float],
    *,
    names: tuple[str, str],
    titles: tuple[str, str],
    hover: str,
    mode: Mode,
) -> go.Figure:
    """Dot products against the offset: the law as a line, one position's values as dots.

    Args:
        offsets, expected: (n,) the function of the offset.
        measured_offsets, measured: (m,) dot products of the chosen position.
        marked: offset and dot product to point out.
        names: of line and dots, for the legend.
        titles: of the x and y axis.
        hover: Plotly template with %{x} and %{y}.
    """
    palette = theme.PALETTES[mode]
    figure = go.Figure()
    figure.add_scatter(
        x=offsets,
        y=expected,
        mode="lines",
        name=names[0],
        line={"color": palette.series, "width": 1.5, "simplify": False},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=measured_offsets,
        y=measured,
        mode="markers",
        name=names[1],
        marker={"color": palette.accent, "size": 5},
        hovertemplate=hover + "<extra></extra>",
    )
    figure.add_scatter(
        x=marked[:1],
        y=marked[1:],
        mode="markers+text",
        text=["k"],
        textposition="top right",
        showlegend=False,
        marker={"color": palette.accent, "size": 11, "line": {"color": palette.ink, "width": 1}},
        hovertemplate=hover + "<extra></extra>",
    )
    figure.update_layout(
        template=theme.template(mode),
        height=390,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        margin={"t": 36},
    )
    figure.update_xaxes(title_text=titles[0], showgrid=False)
    figure.update_yaxes(title_text=titles[1])
    return figure


@dataclass(frozen=True, slots=True)
class Turn:
    """One sine-cosine pair before and after a rotation.

    Attributes:
        name: what is written above the circle.
        here, there: (sine, cosine) of PE(p) and of M_k PE(p).
        angle: k w_i in radians, counter-clockwise.
    """

    name: str
    here: tuple[float, float]
    there: tuple[float, float]
    angle: float


def circles(turns: Sequence[Turn], *, names: tuple[str, str], hover: str, mode: Mode) -> go.Figure:
    """Each pair as a hand on a circle (cosine to the right, sine upwards), turned.

    Args:
        turns: at least one.
        names: of the hand before and after, for the legend.
        hover: Plotly template with %{x} (cosine) and %{y} (sine).
    """
    palette = theme.PALETTES[mode]
    across = {1: 1, 2: 2, 4: 2}.get(len(turns), 3)  # no lonely circle in a row of its own
    down = -(-len(turns) // across)
    figure = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=[turn.name for turn in turns],
        horizontal_spacing=0.04,
        vertical_spacing=0.2 / (down - 1) if down > 1 else 0,
    )
    round_ = np.linspace(0, 2 * np.pi, 121)
    for index, turn in enumerate(turns):
        at = {"row": index // across + 1, "col": index % across + 1}
        start = float(np.arctan2(*turn.here))
        swept = np.sign(turn.angle) * min(abs(turn.angle), 2 * np.pi)
        arc = start + swept * np.linspace(0, 1, 61)
        figure.add_scatter(
            **at,
            x=np.cos(round_),
            y=np.sin(round_),
            mode="lines",
            line={"color": palette.line, "width": 1},
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            **at,
            x=0.55 * np.cos(arc),
            y=0.55 * np.sin(arc),
            mode="lines",
            line={"color": palette.muted, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
        )
        for (sine, cosine), colour, name, width in (
            (turn.here, palette.series, names[0], 4),
            (turn.there, palette.accent, names[1], 2),
        ):
            figure.add_scatter(
                **at,
                x=[0, cosine],
                y=[0, sine],
                mode="lines+markers",
                name=name,
                legendgroup=name,
                showlegend=index == 0,
                line={"color": colour, "width": width},
                marker={"color": colour, "size": [0, 9], "opacity": 1},
                hovertemplate=hover + "<extra></extra>",
            )
    figure.update_layout(
        template=theme.template(mode),
        height=200 * down + 60,
        legend={"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "yref": "paper"},
        margin={"t": 44},
    )
    figure.update_annotations(font={"size": 12, "color": palette.ink})
    hidden = {"visible": False, "range": [-1.15, 1.15], "fixedrange": True}
    figure.update_xaxes(**hidden, constrain="domain")
    for number, axis in enumerate(figure.select_yaxes(), start=1):
        axis.update(**hidden, scaleanchor=f"x{number if number > 1 else ''}")
    return figure


def pair_squares(
    row: Numbers, *, names: tuple[str, str], titles: tuple[str, str], hover: str, mode: Mode
) -> go.Figure:
    """sin^2 and cos^2 of every pair on top of each other: each column reaches exactly 1.

    Args:
        row: (d_model,) one position's encoding.
        names: of the two parts, for the legend.
        titles: of the x axis (pair) and the y axis.
        hover: Plotly template with %{x} and %{y}.
    """
    palette = theme.PALETTES[mode]
    squares = np.square(row.astype(np.float64)).reshape(-1, 2)  # (pair, sine and cosine)
    figure = go.Figure()
    for part, colour in enumerate((palette.series, palette.series_soft)):
        figure.add_bar(
            x=np.arange(len(squares)),
            y=squares[:, part],
            name=names[part],
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate=names[part] + "<br>" + hover + "<extra></extra>",
        )
    figure.update_layout(
        template=theme.template(mode),
        height=330,
        barmode="stack",
        bargap=0.15 if len(squares) <= 64 else 0,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        margin={"t": 36},
    )
    figure.update_xaxes(title_text=titles[0], showgrid=False, tickformat="d")
    figure.update_yaxes(title_text=titles[1], range=[0, 1.06], tickvals=[0, 0.25, 0.5, 0.75, 1])
    return figure
