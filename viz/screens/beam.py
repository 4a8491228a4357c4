"""Beam search as a tree: how wide, every hypothesis, and opening one as a snapshot."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.errors import HeadlightError
from viz.export.request import count_of
from viz.inspector.beam import rows_of
from viz.jobs import services
from viz.jobs.snapshots import Snapshot
from viz.screens import component, obtain
from viz.session import callbacks, fields, state, widgets
from viz.session.callbacks import BEAM, HYPOTHESIS
from viz.text.beam import TEXT
from viz.text.plain import plain

WIDTHS: Final = ("2", "3", "4", "5")


def render(found: Snapshot) -> None:
    """The switch, and the tree where it is on."""
    ui, card = state.current(), obtain.card_of()
    text = TEXT[ui.language]
    if card is not None and not card.capabilities.search:
        st.caption(plain(text.unable))
        return
    asked = fields.own(BEAM, HYPOTHESIS)
    width = asked.get(BEAM, "") if asked.get(BEAM) in WIDTHS else ""
    if asked.get(BEAM, "") != width:
        fields.refuse([BEAM])
    st.segmented_control(
        text.width,
        ("", *WIDTHS),
        default=width,
        key=widgets.seed(BEAM, width),
        format_func=lambda wide: wide or text.off,
        on_change=callbacks.take_beam,
    )
    ready = services.opened(ui.model)
    if not width or ready is None:
        return
    try:
        with st.spinner(text.searching, show_time=True):
            made = services.search(ready, found.request.source, int(width))
    except HeadlightError as error:
        obtain.explain(error)
        return
    rows = len(rows_of(made.tree))
    row = count_of(asked.get(HYPOTHESIS, "1"))
    if not 1 <= row <= rows:
        fields.refuse([HYPOTHESIS])
        row = 1
    fields.live({HYPOTHESIS: str(row)})
    component.beam(made, found.request.prefix, {HYPOTHESIS: row})
