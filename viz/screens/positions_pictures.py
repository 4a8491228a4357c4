"""Pictures of the Positions page, each with what it says and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.nn.positions import Doubles, encode, wavelengths
from core.studies.positions import check_dot_products, check_norms
from viz.figures import positions as figures
from viz.figures.heatmap import Axis, point_at_row, signed_heatmap
from viz.figures.theme import Mode
from viz.screens import component
from viz.screens.positions_state import PositionsState
from viz.text.numbers import count, fixed, scientific, significant
from viz.text.positions import PositionsText
from viz.text.positions_captions import PositionsCaptions

_CROWDED: Final = 360  # cells along one side from which a screen may run out of pixels
_MATRIX: Final = 256  # positions along a side of the drawn dot-product matrix
_SMOOTH: Final = 256  # positions up to which waves are drawn between positions too


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What every picture of one run is drawn from.

    Attributes:
        chosen: the page's state.
        table: (length, d_model) PE of positions 0 to length - 1.
        words, captions: in the reader's language.
        mode: light or dark.
    """

    chosen: PositionsState
    table: Doubles
    words: PositionsText
    captions: PositionsCaptions
    mode: Mode

    @property
    def here(self) -> Doubles:
        """(d_model,) PE(p)."""
        row: Doubles = self.table[self.chosen.position]
        return row


def show(figure: go.Figure, alt: str, key: str) -> None:
    """Draws a figure; `alt` is read out in its place."""
    component.chart(figure, f"positions_{key}", alt, _CONFIG)


_CONFIG: Final = {"modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}


def facts(*facts: tuple[str, str]) -> None:
    """Measured numbers in one row, each under its name."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in facts:
            st.markdown(f":small[{name}]  \n**{value}**", width="content")


def heatmap(page: Page) -> None:
    """The whole table."""
    chosen, words = page.chosen, page.words
    lengths = wavelengths(chosen.width)
    names = [
        words.column_name.format(
            dimension=d,
            function="cos" if d % 2 else "sin",
            power=d - d % 2,
            width=chosen.width,
            wavelength=significant(float(lengths[d // 2])),
        )
        for d in range(chosen.width)
    ]
    figure = signed_heatmap(
        page.table,
        Axis(words.axis_position),
        Axis(words.axis_dimension, names),
        limit=1.0,
        scale_title=words.value,
        hover=words.hover_cell,
        mode=page.mode,
        height=430,
    )
    point_at_row(figure, chosen.position, "p", page.mode)
    size = {"rows": count(chosen.length), "columns": count(chosen.width)}
    show(figure, page.captions.heatmap_alt.format(**size), "heatmap")
    st.markdown(page.captions.heatmap_caption.format(position=chosen.position))
    if max(chosen.length, chosen.width) > _CROWDED:
        st.caption(page.captions.heatmap_crowded.format(**size))


def waves(page: Page) -> None:
    """Single dimensions over the positions."""
    chosen, words, lengths = page.chosen, page.words, wavelengths(page.chosen.width)
    dots = chosen.length <= _SMOOTH
    last = chosen.length - 1
    places = np.linspace(0, last, last * 8 + 1) if dots else np.arange(chosen.length, dtype=float)
    between = encode(places, chosen.width)
    lanes = [
        figures.Lane(
            words.lane_name.format(
                dimension=d,
                function=words.cosine if d % 2 else words.sine,
                wavelength=significant(float(lengths[d // 2])),
            ),
            between[:, d],
            page.table[:, d],
        )
        for d in chosen.shown_dimensions
    ]
    figure = figures.curves(
        lanes,
        places,
        chosen=chosen.position,
        dots=dots,
        x_title=words.axis_position,
        hover=words.hover_wave,
        mode=page.mode,
    )
    show(figure, page.captions.waves_alt.format(count=len(lanes)), "waves")
    caption = page.captions.waves_caption.format(position=chosen.position)
    st.markdown(f"{caption} {page.captions.waves_dots if dots else page.captions.waves_joined}")


def dots(page: Page) -> None:
    """Dot products: only the offset matters, checked on all pairs."""
    chosen, words, captions = page.chosen, page.words, page.captions
    check = check_dot_products(page.table)
    first = min(max(chosen.position - _MATRIX // 2, 0), max(chosen.length - _MATRIX, 0))
    window = page.table[first : first + _MATRIX]
    matrix = signed_heatmap(
        window @ window.T,
        Axis(words.axis_query, start=first),
        Axis(words.axis_key, start=first),
        limit=chosen.width / 2,
        scale_title=words.axis_dot,
        hover=words.hover_dot,
        mode=page.mode,
        height=390,
    )
    point_at_row(matrix, chosen.position, "p", page.mode)
    there = encode([chosen.position + chosen.offset], chosen.width)[0]
    product = float(page.here @ there)
    law = figures.profile(
        check.offsets,
        check.profile,
        np.arange(chosen.length, dtype=np.float64) - chosen.position,
        page.table @ page.here,
        (chosen.offset, product),
        names=(captions.dots_law, captions.dots_measured.format(position=chosen.position)),
        titles=(words.axis_offset, words.axis_dot),
        hover=words.hover_profile,
        mode=page.mode,
    )
    left, right = st.columns(2)
    with left:
        show(matrix, captions.dots_alt, "dots")
    with right:
        show(law, captions.profile_alt, "profile")
    st.markdown(captions.dots_caption)
    if len(window) < chosen.length:
        last = first + len(window) - 1
        st.caption(captions.dots_window.format(first=first, last=last, length=count(chosen.length)))
    found = captions.dots_found.format(
        pairs=count(check.pairs), deviation=scientific(check.deviation)
    )
    one = captions.dots_here.format(
        p=chosen.position,
        q=count(chosen.position + chosen.offset),
        value=fixed(product),
    )
    st.markdown(f"{found} {one}")
    st.caption(captions.rounding)


def norm(page: Page) -> None:
    """The length of every row."""
    chosen, words, captions = page.chosen, page.words, page.captions
    check = check_norms(page.table)
    facts(
        (captions.norm_expected, repr(check.expected)),
        (captions.norm_smallest, repr(check.smallest)),
        (captions.norm_largest, repr(check.largest)),
        (captions.norm_deviation, scientific(check.deviation)),
    )
    figure = figures.pair_squares(
        page.here,
        names=("sin²", "cos²"),
        titles=(words.axis_pair, words.axis_square),
        hover=words.hover_square,
        mode=page.mode,
    )
    show(figure, captions.norm_alt, "norm")
    st.markdown(captions.norm_caption.format(pairs=chosen.width // 2, position=chosen.position))
    st.caption(captions.rounding)
