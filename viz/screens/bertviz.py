"""BertViz: its own views of the sentence at hand, beside ours, offline."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from viz import state
from viz.screens import looking
from viz.screens.inspect import looked, saved_look, sentence
from viz.text.bertviz import TEXT
from viz.text.inspect import TEXT as INSPECT

_HEIGHT: Final = 760
"""Pixels; longer views scroll within."""


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text = INSPECT[ui.language]
    found = saved_look(text)
    if found is None:
        source = looking.source_of()
        sentence(source, text)
        found = looked(looking.request_of(source, forced=True), text)
    if found is None:
        return
    asked = urlencode({"kind": ui.kind, "layer": ui.layer + 1, "lang": ui.language})
    st.iframe(f"/bertviz/{found.id}/head?{asked}", height=_HEIGHT, alt=TEXT[ui.language].title)
