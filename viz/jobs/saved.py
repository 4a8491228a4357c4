"""Saved snapshots: trace files that are shown without the model that made them."""

from __future__ import annotations

import io
import threading
from typing import Final

from core.errors import HeadlightError
from core.model import TraceRequest
from core.trace import read_trace
from viz.inspector.pack import pack
from viz.inspector.states import described
from viz.jobs.snapshots import SNAPSHOTS, Snapshot, SnapshotStore, saved_id
from viz.text.refusals import because
from viz.text.sentence import sentence_of

MEGABYTES: Final = 256
"""What a file may hold, packed or unpacked: as much as the store keeps."""

LIMIT: Final = MEGABYTES * 1024 * 1024

_READING: Final = threading.Lock()  # each may take `LIMIT`: one at a time


def open_saved(
    body: bytes, name: str, store: SnapshotStore = SNAPSHOTS, holder: str = ""
) -> Snapshot:
    """A trace file as a snapshot; the same file is the same snapshot.

    Args:
        body: of a file that may come from anywhere.
        name: what it is called, for the error.
        holder: the visitor who brings it, among whose files it counts (`SnapshotStore`).

    Raises:
        HeadlightError: trace_invalid with what is wrong.
    """
    snapshot_id = saved_id(body)
    with _READING:
        return store.get(snapshot_id) or _read(body, name, holder, snapshot_id, store)


def _read(body: bytes, name: str, holder: str, snapshot_id: str, store: SnapshotStore) -> Snapshot:
    trace = read_trace(io.BytesIO(body), name, limit=LIMIT)
    if not trace.sites and not described(trace):
        raise HeadlightError("trace_invalid", path=name, reason=because("kinds_none"))
    snapshot = Snapshot(
        id=snapshot_id,
        request=TraceRequest(sentence_of(trace)),
        trace=trace,
        packed=pack(trace, trace_id=snapshot_id),
        stored=True,
    )
    store.put(snapshot, holder)
    return snapshot
