"""Opened models: each loaded once however many ask, and a bounded number of them kept."""

from __future__ import annotations

import contextlib
import gc
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from core.errors import HeadlightError
from core.model import Inspectable, ModelCard
from viz.text.refusals import because

KEPT_MODELS: Final = 3
RETRY_SECONDS: Final = 10.0
"""How long a model that could not be opened stays so; then its folder may be mended."""
GRACE_SECONDS: Final = 5.0
"""How long a model is kept for who was told to wait: pages ask again every 0.3 s, but one whose
machine is busy, or whose page is being drawn anew, comes late."""

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loading:
    """A model that is being opened, since `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Ready:
    """An opened model."""

    model: Inspectable


@dataclass(frozen=True, slots=True)
class Failed:
    """A model that could not be opened, or what was to be computed with some."""

    error: HeadlightError


ModelState = Loading | Ready | Failed


@dataclass(slots=True)
class _Entry:
    """One model.

    Attributes:
        began: when it was first asked for.
        awaited: when somebody was last told to wait for it, or until when somebody does.
        failed: when it was found that it cannot be opened.
    """

    future: Future[Ready]
    began: float
    awaited: float
    failed: float | None = None


class Models:
    """Opens models one after the other and keeps the latest used.

    What somebody waits for is never let go, even where more than `kept` are then open for a
    while: a page that waits would ask for it again, and again push another's out. When nobody
    has waited for `grace` seconds, no more than `kept` stay.

    Args:
        load: opens a model by its id; may take seconds.
        kept: how many stay open.
        grace: seconds, `GRACE_SECONDS`.
    """

    def __init__(
        self,
        load: Callable[[str], Inspectable],
        kept: int = KEPT_MODELS,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._load = load
        self._kept = kept
        self._grace = grace
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._cards: dict[str, ModelCard] = {}
        self._lock = threading.Lock()
        self._tidying: threading.Timer | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="open-model")

    def state(self, model_id: str) -> ModelState:
        """Where a model stands; asking for one starts to open it."""
        entry = self._entry(model_id)
        if not entry.future.done():
            return Loading(time.monotonic() - entry.began)
        error = entry.future.exception()
        if error is None:
            return entry.future.result()
        if isinstance(error, HeadlightError):
            return Failed(error)
        _LOG.error("%s cannot be opened", model_id, exc_info=error)
        reason = because("crashed_opening", kind=type(error).__name__)
        return Failed(HeadlightError("checkpoint_invalid", file="", path=model_id, reason=reason))

    def wait(self, model_id: str, timeout: float) -> ModelState:
        """Where a model stands once it is opened or could not be, or after `timeout` s."""
        entry = self._entry(model_id, timeout)
        with contextlib.suppress(TimeoutError):
            entry.future.exception(timeout)
            entry.awaited = time.monotonic()
        return self.state(model_id)

    def opened(self, model_id: str) -> Ready | None:
        """A model if it is open already; asking starts nothing."""
        with self._lock:
            entry = self._entries.get(model_id)
        done = entry is not None and entry.future.done() and entry.future.exception() is None
        return entry.future.result() if entry is not None and done else None

    def card(self, model_id: str) -> ModelCard | None:
        """What a model said of itself when it was last opened, though it may have been let go."""
        return self._cards.get(model_id)

    def forget(self, model_id: str) -> None:
        """Has a model opened anew when it is asked for again: its folder is another one."""
        with self._lock:
            self._entries.pop(model_id, None)
            self._cards.pop(model_id, None)

    def __len__(self) -> int:
        """How many are open, or shall be."""
        with self._lock:
            return len(self._entries)

    def _entry(self, model_id: str, patience: float = 0.0) -> _Entry:
        with self._lock:
            now = time.monotonic()
            entry = self._entries.get(model_id)
            if entry is None or _stale(entry, now):
                entry = _Entry(self._pool.submit(self._open, model_id), now, now)
                self._entries[model_id] = entry
            if not entry.future.done():
                entry.awaited = max(entry.awaited, now + patience)
            self._entries.move_to_end(model_id)
            self._tidy(now)
            return entry

    def _tidy(self, now: float) -> None:
        """Lets go what is too many; comes back for what somebody may still wait for."""
        newest = next(reversed(self._entries), None)
        for name, entry in list(self._entries.items()):
            if len(self._entries) <= self._kept:
                return
            if name != newest and now - entry.awaited >= self._grace:
                del self._entries[name]
                entry.future.cancel()  # one that is in the queue still
        if len(self._entries) > self._kept and self._tidying is None:
            self._tidying = threading.Timer(self._grace, self._tidy_later)
            self._tidying.daemon = True
            self._tidying.start()

    def _tidy_later(self) -> None:
        with self._lock:
            self._tidying = None
            self._tidy(time.monotonic())

    def _open(self, model_id: str) -> Ready:
        ready = Ready(self._load(model_id))
        self._cards[model_id] = ready.model.card
        # Each collection of all generations would go through torch's many objects, which stay:
        # 170 ms that everybody waits. Frozen ones are passed over.
        gc.collect()
        gc.freeze()
        return ready


def _stale(entry: _Entry, now: float) -> bool:
    """Whether it could not be opened, and that was told long enough."""
    if entry.failed is None and entry.future.done() and entry.future.exception() is not None:
        entry.failed = now  # it is told from now on, however long it was tried
    return entry.failed is not None and now - entry.failed > RETRY_SECONDS
