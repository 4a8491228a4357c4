"""Whether what a model wrote is a guess, which words are, and whether the end is missing."""

from __future__ import annotations

import math

import streamlit as st

from core.model import ModelCard, TraceRequest
from core.studies.certainty import certainty
from viz.jobs.snapshots import Snapshot
from viz.session import state
from viz.text.inspect import TEXT
from viz.text.numbers import whole_percent
from viz.text.plain import plain, with_words

_NAMED = 3  # words that a model hardly knows


def note(found: Snapshot, card: ModelCard | None) -> None:
    """Says it beside the output.

    Where it is known how sure a model is when it is right, that decides; rare words tell why.

    Args:
        found: what was written, and for which words.
        card: of the model that wrote it; None where it is not open.
    """
    text = TEXT[state.current().language]
    own = found.request == TraceRequest(found.request.source)
    usual = None if card is None else card.sure_of(found.words)
    sure = certainty(found.trace) if own and usual is not None else None
    guess = card is not None and card.guesses(sure, found.words)
    weighed = card is not None and card.frequency_weight > 0
    rare = found.strange or (found.unseen if weighed else ())
    named, more = rare[:_NAMED], "…" * (len(rare) > _NAMED)
    if guess and sure is not None and usual is not None:
        shares = {
            "share": whole_percent(math.exp(sure)),
            "usual": whole_percent(math.exp(usual)),
        }
        said = with_words(text.guess_words, named, more) if named else plain(text.guess)
        told = text.guess_help.format(**shares)
        counted = text.guess_rare if weighed else ""
        st.caption(said, width="content", help=f"{told} {counted}".strip())
    elif named and usual is None:
        template = text.strange if len(rare) == 1 else text.strange_many
        st.caption(with_words(template, named, more), width="content")
    if len(found.trace.written) > 1 and not found.translation.strip():  # more than its end
        st.caption(plain(text.unreadable), width="content")
    if found.trace.meta.get("finished") is False:
        st.caption(plain(text.cut_off), width="content")
