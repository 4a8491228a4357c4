"""Connections that keep moving: who sends half a request, or reads half an answer, is dropped.

Neither uvicorn nor Streamlit has such a limit. uvicorn's own (`timeout_keep_alive`) counts only
after a first answer, so that some hundred connections on which nothing was said stay for good and
take up what files a process may open.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, Final

import h11
import uvicorn
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response

from viz.server.security import SECURITY_HEADERS
from viz.text.server import UNREADABLE

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

PATIENCE: Final = 10.0
"""Seconds between two checks at a connection; a request that did not move on in them is dropped."""
CHECKS_OF_ANSWERS: Final = 6
"""Checks that an answer may wait to be taken: the wireless of a class fails for a while."""
LEAST: Final = 16 * 1024
"""Bytes of a request's body that come in that time, over the slowest of lines."""


class Connection(H11Protocol):
    """A connection of uvicorn that is looked at every `PATIENCE` seconds."""

    _timer: asyncio.TimerHandle | None = None
    _heard: int = 0
    _before: object = None
    _still: int = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # asyncio does so where the listening socket names TCP as its protocol; Streamlit's names
        # none. Small messages would wait 40 ms until the client acknowledged the one before.
        own = transport.get_extra_info("socket")
        if own is not None and own.family in (socket.AF_INET, socket.AF_INET6):
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._timer = self.loop.call_later(PATIENCE, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._heard += len(data)
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """As uvicorn's, with our headers: what is no HTTP never reaches the app.

        Where it follows a whole request, that one goes without its answer, as nobody waits for it.
        """
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            named = {"content-type": "text/plain; charset=utf-8", "connection": "close"}
            headers = [(k.encode(), v.encode()) for k, v in (named | SECURITY_HEADERS).items()]
            for event in (
                h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
                h11.Data(data=msg.encode("ascii")),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _check(self) -> None:
        if self.transport.get_protocol() is None:  # a WebSocket that was closed
            return
        standing, checks = self._standing()
        self._still = self._still + 1 if standing == self._before else 0
        if standing is not None and self._still >= checks:
            self.transport.abort()
            return
        self._before = standing
        self._timer = self.loop.call_later(PATIENCE, self._check)

    def _standing(self) -> tuple[object, int]:
        """How far the client is with what it has to do, and for how many checks it may stay there.

        None where it is not the client who has to do something.
        """
        unsent = self.transport.get_write_buffer_size()
        if self.transport.is_closing():
            return unsent, CHECKS_OF_ANSWERS
        if self.transport.get_protocol() is not self:  # a WebSocket: pings find out
            return None, 0
        if self.flow.write_paused:
            return unsent, CHECKS_OF_ANSWERS
        if self.cycle is None or self.cycle.response_complete:
            return ("head", self.cycle), 1
        if self.cycle.more_body and not self.flow.read_paused:
            return ("body", self.cycle, self._heard // LEAST), 1
        return None, 0


class Stream(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn, whose handshake is refused with our headers whoever refuses it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        reject = self.conn.reject

        def reject_with_headers(status: int, text: str) -> Response:
            response = reject(status, text)
            response.headers.update(SECURITY_HEADERS)
            return response

        self.conn.reject = reject_with_headers  # type: ignore[method-assign]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # The head comes whole, and first. One that websockets cannot read, such as a line of 9 kB,
        # makes it fall silent, and uvicorn wait for good.
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(self.conn.reject(400, UNREADABLE).serialize())
            self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        # uvicorn forgets this, and would complain that nothing was answered.
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True


def install() -> None:
    """Has uvicorn make connections of these kinds from its next start on.

    Streamlit starts uvicorn and hands no settings on. The app is imported by uvicorn while it
    prepares that start, so this comes in time for it.
    """
    start = uvicorn.Server.startup

    async def startup(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        self.config.http_protocol_class = Connection
        self.config.ws_protocol_class = Stream
        # What Streamlit takes of a page; it would keep eight times as much until it is whole.
        self.config.ws_max_size = get_max_widget_state_size_bytes()
        await start(self, sockets)

    uvicorn.Server.startup = startup  # type: ignore[method-assign]
