"""The rotation by a fixed offset: circles, matrix, vectors, and the error that was measured."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import streamlit as st

from core.nn.positions import Doubles, encode, frequencies, rotate, rotation
from core.studies.positions import check_rotation
from viz.figures import positions as figures
from viz.figures.heatmap import Axis, signed_heatmap
from viz.screens.positions_pictures import Page, facts, show
from viz.screens.positions_state import PositionsState
from viz.text.numbers import count, fixed, scientific
from viz.text.tables import markdown_table

_BLOCKS: Final = 64  # rows of the drawn matrix


def draw(page: Page) -> None:
    """M_k PE(p) = PE(p + k), for the chosen p and for all of them."""
    chosen, captions = page.chosen, page.captions
    p, q = chosen.position, chosen.position + chosen.offset
    check = check_rotation(page.table, chosen.offset)
    moved = rotate(page.here[None, :], chosen.offset)[0]
    there = encode([q], chosen.width)[0]
    st.markdown(captions.rotation_caption.format(offset=count(chosen.offset), p=p, q=count(q)))
    facts(
        (captions.rotation_here.format(p=p), scientific(float(np.abs(moved - there).max()))),
        (captions.rotation_all.format(last=chosen.length - 1), scientific(check.deviation)),
    )
    left, right = st.columns(2)
    with left:
        _circles(page, moved)
    with right:
        _blocks(page)
    _strips(page, moved, there)
    st.caption(captions.rounding)


def _pairs(chosen: PositionsState) -> list[int]:
    """The sine-cosine pairs of the dimensions shown, each once."""
    return sorted({dimension // 2 for dimension in chosen.shown_dimensions})


def _circles(page: Page, moved: Doubles) -> None:
    chosen, captions = page.chosen, page.captions
    angles = chosen.offset * frequencies(chosen.width)
    turns = [
        figures.Turn(
            captions.rotation_pair.format(
                even=2 * i, odd=2 * i + 1, angle=fixed(math.degrees(angles[i]), 1)
            ),
            (float(page.here[2 * i]), float(page.here[2 * i + 1])),
            (float(moved[2 * i]), float(moved[2 * i + 1])),
            float(angles[i]),
        )
        for i in _pairs(chosen)
    ]
    names = (
        captions.rotation_before.format(p=chosen.position),
        captions.rotation_after.format(p=chosen.position, q=count(chosen.position + chosen.offset)),
    )
    figure = figures.circles(turns, names=names, hover=page.words.hover_hand, mode=page.mode)
    show(figure, captions.circles_alt, "circles")
    st.caption(captions.circles_caption)


def _blocks(page: Page) -> None:
    chosen, words, captions = page.chosen, page.words, page.captions
    shown = min(chosen.width, _BLOCKS)
    matrix = rotation(chosen.offset, chosen.width)[:shown, :shown]
    figure = signed_heatmap(
        matrix,
        Axis(words.axis_dimension),
        Axis(words.axis_dimension),
        limit=1.0,
        scale_title=words.value,
        hover=words.hover_matrix,
        mode=page.mode,
        height=350,
    )
    st.markdown(f"**{captions.blocks_title.format(offset=count(chosen.offset))}**")
    show(figure, captions.blocks_alt, "blocks")
    note = captions.blocks_window.format(shown=shown, width=count(chosen.width))
    caption = captions.blocks_caption
    st.caption(f"{caption} {note}" if shown < chosen.width else caption)
    angles = chosen.offset * frequencies(chosen.width)
    rows = [
        (
            str(i),
            fixed(float(angles[i]), 4),
            fixed(math.cos(angles[i])),
            fixed(math.sin(angles[i])),
        )
        for i in _pairs(chosen)
    ]
    st.markdown(markdown_table(captions.block_columns, rows, ("right",) * 4))


def _strips(page: Page, moved: Doubles, there: Doubles) -> None:
    chosen, words, captions = page.chosen, page.words, page.captions
    p, q = chosen.position, chosen.position + chosen.offset
    sign = "−" if chosen.offset < 0 else "+"
    figure = signed_heatmap(
        np.stack((page.here, moved, there)),
        Axis("", (f"PE({p})", f"M·PE({p})", f"PE({p} {sign} {abs(chosen.offset)})"), spelled=True),
        Axis(words.axis_dimension),
        limit=1.0,
        scale_title=words.value,
        hover=words.hover_strip,
        mode=page.mode,
        height=210,
    )
    st.markdown(f"**{captions.strips_title}**")
    show(figure, captions.strips_alt, "strips")
    st.caption(captions.strips_caption.format(p=p, q=count(q)))
