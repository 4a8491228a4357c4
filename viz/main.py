"""The picture frame: header, navigation and the page in it. Streamlit runs this file."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Final

import streamlit as st

from viz.jobs import services, visitor
from viz.screens import header
from viz.session import page, state, visit
from viz.session.address import PAGES, PageName


def _draw(name: PageName) -> None:
    import_module(f"viz.screens.{name}").render()


POLL_SECONDS: Final = 0.3
# Only the first page is imported before it paints: at once, not between the header and it.
import_module(f"viz.screens.{PAGES[0]}")


def run(first: PageName = PAGES[0]) -> None:
    """One run of the app; an address without a path opens the `first` page."""
    st.set_page_config(layout="wide")  # each page has a title of its own
    state.begin(services.model_ids(visitor.current()))
    labels = header.page_labels(state.current().language)
    pages = {
        name: st.Page(
            partial(_draw, name),
            title=f"{labels[name]} · Headlight",
            url_path=name,
            default=name == first,
        )
        for name in PAGES
    }
    chosen = st.navigation(list(pages.values()), position="hidden")
    shown = next(name for name, one in pages.items() if one is chosen)
    going = page.instead_of(shown)
    if going is not None:
        st.switch_page(pages[going], query_params=state.links(going))
    state.turn_to(shown)
    opened = services.opened(state.current().model) is not None
    progress = header.render(pages, shown)
    notices = st.empty()
    chosen.run()
    header.render_notices(notices)
    state.write_back()
    tell = visit.ending()
    if tell is not None:
        # Inside the run, not in a fragment on a timer: on a busy machine each tick of a timer
        # breaks off the run that the last one began, and nothing is ever drawn. Whatever a person
        # does breaks off the wait.
        while tell(progress):
            services.pause(POLL_SECONDS)
        visit.again()
    if not opened and services.opened(state.current().model) is not None:
        visit.again()  # the header can say more of the model now


if __name__ == "__main__":
    run()
