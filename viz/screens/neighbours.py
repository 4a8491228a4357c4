"""Neighbours: tokens that the model at work reads as nearly the same, and a map of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from core.errors import HeadlightError
from core.model import ModelCard
from core.outputs import Embedding
from core.registry import SKIPGRAM
from core.studies.neighbours import Neighbours, neighbours
from viz.export.neighbours import neighbours_exported
from viz.figures.neighbours import neighbour_bars, neighbour_map
from viz.figures.studies import HUES
from viz.jobs import services, visitor
from viz.screens import component, obtain
from viz.session import callbacks, fields, state, widgets
from viz.text.neighbours import TEXT, NeighboursText
from viz.text.numbers import whole_percent
from viz.text.plain import plain
from viz.text.tokens import visible

TOKEN: Final = "token"
COUNT: Final = 8
"""Neighbours of each token."""
MOST: Final = 64
"""Tokens of a text that are shown."""
_CONFIG: Final = {"modeBarButtons": [["toImage"]]}


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text = TEXT[ui.language]
    fields.own(TOKEN)  # whatever stands in the way of drawing
    source = obtain.source_of()
    with st.container(key="sentence"):
        obtain.sentence(text.sentence, text.placeholder, source)
    ready = obtain.ready(ui.model)
    if ready is None:
        return
    try:
        embedding = ready.model.embedding(source)
    except HeadlightError as error:
        obtain.explain(error)
        return
    _about(ready.model.card, embedding, text)
    first = replace(embedding, read=embedding.read[:MOST])
    found = obtain.made(text.looking, lambda: neighbours(first, COUNT))
    if len(embedding.read) > MOST:
        st.caption(plain(text.first.format(count=MOST)))
    if found.near:
        _draw(found, embedding, text)
    else:
        st.info(plain(text.none))


def _about(card: ModelCard, embedding: Embedding, text: NeighboursText) -> None:
    """What the vectors are, and whose would show more."""
    said = [text.intro.format(width=embedding.vectors.shape[1], model=card.model_id)]
    if card.family == SKIPGRAM:
        said.append(text.skipgram)
    else:
        entries = services.entries(visitor.current()).values()
        better = next((one.model_id for one in entries if one.family == SKIPGRAM), None)
        said += [] if better is None else [text.other.format(model=better)]
    st.caption(plain(" ".join(said)))


def _draw(found: Neighbours, embedding: Embedding, text: NeighboursText) -> None:
    count = len(found.near)
    place = fields.place(TOKEN, count, 1)
    names = {id: visible(called) for id, called in found.called(embedding.tokens).items()}
    places = tuple(str(at) for at in range(1, count + 1))
    written = dict(zip(places, (names[one.token.id] for one in found.near), strict=True))
    _choice(str(place), places, written, text)
    chosen = found.near[place - 1]
    mode = component.mode()
    map_, bars = st.columns([3, 2], gap="large")
    with map_:
        figure = neighbour_map(found.near, place - 1, names, found.places, mode=mode)
        component.chart(figure, "neighbours-map", text.map_alt, _CONFIG)
    with bars:
        name, others = names[chosen.token.id], [names[id] for id in chosen.ids]
        st.markdown(f"##### {plain(text.bars.format(token=name))}")
        hue = HUES[(place - 1) % len(HUES)]
        figure = neighbour_bars(others, chosen.cosines, hue=hue, x_title=text.cosine, mode=mode)
        alt = text.bars_alt.format(token=name, neighbours=", ".join(others))
        component.chart(figure, "neighbours-bars", alt, _CONFIG)
    share = whole_percent(found.kept)
    with st.container(horizontal=True, vertical_alignment="center", key="neighbours-kept"):
        st.caption(plain(text.kept.format(count=len(found.places), share=share)))
        st.download_button(
            text.csv,
            lambda: neighbours_exported(found, names, embedding.read),
            "headlight-neighbours.csv",
            "text/csv",
            on_click="ignore",
            key="neighbours-csv",
            width="content",
        )


def _choice(
    place: str, places: tuple[str, ...], names: Mapping[str, str], text: NeighboursText
) -> None:
    st.segmented_control(
        text.token,
        places,
        default=place,
        format_func=lambda one: plain(names[one]),
        required=True,
        key=widgets.seed(TOKEN, place),
        on_change=callbacks.take_own,
        args=(TOKEN,),
        label_visibility="collapsed",
    )
