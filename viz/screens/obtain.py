"""How a page gets its snapshot: from the folder, from the model, or a sentence why not yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import HeadlightError
from core.model import ModelCard, TraceRequest
from core.probe import LIFTED_MASK
from viz.jobs import first_snapshot, services
from viz.jobs.models import Failed, Loading, Ready
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.jobs.uploads import UPLOADS
from viz.session import callbacks, state, visit, widgets
from viz.text.errors import worded
from viz.text.frame import TEXT
from viz.text.plain import plain

_T = TypeVar("_T")


def source_of() -> str:
    """The sentence to look at: what was typed, else the model's first example."""
    ui = state.current()
    if ui.source is not None:
        return ui.source
    card = card_of()
    if card is not None:
        return card.examples[0] if card.examples else ""
    stored = services.first_snapshot(ui.model) if ui.model else None
    return "" if stored is None else stored.request.source


def sentence(label: str, placeholder: str, source: str) -> None:
    """The field for the sentence, which all pages share."""
    field(label, "source", source, placeholder, callbacks.take_source)


def field(label: str, name: str, value: str, hint: str, changed: Callable[[], None]) -> None:
    """A field for a text, whose label is only read out."""
    st.text_input(
        label,
        value,
        key=widgets.seed(name, value),
        placeholder=hint,
        on_change=changed,
        label_visibility="collapsed",
    )


def ready(model_id: str) -> Ready | None:
    """A model that is open; None after drawing what stands in its way."""
    text = TEXT[state.current().language]
    if not model_id:
        st.error(plain(text.no_model))
        return None
    standing = services.model(model_id)
    if isinstance(standing, Ready):
        return standing
    if isinstance(standing, Failed):
        reason = worded(standing.error, state.current().language)
        st.error(plain(text.failed.format(model=model_id, reason=reason)))
    else:
        first_snapshot.drawn()  # without a model there is nothing to see
        _wait(model_id, text.loading.format(model=model_id))
    return None


def card_of(model: str | None = None) -> ModelCard | None:
    """What a model, by default the one at work, says of itself, once it is open."""
    ready = services.opened(state.current().model if model is None else model)
    return None if ready is None else ready.model.card


def request_of(source: str, *, forced: bool) -> TraceRequest:
    """What a page looks at: a branch, where one was chosen, else what the state says.

    What the model cannot do is not asked of it, whatever an address says.

    Args:
        forced: the page has a target and a mask.
    """
    ui, card = state.current(), card_of()
    prefix = ui.prefix if card is None or card.capabilities.branching else ()
    forces = forced and (card is None or card.capabilities.forcing)
    lifts = forced and (card is None or card.lifts_mask)
    target = ui.target if forces and not prefix else None
    draws = target is None and (card is None or card.capabilities.sampling)
    return TraceRequest(
        source,
        target,
        (LIFTED_MASK,) if lifts and ui.lift_mask else (),
        prefix,
        sampling=ui.sampling if draws else None,
        message=ui.message and (card is None or card.capabilities.message),
    )


def snapshot(request: TraceRequest, waiting: str, model_id: str | None = None) -> Snapshot | None:
    """The snapshot, or None after drawing what stands in its way.

    Args:
        request: what to look at.
        waiting: said while the model runs.
        model_id: of another model than the one at work.
    """
    ui = state.current()
    name = ui.model if model_id is None else model_id
    if name and isinstance(services.model(name), Loading):
        stored = services.first_snapshot(name)
        if stored is not None and stored.request == request:
            _wait(name, TEXT[ui.language].loading_first)
            SNAPSHOTS.put(stored)
            return stored
    opened = ready(name)
    if opened is None:
        return None
    try:
        return made(waiting, lambda: services.snapshot(opened, request))
    except HeadlightError as error:
        explain(error)
        return None


def made(waiting: str, work: Callable[[], _T]) -> _T:
    """The result of what takes its time, which is said meanwhile (`visit.beside`)."""
    with st.spinner(waiting, show_time=True):
        return visit.beside(work)


def explain(error: HeadlightError) -> None:
    """One sentence that says what to do."""
    language = state.current().language
    if error.code == "text_empty":
        st.info(plain(worded(error, language)))
    else:
        st.warning(plain(worded(error, language)))


def expect_file(megabytes: int) -> None:
    """Has the server take a file of this size from this visit; call it beside the field for it.

    What a browser is told of a field's limit binds the browser alone.
    """
    context = get_script_run_ctx()
    if context is not None:
        UPLOADS.expect(context.session_id, megabytes * 1024 * 1024)


def untaken(megabytes: int) -> None:
    """Says that a file was not taken at all, as soon as it is marked in the field for files.

    A file that is too large never leaves the browser: no run hears of what Streamlit says there, in
    English alone. Our sentence stands by, and frame.css shows it in the place of that.
    """
    with st.container(key="file-untaken"):
        st.warning(plain(TEXT[state.current().language].untaken.format(megabytes=megabytes)))


def _wait(model_id: str, note: str) -> None:
    """Says that a model is being opened; the run then ends by waiting for it (`viz.main`)."""
    st.caption(plain(note), width="content")
    text = TEXT[state.current().language]

    def tell(slot: DeltaGenerator) -> bool:
        standing = services.model(model_id)
        if not isinstance(standing, Loading):
            return False
        seconds = text.loading_seconds.format(seconds=int(standing.seconds))
        slot.caption(f":material/hourglass_top: {plain(seconds)}", width="content")
        return True

    visit.end_with(tell)
