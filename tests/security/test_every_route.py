"""Whatever is asked of any route of the real app: no fault of ours, and every header of ours."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.types import Message, Scope

import app as real
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from tests.conftest import SENTENCES
from viz.jobs import services
from viz.jobs.models import Ready
from viz.server.security import SECURITY_HEADERS

LONG = "9" * 5000
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")
PARAMETERS = (
    "from", "source", "target", "view", "kind", "layer", "head", "step", "lang", "theme", "side",
    "other", "place", "words", "order", "top", "kept", "trim", "stretch", "threshold", "pinned",
    "held", "temperature", "top_k", "top_p", "shaping", "families",
)  # fmt: skip
WORDS = (
    "cross", "encoder_self", "head", "grid", "next", "stages", "lines", "look.csv", "look.json",
    "tree.csv", "neuron", "on", "1", "0", "3.5", "query.1", "entropy", "tiny-run", "80", "-1",
    "١", "²", "1e9", "nan", "inf", LONG, "0" * 5000, "../../app.py", "..", "%2e%2e", "\0", "\n",
    "<script>", "e" * 300, "", "\ud7ff\U0001f600", "/", "//", "C:\\", "name.svg",
)  # fmt: skip


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]


Ask = Callable[[str, str, str, list[tuple[str, str]]], Reply]


@pytest.fixture(scope="module")
def ids(tiny_model: TransformerModel) -> tuple[str, ...]:
    """A look and a search that are kept."""
    ready = Ready(tiny_model)
    source = SENTENCES[0][0]
    return services.snapshot(ready, TraceRequest(source)).id, services.search(ready, source, 2).id


@pytest.fixture(scope="module")
def routes() -> tuple[str, ...]:
    """The paths of all routes of the real app, parameters in braces."""
    built = real.app._build_starlette_app()
    assert isinstance(built, Starlette)
    found = [one.path for one in built.routes if isinstance(one, Route | Mount)]
    found += [f"{path}/{{path}}" for path in found if path in ("/frame", "/inspector", "", "/")]
    assert {"/runs/{id}/events", "/trace/{id}/logits/{step:count}", "/_stcore/metrics"} <= set(
        found
    )
    return tuple(found)


@pytest.fixture(scope="module")
def ask(
    tiny_checkpoint: Path, tiny_run: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ask]:
    """One request to the real app, in this process."""
    loop = asyncio.new_event_loop()

    def asked(method: str, path: str, query: str, headers: list[tuple[str, str]]) -> Reply:
        return loop.run_until_complete(_asked(method, path, query, headers))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADLIGHT_CHECKPOINTS", str(tiny_checkpoint.parent))
        patch.setenv("HEADLIGHT_RUNS", str(tiny_run.parent))
        yield asked
    loop.close()


async def _asked(method: str, path: str, query: str, headers: list[tuple[str, str]]) -> Reply:
    sent: list[Message] = []
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "server": ("127.0.0.1", 8501),
        "client": ("127.0.0.1", 1),
        "headers": [
            (name.encode(), text.encode("latin-1", "replace"))
            for name, text in [("host", "localhost:8501"), *headers]
        ],
        "state": {},
    }
    messages: list[Message] = [{"type": "http.request", "body": b"{", "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    try:
        await real.app(scope, receive, send)
    except Exception:
        assert sent, "an answer comes first"
    found = {key.decode().lower(): text.decode("latin-1") for key, text in sent[0]["headers"]}
    return Reply(sent[0]["status"], found)


def is_sound(reply: Reply) -> bool:
    return reply.status < 500 and all(name.lower() in reply.headers for name in SECURITY_HEADERS)


@pytest.mark.parametrize(
    "address",
    [
        f"/runs/tiny-run/events?from={LONG}",
        f"/runs/tiny-run/events?from={'0' * 5000}",
        f"/runs/tiny-run/snapshots/{LONG}",
        f"/trace/x/cross/{LONG}/0",
        f"/trace/x/cross/0/{LONG}",
        f"/trace/x/logits/{LONG}",
    ],
    ids=lambda address: address[:24],
)
def test_numbers_of_thousands_of_digits(ask: Ask, address: str) -> None:
    path, _, query = address.partition("?")
    reply = ask("GET", path, query, [])
    assert reply.status in (400, 404)
    assert is_sound(reply)


def test_what_fails_has_the_headers_too(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is answered beyond all middleware."""

    def broken() -> str:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("viz.server.page.html", broken)
    reply = ask("GET", "/", "", [])
    assert reply.status == 500
    assert all(reply.headers[name.lower()] == text for name, text in SECURITY_HEADERS.items())


TEXTS = st.one_of(st.sampled_from(WORDS), st.text(max_size=30), st.integers().map(str))
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(("range", "cookie", "if-none-match", "accept", "accept-encoding",
                         "content-type", "content-length", "x-xsrftoken", "if-modified-since")),
        st.one_of(
            st.sampled_from((f"bytes={LONG}-", "bytes=0-1,3-", "bytes=-1", "bytes=9-0",
                             "_streamlit_xsrf=2|a|b|c", "gzip", f"_streamlit_xsrf=2|00|00|{LONG}",
                             "_streamlit_session=e30=", "multipart/form-data", "*/*;q=")),
            st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30),
        ),
    ),
    max_size=3,
)  # fmt: skip


@settings(
    max_examples=400,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_request_is_a_fault_of_the_server(
    ask: Ask, routes: tuple[str, ...], ids: tuple[str, ...], data: st.DataObject
) -> None:
    template = data.draw(st.sampled_from(routes))
    texts = st.one_of(st.sampled_from(ids), TEXTS)
    path = re.sub(r"\{[^}]*\}", lambda _: quote(data.draw(texts), safe="/"), template) or "/"
    names = st.lists(st.sampled_from(PARAMETERS), max_size=4, unique=True)
    query = urlencode({name: data.draw(texts) for name in data.draw(names)}, errors="replace")
    method = data.draw(st.one_of(st.just("GET"), st.sampled_from(METHODS)))
    reply = ask(method, path, query, data.draw(HEADERS))
    assert is_sound(reply), (method, path[:200], query[:200], reply)
