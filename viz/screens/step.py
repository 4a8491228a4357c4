"""Step: walk through the decoder, force a target on it, lift its mask."""

from __future__ import annotations

import streamlit as st

from core.model import TraceRequest
from core.studies.leak import Leak, leak
from viz.inspector.payload import Comparison
from viz.jobs.snapshots import Snapshot
from viz.screens import beam, branch, message, obtain, sampling
from viz.screens.inspect import looked, pictures, saved_snapshot, sentence
from viz.session import callbacks, state, widgets
from viz.text import inspect as inspect_text
from viz.text.numbers import fixed, percent, points
from viz.text.plain import plain
from viz.text.sampling import TEXT as SAMPLING
from viz.text.step import TEXT, StepText


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text = TEXT[ui.language]
    words = inspect_text.TEXT[ui.language]
    kept = saved_snapshot(words)
    if kept is not None:
        pictures(kept, "step", branches=False)
        return
    source = obtain.source_of()
    sentence(source, words)
    with st.container(horizontal=True, vertical_alignment="center", key="stepping"):
        written = st.container(key="written")
        _controls(text)
        request = obtain.request_of(source, forced=True)
        message.switch()
        if request.target is None:
            sampling.switch()
        beam.switch()
    with written:
        found = looked(request, words, controls=True)
    if found is not None:
        branch.note(found, words.looking)
        pictures(found, "step", _beside(request, found, words.looking))
        beam.render(found)


def _beside(request: TraceRequest, found: Snapshot, waiting: str) -> Comparison | None:
    """The snapshot to compare with: the same with its mask, or the free and greedy translation."""
    text = TEXT[state.current().language]
    if request.lifts_mask:
        masked = obtain.snapshot(request.with_mask(), waiting)
        if masked is None:
            return None
        _leak(masked, found, text)
        return Comparison(masked.packed, "causal", text.causal, text.lifted)
    if request.prefix:
        return branch.beside(request, waiting)
    if request.target is None and request.sampling is None:
        return None
    free = obtain.snapshot(TraceRequest(request.source, message=request.message), waiting)
    if free is None:
        return None
    if request.target is not None:
        return Comparison(free.packed, "free", text.free, text.forced)
    words = SAMPLING[state.current().language]
    return Comparison(free.packed, "free", words.greedy, words.sampled)


def _controls(text: StepText) -> None:
    """The fields for a target and for the mask, or why the model has none."""
    ui, card = state.current(), obtain.card_of()
    if card is not None and not card.capabilities.forcing:
        st.caption(plain(text.no_target), width="content")
        return
    st.text_input(
        text.target,
        ui.target or "",
        key=widgets.seed("target", ui.target or ""),
        placeholder=text.target_placeholder,
        help=text.target_help,
        on_change=callbacks.take_target,
        label_visibility="collapsed",
    )
    if card is not None and not card.lifts_mask:
        masked = "decoder_self" in card.kinds
        st.caption(plain(text.mask_fixed if masked else text.no_mask), width="content")
        return
    st.toggle(
        text.lift,
        ui.lift_mask,
        key=widgets.seed("mask", ui.lift_mask),
        help=text.lift_help,
        on_change=callbacks.take_mask,
    )


def _leak(masked: Snapshot, lifted: Snapshot, text: StepText) -> None:
    try:
        measured = leak(masked.trace, lifted.trace)
    except ValueError:
        st.caption(plain(text.leak_none))
        return
    with st.container(horizontal=True, vertical_alignment="center", key="leak"):
        st.markdown(_sentence(measured, text))
        with st.popover(text.leak_table, type="tertiary"):
            st.table(_rows(measured, text), hide_index=True)
    if measured.change.mean() <= 0:
        st.caption(text.leak_why)


def _sentence(measured: Leak, text: StepText) -> str:
    means = measured.probability_masked.mean(), measured.probability_lifted.mean()
    masked, lifted = map(float, means)
    return text.leak.format(
        steps=len(measured.written),
        masked=percent(masked),
        lifted=percent(lifted),
        change=_points(masked, lifted, text),
        log_masked=fixed(measured.log_probability_masked, 2),
        log_lifted=fixed(measured.log_probability_lifted, 2),
        future=percent(float(measured.future.mean())),
    )


def _rows(measured: Leak, text: StepText) -> dict[str, list[str]]:
    first = measured.given + 1
    both = measured.probability_masked.tolist(), measured.probability_lifted.tolist()
    return {
        text.column_step: [str(first + step) for step in range(len(measured.written))],
        text.column_token: [plain(token.text) for token in measured.written],
        text.column_masked: list(map(percent, both[0])),
        text.column_lifted: list(map(percent, both[1])),
        text.column_change: [_points(*p, text) for p in zip(*both, strict=True)],
        text.column_future: [percent(float(share)) for share in measured.future],
    }


def _points(before: float, after: float, text: StepText) -> str:
    change = points(before, after)
    shown = fixed(change, 1)  # what shows as nothing has no sign
    return text.points.format(change=f"+{shown}" if change > 0 and shown != "0.0" else shown)
