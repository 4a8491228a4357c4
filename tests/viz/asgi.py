"""One request to an ASGI app, without a server and without another dependency."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Scope


@dataclass(frozen=True)
class Reply:
    """Status, headers (lower case) and body, unzipped."""

    status: int
    headers: dict[str, str]
    body: bytes


def get(
    app: ASGIApp, address: str, *, client: str = "test", method: str = "GET", **headers: str
) -> Reply:
    """The app's answer to GET `address`; `if_none_match=` becomes If-None-Match."""
    path, _, query = address.partition("?")
    sent: list[Message] = []
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "server": ("test", 80),
        "client": (client, 1),
        "headers": [
            (name.replace("_", "-").encode(), text.encode())
            for name, text in {"host": "localhost", **headers}.items()
        ],
    }

    async def receive() -> Message:
        await asyncio.Event().wait()  # a client that stays and has no more to say
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        await app(scope, receive, send)

    asyncio.run(ask())
    start = sent[0]
    names = {key.decode(): value.decode() for key, value in start["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    if names.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    return Reply(start["status"], names, body)
