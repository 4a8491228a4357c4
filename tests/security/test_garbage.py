"""Bytes in any order: requests, pieces of requests, frames; whole, cut, one upon another."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.security.wire import Server

pytestmark = pytest.mark.e2e
STARTS = (
    b"GET / HTTP/1.1\r\n", b"POST /runs HTTP/1.1\r\n", b"GET /_stcore/stream HTTP/1.1\r\n",
    b"PUT /_stcore/upload_file/a/b HTTP/1.1\r\n", b"OPTIONS * HTTP/1.1\r\n",
    b"CONNECT localhost:8501 HTTP/1.1\r\n", b"GET /%ff%00%0a HTTP/1.1\r\n",
    b"GET /trace/x/%C3%A9/1/\xe9 HTTP/1.1\r\n", b"GET http://evil.test/ HTTP/1.1\r\n",
)  # fmt: skip
PARTS = (
    b"Host: localhost\r\n", b"Origin: http://localhost\r\n", b"Connection: Upgrade\r\n",
    b"Upgrade: websocket\r\n", b"Upgrade: h2c\r\n", b"Sec-WebSocket-Version: 13\r\n",
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", b"Sec-WebSocket-Key: x\r\n",
    b"Sec-WebSocket-Protocol: streamlit, x, y\r\n", b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"Range: bytes=0-1\r\n",
    b"Cookie: _streamlit_xsrf=2|a|b|c; a=\xff\r\n", b"X: " + b"a" * 8300 + b"\r\n",
    b"Accept: \xe9\r\n", b"\r\n", b"\r\n\r\n", b"zz\r\nabc\r\n0\r\n\r\n", b"\xff\xff\xff",
    b"3\r\nabc\r\n0\r\n\r\n", bytes((0x82, 0x85, *range(9))), bytes((0x88, 0x80, 0, 0, 0, 0)),
    b"GET /runs HTTP/1.1\r\nHost: localhost\r\n\r\n",
)  # fmt: skip


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from(STARTS), st.lists(st.sampled_from(PARTS), max_size=14), st.booleans())
def test_garbage_is_no_fault_of_the_server(
    server: Server, start: bytes, parts: list[bytes], named: bool
) -> None:
    host = b"Host: localhost\r\n" if named else b""
    with server.open() as connection:
        connection.sendall(start + host + b"".join(parts))
        connection.settimeout(0.02)
        try:
            said = connection.recv(12)
        except OSError:  # nothing yet, or it has hung up
            said = b""
    assert not said.startswith(b"HTTP/1.1 5")


def test_and_it_answers_still(server: Server) -> None:
    assert server.ask("/_stcore/health").status == 200
