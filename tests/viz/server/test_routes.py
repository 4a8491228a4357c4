"""What the server answers beside the pages."""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event
from urllib.parse import urlencode

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send

from core.model import Sampling, TraceRequest
from core.trace import KINDS, AttentionSite, Kind
from tests.twins.packed import unpack
from tests.viz.asgi import Reply, get
from viz.export.request import FORMATS, MEDIA, form_of
from viz.inspector.modules import WEB, bare
from viz.inspector.quantise import WEIGHT_ERROR
from viz.jobs import services
from viz.jobs.models import Failed, Models, Ready
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server import routes
from viz.server.drawing import Drawing, busy
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.server.security import SECURITY_HEADERS, SecurityHeaders
from viz.text.errors import TEXT as ERRORS
from viz.text.errors import worded
from viz.text.language import LANGUAGES, Language
from viz.text.names import named
from viz.text.pair import TEXT as PAIR
from viz.text.reasons import TEXT as REASONS

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


@pytest.fixture
def snapshot(tiny_snapshot: Snapshot) -> Iterator[Snapshot]:
    SNAPSHOTS.put(tiny_snapshot)
    yield tiny_snapshot
    SNAPSHOTS.clear()


def test_a_page_asks_at_once_for_all_modules_that_draw_it() -> None:
    """Each is found to import others, and a browser that is told of none comes back five times."""
    ahead = re.compile(
        r'<link rel="(?:module)?preload" [a-z]+="(?:low|style)" href="\./([^"]+)" />'
    )
    names = ahead.findall(get(APP, "/").body.decode())
    files = [path for room in (".", "data", "views") for path in (WEB / room).glob("*.js")]
    written = {f"inspector/{path.relative_to(WEB)}" for path in files}
    elsewhere = {f"inspector/{name}" for name in ("framed.js", "views/stages.js", "data/arrow.js")}
    assert {*names} >= written - elsewhere
    assert "inspector/style.css" in names
    assert [name for name in names if name.startswith("static/js/BidiComponent.")]
    assert all(get(APP, f"/{name}").status == 200 for name in names)
    assert names == ahead.findall(get(APP, "/step").body.decode())
    assert ahead.findall(get(APP, "/train").body.decode()) == []


def test_a_sentence_does_not_ask_for_the_icon_again() -> None:
    assert get(APP, "/frame/icon.svg").headers["cache-control"] == "max-age=3600"
    assert get(APP, "/frame/frame.css").headers["cache-control"] == "no-cache"


def typed(model: str, source: str, **headers: str) -> Reply:
    query = urlencode({"model": model, "source": source})
    return get(APP, f"/snapshot?{query}", method="POST", **headers)


def test_a_typed_sentence_is_looked_at_as_its_page_will(fresh: Models) -> None:
    """The same look, by its id, which the run of the page then finds."""
    ready = awaited(fresh, "tiny")
    reply = typed("tiny", "어제\t비가 왔어")
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"
    meta = json.loads(reply.body)
    found = services.snapshot(ready, TraceRequest("어제 비가 왔어"))
    assert meta == json.loads(json.dumps(found.packed.meta))
    assert SNAPSHOTS.get(meta["trace_id"]) is found


def test_a_sentence_that_cannot_be_looked_at_is_left_to_its_page(fresh: Models) -> None:
    assert typed("tiny", "비").status == 204  # the model is not open, and nothing opens it
    assert fresh.opened("tiny") is None
    awaited(fresh, "tiny")
    for model, source in (
        ("tiny", ""),
        ("tiny", "비 " * 4000),
        ("no-such", "비"),
        ("../tiny", "비"),
    ):
        reply = typed(model, source)
        assert (reply.status, reply.body) == (204, b""), (model, source[:9])
    assert len(SNAPSHOTS) == 0


def test_other_sites_cannot_have_a_sentence_looked_at(fresh: Models) -> None:
    awaited(fresh, "tiny")
    assert typed("tiny", "비", origin="http://localhost").status == 200
    assert typed("tiny", "물", origin="http://evil.test").status == 403
    assert get(APP, "/snapshot?model=tiny&source=a").status == 405


def test_a_typed_sentence_is_written_by_the_chance_of_its_page(fresh: Models) -> None:
    ready = awaited(fresh, "tiny")
    asked = {"model": "tiny", "source": "비가 왔어", "seed": "7", "sample_temperature": "1.5"}
    reply = get(APP, f"/snapshot?{urlencode(asked)}", method="POST")
    sampling = Sampling(7, 1.5)
    found = services.snapshot(ready, TraceRequest("비가 왔어", sampling=sampling))
    assert json.loads(reply.body)["trace_id"] == found.id
    assert found.packed.meta["sampled"] == {"seed": "7", "temperature": "1.5", "top_p": "0.9"}
    junk = get(APP, f"/snapshot?{urlencode({**asked, 'seed': '-1'})}", method="POST")
    plain = services.snapshot(ready, TraceRequest("비가 왔어"))
    assert json.loads(junk.body)["trace_id"] == plain.id


def test_who_asks_while_many_wait_is_told_to_wait_for_the_page(fresh: Models) -> None:
    """Each keeps one of the threads that answer browsers."""
    awaited(fresh, "tiny")
    with ThreadPoolExecutor(routes.MOST_TYPED + 1) as visitors:
        with services.COMPUTING:
            asked = [
                visitors.submit(typed, "tiny", f"비가 {at}") for at in range(routes.MOST_TYPED + 1)
            ]
            first, _ = wait(asked, return_when=FIRST_COMPLETED)
            assert [one.result().status for one in first] == [204]
        assert sorted(one.result().status for one in asked) == [200] * routes.MOST_TYPED + [204]


def awaited(models: Models, name: str) -> Ready:
    pause = Event()
    for _ in range(600):
        state = models.state(name)
        if isinstance(state, Ready):
            return state
        assert not isinstance(state, Failed)
        pause.wait(0.05)
    raise AssertionError(f"{name} never opened")


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_arrives_exactly(snapshot: Snapshot, kind: Kind) -> None:
    site = snapshot.trace.sites[kind]
    layer, head = site.layers - 1, site.heads - 1
    reply = get(APP, f"/trace/{snapshot.id}/{kind}/{layer}/{head}", accept_encoding="gzip")
    assert reply.status == 200
    assert "immutable" in reply.headers["cache-control"]
    assert site.scores is not None
    assert site.shares is not None
    body, cells = np.frombuffer(reply.body, "<f4"), site.allowed.size
    weights, scores = body[: 2 * cells].reshape(2, *site.allowed.shape)
    np.testing.assert_array_equal(body[2 * cells :], np.ravel(site.shares[layer]))
    np.testing.assert_array_equal(weights, site.weights[layer, head])
    np.testing.assert_array_equal(scores, site.scores[layer, head])


@pytest.mark.parametrize("kind", KINDS)
def test_all_heads_of_a_kind_arrive_packed(snapshot: Snapshot, kind: Kind) -> None:
    reply = get(APP, f"/trace/{snapshot.id}/{kind}", accept_encoding="gzip")
    assert reply.status == 200
    assert "immutable" in reply.headers["cache-control"]
    described = next(site for site in snapshot.packed.meta["sites"] if site["kind"] == kind)
    weights, allowed = unpack([described], np.frombuffer(reply.body, np.uint8))[kind]
    np.testing.assert_allclose(weights, snapshot.trace.sites[kind].weights, atol=WEIGHT_ERROR)
    np.testing.assert_array_equal(allowed, snapshot.trace.sites[kind].allowed)


@pytest.mark.parametrize(
    "path",
    [
        "{id}/self",
        "{other}/cross",
        "{id}/cross/99/0",
        "{id}/cross/0/99",
        "{id}/self/0/0",
        "{id}/cross/-1/0",
        "{id}/cross/0/1e3",
        "{id}/cross/0",
        "{other}/cross/0/0",
        "../../app.py/cross/0/0",
    ],
)
def test_what_is_not_there_is_a_404_without_detail(snapshot: Snapshot, path: str) -> None:
    reply = get(APP, "/trace/" + path.format(id=snapshot.id, other="0" * 64))
    assert reply.status == 404
    assert reply.body in (b"", b"Not Found")


def test_logits_of_a_step_arrive_exactly(snapshot: Snapshot) -> None:
    assert snapshot.trace.logits is not None
    last = len(snapshot.trace.logits) - 1
    reply = get(APP, f"/trace/{snapshot.id}/logits/{last}", accept_encoding="gzip")
    assert reply.status == 200
    assert "immutable" in reply.headers["cache-control"]
    np.testing.assert_array_equal(np.frombuffer(reply.body, "<f4"), snapshot.trace.logits[last])
    SNAPSHOTS.put(replace(snapshot, id="mute", trace=replace(snapshot.trace, logits=None)))
    for path in (
        f"{snapshot.id}/logits/{last + 1}",
        f"{snapshot.id}/logits/-1",
        "mute/logits/0",
        "x/logits/0",
    ):
        assert get(APP, f"/trace/{path}").status == 404


def test_a_kind_that_this_look_lacks_is_a_404(snapshot: Snapshot) -> None:
    sites: dict[Kind, AttentionSite] = {"cross": snapshot.trace.sites["cross"]}
    SNAPSHOTS.put(replace(snapshot, id="less", trace=replace(snapshot.trace, sites=sites)))
    assert get(APP, "/trace/less/cross/0/0").status == 200
    assert get(APP, "/trace/less/encoder_self/0/0").status == 404
    assert get(APP, "/trace/less/encoder_self").status == 404


@pytest.mark.parametrize("form", FORMATS)
def test_a_look_is_taken_along(snapshot: Snapshot, form: str) -> None:
    asked = "view=lines&kind=cross&layer=1&head=2&step=1&lang=ko"
    reply = get(APP, f"/export/{snapshot.id}/trace.{form}?{asked}")
    assert reply.status == 200
    assert reply.headers["content-type"] == MEDIA[form_of(f"x.{form}")]
    whole = form in ("html", "npz")
    name = f"{named('headlight', snapshot.trace)}.{form}" if whole else f"layer1-head2-lines.{form}"
    assert name in reply.headers["content-disposition"]
    assert reply.headers["content-disposition"].startswith("attachment")
    assert len(reply.body) > 100


@pytest.mark.parametrize("form", ["svg", "csv", "json"])
def test_two_looks_are_taken_along(snapshot: Snapshot, form: str) -> None:
    address = f"/export/{snapshot.id}/beside/{snapshot.id}/trace.{form}"
    reply = get(APP, f"{address}?kind=cross&layer=1&head=2&other=1.1&lang=ko")
    assert reply.status == 200
    assert reply.headers["content-type"] == MEDIA[form_of(f"x.{form}")]
    name = f"headlight-pair-cross-layer1-head2.{form}"
    assert name in reply.headers["content-disposition"]
    assert get(APP, f"{address}?other=9.9").status == 400
    assert get(APP, f"{address}?other=x").status == 400
    assert get(APP, f"/export/{snapshot.id}/beside/{snapshot.id}/trace.npz").status == 400
    assert get(APP, f"/export/{snapshot.id}/beside/{'0' * 64}/trace.{form}").status == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_comparison_is_taken_along_alive(snapshot: Snapshot, language: Language) -> None:
    asked = f"layer=1&head=2&other=1.1&pinned=1.2&words=on&lang={language}"
    reply = get(APP, f"/export/{snapshot.id}/beside/{snapshot.id}/trace.html?kind=cross&{asked}")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/html")
    page = reply.body.decode()
    assert f'<html lang="{language}">' in page
    assert (
        f'"{named("headlight-pair", snapshot.trace)}.html"' in reply.headers["content-disposition"]
    )
    held = re.search(r'id="held">(.*?)</script>', page)
    assert held is not None
    meta = json.loads(held[1])["data"]["meta"]
    assert meta["ui"]["text"]["export_both"] == PAIR[language].export_both
    chosen = meta["ui"]["selection"]
    assert {name: value for name, value in chosen.items() if value is not None} == {
        "kind": "cross", "layer": 1, "head": 2, "other": "1.1", "pinned": [1, 2], "words": "on",
    }  # fmt: skip
    assert not re.search(r"(https?|wss?|ftp)://|//[a-z]+\.", page)


def test_a_figure_is_taken_along_as_it_was_seen(snapshot: Snapshot) -> None:
    asked = f"/export/{snapshot.id}/trace.svg?view=lines"
    assert get(APP, f"{asked}&threshold=0.3").body != get(APP, asked).body
    assert get(APP, f"{asked}&threshold=&kept=").body == get(APP, asked).body


@pytest.mark.parametrize(
    "query",
    [
        "layer=99",
        "layer=1e3",
        "head=0",
        "head=-1",
        "kind=sideways",
        "view=pie",
        "view=next&step=99",
        "trim=1e999",
        "view=lines&kept=99.99",
        "kept=99.99,x",
        "pinned=NaN",
        "held=query.999",
        "view=grid&order=previous",
        "view=next&temperature=0",
    ],
)
def test_what_cannot_be_taken_along_is_said(snapshot: Snapshot, query: str) -> None:
    reply = get(APP, f"/export/{snapshot.id}/trace.svg?{query}")
    assert reply.status == 400
    assert b"cannot be" in reply.body
    assert reply.headers["content-type"].startswith("text/plain")


def test_what_was_asked_is_what_is_refused(snapshot: Snapshot) -> None:
    asked = f"/export/{snapshot.id}/trace.svg"
    assert b"layer cannot be '-1'" in get(APP, f"{asked}?layer=-1").body
    assert b"step cannot be '1e3'" in get(APP, f"{asked}?step=1e3").body
    assert len(get(APP, f"{asked}?view={'x' * 3000}").body) < 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_refused_is_said_in_the_language_that_is_asked_for(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    start, _, rest = ERRORS[language]["parameter_invalid"].partition("{name}")
    part = rest.partition("{value!r}")[0]
    both = f"/export/{snapshot.id}/beside/{snapshot.id}/trace"
    for address in (f"/export/{snapshot.id}/trace.svg?layer=99&", f"{both}.svg?layer=99&"):
        reply = get(APP, f"{address}lang={language}")
        assert reply.status == 400
        assert f"{start}layer{part}99" in reply.body.decode()
    monkeypatch.setattr("viz.export.numbers.MOST_CELLS", 1)
    for address in (f"/export/{snapshot.id}/trace.csv?view=grid&", f"{both}.json?view=grid&"):
        reply = get(APP, f"{address}lang={language}")
        assert reply.status == 400
        assert f"{start}view{part}" in reply.body.decode()
        room = REASONS[language]["cells_many"].partition("{size")[0].format(room=1)
        assert room in reply.body.decode()


def test_of_an_unknown_look_nothing_is_taken(snapshot: Snapshot) -> None:
    assert get(APP, f"/export/{'0' * 64}/trace.svg").status == 404
    assert get(APP, f"/export/{snapshot.id}/trace.exe").status == 400


@pytest.mark.parametrize("query", ["", "?lang=ko&source=%EC%96%B4%EC%A0%9C"])
def test_inspect_is_found_by_its_name(query: str) -> None:
    reply = get(APP, f"/inspect{query}")
    assert reply.status == 307
    assert reply.headers["location"] == f"./{query}"


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/Step", "./step"),
        ("/COMPARE?lang=ko", "./compare?lang=ko"),
        ("/Inspect", "./"),
        ("/milestone", "./?page=unknown"),
        ("/살펴보기?lang=ko", "./?lang=ko&page=unknown"),
    ],
)
def test_a_mistyped_page_is_found_or_told(path: str, leads: str) -> None:
    reply = get(APP, path)
    assert reply.status == 307
    assert reply.headers["location"] == leads


@pytest.mark.parametrize("path", ["/favicon.png", "/_stcore/health", "/a/b", "/static/x"])
def test_what_is_no_name_of_a_page_is_left_to_streamlit(path: str) -> None:
    assert get(APP, path).status == 404


def test_modules_are_scripts_and_are_validated_on_every_visit() -> None:
    reply = get(APP, "/inspector/main.js")
    assert reply.status == 200
    assert "javascript" in reply.headers["content-type"]
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.body.decode() == bare(WEB / "main.js") != (WEB / "main.js").read_text("utf-8")
    again = get(APP, "/inspector/main.js", if_none_match=reply.headers["etag"])
    assert again.status == 304
    assert get(APP, "/inspector/style.css").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("path", ["/inspector/../routes.py", "/inspector/%2e%2e/routes.py"])
def test_nothing_beside_the_modules_is_served(path: str) -> None:
    assert get(APP, path).status == 404


def test_every_answer_carries_the_security_headers() -> None:
    for path in ("/inspector/main.js", "/nowhere"):
        headers = get(APP, path).headers
        for name, value in SECURITY_HEADERS.items():
            assert headers[name.lower()] == value


def test_scripts_come_from_here_only() -> None:
    policy = dict(
        part.split(" ", 1) for part in SECURITY_HEADERS["Content-Security-Policy"].split("; ")
    )
    assert "'unsafe-inline'" not in policy["script-src"]
    assert "'unsafe-eval'" not in policy["script-src"]
    assert policy["connect-src"] == "'self'"
    assert policy["default-src"] == "'self'"


def test_other_protocols_pass_untouched() -> None:
    seen: list[str] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def receive() -> Message:
        raise AssertionError("nobody asks")

    async def send(message: Message) -> None:
        raise AssertionError("nobody answers")

    asyncio.run(SecurityHeaders(inner)({"type": "websocket"}, receive, send))
    assert seen == ["websocket"]


def test_who_asks_first_is_told_whether_there_is_room_and_nothing_is_drawn(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the menu of files asks; a browser says of a refused file no more than that it failed."""
    address = f"/export/{snapshot.id}/trace.svg?view=head&lang=ko"
    monkeypatch.setattr("viz.export.one.exported", lambda *_, **__: pytest.fail("drawn"))
    assert get(APP, address, method="HEAD").status == 200
    monkeypatch.setattr("viz.server.export_routes.DRAWING", Drawing(0))
    assert get(APP, address, method="HEAD").status == 503
    full = get(APP, address)
    assert full.status == 503
    assert int(full.headers["retry-after"]) > 0
    assert full.headers["cache-control"] == "no-store"
    assert full.body.decode() == worded(busy(), "ko")
    assert get(APP, f"/export/{'0' * 64}/trace.svg", method="HEAD").status == 404
