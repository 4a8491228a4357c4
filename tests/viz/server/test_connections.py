"""Which connections are dropped, and which only take their time: uvicorn with a short patience."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Coroutine

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from viz.server import connections
from viz.server.connections import CHECKS_OF_ANSWERS, LEAST, Connection

PATIENCE = 0.3
LARGE = 64 * 1024 * 1024
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", PATIENCE)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was, after a while (/slow), or much at once (/large)."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.sleep(4 * PATIENCE)
    body = b"a" * LARGE if scope["path"] == "/large" else str(size).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[int]:
    config = uvicorn.Config(app, lifespan="off", timeout_keep_alive=30)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def talked(talk: Talk) -> None:
    """Runs a conversation over one connection."""

    async def run() -> None:
        async with served() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await asyncio.wait_for(talk(reader, writer), 60)
            finally:
                writer.close()

    asyncio.run(run())


async def is_dropped(reader: asyncio.StreamReader) -> bool:
    """Whether nothing but the end comes, soon."""
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), 10 * PATIENCE) == b""
    return True


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_half_a_head_is_dropped(begun: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begun)
        assert await is_dropped(reader)

    talked(talk)


def test_half_a_body_is_dropped() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
        assert await is_dropped(reader)

    talked(talk)


def test_the_next_request_of_a_connection_is_half_open_like_the_first() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n")
        assert (await reader.read(12)).endswith(b"200")
        assert (await reader.readuntil(b"0\r\n\r\n")).endswith(b"0\r\n\r\n")
        assert await is_dropped(reader)

    talked(talk)


def test_a_body_that_moves_on_may_take_its_time() -> None:
    parts = 8

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: {parts * LEAST}\r\n\r\n"
        writer.write(head.encode())
        for _ in range(parts):
            await asyncio.sleep(0.6 * PATIENCE)
            writer.write(b"a" * LEAST)
            await writer.drain()
        answer = await reader.readuntil(b"0\r\n\r\n")
        assert str(parts * LEAST).encode() in answer

    talked(talk)


def test_who_waits_for_a_slow_answer_is_kept() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.readuntil(b"0\r\n\r\n")).startswith(b"HTTP/1.1 200")

    talked(talk)


@pytest.mark.parametrize(("pause", "whole"), [(3, True), (CHECKS_OF_ANSWERS + 4, False)])
def test_an_answer_waits_a_while_to_be_taken(pause: int, whole: bool) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        await asyncio.sleep(pause * PATIENCE)
        size = 0
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(1024 * 1024):
                size += len(part)
        assert (size >= LARGE) is whole

    talked(talk)


def test_a_short_answer_waits_for_no_acknowledgement_of_its_head() -> None:
    """Through a socket that names no protocol, as Streamlit's: asyncio leaves that one as it is."""

    async def run() -> int:
        config = uvicorn.Config(app, lifespan="off")
        config.load()
        made: list[Connection] = []

        def make() -> Connection:
            made.append(Connection(config, ServerState(), {}))
            return made[-1]

        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind(("127.0.0.1", 0))
        server = await asyncio.get_running_loop().create_server(make, sock=listening)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        own: socket.socket = made[0].transport.get_extra_info("socket")
        at_once = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        server.close()
        return at_once

    assert asyncio.run(run())
