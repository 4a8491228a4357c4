"""Inspect: a sentence, its translation, every head."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.model import TraceRequest
from viz.inspector.payload import Comparison, View
from viz.jobs.saved import MEGABYTES
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.screens import branch, direction, forcing, guess, message, obtain, sampling, states
from viz.screens.component import inspector
from viz.session import callbacks, fields, page, state, visit, widgets
from viz.text.inspect import TEXT, InspectText
from viz.text.plain import plain
from viz.text.sentence import cut


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    kept = saved_snapshot(text)
    if kept is not None:
        pictures(kept, "inspect", branches=False)
        return
    source = obtain.source_of()
    sentence(source, text, files=True)
    found = looked(obtain.request_of(source, forced=False), text)
    if found is not None:
        pictures(found, "inspect")


def pictures(
    found: Snapshot, view: View, comparison: Comparison | None = None, *, branches: bool = True
) -> None:
    """What a model looked at and what it carried through time, each where it has such.

    Args:
        found: what to draw.
        view: the page's arrangement of attention.
        comparison, branches: as `inspector` has them.
    """
    sites, carried = found.trace.sites, found.trace.states
    if sites or not carried:
        inspector(found, view, comparison, branches=branches)
    states.render(found, tells_next=not sites)


def saved_snapshot(text: InspectText) -> Snapshot | None:
    """The snapshot of a file, where one is open, and the way back from it.

    It is shown by every page that needs no model for what it shows.
    """
    asked = fields.own(callbacks.SAVED).get(callbacks.SAVED)
    if asked is None:
        return None
    found = SNAPSHOTS.get(asked)
    if found is None:
        fields.forget(callbacks.SAVED)
        st.caption(plain(text.saved_gone))
        return None
    with st.container(horizontal=True, vertical_alignment="center", key="saved"):
        model, source = found.trace.model_id, cut(found.request.source)
        st.markdown(plain(text.saved.format(model=model, source=source)), width="content")
        st.button(text.saved_back, type="tertiary", on_click=callbacks.leave_saved)
    return found


def saved_elsewhere(text: InspectText) -> None:
    """Says on a page that cannot show the snapshot of a file where it is, where one is open."""
    if callbacks.SAVED not in fields.own(callbacks.SAVED):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="saved"):
        st.caption(plain(text.saved_elsewhere), width="content")
        st.button(text.saved_show, type="tertiary", on_click=page.go, args=("inspect",))


def looked(request: TraceRequest, text: InspectText, *, controls: bool = False) -> Snapshot | None:
    """One line: what the model wrote, and what to know of it; None with what stands in its way.

    Args:
        request: what to look at.
        text: the words.
        controls: the page has fields for a target and the mask, which are not said again, and
            says of a branch by itself.
    """
    with st.container(horizontal=True, key="translation", gap="medium"):
        words = st.container(width="content")
        found = obtain.snapshot(request, text.looking)
        if found is not None:
            if request.target is None:
                words.markdown(plain(found.translation), width="content")
            guess.note(found, obtain.card_of())
            direction.note(request.source, obtain.card_of())
            if not controls:
                forcing.note(request)
                sampling.switch()
                message.switch()
    if found is not None and not controls:
        branch.note(found, text.looking)
    return found


def sentence(source: str, text: InspectText, *, files: bool = False) -> None:
    """The sentence in a large field; beside it the examples and, with `files`, saved snapshots."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence"):
        obtain.sentence(text.source, text.placeholder, source)
        with st.popover(text.examples, type="tertiary", key=widgets.menu("examples")):
            if files:
                _refused()
            for index, example in enumerate(_examples()):
                st.button(
                    plain(example),
                    key=f"example-{index}",
                    type="tertiary",
                    on_click=callbacks.choose_source,
                    args=(example,),
                )
            if files:
                _open(text)


def _refused() -> None:
    """Why the last file was not opened: first of all, where it is in view."""
    problem = visit.kept("saved-problem", None)
    if problem is not None:
        with st.container(key="file-refused"):
            obtain.explain(problem)
    obtain.untaken(MEGABYTES)


def _open(text: InspectText) -> None:
    """A file that holds a snapshot."""
    obtain.expect_file(MEGABYTES)
    uploaded = st.file_uploader(
        text.open_file.format(megabytes=MEGABYTES),
        type="npz",
        max_upload_size=MEGABYTES,
        help=text.open_help.format(megabytes=MEGABYTES),
        key=widgets.widget("saved"),
        on_change=state.heard,
    )
    if callbacks.take_saved(uploaded):
        visit.again()


def _examples() -> Sequence[str]:
    card = obtain.card_of()
    if card is not None:
        return card.examples
    first = obtain.source_of()
    return (first,) if first else ()
