"""Requests as they go over the wire: with any Host, any Origin, whole or not."""

from __future__ import annotations

import base64
import os
import socket
from dataclasses import dataclass
from http.client import HTTPResponse

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, its headers by lower-case name, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Server:
    """An app that listens on this machine."""

    port: int

    @property
    def host(self) -> str:
        """What a browser on this machine sends as Host."""
        return f"localhost:{self.port}"

    def open(self) -> socket.socket:
        """A connection on which nothing was said."""
        return socket.create_connection(("127.0.0.1", self.port), SECONDS)

    def say(self, *lines: str, body: bytes = b"") -> Answer:
        """The answer to a request that is sent as it stands here, line by line."""
        head = "".join(f"{line}\r\n" for line in (*lines, ""))
        with self.open() as connection:
            connection.sendall(head.encode("latin-1") + body)
            response = HTTPResponse(connection, method=lines[0].split(" ", 1)[0])
            response.begin()
            headers = {name.lower(): text for name, text in response.getheaders()}
            # What follows "101 Switching Protocols" are frames, not a body.
            content = b"" if response.status == 101 else response.read()
            return Answer(response.status, headers, content)

    def ask(self, path: str, *headers: str, method: str = "GET", host: str | None = None) -> Answer:
        """The answer to one request without a body; `host` is ours unless it is given."""
        named = self.host if host is None else host
        lines = (f"{method} {path} HTTP/1.1", f"Host: {named}", "Connection: close", *headers)
        return self.say(*lines)

    def shake_hands(
        self, *headers: str, host: str | None = None, path: str = "/_stcore/stream"
    ) -> Answer:
        """The answer to a WebSocket's handshake: 101 where it is accepted."""
        key = base64.b64encode(os.urandom(16)).decode()
        named = self.host if host is None else host
        return self.say(
            f"GET {path} HTTP/1.1",
            f"Host: {named}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *headers,
        )
