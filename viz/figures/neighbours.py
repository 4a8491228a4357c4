"""Tokens near each other: a map of several groups, and how near those of one are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final
from unicodedata import east_asian_width

import plotly.graph_objects as go

from core.studies.neighbours import Near
from viz.figures import theme
from viz.figures.studies import HUES
from viz.figures.theme import Mode
from viz.text.numbers import fixed

Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, right, low and high, in pixels."""

# Of the map on a phone, about: where it is wider, names lie farther apart.
_WIDTH, _HEIGHT = 330, 400
_SIZE, _LARGE = 12, 16  # of letters in pixels, and of the chosen token's
_AWAY: Final = 4  # pixels of a name from the middle of its dot, or more
_DOT: Final = 5  # what a dot takes to each side
_ROOM: Final = (0.12, 0.08)  # at the rim, of what the dots take
_SIDES: Final = {
    "top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0),
}  # fmt: skip
"""Where a name may stand, the best first: right and up."""


def neighbour_map(
    groups: Sequence[Near],
    chosen: int,
    names: Mapping[int, str],
    places: Mapping[int, Place],
    *,
    mode: Mode,
) -> go.Figure:
    """Each token at its place; the chosen group alone has a colour, and is joined by lines.

    Args:
        groups: one or more tokens, each with its neighbours.
        chosen: which of them is looked at, from 0.
        names: of every token, any characters.
        places: of every token.
    """
    palette, figure = theme.PALETTES[mode], go.Figure()
    group = groups[chosen]
    centre, hue = group.token.id, HUES[chosen % len(HUES)]
    centres = [one.token.id for one in groups]
    # In the order in which names find room.
    named = [*dict.fromkeys([centre, *group.ids, *centres])]
    sides = _sides(named, names, places)
    others = {id for one in groups for id in one.ids} - set(named)
    figure.add_scatter(
        **_dots(sorted(others), names, places),
        mode="markers",
        marker={"size": 7, "color": palette.muted, "opacity": 0.45},
    )
    figure.add_scatter(
        x=[at for id in group.ids for at in (places[centre][0], places[id][0], None)],
        y=[at for id in group.ids for at in (places[centre][1], places[id][1], None)],
        mode="lines",
        line={"color": hue, "width": 1},
        opacity=0.5,
        hoverinfo="skip",
    )
    written = named[1:]
    figure.add_scatter(
        **_dots(written, names, places, sides),
        mode="markers+text",
        textposition=[sides.get(id, "top center") for id in written],
        textfont={
            "size": _SIZE,
            "color": [palette.ink if id in group.ids else palette.muted for id in written],
        },
        marker={
            "size": [10 if id in centres else 8 for id in written],
            "color": [hue if id in group.ids else palette.muted for id in written],
            "symbol": ["diamond" if id in centres else "circle" for id in written],
        },
    )
    figure.add_scatter(
        **_dots([centre], names, places, sides),
        mode="markers+text",
        textposition=sides[centre],
        textfont={"size": _LARGE, "color": palette.ink, "weight": "bold"},
        marker={"size": 14, "color": hue, "symbol": "diamond"},
    )
    figure.update_layout(
        template=theme.template(mode), height=460, showlegend=False, margin={"t": 24}
    )
    room = {
        "showticklabels": False, "ticks": "", "showgrid": False, "showline": True, "mirror": True,
        "linecolor": palette.grid,
    }  # fmt: skip
    across, up = _ranges(places)
    figure.update_xaxes(**room, range=across)
    figure.update_yaxes(**room, range=up)
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


def _sides(
    ids: Sequence[int], names: Mapping[int, str], places: Mapping[int, Place]
) -> dict[int, str]:
    """On which side of its dot a name stands: the first's anywhere, others where there is room.

    What has none is not among them: it is pointed at.
    """
    (left, right), (low, high) = _ranges(places)
    dots = {
        id: (_WIDTH * (x - left) / (right - left), _HEIGHT * (y - low) / (high - low))
        for id, (x, y) in places.items()
    }
    squares = {id: (x - _DOT, x + _DOT, y - _DOT, y + _DOT) for id, (x, y) in dots.items()}
    found: dict[int, str] = {}
    taken: list[Box] = []
    for id in ids:
        size = _SIZE if found else _LARGE
        in_the_way = [*taken, *(square for other, square in squares.items() if other != id)]
        boxes = {side: _box(names[id], size, dots[id], to) for side, to in _SIDES.items()}
        free = [
            side
            for side, box in boxes.items()
            if _inside(box) and not any(_meet(box, other) for other in in_the_way)
        ]
        if free or not found:
            found[id] = [*free, *boxes][0]
            taken.append(boxes[found[id]])
    return found


def _box(name: str, size: int, dot: Place, towards: tuple[int, int]) -> Box:
    """What a name takes beside a dot."""
    wide = sum(size if east_asian_width(letter) in "WF" else 0.65 * size for letter in name)
    across, up = (
        at + way * (long / 2 + _AWAY)
        for at, way, long in zip(dot, towards, (wide, size), strict=True)
    )
    return across - wide / 2, across + wide / 2, up - size / 2 - 1, up + size / 2 + 1


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _inside(box: Box) -> bool:
    return box[0] >= 0 and box[1] <= _WIDTH and box[2] >= 0 and box[3] <= _HEIGHT


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


def _ranges(places: Mapping[int, Place]) -> list[tuple[float, float]]:
    """Of both axes: all dots, and room for names at the rim."""
    found = []
    for values, room in zip(zip(*places.values(), strict=True), _ROOM, strict=True):
        low, high = min(values), max(values)
        more = room * (high - low) or 1.0
        found.append((low - more, high + more))
    return found
