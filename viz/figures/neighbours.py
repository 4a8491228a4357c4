"""Tokens near each other: a map of several groups, and how near those of one are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from core.studies.neighbours import Near
from viz.figures import theme
from viz.figures.studies import HUES
from viz.figures.theme import Mode
from viz.text.numbers import fixed

Place = tuple[float, float]

_WIDTH, _HEIGHT = 640, 420  # of the map, about: on a phone more names lie over each other
_LETTER: Final = 13  # pixels of a Korean letter
_LINE: Final = 16


def neighbour_map(
    groups: Sequence[Near],
    chosen: int,
    names: Mapping[int, str],
    places: Mapping[int, Place],
    *,
    mode: Mode,
) -> go.Figure:
    """Each token at its place; the chosen group's are named and joined by lines.

    Args:
        groups: one or more tokens, each with its neighbours.
        chosen: which of them is looked at, from 0.
        names: of every token, any characters.
        places: of every token.
    """
    palette, figure = theme.PALETTES[mode], go.Figure()
    group = groups[chosen]
    centre = group.token.id
    hues = {one.token.id: HUES[number % len(HUES)] for number, one in enumerate(groups)}
    hue = hues[centre]
    named = [centre, *hues, *group.ids]  # in the order in which names find room
    shown = _room([*dict.fromkeys(named)], names, places)
    for one in groups:
        others = [id for id in one.ids if id not in hues and id not in group.ids]
        figure.add_scatter(
            **_dots(others, names, places),
            mode="markers",
            marker={"size": 7, "color": hues[one.token.id], "opacity": 0.45},
        )
    figure.add_scatter(
        x=[at for id in group.ids for at in (places[centre][0], places[id][0], None)],
        y=[at for id in group.ids for at in (places[centre][1], places[id][1], None)],
        mode="lines",
        line={"color": hue, "width": 1},
        opacity=0.5,
        hoverinfo="skip",
    )
    written = [id for id in dict.fromkeys(named) if id != centre]
    figure.add_scatter(
        **_dots(written, names, places, shown),
        mode="markers+text",
        textposition="top center",
        textfont={
            "size": 12,
            "color": [palette.ink if id in group.ids else palette.muted for id in written],
        },
        marker={
            "size": [10 if id in hues else 8 for id in written],
            "color": [hue if id in group.ids else hues[id] for id in written],
            "symbol": ["diamond" if id in hues else "circle" for id in written],
        },
    )
    figure.add_scatter(
        **_dots([centre], names, places, shown),
        mode="markers+text",
        textposition="top center",
        textfont={"size": 16, "color": palette.ink, "weight": "bold"},
        marker={"size": 14, "color": hue, "symbol": "diamond"},
    )
    figure.update_layout(
        template=theme.template(mode), height=460, showlegend=False, margin={"t": 24}
    )
    room = {
        "showticklabels": False, "ticks": "", "showgrid": False, "showline": True, "mirror": True,
        "linecolor": palette.grid,
    }  # fmt: skip
    figure.update_xaxes(**room, range=_range([x for x, _ in places.values()], 0.12))
    figure.update_yaxes(**room, range=_range([y for _, y in places.values()], 0.08))
    return figure


def neighbour_bars(
    names: Sequence[str], cosines: Sequence[float], *, hue: str, x_title: str, mode: Mode
) -> go.Figure:
    """Neighbours by how near they are, the nearest on top.

    Args:
        names: any characters.
        cosines: -1 to 1, of each.
        hue: of the bars.
        x_title: what they measure.
    """
    figure = go.Figure(
        go.Bar(
            x=list(cosines),
            y=list(range(len(names))),
            orientation="h",
            text=[fixed(cosine, 2) for cosine in cosines],
            textposition="outside",
            cliponaxis=False,
            marker={"color": hue},
            customdata=[theme.plain(name) for name in names],
            hovertemplate="%{customdata}<br><b>%{x:.3f}</b><extra></extra>",
        )
    )
    figure.update_layout(template=theme.template(mode), height=34 * len(names) + 60, bargap=0.35)
    figure.update_xaxes(title_text=x_title, range=[min([0, *cosines]), 1.15])
    figure.update_yaxes(
        **theme.token_axis(names), autorange="reversed", ticks="", ticklabelstandoff=6
    )
    return figure


def _room(ids: Sequence[int], names: Mapping[int, str], places: Mapping[int, Place]) -> set[int]:
    """Those of ids whose names do not lie over one that comes before; the others are pointed at."""
    (left, right), (low, high) = (
        _range([at[axis] for at in places.values()], 0.1) for axis in (0, 1)
    )
    taken: list[tuple[float, float, float]] = []
    shown = set()
    for id in ids:
        x, y = places[id]
        across, up = _WIDTH * (x - left) / (right - left), _HEIGHT * (y - low) / (high - low)
        half = _LETTER * max(2, len(names[id])) / 2
        if all(abs(across - a) >= half + b or abs(up - c) >= _LINE for a, b, c in taken):
            taken.append((across, half, up))
            shown.add(id)
    return shown


def _dots(
    ids: Sequence[int],
    names: Mapping[int, str],
    places: Mapping[int, Place],
    shown: Collection[int] = (),
) -> dict[str, object]:
    written = [theme.plain(names[id]) for id in ids]
    return {
        "x": [places[id][0] for id in ids],
        "y": [places[id][1] for id in ids],
        "text": [name if id in shown else "" for id, name in zip(ids, written, strict=True)],
        "hovertext": written,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _range(values: Sequence[float], room: float) -> list[float]:
    """All of them, and room for names at the rim."""
    low, high = min(values), max(values)
    more = room * (high - low) or 1.0
    return [low - more, high + more]
