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

from core.checkpoint.manifest import MANIFEST
from core.training.folder import MilestoneFolder, RunFolder
from viz.jobs.filming import Film, FilmRequest, Outcome, Stopped, Taken, outcome
from viz.jobs.snapshots import SNAPSHOTS

KEPT_FILMS: Final = 8
KEPT_BYTES: Final = 192 * 1024 * 1024
ABANDONED_SECONDS: Final = 2.0
"""How long a film is computed on when nobody asks for it any more."""


@dataclass(frozen=True, slots=True)
class Filming:
    """A film that is being computed.

    Attributes:
        done, of: its milestones.
        seconds: since when.
        film: what there was of it before, with fewer milestones.
    """

    done: int
    of: int
    seconds: float
    film: Film | None = None


FilmState = Filming | Outcome
_Fingerprint = frozenset[tuple[int, int]]


@dataclass(slots=True)
class _Job:
    """One attempt; `ended` when another one shall take its place.

    Attributes:
        fingerprint: of the milestones that it takes.
        before: the film that an earlier attempt has left.
    """

    fingerprint: _Fingerprint
    before: Film | None
    began: float
    asked: float
    done: int = 0
    stopped: bool = False
    ended: bool = False
    taken: Taken = field(default_factory=dict)
    future: Future[Outcome] = field(default_factory=Future)

    @property
    def of(self) -> int:
        """How many milestones it takes."""
        return len(self.fingerprint)

    @property
    def found(self) -> Outcome | None:
        """What it came to, None while it is at work."""
        return self.future.result() if self.future.done() else None

    @property
    def film(self) -> Film | None:
        """What there is to show."""
        match self.found:
            case Film() as film:
                return film
            case Stopped(film=film):
                return film
        return self.before

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
        self._jobs: OrderedDict[FilmRequest, _Job] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")

    def state(self, request: FilmRequest) -> FilmState:
        """Where a film stands; asking for one starts to compute it.

        One that is ready is computed on when its run has kept another milestone; one that
        somebody stopped waits for `go_on`.
        """
        job = self._job(request, RunFolder(request.folder).milestones())
        if job.film is not None:
            for snapshot in job.film.snapshots:  # the exact numbers are fetched from there
                if SNAPSHOTS.get(snapshot.id) is None:
                    SNAPSHOTS.put(snapshot)
        if job.found is not None:
            return job.found
        return Filming(job.done, job.of, time.monotonic() - job.began, job.before)

    def stop(self, request: FilmRequest) -> None:
        """Ends a film that is being computed after the milestone at work."""
        with self._lock:
            if (job := self._jobs.get(request)) is not None:
                job.stopped = True

    def go_on(self, request: FilmRequest) -> None:
        """Has a film that was stopped or failed computed on when it is asked for."""
        with self._lock:
            job = self._jobs.get(request)
            if job is not None and job.future.done():
                job.ended = True

    def _job(self, request: FilmRequest, milestones: Sequence[MilestoneFolder]) -> _Job:
        fingerprint = _fingerprint(milestones)
        with self._lock:
            job = self._jobs.get(request)
            if job is None or _outdated(job, fingerprint):
                job = self._jobs[request] = _following(job, fingerprint)
                job.future = self._pool.submit(outcome, request, milestones, job.told, job.taken)
            job.asked = time.monotonic()
            self._jobs.move_to_end(request)
            self._tidy()
            return job

    def _tidy(self) -> None:
        while len(self._jobs) > 1 and (
            len(self._jobs) > self._kept or sum(map(_bytes, self._jobs.values())) > self._budget
        ):
            _, gone = self._jobs.popitem(last=False)
            gone.stopped = True


def _fingerprint(milestones: Sequence[MilestoneFolder]) -> _Fingerprint:
    """Changes with every milestone that comes, goes or is another."""
    return frozenset((m.step, _written_at(m.folder / MANIFEST)) for m in milestones)


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _outdated(job: _Job, fingerprint: _Fingerprint) -> bool:
    """Whether another attempt is due. What ended because nobody asked for it goes on."""
    halted = isinstance(job.found, Stopped)
    if job.stopped and (halted or job.found is None):
        return job.ended
    return halted or job.ended or job.fingerprint != fingerprint


def _following(job: _Job | None, fingerprint: _Fingerprint) -> _Job:
    """Another attempt, which has what the one before it took of the same milestones."""
    now = time.monotonic()
    if job is None:
        return _Job(fingerprint, None, now, now)
    job.stopped = True
    same = {step for step, _ in job.fingerprint & fingerprint}
    taken = {step: frame for step, frame in job.taken.copy().items() if step in same}
    return _Job(fingerprint, job.film, now, now, taken=taken)


def _bytes(job: _Job) -> int:
    """Bytes of the arrays that an attempt which is over has left."""
    if job.found is None:
        return 0
    snapshots = sum(snapshot.nbytes for _, snapshot in job.taken.values())
    return snapshots + (0 if job.film is None else job.film.packed.array.nbytes)


FILMS: Final = Films()
