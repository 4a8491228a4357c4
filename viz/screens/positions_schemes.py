"""Positions that are told within self-attention: rotary, ALiBi, T5's relative ones."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from core.nn.positions import Doubles
from core.nn.relative import BUCKETS
from core.studies.schemes import HEADS, alibi_map, bucket_map, rotary_map, unevenness
from viz.figures.heatmap import Axis, point_at_row, signed_heatmap
from viz.figures.schemes import by_distance
from viz.screens.positions_pictures import Page, show
from viz.text.numbers import count, scientific

_MATRIX: Final = 128  # positions along a side


def draw(page: Page) -> None:
    """What each does to a score, by query and key, and how far an ALiBi head still sees."""
    chosen, captions = page.chosen, page.captions
    length = min(chosen.length, _MATRIX)
    here = min(chosen.position, length - 1)
    rotary, bucket, apart = rotary_map(length, chosen.width), bucket_map(length), alibi_map(2)
    alibi = alibi_map(length)
    head = chosen.slope - 1
    one = {"head": chosen.slope, "heads": HEADS}
    slope = float(-apart[head, 0, 1])
    st.markdown(captions.schemes_caption)
    columns = st.columns(3)
    with columns[0]:
        _map(page, rotary, here, 1.0, captions.schemes_rotary, "rotary")
        st.caption(captions.schemes_rotary_note.format(width=chosen.width))
    with columns[1]:
        limit = max(1.0, float(np.ceil(-alibi[head].min())))
        _map(page, alibi[head], here, limit, captions.schemes_alibi.format(**one), "alibi")
        st.caption(captions.schemes_alibi_note.format(slope=f"{slope:g}"))
    with columns[2]:
        title = captions.schemes_relative
        _map(page, bucket, here, BUCKETS - 1.0, title, "relative", positive=True)
        groups = {"groups": BUCKETS, "used": len(np.unique(bucket))}
        st.caption(captions.schemes_relative_note.format(**groups))
    figure = by_distance(
        np.arange(length, dtype=np.float64) - here,
        np.exp(alibi[:, here]),
        [captions.schemes_head.format(head=at + 1, heads=HEADS) for at in range(HEADS)],
        head,
        titles=(page.words.axis_offset, captions.schemes_left),
        hover=captions.schemes_hover_left,
        mode=page.mode,
    )
    show(figure, captions.schemes_left_alt.format(position=here), "left")
    st.markdown(captions.schemes_left_caption.format(position=here, **one))
    uneven = max(map(unevenness, (rotary, *alibi, bucket)))
    found = {"pairs": count(length * length), "deviation": scientific(uneven)}
    st.markdown(captions.schemes_found.format(**found))
    if length < chosen.length:
        st.caption(captions.schemes_window.format(length=count(length)))


def _map(
    page: Page,
    values: Doubles,
    row: int,
    limit: float,
    title: str,
    key: str,
    *,
    positive: bool = False,
) -> None:
    words = page.words
    st.markdown(f"**{title}**")
    figure = signed_heatmap(
        values,
        Axis(words.axis_of_query),
        Axis(words.axis_of_key),
        limit=limit,
        positive=positive,
        scale_title="",
        hover=words.hover_scheme,
        mode=page.mode,
        height=340,
    )
    point_at_row(figure, row, "p", page.mode)
    show(figure, page.captions.schemes_alt.format(title=title), key)
