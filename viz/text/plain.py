"""Untrusted text inside Markdown that Streamlit draws."""

from __future__ import annotations

import re
from typing import Final

from viz.text.tokens import spelt

# Every ASCII punctuation mark may be escaped in Markdown; an escaped one starts no markup,
# no formula, no directive (:red[...]), no link and no emoji code.
_MARKS: Final = re.compile(r"([!-/:-@\[-`{-~])")
_BREAKS: Final = re.compile(r"\s+")


def plain(text: str) -> str:
    """Markdown that shows `text` on one line, just as it is spelled.

    What would not be seen, or would turn our own words round, is spelt out: ⟨U+202E⟩.
    """
    return _MARKS.sub(r"\\\1", spelt(_BREAKS.sub(" ", text)))
