"""The picture frame: header, navigation and the page in it. Streamlit runs this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from viz.jobs import services, visitor
from viz.screens import header, inspect
from viz.session import page, state, visit
from viz.session.address import PAGES, PageName


def _step() -> None:
    from viz.screens import step

    step.render()


def _compare() -> None:
    from viz.screens import compare

    compare.render()


def _positions() -> None:
    from viz.screens import positions

    positions.render(state.current())


def _gaps() -> None:
    from viz.screens import gaps

    gaps.render()


def _neighbours() -> None:
    from viz.screens import neighbours

    neighbours.render()


def _studies() -> None:
    from viz.screens import studies

    studies.render()


def _milestones() -> None:
    from viz.screens import milestones

    milestones.render()


def _train() -> None:
    from viz.screens import train

    train.render()


def _bertviz() -> None:
    from viz.screens import bertviz

    bertviz.render()


def _model() -> None:
    from viz.screens import model

    model.render(state.current())


def _add() -> None:
    from viz.screens import add

    add.render()


# Only the first page is imported before it paints.
_RENDER: Final[dict[PageName, Callable[[], None]]] = {
    "inspect": inspect.render,
    "step": _step,
    "compare": _compare,
    "positions": _positions,
    "gaps": _gaps,
    "neighbours": _neighbours,
    "studies": _studies,
    "train": _train,
    "milestones": _milestones,
    "bertviz": _bertviz,
    "model": _model,
    "add": _add,
}


def run(first: PageName = PAGES[0]) -> None:
    """One run of the app.

    Args:
        first: name of the page that an address without a path opens.
    """
    st.set_page_config("Headlight", layout="wide")
    state.begin(services.model_ids(visitor.current()))
    labels = header.page_labels(state.current().language)
    pages = {
        name: st.Page(_RENDER[name], title=labels[name], url_path=name, default=name == first)
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
    if visit.held():
        header.wait(progress, visit.held())
        visit.again()
    ending = visit.ending()
    if ending is not None:
        ending()
        visit.again()
    if not opened and services.opened(state.current().model) is not None:
        visit.again()  # the header can say more of the model now


if __name__ == "__main__":
    run()
