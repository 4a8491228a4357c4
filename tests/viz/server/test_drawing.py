"""The queue in which figures wait: one at a time, in turn, and no more than so many."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from starlette.requests import Request
from starlette.types import Message

from core.errors import HeadlightError
from viz.server.drawing import Drawing, refusal


def _request(gone: Callable[[], bool] = lambda: False) -> Request:
    async def receive() -> Message:
        if not gone():
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "method": "GET", "path": "/", "headers": []}, receive)


def test_one_at_a_time_in_turn_and_one_more_is_refused() -> None:
    drawn: list[int] = []
    at_work = threading.Semaphore(1)
    most = 5

    def work(number: int) -> int:
        assert at_work.acquire(blocking=False), "two at a time"
        drawn.append(number)
        threading.Event().wait(0.01)
        at_work.release()
        return number

    async def many() -> list[int | BaseException]:
        drawing = Drawing(most)
        assert not drawing.full
        asked = [drawing.of(_request(), lambda n=n: work(n)) for n in range(most + 3)]  # type: ignore[misc]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert not drawing.full
        assert await drawing.of(_request(), lambda: 99) == 99
        return found

    found = asyncio.run(many())
    assert found[:most] == drawn == list(range(most))
    for refused in found[most:]:
        assert isinstance(refused, HeadlightError)
        status, headers = refusal(refused)
        assert status == 503
        assert int(headers["Retry-After"]) > 0


def test_what_fails_gives_its_place_back() -> None:
    async def fail() -> None:
        drawing = Drawing(1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await drawing.of(_request(), lambda: 1 // 0)
        assert not drawing.full

    asyncio.run(fail())


def test_nothing_is_drawn_for_who_went_away() -> None:
    async def leave() -> None:
        drawing = Drawing(2)
        with pytest.raises(HeadlightError):
            await drawing.of(_request(gone=lambda: True), lambda: pytest.fail("drawn"))
        assert await drawing.of(_request(), lambda: 1) == 1

    asyncio.run(leave())
