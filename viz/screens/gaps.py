"""Gaps: what language models would write in the place of a token, each from what it may look at."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.errors import HeadlightError
from core.families.hub.folder import FAMILY as HUB
from core.registry import ModelEntry
from viz.inspector.gaps import Filled
from viz.jobs import services, visitor
from viz.screens import component, obtain
from viz.session import fields, state
from viz.text.errors import worded
from viz.text.gaps import TEXT, GapsText
from viz.text.inspect import TEXT as INSPECT
from viz.text.plain import plain

GAP: Final = "gap"
_MOST: Final = 6  # models beside each other
_ORDER: Final = ("before", "after", "both")


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text = TEXT[ui.language]
    entries = _fillers()
    fields.own(GAP)  # whatever stands in the way of drawing
    if not entries:
        st.info(plain(text.none))
        return
    source = _source(entries)
    with st.container(key="sentence"):
        obtain.sentence(text.sentence, text.placeholder, source)
    models = _filled(entries[:_MOST], source)
    if models:
        _draw(models, text)


def _fillers() -> list[ModelEntry]:
    """The Hugging Face model that is at work, where it fills gaps; else all of ours that do."""
    entries = services.entries(visitor.current())
    own = entries.get(state.current().model)
    if own is not None and own.fills and own.family == HUB:
        return [own]
    return [one for one in entries.values() if one.fills and one.family != HUB]


def _source(entries: list[ModelEntry]) -> str:
    """What was typed, else the first example of the first model."""
    typed = state.current().source
    if typed is not None:
        return typed
    return next((example for entry in entries for example in entry.examples), "")


def _filled(entries: list[ModelEntry], source: str) -> list[Filled]:
    """Of each model that can read it; none after drawing what stands in the way of all."""
    found: list[Filled] = []
    refused: dict[str, HeadlightError] = {}
    for entry in entries:
        try:
            filled = _by(entry.model_id, source)
        except HeadlightError as error:
            refused[entry.model_id] = error
            continue
        if filled is None:
            return []
        found.append(filled)
    if {error.code for error in refused.values()} == {"text_empty"}:
        obtain.explain(next(iter(refused.values())))
    elif refused:  # by those alone, which read shorter texts, or by all
        language = state.current().language
        told = [f"{model_id}: {worded(error, language)}" for model_id, error in refused.items()]
        said = plain(" ".join(told))
        st.caption(said) if found else st.warning(said)
    return sorted(found, key=lambda filled: _ORDER.index(filled.context))


def _by(model_id: str, source: str) -> Filled | None:
    """By one model; None after drawing what stands in its way."""
    kept = services.kept_gaps(model_id, source)
    if kept is not None:
        return kept
    ready = obtain.ready(model_id)
    if ready is None:
        return None
    return obtain.made(
        INSPECT[state.current().language].looking, lambda: services.gaps(ready, source)
    )


def _draw(models: list[Filled], text: GapsText) -> None:
    tokens = models[0].tokens
    same = [filled for filled in models if filled.tokens == tokens]
    others = [filled.model_id for filled in models if filled.tokens != tokens]
    count = len(tokens) - 2
    place = fields.place(GAP, count, (count + 1) // 2)
    fields.live({GAP: str(place)})
    component.gaps(same, {GAP: str(place)})
    if others:
        st.caption(plain(text.others.format(models=", ".join(others))))
