"""A branch: which token was chosen instead of the model's own, and the way back."""

from __future__ import annotations

import streamlit as st

from core.model import TraceRequest
from core.trace import Token, overruled_in
from viz.inspector.pack import special_tokens
from viz.inspector.payload import Comparison
from viz.jobs.snapshots import Snapshot
from viz.screens import obtain
from viz.session import callbacks, state
from viz.text.branch import TEXT
from viz.text.browser import inspector_words
from viz.text.plain import plain
from viz.text.step import TEXT as STEP
from viz.text.tokens import named


def note(found: Snapshot, waiting: str) -> None:
    """One line above a branched snapshot; nothing above any other."""
    prefix = found.request.prefix
    if not prefix:
        return
    if found.request.lifts_mask:  # with its mask it chose what it would have written
        causal = obtain.snapshot(found.request.with_mask(), waiting)
        if causal is None:
            return
        found = causal
    ui = state.current()
    text = TEXT[ui.language]
    liked = {} if found.request.sampling is not None else departures(found)
    places = list(liked)
    with st.container(horizontal=True, vertical_alignment="center", key="branch"):
        st.markdown(plain(_sentence(found, liked)), width="content")
        earlier = prefix[: places[-2] + 1] if len(places) > 1 and ui.target is None else ()
        if earlier:
            _way(text.back, earlier)
        _way(text.start if earlier else text.back, ())


def departures(found: Snapshot) -> dict[int, int]:
    """Steps, from 0, where the prefix is not what the model would write, and what that is.

    Of what it wrote: a text that it goes on from is nobody's choice.
    """
    logits, prefix = found.trace.logits, found.request.prefix
    if logits is None:
        return {}
    given, own = found.trace.given, logits[: len(prefix)].argmax(axis=1)
    for step, token in overruled_in(found.trace.meta).items():
        own[step : step + 1] = token
    return {at: int(own[at]) for at in range(given, len(prefix)) if own[at] != prefix[at]}


def beside(request: TraceRequest, waiting: str) -> Comparison | None:
    """The snapshot that a branch was chosen from: the forced target, or the free translation."""
    ui = state.current()
    sampling = None if ui.target is not None else request.sampling
    asked = TraceRequest(request.source, ui.target, sampling=sampling, message=request.message)
    origin = obtain.snapshot(asked, waiting)
    if origin is None:
        return None
    words = STEP[ui.language]
    label = words.free if ui.target is None else words.forced
    return Comparison(origin.packed, "free", label, TEXT[ui.language].label)


def _sentence(found: Snapshot, liked: dict[int, int]) -> str:
    text = TEXT[state.current().language]
    count = len(found.request.prefix) - found.trace.given
    if found.request.sampling is not None:
        last = _called(found.trace.written[len(found.request.prefix) - 1])
        return text.given_sampled.format(count=count, token=last)
    if not liked or found.trace.vocabulary is None:
        return text.given.format(count=count)
    at = max(liked)
    token, own = _called(found.trace.written[at]), _called(_candidate(found, at, liked[at]))
    return text.branched.format(step=at + 1, token=token, own=own)


def _called(token: Token) -> str:
    """A token as the maps below call it."""
    name = named(token, inspector_words(state.current().language))
    return f"[{name}]" if token.special else name


def _candidate(found: Snapshot, step: int, row: int) -> Token:
    """What a row of the vocabulary stands for, among those that a step lists or not."""
    listed, names = found.packed.meta["next"][step], found.trace.vocabulary or ()
    pieces = dict(zip(listed["ids"], listed["specials"], strict=True))
    known = special_tokens(found.trace)
    if pieces.get(row) is not None:
        return Token(pieces[row], names[row], row)
    return known.get(row) or Token("", names[row], row, 0)


def _way(label: str, prefix: tuple[int, ...]) -> None:
    st.button(
        label,
        key=f"branch-to-{len(prefix)}",
        type="tertiary",
        on_click=callbacks.choose_branch,
        args=(prefix,),
    )
