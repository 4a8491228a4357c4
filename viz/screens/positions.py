"""Positions: the sinusoidal table, its waves, and three promises checked on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import streamlit as st

from core.nn.positions import sinusoidal_table
from viz.screens import component, positions_rotation
from viz.screens import positions_pictures as pictures
from viz.screens.positions_pictures import Page
from viz.screens.positions_state import (
    HEADS,
    MAX_DIMENSIONS,
    MAX_LENGTH,
    MAX_WIDTH,
    MIN_WIDTH,
    NAMES,
    PICTURES,
    PRESETS,
    Picture,
    PositionsState,
    fitted,
    parse,
    spell,
)
from viz.session import fields, state, visit, widgets
from viz.text import positions, positions_captions
from viz.text.positions import PositionsText
from viz.text.rows import by_name

_EVEN: Final = "positions-even"  # the width that was used for an odd one, until it is said

# Streamlit writes chips in white on the primary colour, which is light on a dark page.
_CHIPS: Final = """<style>
[data-testid="stMultiSelect"] [data-tag] {
  background: color-mix(in oklab, currentColor 14%, transparent); color: inherit;
}
</style>"""


def _schemes(page: Page) -> None:
    from viz.screens import positions_schemes  # here: it brings torch

    positions_schemes.draw(page)


DRAW: Final[dict[Picture, Callable[[Page], None]]] = {
    "heatmap": pictures.heatmap,
    "waves": pictures.waves,
    "dots": pictures.dots,
    "rotation": positions_rotation.draw,
    "norm": pictures.norm,
    "schemes": _schemes,
}


def render() -> None:
    """Draws the page; its own choices are its fields."""
    ui = state.current()
    fields.apart("position", "positions")
    chosen, refused = parse(fields.own(*NAMES))
    fields.refuse(refused)
    words = positions.TEXT[ui.language]
    page = Page(
        chosen,
        sinusoidal_table(chosen.length, chosen.width),
        words,
        positions_captions.TEXT[ui.language],
        component.mode(),
    )
    st.subheader(words.title, anchor=False)
    even = visit.kept(_EVEN, None)
    if even is not None:
        st.toast(words.width_even.format(width=even))
        visit.keep(_EVEN, None)
    st.caption(words.intro)
    _controls(chosen, words)
    DRAW[chosen.picture](page)


def _controls(chosen: PositionsState, words: PositionsText) -> None:
    st.segmented_control(
        words.picture,
        PICTURES,
        format_func=by_name(words).__getitem__,
        required=True,
        default=chosen.picture,
        key=_key("picture", chosen.picture),
        on_change=_take,
        args=("picture",),
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _number("length", chosen.length, 1, MAX_LENGTH, words.length, words.length_help)
        _number("width", chosen.width, MIN_WIDTH, MAX_WIDTH, words.width, words.width_help, step=2)
        for width in PRESETS:
            st.button(
                words.preset.format(width=width),
                key=f"positions_preset_{width}",
                on_click=_change,
                kwargs={"width": width},
                disabled=chosen.width == width,
            )
        last = chosen.length - 1
        _number("position", chosen.position, 0, last, words.position, words.position_help)
        if chosen.picture in ("dots", "rotation"):
            reach = MAX_LENGTH - 1
            _number("offset", chosen.offset, -reach, reach, words.offset, words.offset_help)
        if chosen.picture == "schemes":
            _number("slope", chosen.slope, 1, HEADS, words.slope, words.slope_help)
        if chosen.picture in ("waves", "rotation"):
            _dimensions(chosen, words)


def _dimensions(chosen: PositionsState, words: PositionsText) -> None:
    st.html(_CHIPS)
    st.multiselect(
        words.dimensions,
        range(chosen.width),
        list(chosen.shown_dimensions),
        max_selections=MAX_DIMENSIONS,
        key=_key("dimensions", list(chosen.shown_dimensions)),
        on_change=_take,
        args=("dimensions",),
        help=words.dimensions_help,
        width=360,
    )


def _number(
    name: str, value: int, low: int, high: int, label: str, explanation: str, step: int = 1
) -> None:
    st.number_input(
        label,
        min_value=low,
        max_value=high,
        value=value,
        step=step,
        key=_key(name, value),
        on_change=_take,
        args=(name,),
        help=explanation,
        width=170,
        disabled=low == high,
    )


def _key(name: str, value: object) -> str:
    return widgets.seed(f"positions_{name}", value)


def _take(name: str) -> None:
    """`on_change` of the widget of one field."""
    value = widgets.drawn(f"positions_{name}")
    if value is not None:
        _change(**{name: tuple(value) if isinstance(value, list) else value})


def _change(**changes: int | tuple[int, ...] | Picture) -> None:
    chosen, _ = parse(fields.own(*NAMES))
    wanted = replace(chosen, **changes)  # type: ignore[arg-type]
    usable = fitted(wanted)
    visit.keep(_EVEN, usable.width if usable.width != wanted.width else None)
    fields.change(spell(usable))
