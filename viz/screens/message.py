"""Whether the sentence is read as a user's message, within the model's chat template."""

from __future__ import annotations

import streamlit as st

from viz.screens import obtain
from viz.session import callbacks, state, widgets
from viz.text.inspect import TEXT


def switch() -> None:
    """On or off; nothing where the model has no such template."""
    ui, card = state.current(), obtain.card_of()
    if card is None or not card.capabilities.message:
        return
    text = TEXT[ui.language]
    st.toggle(
        text.as_message,
        ui.message,
        key=widgets.seed("message", ui.message),
        help=text.as_message_help,
        on_change=callbacks.take_message,
        width="content",
    )
