"""Films that are computed beside the pages, each once, and the latest of them kept.

A page asks for the state of a film (`Films.state`) and looks again later; what nobody asks for
any more stops.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.manifest import MANIFEST
from core.training.folder import MilestoneFolder, RunFolder
from viz.filming import Film, FilmRequest, Outcome, Stopped, Taken, outcome
from viz.store import LOOKS

KEPT_FILMS: Final = 8
KEPT_BYTES: Final = 192 * 1024 * 1024
ABANDONED_SECONDS: Final = 2.0
"""How long a film is computed on when nobody asks for it any more."""


@dataclass(frozen=True, slots=True)
class Filming:
    """A film that is being computed, since `seconds`: `done` of its milestones so far."""

    done: int
    of: int
    seconds: float


FilmState = Filming | Outcome
_Key = tuple[FilmRequest, tuple[tuple[int, int], ...]]


@dataclass(slots=True)
class _Job:
    """One attempt; `ended` when another one shall take its place."""

    of: int
    began: float
    asked: float
    done: int = 0
    stopped: bool = False
    ended: bool = False
    taken: Taken = field(default_factory=dict)
    future: Future[Outcome] = field(default_factory=Future)

    def told(self, done: int) -> bool:
        """Takes down how far it is; False where it is wanted no more."""
        self.done = done
        return not self.stopped and time.monotonic() - self.asked < ABANDONED_SECONDS


class Films:
    """Computes films one after the other and keeps the latest used.

    Args:
        kept, budget: how many films stay, and how many bytes of arrays; one always may.
    """

    def __init__(self, kept: int = KEPT_FILMS, budget: int = KEPT_BYTES) -> None:
        self._kept = kept
        self._budget = budget
        self._jobs: OrderedDict[_Key, _Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")

    def state(self, request: FilmRequest) -> FilmState:
        """Where a film stands; asking for one starts to compute it."""
        milestones = RunFolder(request.folder).milestones()
        job = self._job(request, milestones)
        if not job.future.done():
            return Filming(job.done, job.of, time.monotonic() - job.began)
        found = job.future.result()
        if isinstance(found, Film):
            for look in found.looks:  # the exact numbers are fetched from there
                if LOOKS.get(look.id) is None:
                    LOOKS.put(look)
        return found

    def stop(self, request: FilmRequest) -> None:
        """Ends a film that is being computed after the milestone at work."""
        with self._lock:
            for (asked, _), job in self._jobs.items():
                job.stopped |= asked == request

    def go_on(self, request: FilmRequest) -> None:
        """Has a film that was stopped or failed computed on when it is asked for."""
        with self._lock:
            for (asked, _), job in self._jobs.items():
                if asked == request and job.future.done():
                    job.ended = True

    def _job(self, request: FilmRequest, milestones: Sequence[MilestoneFolder]) -> _Job:
        key = (request, _fingerprint(milestones))
        now = time.monotonic()
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job.ended or _abandoned(job):
                job = _Job(len(milestones), now, now, taken={} if job is None else job.taken)
                job.future = self._pool.submit(outcome, request, milestones, job.told, job.taken)
                self._jobs[key] = job
            job.asked = now
            self._jobs.move_to_end(key)
            self._tidy()
            return job

    def _tidy(self) -> None:
        while len(self._jobs) > 1 and (
            len(self._jobs) > self._kept or sum(map(_bytes, self._jobs.values())) > self._budget
        ):
            _, gone = self._jobs.popitem(last=False)
            gone.stopped = True


def _fingerprint(milestones: Sequence[MilestoneFolder]) -> tuple[tuple[int, int], ...]:
    """Changes with every milestone that comes, goes or is another."""
    return tuple((m.step, _written_at(m.folder / MANIFEST)) for m in milestones)


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _abandoned(job: _Job) -> bool:
    """Whether it ended because nobody asked for it, not because somebody stopped it."""
    ended = job.future.done() and isinstance(job.future.result(), Stopped)
    return ended and not job.stopped


def _bytes(job: _Job) -> int:
    """Bytes of the arrays that an attempt which is over has left."""
    if not job.future.done():
        return 0
    found = job.future.result()
    looks = sum(look.nbytes for _, look in job.taken.values())
    return looks + (found.packed.array.nbytes if isinstance(found, Film) else 0)


FILMS: Final = Films()
