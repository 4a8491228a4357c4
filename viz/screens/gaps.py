"""Gaps: what language models would write in the place of a token, each from what it may look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core.errors import HeadlightError
from core.families.hub.folder import FAMILY as HUB
from core.registry import ModelEntry
from viz.inspector.gaps import Filled
from viz.jobs import services, visitor
from viz.screens import component, direction, obtain
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
    languages = {entry.source_language for entry in entries[:_MOST]}
    names = direction.names(source, languages.pop()) if len(languages) == 1 else None
    if names is not None:
        st.caption(plain(text.other_language.format(**names)))
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
        said = plain(_refusal(refused, alone=not found))
        st.caption(said) if found else st.warning(said)
    return sorted(found, key=lambda filled: _ORDER.index(filled.context))


def _refusal(refused: Mapping[str, HeadlightError], *, alone: bool) -> str:
    """What stands in the way, once for all models of which it is the same, in their order here.

    Args:
        alone: no other model reads the text; who those are goes without saying if they agree.
    """
    language = state.current().language
    text = TEXT[language]
    alike: dict[str, list[str]] = {}
    for model_id in sorted(refused, key=_rank):
        alike.setdefault(worded(refused[model_id], language), []).append(model_id)
    told = []
    for said, models in alike.items():
        error = refused[models[0]]
        if len(models) > 1 and error.code == "source_too_long":
            said = text.too_long.format(**error.parameters)  # "this model" is one of several
        named = len(alike) > 1 or not alone
        told.append(f"{', '.join(models)}: {said}" if named else said)
    return " ".join(told)


def _rank(model_id: str) -> int:
    """Its place among pictures, by what it looks at; last where it was never open to say."""
    card = services.card(model_id)
    context = None if card is None else card.capabilities.gaps
    return len(_ORDER) if context is None else _ORDER.index(context)


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
