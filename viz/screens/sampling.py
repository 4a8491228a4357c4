"""How the tokens are chosen that a model writes: greedily, or by chance with a seed."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.model import MOST_SEED, MOST_TEMPERATURE, TraceRequest
from viz.screens import obtain
from viz.session import callbacks, state, widgets
from viz.session.callbacks import SAMPLED
from viz.text.plain import plain
from viz.text.sampling import TEXT

WAYS: Final = ("greedy", SAMPLED)
_LEAST_SHARE: Final = 0.01


def switch() -> None:
    """Greedy or sampled, in a menu, and another draw beside it; nothing where chance has no say."""
    ui, card = state.current(), obtain.card_of()
    if card is None or not card.capabilities.sampling:
        return
    text, sampling = TEXT[ui.language], ui.sampling
    label = text.greedy if sampling is None else text.drawn.format(seed=sampling.seed)
    way = WAYS[0] if sampling is None else SAMPLED
    if sampling is not None:
        st.button(
            text.another,
            key="another-draw",
            type="tertiary",
            shortcut="n",
            on_click=callbacks.draw_another,
        )
    with st.popover(label, type="tertiary", key=widgets.menu(SAMPLED)):
        st.segmented_control(
            text.how,
            WAYS,
            default=way,
            key=widgets.seed(SAMPLED, way),
            format_func=lambda name: text.greedy if name == WAYS[0] else text.sampled,
            on_change=callbacks.take_sampled,
        )
        st.caption(plain(text.note))
        if sampling is not None:
            _numbers()


def _numbers() -> None:
    """The seed, the temperature and top-p."""
    ui = state.current()
    text = TEXT[ui.language]
    assert ui.seed is not None
    heat, share = (ui.temperature, 0.0, MOST_TEMPERATURE, 0.1), (ui.top_p, _LEAST_SHARE, 1.0, 0.05)
    rows = (
        ("seed", text.seed, (ui.seed, 0, MOST_SEED, 1), None, None),
        ("sample_temperature", text.temperature, heat, "%.2f", text.temperature_help),
        ("sample_top_p", text.top_p, share, "%.2f", text.top_p_help),
    )
    for column, (name, label, (value, least, most, by), form, explained) in zip(
        st.columns(3), rows, strict=True
    ):
        column.number_input(
            label,
            least,
            most,
            value,
            by,
            format=form,
            key=widgets.seed(name, value),
            help=explained,
            on_change=callbacks.take_number,
            args=(name,),
        )


def note(shown: TraceRequest) -> None:
    """Says on a page without that switch that chance chose, and leads back; else nothing."""
    if shown.sampling is None:
        return
    text = TEXT[state.current().language]
    st.caption(plain(text.drawn.format(seed=shown.sampling.seed)), width="content")
    st.button(text.back, key="greedy-again", type="tertiary", on_click=callbacks.choose_greedily)
