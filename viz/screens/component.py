"""The in-browser inspector as a Streamlit component."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any, Final

import streamlit as st

from core.studies.focus import most_focused
from viz import state
from viz.inspector.payload import Comparison, View, component_data
from viz.store import Look
from viz.text.inspector import TEXT

# The code is served as modules (viz.routes), so a change of data sends none of it again.
# Streamlit calls the function with every change. What it leaves on the element's document is
# for viz/frame/frame.js: it takes an unreported selection along to another page.
LOADER: Final = """
export default function (component) {
  const { parentElement } = component;
  let cleanup = null;
  let gone = false;
  // Two imports under way may end in the other order; the data asked for last is drawn.
  parentElement.headlightAsked = component;
  import(new URL("inspector/main.js", document.baseURI)).then((main) => {
    if (!gone) cleanup = main.mount(parentElement.headlightAsked);
  });
  const drawn = {
    selection: () => parentElement.headlight?.state().selection ?? null,
    report: () => component.setStateValue("selection", drawn.selection()),
  };
  document.headlight = drawn;
  return () => {
    gone = true;
    if (document.headlight === drawn) document.headlight = null;
    cleanup?.();
  };
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component("headlight.inspector", js=LOADER)


def inspector(look: Look, view: View, comparison: Comparison | None = None) -> None:
    """Draws a look; what is chosen in it becomes the app's state.

    Args:
        look: what to draw.
        view: the page's arrangement of it.
        comparison: a second look beside it.
    """
    sites = {kind: (site.layers, site.heads) for kind, site in look.trace.sites.items()}
    state.fit(sites, len(look.trace.target))
    if sites:
        state.open_with(lambda kind: most_focused(look.trace.sites[kind], look.trace.keys(kind)))
    ui = state.current()
    key = f"inspector-{view}"
    other = comparison.packed.meta["trace_id"] if comparison else ""
    data = component_data(
        look.packed,
        view=view,
        language=ui.language,
        text=asdict(TEXT[ui.language]),
        selection=state.start(f"{view}/{look.id}/{other}"),
        comparison=comparison,
    )
    _component()(
        key=key,
        data=data,
        on_selection_change=lambda: state.take_selection(key),
    )
