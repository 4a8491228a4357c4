"""The snapshots that this server remembers: bounded by bytes, shared by pages and routes.

A snapshot is filed under an id that is a digest of what was asked of which weights on which
device (`snapshot_id`): nobody finds another person's text without knowing that text.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from typing import Final

from core.model import TraceRequest
from core.outputs import WordFamiliarity
from core.trace import AttentionTrace, Token
from viz.inspector.pack import Packed

CACHE_FORMAT: Final = 9
"""Of what browsers keep of one for a year: count up when its bytes or their meaning change."""

BUDGET: Final = 256 * 1024 * 1024
"""Bytes of arrays kept of snapshots that were computed here, over all visitors."""
BROUGHT_BUDGET: Final = 512 * 1024 * 1024
"""The same of those that visitors brought as files: two of the largest."""


_TOKEN: Final = 150
"""Bytes of a token beside its texts, measured."""


def snapshot_id(digest: str, device: str, request: TraceRequest) -> str:
    """Names a snapshot by its content: hex sha256 over all that its numbers depend on.

    Args:
        digest: of the weights.
        device: what computed it ("cpu", "cuda", "mps"); the last digits differ between them.
        request: what was asked, every field of it.
    """
    return _digest("trace", digest, device, asdict(request))


def search_id(digest: str, device: str, source: str, beam: int, *, message: bool = False) -> str:
    """Names a beam search in the same way."""
    return _digest("search", digest, device, source, beam, message)


def gaps_id(digest: str, device: str, source: str) -> str:
    """Names the gaps of a text as a model fills them in the same way."""
    return _digest("gaps", digest, device, source)


def saved_id(body: bytes) -> str:
    """Names the snapshot of a trace file by the file's bytes."""
    return _digest("saved look", hashlib.sha256(body).hexdigest())


def _digest(*asked: object) -> str:
    return hashlib.sha256(json.dumps([CACHE_FORMAT, *asked]).encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A trace with all that a page shows of it.

    Attributes:
        id: digest of model, device and request (`snapshot_id`).
        request: what was asked.
        trace: every head of every layer.
        packed: the same for the browser.
        words: of the source, and how often training showed them; () where that is not known.
        stored: it was read from the checkpoint's folder, not computed just now.
    """

    id: str
    request: TraceRequest
    trace: AttentionTrace
    packed: Packed
    words: tuple[WordFamiliarity, ...] = ()
    stored: bool = False

    @property
    def unseen(self) -> tuple[str, ...]:
        """Words of the sentence that training never showed, each once."""
        return tuple(dict.fromkeys(word.text for word in self.words if not word.seen))

    @property
    def strange(self) -> tuple[str, ...]:
        """Words of the source that training hardly showed."""
        return tuple(word.text for word in self.words if not word.known)

    @property
    def translation(self) -> str:
        """What the decoder wrote, as plain text; "" where the trace says nothing of it."""
        return str(self.trace.meta.get("target_text", ""))

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays, and about those of its texts, here and as a browser is told them."""
        trace = self.trace
        kept = sum(array.nbytes for array in trace.arrays())
        texts = sum(map(_weight, (*trace.source, *trace.target, *trace.written)))
        # The names of a model that computed it are that model's, and shared by all its snapshots.
        names = trace.vocabulary or () if self.stored else ()
        return kept + self.packed.nbytes + texts + sum(map(sys.getsizeof, names))


def _weight(token: Token) -> int:
    """Bytes of a token and of its row in `viz.inspector.pack.token_columns`, about."""
    return _TOKEN + 2 * (sys.getsizeof(token.piece) + sys.getsizeof(token.text))


class _Shelf:
    """Snapshots by their holders. Over the budget, who holds most gives first, the oldest first.

    So nobody loses a snapshot to another's who holds no more than an equal share of the budget, or
    of what the newest snapshot leaves of it.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._held: dict[str, OrderedDict[str, tuple[Snapshot, int]]] = {}
        self._weights: dict[str, int] = {}
        self._holders: dict[str, str] = {}  # by the snapshot's id

    @property
    def bytes(self) -> int:
        return sum(self._weights.values())

    def get(self, snapshot_id: str) -> Snapshot | None:
        holder = self._holders.get(snapshot_id)
        if holder is None:
            return None
        self._held[holder].move_to_end(snapshot_id)
        return self._held[holder][snapshot_id][0]

    def put(self, snapshot: Snapshot, size: int, holder: str) -> None:
        if snapshot.id in self._holders:
            self._drop(snapshot.id)
        self._holders[snapshot.id] = holder
        self._held.setdefault(holder, OrderedDict())[snapshot.id] = (snapshot, size)
        self._weights[holder] = self._weights.get(holder, 0) + size
        while self.bytes > self.budget and len(self._holders) > 1:
            self._drop(self._next_to_leave(snapshot.id))

    def _next_to_leave(self, newest: str) -> str:
        own = self._holders[newest]
        givers = [one for one in self._held if one != own or len(self._held[one]) > 1]
        most = max(givers, key=self._weights.__getitem__)
        return next(name for name in self._held[most] if name != newest)

    def _drop(self, snapshot_id: str) -> None:
        holder = self._holders.pop(snapshot_id)
        _, size = self._held[holder].pop(snapshot_id)
        self._weights[holder] -= size
        if not self._held[holder]:
            del self._held[holder], self._weights[holder]

    def __len__(self) -> int:
        return len(self._holders)


class SnapshotStore:
    """Snapshots by their ids, bounded by bytes. Safe to use from many threads.

    What was computed here is shared by all, and what was used last stays. Files that visitors
    brought have a shelf of their own, where each holds his own: one large file makes nobody
    compute anything again, and takes from those first who brought most.

    Args:
        budget: bytes that computed snapshots may take; the newest stays even where it is more.
        brought: the same of those that came as files.
    """

    def __init__(self, budget: int = BUDGET, brought: int = BROUGHT_BUDGET) -> None:
        self._computed, self._brought = _Shelf(budget), _Shelf(brought)
        self._lock = threading.Lock()

    def get(self, snapshot_id: str) -> Snapshot | None:
        """The snapshot of that id, None when it was never there or has left."""
        with self._lock:
            return self._computed.get(snapshot_id) or self._brought.get(snapshot_id)

    def put(self, snapshot: Snapshot, holder: str | None = None) -> None:
        """Files a snapshot, in place of an older one of the same id.

        Args:
            holder: who brought it as a file; None for one that was computed here.
        """
        size = snapshot.nbytes  # of a million names it takes long: no other visitor waits for that
        shelf = self._computed if holder is None else self._brought
        with self._lock:
            shelf.put(snapshot, size, holder or "")

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._computed = _Shelf(self._computed.budget)
            self._brought = _Shelf(self._brought.budget)

    @property
    def nbytes(self) -> int:
        """Bytes of arrays that are kept now."""
        with self._lock:
            return self._computed.bytes + self._brought.bytes

    def __len__(self) -> int:
        with self._lock:
            return len(self._computed) + len(self._brought)


SNAPSHOTS: Final = SnapshotStore()
"""The one store of this process: routes answer outside any page's run."""
