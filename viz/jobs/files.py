"""Files of pairs that visitors brought, while they think about training on them."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Final

BUDGET: Final = 64 * 1024 * 1024


class Files:
    """Contents by their digests, the last used of them. Safe to use from many threads.

    Args:
        budget: bytes to keep; the newest stays even where it alone is more.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, content: bytes) -> str:
        """Keeps it; returns its name, a hex sha256."""
        name = hashlib.sha256(content).hexdigest()
        with self._lock:
            self._contents[name] = content
            self._contents.move_to_end(name)
            while self._bytes() > self._budget and len(self._contents) > 1:
                self._contents.popitem(last=False)
        return name

    def get(self, name: str) -> bytes | None:
        """A content by its name, None where it had to make room."""
        with self._lock:
            if name in self._contents:
                self._contents.move_to_end(name)
            return self._contents.get(name)

    @property
    def nbytes(self) -> int:
        """Bytes that are kept now."""
        with self._lock:
            return self._bytes()

    def _bytes(self) -> int:
        return sum(map(len, self._contents.values()))


FILES: Final = Files()
