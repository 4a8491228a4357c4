"""A sentence in the language that a model writes, not in the one that it reads."""

from __future__ import annotations

import re
from statistics import fmean
from typing import Final

import streamlit as st

from core.model import ModelCard
from core.registry import ModelEntry
from viz.jobs import services, visitor
from viz.session import callbacks, state
from viz.text.inspect import TEXT
from viz.text.plain import plain

_LETTERS: Final = {
    "ko": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"),
    "en": re.compile("[A-Za-z]"),
}
_OTHER: Final = {"ko": "en", "en": "ko"}
_NAMES: Final = 1
"""Words in Latin letters that a Korean sentence may consist of: a name, a brand."""


def note(source: str, card: ModelCard | None) -> None:
    """Says it beside the output, and offers a model that reads the sentence.

    Args:
        card: of the model at work; None where it is not open.
    """
    said = None if card is None else names(source, card.source_language)
    if card is None or said is None:
        return
    text = TEXT[state.current().language]
    st.caption(plain(text.other_language.format(**said)), width="content")
    other = _reading(_OTHER[card.source_language], card)
    if other is not None:
        st.button(
            plain(text.other_model.format(model=other.model_id)),
            type="tertiary",
            on_click=callbacks.show_model,
            args=(other.model_id, source),
        )


def names(source: str, language: str) -> dict[str, str] | None:
    """What the language that is read and that of a sentence are called; None where it may be one.

    Args:
        language: as `foreign` takes it.
    """
    if not foreign(source, language):
        return None
    called = TEXT[state.current().language].languages
    return {"read": called[language], "written": called[_OTHER[language]]}


def foreign(source: str, language: str) -> bool:
    """Whether a sentence has letters of the other of the two languages alone.

    Args:
        language: that is read, as a BCP 47 tag; of none but "ko" and "en" anything is said.
    """
    if language not in _LETTERS:
        return False
    own, other = _LETTERS[language], _LETTERS[_OTHER[language]]
    few = language == "ko" and len(source.split()) <= _NAMES
    return not few and own.search(source) is None and other.search(source) is not None


def _reading(language: str, card: ModelCard) -> ModelEntry | None:
    """A model that writes and reads a language: at best this one's other direction.

    Else one that writes what this one reads, and of those one whose examples are sentences.
    """
    read = card.source_language
    turned = card.model_id.replace(f"{read}-{language}", f"{language}-{read}")

    def fits(one: ModelEntry) -> tuple[bool, bool, float]:
        words = [len(example.split()) for example in one.examples]
        return one.model_id == turned, one.target_language == read, fmean(words or [0])

    entries = services.entries(visitor.current()).values()
    there = [one for one in entries if one.source_language == language and one.writes]
    return max(there, key=fits, default=None)
