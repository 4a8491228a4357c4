"""Every answer of the real server tells the browser what to refuse, whoever gives it."""

from __future__ import annotations

import pytest

from tests.security.wire import Answer, Server
from viz.server.security import SECURITY_HEADERS

pytestmark = pytest.mark.e2e
LONG = "9" * 5000


def is_headed(answer: Answer) -> bool:
    return all(answer.headers.get(name.lower()) == text for name, text in SECURITY_HEADERS.items())


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/runs", 200),
        ("GET", "/_stcore/health", 200),
        ("GET", "/frame/frame.js", 200),
        ("HEAD", "/static/nothing.js", 200),
        ("GET", "/inspect", 307),
        ("GET", "/train/", 301),
        ("GET", f"/runs/x/events?from={'0' * 5000}", 400),
        ("GET", "//evil.test/", 400),
        ("PUT", "/_stcore/upload_file/a/b", 403),
        ("GET", f"/trace/x/cross/{LONG}/0", 404),
        ("GET", f"/trace/x/logits/{LONG}", 404),
        ("GET", f"/runs/x/snapshots/{LONG}", 404),
        ("GET", "/media/none.png", 404),
        ("GET", "/frame/../viz/server/routes.py", 400),
        ("POST", "/runs", 405),
        ("BREW", "/", 405),
    ],
)
def test_whatever_is_answered(server: Server, method: str, path: str, status: int) -> None:
    answer = server.ask(path, method=method)
    assert answer.status == status
    assert is_headed(answer)


@pytest.mark.parametrize(
    "lines",
    [
        ("GET / HTTP/1.1",),
        ("GET / HTTP/x", "Host: localhost"),
        ("GET / HTTP/1.1", "Host: localhost", "Content-Length: -1"),
        ("GET / HTTP/1.1", "Host: localhost", "Content-Length: 1", "Content-Length: 2"),
        ("GET / HTTP/1.1", "Host: localhost", "Transfer-Encoding: gzip, chunked"),
        ("GET / HTTP/1.1", "Host: localhost", " folded: yes"),
    ],
    ids=["host", "version", "negative", "lengths", "coding", "folded"],
)
def test_what_is_no_http(server: Server, lines: tuple[str, ...]) -> None:
    answer = server.say(*lines)
    assert answer.status in (400, 403, 501)
    assert is_headed(answer)


def test_a_websocket_that_leads_nowhere(server: Server) -> None:
    answer = server.shake_hands(f"Origin: http://{server.host}", path="/nowhere")
    assert answer.status == 403
    assert is_headed(answer)
