"""BertViz: its own views of the sentence at hand, beside ours, offline."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from viz.bertviz.views import VIEWS
from viz.inspector.spelling import MOST
from viz.jobs.snapshots import Snapshot
from viz.screens import component, obtain
from viz.screens.inspect import looked, saved_snapshot, sentence
from viz.session import callbacks, fields, state, widgets
from viz.text.bertviz import TEXT
from viz.text.inspect import TEXT as INSPECT
from viz.text.inspector import TEXT as INSPECTOR

VIEW: Final = "bertviz"
"""The page field that says which of its views."""
_HEIGHT: Final = 480
"""Pixels that are kept for a view until it tells its own."""
_CHIPS: Final = 12
"""Layers or heads that have a place beside each other; more of them are a list."""


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text = INSPECT[ui.language]
    found = saved_snapshot(text)
    if found is None:
        source = obtain.source_of()
        sentence(source, text)
        found = looked(obtain.request_of(source, forced=True), text)
    if found is None:
        return
    state.fit(component.extents(found.trace.sites), MOST)
    view = fields.one_of(VIEW, VIEWS, VIEWS[0])
    with st.container(horizontal=True, vertical_alignment="bottom", key="bertviz-switches"):
        _switches(found, view)
    ui = state.current()
    asked: dict[str, str | int] = {"kind": ui.kind, "layer": ui.layer + 1}
    if view == "neuron":  # no other one draws anew for another head
        asked["head"] = ui.head + 1
    if component.mode() == "dark":
        asked["theme"] = "dark"
    path = f"bertviz/{found.id}/{view}?{urlencode({**asked, 'lang': ui.language})}"
    component.framed(path, title=TEXT[ui.language].title, height=_HEIGHT)


def _switches(found: Snapshot, view: str) -> None:
    """Which view, kind, layer and head: outside of the frame, where an address can have them."""
    ui = state.current()
    text, names = TEXT[ui.language], INSPECTOR[ui.language]
    st.segmented_control(
        text.views,
        VIEWS,
        default=view,
        key=widgets.seed(VIEW, view),
        format_func=lambda name: getattr(text, f"view_{name}"),
        on_change=callbacks.take_own,
        args=(VIEW,),
    )
    if len(found.trace.sites) == 0:
        return
    st.segmented_control(
        text.kinds,
        list(found.trace.sites),
        default=ui.kind,
        key=widgets.seed("kind", ui.kind),
        format_func=lambda kind: getattr(names, f"kind_{kind}"),
        on_change=callbacks.take,
        args=("kind",),
    )
    site = found.trace.sites[ui.kind]
    if view != "model":
        _place("layer", text.layer, site.layers, ui.layer)
    if view == "neuron":
        _place("head", text.head, site.heads, ui.head)


def _place(name: str, label: str, count: int, chosen: int) -> None:
    """A choice of one of `count` places, counted from 1 for people."""
    places = [str(place + 1) for place in range(count)]
    key, take = widgets.seed(name, places[chosen]), callbacks.take
    if count <= _CHIPS:
        st.segmented_control(
            label, places, default=places[chosen], key=key, on_change=take, args=(name,)
        )
    else:
        st.selectbox(label, places, chosen, key=key, on_change=take, args=(name,))
