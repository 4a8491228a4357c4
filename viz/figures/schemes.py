"""How much is left of a key by its distance, as curves."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.figures import theme
from viz.figures.heatmap import Numbers
from viz.figures.theme import Mode


def by_distance(
    distances: Numbers,
    shares: Numbers,
    names: Sequence[str],
    chosen: int,
    *,
    titles: tuple[str, str],
    hover: str,
    mode: Mode,
) -> go.Figure:
    """One curve a head, the chosen one in the accent and on top.

    Args:
        distances: (key,), negative before the query.
        shares: (head, key), 0 to 1.
        names: of the heads, for the hover.
        chosen: counted from 0.
        titles: of the x and y axis.
        hover: Plotly template with %{x} and %{y}.
    """
    palette = theme.PALETTES[mode]
    figure = go.Figure()
    for head in (*(at for at in range(len(shares)) if at != chosen), chosen):
        colour, width = (palette.accent, 3.0) if head == chosen else (palette.series_soft, 1.5)
        figure.add_scatter(
            x=distances,
            y=shares[head],
            mode="lines",
            line={"color": colour, "width": width},
            hovertemplate=f"{names[head]}<br>{hover}<extra></extra>",
        )
    figure.update_layout(
        template=theme.template(mode), height=330, showlegend=False, margin={"t": 20}
    )
    figure.update_xaxes(title_text=titles[0], showgrid=False, tickformat="d")
    figure.update_yaxes(title_text=titles[1], range=[0, 1.04], tickvals=[0, 0.5, 1])
    return figure
