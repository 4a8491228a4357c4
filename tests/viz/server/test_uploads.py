"""Files that are sent: refused before they take more than their page, or all together, may have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from viz.jobs import uploads as kept
from viz.jobs.uploads import Uploads
from viz.server import uploads as module
from viz.server.uploads import FRAMING, BoundedUploads, Queue

MB = 1024 * 1024
PATH = "/_stcore/upload_file/{session}/{file}"


def _put(
    uploads: Uploads,
    body: Iterable[bytes],
    session: str = "s",
    file: str = "f",
    length: int | None = None,
    seen: list[int] | None = None,
) -> int:
    """The status of a PUT in these parts; `seen` are the bytes that the app behind it read."""
    parts = list(body)
    read = [] if seen is None else seen

    async def put(request: Request) -> Response:
        async for part in request.stream():
            read.append(len(part))
        return Response(status_code=204)

    app = Starlette(
        routes=[Route(PATH, put, methods=["PUT"])],
        middleware=[Middleware(BoundedUploads, uploads=uploads)],
    )
    sent: list[Message] = []
    headers = [] if length is None else [(b"content-length", str(length).encode())]
    scope: Scope = {
        "type": "http",
        "method": "PUT",
        "path": PATH.format(session=session, file=file),
        "query_string": b"",
        "headers": headers,
    }

    async def receive() -> Message:
        if not parts:
            await asyncio.Event().wait()
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return int(sent[0]["status"])


def test_what_no_page_asked_for_is_refused_unread() -> None:
    seen: list[int] = []
    assert _put(Uploads(), [b"x" * MB], length=MB, seen=seen) == 413
    assert seen == []
    assert _put(Uploads(), [b"x" * MB]) == 413


def test_a_file_may_have_what_its_page_says() -> None:
    uploads = Uploads()
    uploads.expect("s", 2 * MB)
    assert _put(uploads, [b"x" * MB] * 2, length=2 * MB) == 204
    seen: list[int] = []
    assert _put(uploads, [b"x" * MB] * 3, length=3 * MB, seen=seen) == 413
    assert seen == []


def test_a_length_that_is_a_lie_or_missing_helps_nobody() -> None:
    uploads = Uploads()
    uploads.expect("s", 2 * MB)
    for length in (None, 5):
        seen: list[int] = []
        assert _put(uploads, [b"x" * MB] * 50, length=length, seen=seen) == 413
        assert sum(seen) <= 2 * MB + FRAMING
    assert uploads.bytes == 0, "what was refused takes no place"


def test_a_page_that_takes_less_takes_less_from_then_on() -> None:
    uploads = Uploads()
    uploads.expect("s", 9 * MB)
    uploads.expect("s", MB)
    assert _put(uploads, [b"x" * MB] * 2) == 413
    assert uploads.limit("another") == 0


def test_a_new_file_takes_the_place_of_the_visits_last() -> None:
    uploads = Uploads()
    uploads.expect("s", 2 * MB)
    for number in range(5):
        assert _put(uploads, [b"x" * MB], file=f"{number}") == 204
    assert uploads.bytes == MB


def test_all_files_together_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[tuple[str, str]] = []

    class Manager:
        def remove_file(self, session: str, file: str) -> None:
            gone.append((session, file))

    monkeypatch.setattr(kept, "_manager", Manager)
    uploads = Uploads(budget=3 * MB)
    for session in "abcde":
        uploads.expect(session, 2 * MB)
        assert _put(uploads, [b"x" * MB], session=session) == 204
        assert uploads.bytes <= 3 * MB
    assert gone == [("a", "f"), ("b", "f")]  # what came first was read long ago


def test_what_is_on_its_way_counts_and_the_rest_is_asked_to_wait() -> None:
    uploads = Uploads(budget=3 * MB)
    uploads.expect("s", 9 * MB)
    assert uploads.more(2 * MB)  # somebody else's
    assert _put(uploads, [b"x" * MB] * 2) == 503
    assert uploads.bytes == 2 * MB
    assert _put(uploads, [b"x" * MB]) == 204


def _sent_by(uploads: Uploads, receive: Receive) -> int:
    """The status that somebody gets whose file arrives so; within 20 s."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def put(request: Request) -> Response:
        return Response(await request.body(), 204)

    app = Starlette(
        routes=[Route(PATH, put, methods=["PUT"])],
        middleware=[Middleware(BoundedUploads, uploads=uploads)],
    )
    path = PATH.format(session="s", file="f")
    scope: Scope = {
        "type": "http", "method": "PUT", "path": path, "query_string": b"", "headers": [],
    }  # fmt: skip

    async def asked() -> None:
        async with asyncio.timeout(20):
            await app(scope, receive, send)

    asyncio.run(asked())
    status: int = sent[0]["status"]
    return status


def test_who_stops_half_way_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STALL_SECONDS", 0.05)
    uploads = Uploads()
    uploads.expect("s", 2 * MB)

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    assert _sent_by(uploads, never) == 408
    assert uploads.bytes == 0


def _told(queue: ForwardMsgQueue, fragments: list[str] | None = None) -> list[str]:
    """What a browser is told that asked where to send a file just as a run starts."""
    answer, note = ForwardMsg(), ForwardMsg()
    answer.file_urls_response.response_id = "asked"
    note.delta.new_element.text.body = "of the run before"
    queue.enqueue(note)
    queue.enqueue(answer)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
    told = [str(message.WhichOneof("type")) for message in queue.flush()]
    assert queue.is_empty()
    return told


def test_who_asks_where_to_send_a_file_is_told_though_a_run_starts() -> None:
    assert _told(Queue()) == ["file_urls_response"]
    assert _told(Queue(), ["part"]).count("file_urls_response") == 1


def test_streamlit_still_forgets_it() -> None:
    """Where this fails, `Queue` has nothing left to do."""
    assert _told(ForwardMsgQueue()) == []


def test_every_visit_gets_a_queue_that_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_session, "ForwardMsgQueue", ForwardMsgQueue)
    module.install()
    assert vars(app_session)["ForwardMsgQueue"] is Queue


def test_who_sends_a_file_drop_by_drop_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part comes in time, and the whole of it never would."""
    monkeypatch.setattr(module, "WHOLE_SECONDS", 0.2)
    uploads = Uploads()
    uploads.expect("s", 2 * MB)

    async def drops() -> Message:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    assert _sent_by(uploads, drops) == 408
    assert uploads.bytes == 0
