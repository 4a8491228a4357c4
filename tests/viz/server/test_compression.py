"""Who gets pressed answers: everybody but a browser on the machine itself."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tests.viz.asgi import get
from viz.server.compression import Compression
from viz.server.routes import MIDDLEWARE, ROUTES


async def words(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("word " * 1000)(scope, receive, send)


APP = Compression(words, minimum_size=1024)


@pytest.mark.parametrize(
    ("client", "headers", "pressed"),
    [
        ("127.0.0.1", {}, False),
        ("::1", {"host": "localhost:8501"}, False),
        ("192.168.0.7", {}, True),
        ("127.0.0.1", {"host": "class.example.org"}, True),  # a proxy that passes Host on
        ("127.0.0.1", {"x_forwarded_for": "192.168.0.7"}, True),
    ],
)
def test_answers_are_pressed_for_others_alone(
    client: str, headers: dict[str, str], pressed: bool
) -> None:
    reply = get(APP, "/", client=client, accept_encoding="gzip, br", **headers)
    assert reply.headers.get("content-encoding") == ("gzip" if pressed else None)
    assert reply.body == b"word " * 1000


def test_who_cannot_unpack_is_sent_plain_text() -> None:
    reply = get(APP, "/", client="192.168.0.7")
    assert "content-encoding" not in reply.headers


@pytest.mark.parametrize(("client", "pressed"), [("127.0.0.1", False), ("192.168.0.7", True)])
def test_our_own_modules_are_sent_so(client: str, pressed: bool) -> None:
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
    reply = get(app, "/inspector/inspector.js", client=client, accept_encoding="gzip")
    assert reply.status == 200
    assert ("content-encoding" in reply.headers) == pressed
