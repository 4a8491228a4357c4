"""Whose pages may speak to the server: those that it sent itself, under a name that is its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from tests.security.wire import Answer, Server
from viz.server.security import SECURITY_HEADERS

pytestmark = pytest.mark.e2e
MACHINE = socket.gethostname()
PATHS = ("/", "/runs", "/_stcore/health", "/_stcore/host-config", "/frame/frame.js", "/nowhere")


@pytest.fixture(scope="module")
def environment(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "HEADLIGHT_HOSTS": "Class.Example.org, lab"}


@pytest.fixture(scope="module")
def stranger() -> Iterator[str]:
    """The address of a page that somebody else serves on this machine."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>A page of somebody else</title>")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://localhost:{other.server_port}"
        other.shutdown()


def is_refused(answer: Answer) -> bool:
    """Refused by us, in a sentence, and not by something else on the way."""
    headed = all(
        answer.headers.get(name.lower()) == text for name, text in SECURITY_HEADERS.items()
    )
    return answer.status == 403 and "HEADLIGHT_HOSTS" in answer.body.decode() and headed


# The Host


@pytest.mark.parametrize(
    "name",
    ["evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "localhost@evil.test", "evil.test.",
     "evil.test#localhost", "class.example.org.evil.test", "xclass.example.org", "2130706433",
     "0x7f.0.0.1", "127.1", "0177.0.0.1", "[::1", "::1", "[evil.test]", "[127.0.0.1]", "[::1]x",
     "localhost..", ".localhost", "local_host", "localhost,evil.test", "localhost evil.test"],
)  # fmt: skip
def test_a_name_that_is_not_ours_is_refused(server: Server, name: str) -> None:
    """DNS rebinding: a page's own name leads here, so its Host and its Origin agree."""
    host = f"{name}:{server.port}"
    assert is_refused(server.shake_hands(f"Origin: http://{host}", host=host))
    assert is_refused(server.shake_hands(host=host))
    for path in PATHS:
        assert is_refused(server.ask(path, host=host)), path
    assert is_refused(server.ask("/_stcore/upload_file/a/b", host=host, method="PUT"))


@pytest.mark.parametrize("port", [":", ":x", ":123456", ":1:2", ":-1", ":80/", ":80@evil.test"])
def test_what_is_no_port_is_refused(server: Server, port: str) -> None:
    assert is_refused(server.ask("/runs", host=f"localhost{port}"))


@pytest.mark.parametrize(
    "name",
    ["localhost", "LocalHost", "localhost.", "127.0.0.1", "192.168.7.9", "[::1]", "[FE80::1]",
     "[::ffff:10.0.0.1]", MACHINE, MACHINE.upper(), f"{MACHINE.split('.')[0]}.local",
     "class.example.org", "CLASS.example.org.", "lab"],
)  # fmt: skip
@pytest.mark.parametrize("port", ["", ":80", ":8501"])
def test_our_names_and_every_address_are_answered(server: Server, name: str, port: str) -> None:
    host = f"{name}{port}"
    assert server.ask("/runs", host=host).status == 200
    for scheme in ("http", "https"):  # the second by a proxy before us
        assert server.ask("/runs", f"Origin: {scheme}://{host}", host=host).status == 200
        assert server.shake_hands(f"Origin: {scheme}://{host}", host=host).status == 101


def test_who_names_no_host_is_refused(server: Server) -> None:
    assert is_refused(server.say("GET /runs HTTP/1.0"))
    assert server.say("GET /runs HTTP/1.1").status == 400
    assert is_refused(server.say("GET /runs HTTP/1.0", "Host:"))


def test_who_names_two_hosts_is_refused(server: Server) -> None:
    for hosts in (
        (server.host, "evil.test"),
        ("evil.test", server.host),
        (server.host, server.host),
    ):
        answer = server.say("GET /runs HTTP/1.1", *(f"Host: {host}" for host in hosts))
        assert answer.status in (400, 403)
    assert server.say("GET /runs HTTP/1.1", "Host : localhost", "Host: evil.test").status == 400


def test_no_other_header_stands_in_for_the_host(server: Server) -> None:
    evil = f"evil.test:{server.port}"
    for name in (
        "X-Forwarded-Host",
        "X-Host",
        "X-Original-Host",
        "Forwarded",
        "X-Forwarded-Server",
    ):
        assert is_refused(server.ask("/runs", f"{name}: {server.host}", host=evil))
    # Nor does what a stranger adds take anything away from who is at home.
    assert server.ask("/runs", f"X-Forwarded-Host: {evil}").status == 200
    # An address in the place of the path is no Host.
    assert is_refused(server.ask(f"http://{server.host}/runs", host=evil))


# The Origin


@pytest.fixture(params=["http", "websocket"])
def asked(request: pytest.FixtureRequest, server: Server) -> Callable[..., Answer]:
    """One question by either protocol."""
    if request.param == "http":
        return lambda *headers: server.ask("/runs", *headers)
    return lambda *headers: server.shake_hands(*headers)


def test_a_page_of_somebody_else_is_refused(asked: Callable[..., Answer], server: Server) -> None:
    own = f"http://{server.host}"
    assert asked(f"Origin: {own}").status in (200, 101)
    for origin in (
        "http://localhost:3000",
        "http://localhost",
        f"http://127.0.0.1:{server.port}",
        "null",
        "",
        "file://",
        "http://evil.test",
        f"http://evil.test:{server.port}",
        f"http://{server.host}.evil.test",
        f"http://evil.test@{server.host}",
        f"{own}/",
        f"{own} http://evil.test",
        f"HTTP://{server.host}",
        f"chrome-extension://{server.host}",
        server.host,
    ):
        assert is_refused(asked(f"Origin: {origin}")), origin
    for pair in ((own, "http://evil.test"), ("http://evil.test", own)):
        answer = asked(*(f"Origin: {origin}" for origin in pair))
        assert is_refused(answer) or answer.status == 400


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_follow_links_and_fetch_nothing(server: Server, site: str) -> None:
    """A picture or a script of another page comes without an Origin."""
    headers = (f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")
    assert is_refused(server.ask("/runs", *headers))
    headers = (f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
    assert server.ask("/?lang=ko", *headers).status == 200


ATTACK = """async ([host, path]) => {
  const reached = [];
  await new Promise((done) => {
    const socket = new WebSocket(`ws://${host}/_stcore/stream`, ["streamlit"]);
    socket.onopen = () => { reached.push("websocket"); done(); };
    socket.onerror = () => done();
  });
  for (const mode of ["cors", "no-cors"])
    await fetch(`http://${host}${path}`, { mode, credentials: "include" })
      .then(() => reached.push(mode), () => {});
  return reached;
}"""


def test_in_a_browser_a_local_page_reaches_nothing(
    chromium: Browser, server: Server, stranger: str
) -> None:
    """The same script reaches all of it from a page of ours."""
    page = chromium.new_page()
    page.goto(stranger)
    assert page.evaluate(ATTACK, [server.host, "/runs"]) == []
    page.goto(f"http://{server.host}/frame/icon.svg")
    assert page.evaluate(ATTACK, [server.host, "/runs"]) == ["websocket", "cors", "no-cors"]
    page.close()


# What no page asks for


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent/openapi.json"])
@pytest.mark.parametrize("after", ["", "/", "?families=session_events", "%0a", "/..", "%2f", ";a"])
def test_what_streamlit_tells_programs_is_closed(server: Server, path: str, after: str) -> None:
    for method in ("GET", "OPTIONS", "POST"):
        answer = server.ask(path + after, method=method)
        assert answer.status in (404, 400), (method, answer.body)
        assert answer.headers["x-content-type-options"] == "nosniff"
