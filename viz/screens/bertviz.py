"""BertViz: its own views of the sentence at hand, beside ours, offline."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from viz import address, callbacks, state
from viz.bertviz import LAYERS, VIEWS, view_of
from viz.screens import component, looking
from viz.screens.inspect import looked, saved_look, sentence
from viz.store import Look
from viz.text.bertviz import TEXT
from viz.text.inspect import TEXT as INSPECT
from viz.text.inspector import TEXT as INSPECTOR

VIEW: Final = "bertviz"
"""The page field that says which of its views."""
_HEIGHT: Final = 760
"""Pixels; longer views scroll within."""
_LAYER: Final = ("layer",)


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
    state.fit(component.extents(found.trace.sites), address.MAX_NUMBER)
    view = _view()
    with st.container(horizontal=True, vertical_alignment="bottom", key="bertviz-switches"):
        _switches(found, view)
    ui = state.current()
    asked = urlencode({"kind": ui.kind, "layer": ui.layer + 1, "lang": ui.language})
    path = f"bertviz/{found.id}/{view}?{asked}"
    component.framed(path, title=TEXT[ui.language].title, height=_HEIGHT)


def _view() -> str:
    asked = state.own(VIEW).get(VIEW, "")
    if asked and asked != view_of(asked):
        state.refuse_own([VIEW])
    return view_of(asked)


def _switches(found: Look, view: str) -> None:
    """Which view, kind and layer: outside of the frame, where an address can have them."""
    ui = state.current()
    text, names = TEXT[ui.language], INSPECTOR[ui.language]
    st.segmented_control(
        text.views,
        VIEWS,
        key=state.seed(VIEW, view),
        format_func=lambda name: getattr(text, f"view_{name}"),
        on_change=callbacks.take_own,
        args=(VIEW,),
    )
    if len(found.trace.sites) == 0:
        return
    st.segmented_control(
        text.kinds,
        list(found.trace.sites),
        key=state.seed("kind", ui.kind),
        format_func=lambda kind: getattr(names, f"kind_{kind}"),
        on_change=callbacks.take,
        args=("kind",),
    )
    if view == "head":
        layers = [str(layer + 1) for layer in range(found.trace.sites[ui.kind].layers)]
        key = state.seed("layer", str(ui.layer + 1))
        if len(layers) <= LAYERS:
            st.segmented_control(text.layer, layers, key=key, on_change=callbacks.take, args=_LAYER)
        else:
            st.selectbox(text.layer, layers, key=key, on_change=callbacks.take, args=_LAYER)
