"""Who asks: known again by a token, local only where nothing speaks against it."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.viz.asgi import get
from viz.jobs.visitor import COOKIE, STRANGER, asking, visitor_of
from viz.server.cookie import GIVEN_WITH, VisitorCookie
from viz.server.routes import MIDDLEWARE, ROUTES

TOKEN = "A" * 43
APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost", "localhost:8501", "127.0.0.1:1", "[::1]:8501"])
def test_who_opens_it_on_the_machine_itself_is_local(address: str, host: str) -> None:
    assert visitor_of({"host": host}, {}, address).local


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("192.168.0.7", {"host": "localhost:8501"}),
        ("::ffff:192.168.0.7", {"host": "localhost:8501"}),
        (None, {"host": "localhost:8501"}),
        ("test", {"host": "localhost:8501"}),
        ("", {"host": "localhost:8501"}),
        ("127.0.0.1", {}),
        ("127.0.0.1", {"host": ""}),
        ("127.0.0.1", {"host": "192.168.0.2:8501"}),
        ("127.0.0.1", {"host": "class.example.org"}),
        ("127.0.0.1", {"host": "localhost.example.org:8501"}),
        ("127.0.0.1", {"host": "127.0.0.1.example.org:8501"}),
        ("127.0.0.1", {"host": "[::1].example.org"}),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"}),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": ""}),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=127.0.0.1"}),
        ("127.0.0.1", {"host": "localhost", "x-real-ip": "127.0.0.1"}),
        ("127.0.0.1", {"host": "localhost", "via": "1.1 proxy"}),
    ],
)
def test_all_else_is_not(address: str | None, headers: dict[str, str]) -> None:
    assert not visitor_of(headers, {}, address).local


@given(st.text(), st.text(), st.text())
def test_nothing_that_is_sent_makes_a_foreign_address_local(
    host: str, token: str, more: str
) -> None:
    found = visitor_of({"host": host, "origin": more}, {COOKIE: token}, "10.1.2.3")
    assert not found.local
    assert found.id == "" or re.fullmatch(r"[A-Za-z0-9_-]{43}", token)


def test_a_browser_is_known_by_a_digest_of_its_token() -> None:
    found = visitor_of({}, {COOKIE: TOKEN}, "10.1.2.3")
    assert found.id == hashlib.sha256(TOKEN.encode()).hexdigest()
    assert TOKEN not in repr(found)
    for odd in ("", "short", TOKEN + "A", TOKEN[:-1] + " ", TOKEN + "\n"):
        assert visitor_of({}, {COOKIE: odd}, "10.1.2.3") == STRANGER


def test_a_request_tells_who_asks() -> None:
    def who(request: Request) -> JSONResponse:
        return JSONResponse(asking(request).id)

    app = Starlette(routes=[Route("/", who)], middleware=[Middleware(VisitorCookie)])
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    assert get(app, "/", cookie=f"a=b; {COOKIE}={TOKEN}").body.decode() == f'"{digest}"'


def test_a_new_browser_gets_a_token_that_no_script_reads() -> None:
    given_to = {get(APP, GIVEN_WITH).headers["set-cookie"] for _ in range(5)}
    assert len(given_to) == 5
    for cookie in given_to:
        value, *attributes = cookie.split("; ")
        assert re.fullmatch(rf"{COOKIE}=[A-Za-z0-9_-]{{43}}", value)
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)


def test_a_known_browser_keeps_its_token() -> None:
    again = get(APP, GIVEN_WITH, cookie=f"{COOKIE}={TOKEN}").headers["set-cookie"]
    assert again.startswith(f"{COOKIE}={TOKEN}; ")
    odd = get(APP, GIVEN_WITH, cookie=f"{COOKIE}=chosen-by-somebody").headers["set-cookie"]
    assert "chosen-by-somebody" not in odd


@pytest.mark.parametrize("path", ["/", "/step", "/runs", "/inspector/main.js"])
def test_a_page_that_another_site_links_to_changes_no_token(path: str) -> None:
    """A browser asks for it without a cookie that is of the same site alone."""
    assert "set-cookie" not in get(APP, path).headers


def test_a_token_outlives_the_browser_and_travels_as_safely_as_it_came() -> None:
    """Whoever comes back after a night owns what they started; over https none goes in clear."""

    def given_by(scheme: str) -> list[str]:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await APP({**scope, "scheme": scheme}, receive, send)

        return get(app, GIVEN_WITH, cookie=f"{COOKIE}={TOKEN}").headers["set-cookie"].split("; ")

    plain, safe = given_by("http"), given_by("https")
    (age,) = (int(part[8:]) for part in plain if part.startswith("Max-Age="))
    assert age >= 360 * 24 * 3600
    assert "Secure" not in plain
    assert safe == [*plain, "Secure"]
