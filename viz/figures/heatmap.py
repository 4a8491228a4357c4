"""A matrix of signed numbers as a picture with a printed scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from viz.figures import theme
from viz.figures.theme import Mode

Numbers = npt.NDArray[np.floating]
_SCALE_WIDTH: Final = 180  # pixels of the printed scale
_SCALE_ROOM: Final = 40  # pixels that it takes above the plot
_TICKS: Final = 9  # numbers along an axis, at most


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a heatmap.

    Attributes:
        title: what it counts.
        names: one for each cell along it, as the hover shows them, all different;
            None shows the cell's index. Markup in them is obeyed: pass text from outside
            through `theme.plain` first.
        start: index of the first cell.
        spelled: write the names along the axis, not numbers; for few cells.
    """

    title: str
    names: Sequence[str] | None = None
    start: int = 0
    spelled: bool = False


def signed_heatmap(
    values: Numbers,
    rows: Axis,
    columns: Axis,
    *,
    limit: float,
    scale_title: str,
    hover: str,
    mode: Mode,
    height: int,
    positive: bool = False,
) -> go.Figure:
    """A heatmap from -limit (purple) over 0 to limit (teal), first row on top.

    The array goes to the browser as it is, in float32: nothing is thinned out or smoothed.

    Args:
        values: (row, column), finite.
        limit: end of the scale, above 0; at least the largest absolute value.
        scale_title: what the colours mean.
        hover: Plotly template with %{y}, %{x} and %{z}.
        height: pixels.
        positive: no value is below 0, where the scale begins then.

    Raises:
        ValueError: when names do not fit the matrix or are not all different (equal names
            would share one column), or when a value lies outside the scale.
    """
    _check(values, rows, columns, limit, least=0.0 if positive else -limit)
    figure = go.Figure(
        go.Heatmap(
            z=np.ascontiguousarray(values, dtype=np.float32),
            x=None if columns.names is None else list(columns.names),
            y=None if rows.names is None else list(rows.names),
            x0=columns.start if columns.names is None else None,
            y0=rows.start if rows.names is None else None,
            ygap=3 if rows.spelled else 0,
            zmin=0 if positive else -limit,
            zmax=limit,
            colorscale=theme.rising(mode) if positive else theme.diverging(mode),
            hovertemplate=hover + "<extra></extra>",
        )
    )
    figure.update_layout(template=theme.template(mode), height=height)
    _print_scale(figure, scale_title, [0, limit] if positive else [-limit, 0, limit], mode)
    figure.update_xaxes(
        title_text=columns.title, showgrid=False, **_ticks(columns, values.shape[1])
    )
    figure.update_yaxes(
        title_text=rows.title,
        showgrid=False,
        autorange="reversed",
        **_ticks(rows, values.shape[0]),
    )
    return figure


def point_at_row(figure: go.Figure, row: int, name: str, mode: Mode) -> None:
    """Points at one row from beside the heatmap, in the colour of what is chosen.

    Beside it, because a frame would cover rows of a few pixels.

    Args:
        figure: of `signed_heatmap`; changed in place.
        row: its index on the axis.
        name: what the row is called; plain text.
    """
    palette = theme.PALETTES[mode]
    figure.add_annotation(
        xref="paper",
        x=1,
        y=row,
        xanchor="left",
        yanchor="middle",
        showarrow=False,
        text=f'<span style="color:{palette.accent}">◀</span> {theme.plain(name)}',
        font={"size": 12, "color": palette.ink},
    )
    figure.update_layout(margin={"r": 28})


def _print_scale(figure: go.Figure, title: str, ticks: Sequence[float], mode: Mode) -> None:
    """Prints the scale above the heatmap, at its right; a phone then loses no width."""
    palette = theme.PALETTES[mode]
    font = {"color": palette.muted, "size": 12}
    figure.update_traces(
        colorbar={
            "orientation": "h",
            "x": 1,
            "xanchor": "right",
            "xpad": 0,
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "ypad": 1,
            "len": _SCALE_WIDTH,
            "lenmode": "pixels",
            "thickness": 10,
            "tickvals": list(ticks),
            "ticktext": [theme.signed(tick) for tick in ticks],
            "tickfont": font,
            "ticks": "",
            "outlinewidth": 1,
            "outlinecolor": palette.line,
        },
    )
    figure.add_annotation(
        xref="paper",
        x=1,
        xanchor="right",
        xshift=-_SCALE_WIDTH - 8,
        yref="paper",
        y=1,
        yanchor="middle",
        yshift=_SCALE_ROOM - 6,
        showarrow=False,
        text=theme.plain(title),
        font=font,
    )
    figure.update_layout(margin={"t": _SCALE_ROOM})


def _check(values: Numbers, rows: Axis, columns: Axis, limit: float, *, least: float) -> None:
    if values.ndim != 2:
        raise ValueError(f"a heatmap has 2 axes, not {values.ndim}")
    for axis, size in ((rows, values.shape[0]), (columns, values.shape[1])):
        if axis.names is None:
            continue
        if len(axis.names) != size:
            raise ValueError(f"{axis.title}: {len(axis.names)} names for {size} cells")
        if len(set(axis.names)) != size:
            raise ValueError(f"{axis.title}: two cells have the same name")
    # a rounded float32 may stand one unit in the last place above the exact limit
    beyond = limit * 1e-6
    low, high = values.min(initial=0.0), values.max(initial=0.0)
    if not least - beyond <= low <= high <= limit + beyond:
        raise ValueError(f"a value lies outside the scale of {limit}")


def _ticks(axis: Axis, size: int) -> dict[str, object]:
    """Round numbers along an axis, whether it is numeric or carries names for the hover."""
    if axis.names is None and size < _TICKS:  # "auto" would part cells, and round the halves
        return {"tickmode": "linear", "tick0": axis.start, "dtick": 1, "tickformat": "d"}
    if axis.names is None:
        return {"tickmode": "auto", "nticks": _TICKS, "tickformat": "d"}
    places = range(0, size, 1 if axis.spelled else _round_step(size))
    texts = axis.names if axis.spelled else [str(axis.start + place) for place in places]
    return {
        "type": "category",
        "tickmode": "array",
        "tickvals": list(places),
        "ticktext": list(texts),
    }


def _round_step(size: int) -> int:
    """The smallest of 1, 2, 4, 8, ... that leaves at most nine labels."""
    step = 1
    while size / step > 9:
        step *= 2
    return step
