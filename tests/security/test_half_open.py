"""Connections on which nothing more comes do not stay."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.security.wire import Server
from viz.server.connections import PATIENCE
from viz.server.security import SECURITY_HEADERS

pytestmark = pytest.mark.e2e
UPLOAD = "PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: localhost\r\n"
HALVES = (
    b"",
    b"G",
    b"GET / HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT",
    f"{UPLOAD}Content-Length: 1000000\r\n\r\nhalf".encode(),
    f"{UPLOAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n".encode(),
    b"GET /_stcore/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgr",
)
MANY = 300


def ended(connection: socket.socket, until: float) -> bool:
    """Whether the server closes the connection before `until`."""
    try:
        while True:
            connection.settimeout(max(0.01, until - time.monotonic()))
            if connection.recv(65536) == b"":
                return True
    except TimeoutError:
        return False
    except OSError:
        return True


def drip(connections: list[socket.socket], gone: threading.Event) -> None:
    """Sends a byte on each of them every second: slowloris."""
    while not gone.wait(1.0):
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.sendall(b"a")


def test_half_open_connections_are_dropped(server: Server) -> None:
    """Those on which a byte comes now and then, too; a visitor with nothing to say stays."""
    gone = threading.Event()
    with connect(f"ws://{server.host}/_stcore/stream", ping_interval=None) as visitor:
        standing = [server.open() for _ in range(MANY)]
        until = time.monotonic() + 2 * PATIENCE + 10
        for number, connection in enumerate(standing):
            connection.sendall(HALVES[number % len(HALVES)])
        dripping = threading.Thread(target=drip, args=(standing[: len(HALVES)], gone))
        dripping.start()
        try:
            assert server.ask("/_stcore/health").status == 200, "it answers all the while"
            left = [number for number, one in enumerate(standing) if not ended(one, until)]
        finally:
            gone.set()
            dripping.join()
            for connection in standing:
                connection.close()
        assert left == []
        assert visitor.ping().wait(10), "a WebSocket is not half open"
    assert server.ask("/_stcore/health").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        [f"Cookie: {'a' * 9000}"],
        [f"X-{number}: a" for number in range(300)],
        ["Sec-WebSocket-Version: 12"],
        ["Sec-WebSocket-Protocol: \xff"],
        ["Origin: http://a", "Origin: http://b"],
    ],
    ids=["long", "many", "version", "protocol", "origins"],
)
def test_a_handshake_that_cannot_be_read_is_answered(server: Server, headers: list[str]) -> None:
    """uvicorn and websockets fall silent at some of them, and the connection stood for good."""
    answer = server.shake_hands(*headers)
    assert answer.status == 400
    for name, text in SECURITY_HEADERS.items():
        assert answer.headers[name.lower()] == text


def test_a_frame_larger_than_any_page_sends_is_refused_before_it_comes(server: Server) -> None:
    """Streamlit would keep 200 MB of it in memory, and refuse it then."""
    with connect(f"ws://{server.host}/_stcore/stream", ping_interval=None) as visitor:
        head = bytes([0x82, 0xFF]) + (100 * 1024 * 1024).to_bytes(8, "big") + b"mask"
        visitor.socket.sendall(head)
        with pytest.raises(ConnectionClosed) as closed:
            visitor.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
