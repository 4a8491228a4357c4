"""The looks that this server remembers: bounded by bytes, shared by pages and routes.

A look is filed under an id that is a digest of what was asked of which weights on which
device (`look_id`): nobody finds another person's text without knowing that text.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.inspectable import TraceRequest
from core.trace import AttentionTrace, Token
from viz.inspector.pack import Packed

CACHE_FORMAT: Final = 3
"""Of what browsers keep of a look for a year: count up when its bytes or their meaning change."""

BUDGET: Final = 256 * 1024 * 1024
"""Bytes of arrays kept, over all visitors."""


_TOKEN: Final = 150
"""Bytes of a token beside its texts, measured."""


def look_id(digest: str, device: str, request: TraceRequest) -> str:
    """Names a look by its content: hex sha256 over all that its numbers depend on.

    Args:
        digest: of the weights.
        device: what computed it ("cpu", "cuda", "mps"); the last digits differ between them.
        request: what was asked.
    """
    forced = [request.target, request.lift_mask, request.prefix]
    return _digest(digest, device, request.source, *forced)


def search_id(digest: str, device: str, source: str, beam: int) -> str:
    """Names a beam search in the same way."""
    return _digest(digest, device, source, "beam", beam)


def saved_id(body: bytes) -> str:
    """Names the look of a trace file by the file's bytes."""
    return _digest("saved look", hashlib.sha256(body).hexdigest())


def _digest(*asked: object) -> str:
    return hashlib.sha256(json.dumps([CACHE_FORMAT, *asked]).encode()).hexdigest()


def translation_of(trace: AttentionTrace) -> str:
    """What the decoder wrote, as plain text; "" for a look that says nothing of it."""
    return str(trace.meta.get("target_text", ""))


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One look at a model, with all that a page shows of it.

    Attributes:
        id: digest of model, device and request (`look_id`).
        request: what was asked.
        trace: every head of every layer.
        packed: the same for the browser.
        translation: what the decoder wrote, as plain text.
        strange: words of the source that training hardly showed.
        stored: it was read from the checkpoint's folder, not computed just now.
    """

    id: str
    request: TraceRequest
    trace: AttentionTrace
    packed: Packed
    translation: str
    strange: tuple[str, ...] = ()
    stored: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays, and about those of its texts, here and as a browser is told them."""
        arrays: list[npt.NDArray[np.float32] | npt.NDArray[np.bool_] | None] = [self.trace.logits]
        for site in self.trace.sites.values():
            arrays += [site.weights, site.scores, site.allowed, site.queries, site.keys]
        kept = sum(array.nbytes for array in arrays if array is not None)
        trace = self.trace
        texts = sum(map(_weight, (*trace.source, *trace.target, *trace.written)))
        # The names of a model that computed it are that model's, and shared by all its looks.
        names = trace.vocabulary or () if self.stored else ()
        return kept + self.packed.nbytes + texts + sum(map(sys.getsizeof, names))


def _weight(token: Token) -> int:
    """Bytes of a token and of its row in `viz.inspector.pack.token_columns`, about."""
    return _TOKEN + 2 * (sys.getsizeof(token.piece) + sys.getsizeof(token.text))


class LookStore:
    """Least recently used looks leave first. Safe to use from many threads.

    Args:
        budget: bytes of arrays to keep; the newest look stays even where it alone is more.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._looks: OrderedDict[str, Look] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, look_id: str) -> Look | None:
        """The look of that id, None when it was never there or has left."""
        with self._lock:
            look = self._looks.get(look_id)
            if look is not None:
                self._looks.move_to_end(look_id)
            return look

    def put(self, look: Look) -> None:
        """Files a look, in place of an older one of the same id."""
        size = look.nbytes  # of a million names it takes long: no other visitor waits for that
        with self._lock:
            self._bytes += size - self._sizes.get(look.id, 0)
            self._looks[look.id], self._sizes[look.id] = look, size
            self._looks.move_to_end(look.id)
            while self._bytes > self._budget and len(self._looks) > 1:
                gone, _ = self._looks.popitem(last=False)
                self._bytes -= self._sizes.pop(gone)

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._looks.clear()
            self._sizes.clear()
            self._bytes = 0

    @property
    def nbytes(self) -> int:
        """Bytes of arrays that are kept now."""
        with self._lock:
            return self._bytes

    def __len__(self) -> int:
        with self._lock:
            return len(self._looks)


LOOKS: Final = LookStore()
"""The one store of this process: routes answer outside any page's run."""
