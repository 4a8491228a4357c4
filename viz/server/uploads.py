"""Files that visitors send: none larger than its page takes, and all of them within a budget.

Streamlit takes every file of up to `server.maxUploadSize` for any session, and keeps it for as long
as the visit. Here a page says what it takes (`UPLOADS.expect`), a file that is larger is refused
before or while it is read, and what was read makes room when others need it: pages copy what they
use of a file as soon as it has come. And who asks where to send a file is always told (`Queue`).
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session, exists, get_instance
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

BUDGET: Final = 512 * 1024 * 1024
"""Bytes of files, those that are on their way among them, over all visitors."""
STALL_SECONDS: Final = 30.0
WHOLE_SECONDS: Final = 900.0
"""How long the next part of a file, and all of it, may take to come."""
FRAMING: Final = 64 * 1024
"""Bytes that a form takes around its file."""
_SESSIONS: Final = 4096
_PATH: Final = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")


class Uploads:
    """What is expected of whom, and what is here. Safe to use from many threads.

    Args:
        budget: bytes of all files.
    """

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


class BoundedUploads:
    """Middleware: refuses what no page asked for, what is too large, too slow or too much."""

    def __init__(self, app: ASGIApp, uploads: Uploads = UPLOADS) -> None:
        self.app = app
        self.uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if sent is None or scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        session_id, file_id = sent.groups()
        most = self.uploads.limit(session_id) + FRAMING
        declared = _length(scope)
        if declared is not None and declared > most:
            await _refuse(413, "File too large", scope, receive, send)
            return
        size, whole = 0, False
        last = asyncio.get_running_loop().time() + WHOLE_SECONDS

        async def bounded() -> Message:
            nonlocal size
            left = last - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(min(STALL_SECONDS, max(0.0, left))):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The file came too slowly") from None
            length = len(message.get("body", b""))
            if size + length > most:
                raise HTTPException(413, "File too large")
            if not self.uploads.more(length):
                raise HTTPException(503, "Too many files at once", {"Retry-After": "10"})
            size += length
            return message

        async def heard(message: Message) -> None:
            nonlocal whole
            if message["type"] == "http.response.start":
                whole = message["status"] == 204
            await send(message)

        try:
            await self.app(scope, bounded, heard)
        finally:
            self.uploads.ended(session_id, file_id, size, whole=whole)


class Queue(ForwardMsgQueue):
    """What a visitor's browser is told next, the answer to who asks where to send a file among it.

    Streamlit's own forgets that answer where a run starts before it is sent, as one does that a
    menu or a report has begun: the browser waits for good, and its field stays empty.
    """

    def clear(
        self,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        before: list[ForwardMsg] = self._queue
        super().clear(retain_lifecycle_msgs, fragment_ids_this_run)
        if retain_lifecycle_msgs:
            here = {id(message) for message in self._queue}
            answers = (m for m in before if m.WhichOneof("type") == "file_urls_response")
            self._queue += [message for message in answers if id(message) not in here]


def install() -> None:
    """Has Streamlit give this queue to every visit that begins from now on."""
    vars(app_session)["ForwardMsgQueue"] = Queue


def _length(scope: Scope) -> int | None:
    """The Content-Length, None where there is none that is a number."""
    text = dict(scope["headers"]).get(b"content-length", b"")
    return int(text[:18]) if text.isdigit() else None


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    # The connection is closed: what is still on its way is not read.
    response = PlainTextResponse(why, status, {"Connection": "close"})
    await response(scope, receive, send)


def _manager() -> MemoryUploadedFileManager | None:
    manager = get_instance().uploaded_file_mgr if exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None
