"""Files that visitors send: what is expected of whom, and what is here, within a budget.

Streamlit takes every file of up to `server.maxUploadSize` for any session, and keeps it for as long
as the visit. Here a page says what it takes (`UPLOADS.expect`), and what was read makes room when
others need it: pages copy what they use of a file as soon as it has come. `viz.server.uploads`
holds browsers to it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

BUDGET: Final = 512 * 1024 * 1024
"""Bytes of files, those that are on their way among them, over all visitors."""
_SESSIONS: Final = 4096


class Uploads:
    """What is expected of whom, and what is here, in bytes. Safe to use from many threads."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget
        self._expected: OrderedDict[str, int] = OrderedDict()
        self._here: OrderedDict[tuple[str, str], int] = OrderedDict()  # the oldest first
        self._coming = 0
        self._lock = threading.Lock()

    def expect(self, session_id: str, limit: int) -> None:
        """A page has a field for a file of up to `limit` bytes."""
        with self._lock:
            self._expected[session_id] = limit
            self._expected.move_to_end(session_id)
            while len(self._expected) > _SESSIONS:
                self._expected.popitem(last=False)

    def limit(self, session_id: str) -> int:
        """Bytes that a file of that session may have; 0 where no page asked for one."""
        with self._lock:
            return self._expected.get(session_id, 0)

    def more(self, size: int) -> bool:
        """Takes so many bytes more in, at the cost of older files; False where all are new."""
        with self._lock:
            if self._coming + size > self._budget:
                return False
            self._coming += size
            self._make_room()
            return True

    def ended(self, session_id: str, file_id: str, size: int, *, whole: bool) -> None:
        """A file came, or will not; it takes the place of those that the session had.

        Args:
            size: what it took of the budget on its way.
        """
        with self._lock:
            self._coming -= size
            if whole:
                for session, file in [key for key in self._here if key[0] == session_id]:
                    if file != file_id:
                        self._let_go(session, file)
                self._here[session_id, file_id] = size
                self._make_room()
                while len(self._here) > _SESSIONS:  # of visits that are over
                    self._let_go(*next(iter(self._here)))

    def _make_room(self) -> None:
        while self._here and self._coming + sum(self._here.values()) > self._budget:
            self._let_go(*next(iter(self._here)))

    def _let_go(self, session_id: str, file_id: str) -> None:
        del self._here[session_id, file_id]
        manager = _manager()
        if manager is not None:
            manager.remove_file(session_id, file_id)

    @property
    def bytes(self) -> int:
        """Of all files now."""
        with self._lock:
            return self._coming + sum(self._here.values())


UPLOADS: Final = Uploads()


def _manager() -> MemoryUploadedFileManager | None:
    manager = get_instance().uploaded_file_mgr if exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None
