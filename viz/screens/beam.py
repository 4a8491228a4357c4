"""Beam search as a tree: how wide, every hypothesis, and opening one as a snapshot."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.errors import HeadlightError
from viz.inspector.beam import rows_of
from viz.jobs import services
from viz.jobs.snapshots import Snapshot
from viz.screens import component, obtain
from viz.session import callbacks, fields, state, widgets
from viz.session.callbacks import BEAM, HYPOTHESIS
from viz.text.beam import TEXT
from viz.text.plain import plain

WIDTHS: Final = ("2", "3", "4", "5")


def switch() -> None:
    """How wide, in a menu; or why the model has no search."""
    ui, card = state.current(), obtain.card_of()
    text = TEXT[ui.language]
    if card is not None and not card.capabilities.search:
        st.caption(plain(text.unable), width="content")
        return
    width = _width()
    if fields.own(BEAM).get(BEAM, "") != width:
        fields.refuse([BEAM])
    label = text.wide.format(width=width) if width else text.width
    with st.popover(label, type="tertiary", key=widgets.menu(BEAM)):
        st.segmented_control(
            text.kept,
            ("", *WIDTHS),
            default=width,
            key=widgets.seed(BEAM, width),
            format_func=lambda wide: wide or text.off,
            on_change=callbacks.take_beam,
        )


def _width() -> str:
    """What is asked for, "" where nothing is, or nothing that there is."""
    asked = fields.own(BEAM, HYPOTHESIS).get(BEAM, "")
    return asked if asked in WIDTHS else ""


def render(found: Snapshot) -> None:
    """The tree, where it is on."""
    ui, card = state.current(), obtain.card_of()
    text = TEXT[ui.language]
    width, ready = _width(), services.opened(ui.model)
    if not width or ready is None or (card is not None and not card.capabilities.search):
        return
    try:
        source, beam, message = found.request.source, int(width), found.request.message
        made = obtain.made(
            text.searching, lambda: services.search(ready, source, beam, message=message)
        )
    except HeadlightError as error:
        obtain.explain(error)
        return
    row = fields.place(HYPOTHESIS, len(rows_of(made.tree)), 1)
    fields.live({HYPOTHESIS: str(row)})
    component.beam(made, found.request.prefix, {HYPOTHESIS: row})
