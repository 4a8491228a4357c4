"""Saved looks: trace files that are shown without the model that made them."""

from __future__ import annotations

import io
import threading
from typing import Final

from core.errors import HeadlightError
from core.model import TraceRequest
from core.trace import read_trace
from viz.inspector.pack import pack
from viz.jobs.store import LOOKS, Look, LookStore, saved_id, translation_of
from viz.text.refusals import because
from viz.text.sentence import sentence_of

MEGABYTES: Final = 256
"""What a file may hold, packed or unpacked: as much as the store keeps."""

LIMIT: Final = MEGABYTES * 1024 * 1024

_READING: Final = threading.Lock()  # each may take `LIMIT`: one at a time


def open_saved(body: bytes, name: str, store: LookStore = LOOKS, holder: str = "") -> Look:
    """A trace file as a look; the same file is the same look.

    Args:
        body: of a file that may come from anywhere.
        name: what it is called, for the error.
        holder: the visitor who brings it, among whose files it counts (`LookStore`).

    Raises:
        HeadlightError: trace_invalid with what is wrong.
    """
    look_id = saved_id(body)
    with _READING:
        return store.get(look_id) or _read(body, name, holder, look_id, store)


def _read(body: bytes, name: str, holder: str, look_id: str, store: LookStore) -> Look:
    trace = read_trace(io.BytesIO(body), name, limit=LIMIT)
    if not trace.sites:
        raise HeadlightError("trace_invalid", path=name, reason=because("kinds_none"))
    look = Look(
        id=look_id,
        request=TraceRequest(sentence_of(trace)),
        trace=trace,
        packed=pack(trace, trace_id=look_id),
        translation=translation_of(trace),
        stored=True,
    )
    store.put(look, holder)
    return look
