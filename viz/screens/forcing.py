"""What was asked of the decoder on Step, on pages that have no fields for it."""

from __future__ import annotations

import streamlit as st

from core.model import TraceRequest
from viz.session import callbacks, page, state
from viz.text.plain import plain
from viz.text.sentence import cut
from viz.text.step import TEXT


def note(shown: TraceRequest) -> None:
    """Says which of the target and the lifted mask, where there are such, is shown here."""
    ui = state.current()
    text = TEXT[ui.language]
    if shown.target is not None or shown.lifts_mask:
        said = [] if shown.target is None else [text.here.format(target=cut(shown.target))]
        said += [text.lifted] if shown.lifts_mask else []
        st.caption(plain(" · ".join(said)), width="content")
        st.button(text.free_again, type="tertiary", on_click=callbacks.run_freely)
        return
    target = ui.target is not None and not ui.prefix  # it waits while there is a branch
    if not target and not ui.lift_mask:
        return
    both = text.both_elsewhere if ui.lift_mask else text.target_elsewhere
    st.caption(plain(both if target else text.mask_elsewhere), width="content")
    st.button(text.show, type="tertiary", on_click=page.go, args=("step",))
