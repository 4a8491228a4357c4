"""The pairs that a person brings to the Train page: typed, or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.training import ready
from viz.jobs.files import FILES
from viz.screens import obtain
from viz.session import callbacks, state, visit, widgets
from viz.text.plain import plain
from viz.text.train import TrainText

MOST_CHARACTERS: Final = 200_000
MOST_MEGABYTES: Final = 10
_TYPES: Final = ("tsv", "txt", "csv", "jsonl", "ndjson")
_FILE: Final = "train_file"
"""What is kept of a visit's file: what it is called, its name among `FILES`, and its id."""
_NONE: Final = ("", "", "")


def brought(text: TrainText) -> tuple[bytes, str, str]:
    """What was pasted or chosen, the ending of its name, and the name of a file, if it is one."""
    typed = st.text_area(
        text.pairs_label,
        placeholder=text.pairs_placeholder,
        max_chars=MOST_CHARACTERS,
        height=140,
        **bound("pairs", ""),
    )
    obtain.expect_file(MOST_MEGABYTES)
    uploaded = st.file_uploader(
        text.upload.format(megabytes=MOST_MEGABYTES),
        _TYPES,
        max_upload_size=MOST_MEGABYTES,
        help=text.upload_help.format(megabytes=MOST_MEGABYTES),
        key=widgets.widget("train_upload"),
        on_change=_let_file_go,
    )
    obtain.untaken(MOST_MEGABYTES)
    if uploaded is not None:  # by what stands there: an event may be lost
        _keep(uploaded)
    name, kept, _ = visit.kept(_FILE, _NONE)
    if not name:
        return ready.tab_separated(typed or "").encode("utf-8", "replace"), ".tsv", ""
    content = FILES.get(kept)
    if content is None:
        st.warning(plain(text.file_gone.format(name=name, megabytes=MOST_MEGABYTES)))
        return b"", ".tsv", ""
    st.caption(plain(text.uploaded.format(name=name)))
    suffix = PurePath(name).suffix.lower()
    suffix = suffix if suffix[1:] in _TYPES else ".tsv"
    content = content if "json" in suffix else ready.in_columns(content, suffix)
    return content, suffix, f"{PurePath(name).stem}{suffix}"


def _keep(uploaded: UploadedFile) -> None:
    """Keeps a file that came, unless it is larger than any page here takes for this."""
    if visit.kept(_FILE, _NONE)[2] != uploaded.file_id:
        fits = uploaded.size <= MOST_MEGABYTES * 1024 * 1024
        kept = FILES.put(uploaded.getvalue()) if fits else ""
        visit.keep(_FILE, (uploaded.name[:80], kept, uploaded.file_id))
    callbacks.empty(uploaded)


def _let_file_go() -> None:
    # The widget forgets its file when the page changes; the session only when it is taken away.
    state.heard()
    if widgets.drawn("train_upload") is None:
        visit.keep(_FILE, _NONE)


# What was chosen lives in the session: widgets forget it when the page changes


def bound(
    name: str, otherwise: Any, default: str = "value", options: Sequence[str] = ()
) -> dict[str, Any]:
    """Value, key and callback of a widget that has what was chosen, and hands back what is done.

    Args:
        default: what Streamlit calls the value that this widget starts with.
        options: of a widget that starts with the place of its value.
    """
    key = f"train_{name}"
    # A select box is known by the words of its choices: in another language it is another one.
    drawn = f"{key}.{state.current().language}" if options else key
    value = visit.kept(key, otherwise)
    start = list(options).index(value) if value in options else 0 if options else value
    return {
        default: start,
        "key": widgets.seed(drawn, value),
        "on_change": _take,
        "args": (key, drawn),
    }


def _take(key: str, drawn: str) -> None:
    value = widgets.drawn(drawn)
    if value is not None:
        visit.keep(key, value)
