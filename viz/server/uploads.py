"""Files that visitors send, on their way: none larger than its page takes, none too slow.

A file that is larger than its page said (`viz.jobs.uploads`) is refused before or while it is read.
And who asks where to send a file is always told (`Queue`).
"""

from __future__ import annotations

import asyncio
import re
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from viz.jobs.uploads import UPLOADS, Uploads

STALL_SECONDS: Final = 30.0
WHOLE_SECONDS: Final = 900.0
"""How long the next part of a file, and all of it, may take to come."""
FRAMING: Final = 64 * 1024
"""Bytes that a form takes around its file."""
_PATH: Final = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")


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
            # The connection is closed: what is still on its way is not read.
            refusal = PlainTextResponse("File too large", 413, {"Connection": "close"})
            await refusal(scope, receive, send)
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
