"""Where a model's parameters are: one bar for each part."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.figures import theme
from viz.figures.theme import Mode


def parameter_bars(
    names: Sequence[str],
    counts: Sequence[int],
    labels: Sequence[str],
    *,
    hues: Sequence[str | None],
    x_title: str,
    mode: Mode,
) -> go.Figure:
    """Parameter counts by part, first part on top.

    Args:
        names: of the parts; any characters.
        counts: parameters of each, 0 or more.
        labels: what is written at the end of each bar.
        hues: colour of each bar, None for the plain one.
        x_title: what the bars measure.

    Raises:
        ValueError: when names, counts, labels and hues differ in number.
    """
    if not len(names) == len(counts) == len(labels) == len(hues):
        raise ValueError("every part needs a name, a count, a label and a hue")
    palette = theme.PALETTES[mode]
    written = [theme.plain(label) for label in labels]
    figure = go.Figure(
        go.Bar(
            x=list(counts),
            y=list(range(len(counts))),
            orientation="h",
            text=written,
            textposition="outside",
            cliponaxis=False,
            marker={"color": [hue or palette.series for hue in hues]},
            customdata=[theme.plain(name) for name in names],
            hovertemplate="%{customdata}<br><b>%{text}</b><extra></extra>",
        )
    )
    figure.update_layout(template=theme.template(mode), height=34 * len(counts) + 70, bargap=0.35)
    # room at the right for the longest label, which may stand at the longest bar
    figure.update_xaxes(title_text=x_title, range=[0, 1.45 * max([1, *counts])], tickformat="~s")
    figure.update_yaxes(
        **theme.token_axis(names), autorange="reversed", ticks="", ticklabelstandoff=6
    )
    return figure
