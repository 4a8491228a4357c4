"""Files and pages that are drawn on the server: a few at a time, and a queue with an end.

A plain route is answered on the threads that send Streamlit's own files, 28 of them, and one
figure keeps its thread for as long as all figures before it take: 45 at once held up every page
by 15 s. Here who waits holds no thread, and one thread draws: matplotlib's settings belong to
the process, so a second one would wait for the first, and take time from the pages' own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from starlette.requests import Request

from core.errors import HeadlightError
from viz.text.refusals import AppError

MOST: Final = 16
"""Drawings at work or in the queue, at 0.3 to 2 s each: nobody waits for a minute in silence."""
RETRY_SECONDS: Final = 5
T = TypeVar("T")


class Drawing:
    """Draws in turn; where `most` are at work or wait, one more is refused."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._asked = 0  # touched by the event loop alone
        self._turn = asyncio.Semaphore(1)
        self._hand = ThreadPoolExecutor(max_workers=1, thread_name_prefix="draw")

    @property
    def full(self) -> bool:
        """Whether one more would be refused."""
        return self._asked >= self._most

    async def of(self, request: Request, work: Callable[[], T]) -> T:
        """What `work` returns, when it was its turn.

        Args:
            request: that asks for it; nothing is drawn for one that went away.

        Raises:
            HeadlightError: drawing_busy where the queue is full; as `work`.
        """
        if self.full:
            raise busy()
        self._asked += 1
        try:
            async with self._turn:
                if await request.is_disconnected():
                    raise busy()  # nobody reads it
                return await asyncio.get_running_loop().run_in_executor(self._hand, work)
        finally:
            self._asked -= 1


def busy() -> HeadlightError:
    """That so many ask already."""
    return AppError("drawing_busy", seconds=RETRY_SECONDS)


def refusal(error: HeadlightError) -> tuple[int, dict[str, str]]:
    """Status and headers of a refusal: 503 and when to ask again, or 400."""
    if error.code == "drawing_busy":
        return 503, {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
    return 400, {}


DRAWING: Final = Drawing()
"""The one hand that figures are drawn by; BertViz's pages have another (`viz.server.routes`)."""
