"""Films: one sentence at every milestone of a training run, computed once beside the pages.

Models of milestones are opened one after the other and let go of again. A page asks for the
state of a film (`Films.state`) and looks again later; what nobody asks for any more stops.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from core import registry
from core.errors import HeadlightError
from core.inspectable import Inspectable, ModelCard, TraceRequest
from core.manifest import MANIFEST
from core.studies.likelihood import log_probabilities
from core.studies.milestones import SharedTarget, shared_target
from core.trace import AttentionTrace
from core.training.events import Event, Progress, Validated, read_events
from core.training.folder import MilestoneFolder, RunFolder
from viz.inspector.film import Curves, Frame, longest_side, pack_film
from viz.inspector.pack import Packed, pack
from viz.services import COMPUTING
from viz.store import LOOKS, Look, look_id, translation_of

KEPT_FILMS: Final = 8
KEPT_BYTES: Final = 192 * 1024 * 1024
ABANDONED_SECONDS: Final = 2.0
"""How long a film is computed on when nobody asks for it any more."""
_MOST_POINTS: Final = 300  # of a curve that a run reported

_LOG: Final = logging.getLogger(__name__)
Side = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """One film.

    Attributes:
        folder: of the run.
        source: the sentence.
        target: what all milestones are made to write; None takes what the last one writes.
    """

    folder: Path
    source: str
    target: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A film that is ready.

    Attributes:
        target: that all milestones read; `cut` where it is only the beginning of what the
            last one writes.
        looks: one a milestone, by step; without next-token distributions.
        packed: all of them for the browser.
    """

    id: str
    target: SharedTarget
    steps: tuple[int, ...]
    looks: tuple[Look, ...]
    packed: Packed

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return self.packed.array.nbytes + sum(look.nbytes for look in self.looks)


@dataclass(frozen=True, slots=True)
class Filming:
    """A film that is being computed, since `seconds`: `done` of its milestones so far."""

    done: int
    of: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """A film that was stopped after `done` milestones."""

    done: int
    of: int


@dataclass(frozen=True, slots=True)
class TooLong:
    """A sentence that no film can hold: `length` tokens where `limit` fit."""

    side: Side
    length: int
    limit: int
    milestones: int


@dataclass(frozen=True, slots=True)
class Silent:
    """The last milestone writes nothing for this sentence, so there is nothing to share."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A film that could not be computed."""

    error: HeadlightError


Outcome = Film | Stopped | TooLong | Silent | Failed
FilmState = Filming | Outcome
_Key = tuple[FilmRequest, tuple[tuple[int, int], ...]]


@dataclass(slots=True)
class _Job:
    of: int
    began: float
    asked: float
    done: int = 0
    stopped: bool = False
    future: Future[Outcome] = field(default_factory=Future)

    def wanted(self) -> bool:
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
        outcome = job.future.result()
        if isinstance(outcome, Film):
            for look in outcome.looks:  # the exact numbers are fetched from there
                if LOOKS.get(look.id) is None:
                    LOOKS.put(look)
        return outcome

    def stop(self, request: FilmRequest) -> None:
        """Ends a film that is being computed after the milestone at work."""
        with self._lock:
            for (asked, _), job in self._jobs.items():
                job.stopped |= asked == request

    def again(self, request: FilmRequest) -> None:
        """Has a film that was stopped or failed computed anew when it is asked for."""
        with self._lock:
            for key in [key for key in self._jobs if key[0] == request]:
                del self._jobs[key]

    def _job(self, request: FilmRequest, milestones: Sequence[MilestoneFolder]) -> _Job:
        key = (request, _fingerprint(milestones))
        now = time.monotonic()
        with self._lock:
            job = self._jobs.get(key)
            if job is None or _abandoned(job):
                job = _Job(len(milestones), now, now)
                job.future = self._pool.submit(_outcome, request, milestones, job)
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
    outcome = job.future.result() if job.future.done() else None
    return outcome.nbytes if isinstance(outcome, Film) else 0


# On the thread that computes


def _outcome(request: FilmRequest, milestones: Sequence[MilestoneFolder], job: _Job) -> Outcome:
    try:
        return _film(request, milestones, job)
    except HeadlightError as error:
        return Failed(error)
    except Exception as error:
        _LOG.exception("no film of %s", request.folder)
        reason = f"{type(error).__name__} while looking at it"
        path = request.folder.name
        return Failed(HeadlightError("checkpoint_invalid", file="", path=path, reason=reason))


def _film(request: FilmRequest, milestones: Sequence[MilestoneFolder], job: _Job) -> Outcome:
    *others, last = milestones
    model = registry.load(last.folder)
    longest = longest_side(_heads(model.card), len(milestones))
    target = _target(model, request, longest)
    if not target.text:
        return Silent()
    asked = TraceRequest(request.source, target.text)
    final = _frame(model, last.step, asked)
    if (beyond := _beyond(final[1].trace, longest, len(milestones))) is not None:
        return beyond
    del model  # one at a time
    frames: list[tuple[Frame, Look]] = []
    for milestone in others:
        job.done = len(frames) + 1  # the last one came first
        if not job.wanted():
            return Stopped(job.done, job.of)
        frames.append(_frame(registry.load(milestone.folder), milestone.step, asked))
    frames.append(final)
    events = read_events(RunFolder(request.folder).events)
    return _edited(target, frames, events)


def _target(model: Inspectable, request: FilmRequest, longest: int) -> SharedTarget:
    if request.target is not None:
        return SharedTarget(request.target, False)
    with COMPUTING:
        return shared_target(model, request.source, longest)


def _heads(card: ModelCard) -> int:
    return sum(heads.layers * heads.heads for heads in card.kinds.values())


def _beyond(trace: AttentionTrace, longest: int, milestones: int) -> TooLong | None:
    sides: tuple[tuple[Side, int], ...] = (
        ("source", len(trace.source)),
        ("target", len(trace.written)),
    )
    over = [
        TooLong(side, length, longest, milestones) for side, length in sides if length > longest
    ]
    return over[0] if over else None


def _frame(model: Inspectable, step: int, request: TraceRequest) -> tuple[Frame, Look]:
    """One milestone: its look at the shared target, and what it writes freely."""
    with COMPUTING:
        trace = model.trace(request)
        free = model.generate(request.source)
    likely = log_probabilities(trace)
    # Distributions would be most of the bytes, and a film shows none.
    trace = replace(trace, logits=None)
    whole = look_id(model.digest, model.card.device, request)
    name = hashlib.sha256(f"film {whole}".encode()).hexdigest()
    packed = pack(trace, trace_id=name)
    look = Look(name, request, trace, packed, translation_of(trace))
    loss = None if likely is None else -float(likely.mean())
    return Frame(step, packed, free.tokens, free.finished, loss), look


def _edited(
    target: SharedTarget, frames: Sequence[tuple[Frame, Look]], events: Sequence[Event]
) -> Film:
    looks = tuple(look for _, look in frames)
    validation, training = _validation(events), _training(events)
    content = json.dumps([[look.id for look in looks], validation, training])
    name = hashlib.sha256(content.encode()).hexdigest()
    pictures = [frame for frame, _ in frames]
    packed = pack_film(pictures, film_id=name, validation=validation, training=training)
    return Film(name, target, tuple(frame.step for frame in pictures), looks, packed)


def _validation(events: Sequence[Event]) -> Mapping[str, Curves]:
    """By the corpus's name: (step, value) of each score."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for event in events:
        if isinstance(event, Validated):
            for name, scores in event.scores.items():
                curves = found.setdefault(name, {"loss": [], "bleu": [], "chrf": [], "exact": []})
                for score, points in curves.items():
                    points.append((event.step, float(getattr(scores, score))))
    return {
        name: {score: _thinned(points) for score, points in curves.items()}
        for name, curves in found.items()
    }


def _training(events: Sequence[Event]) -> Curves:
    points = [(event.step, event.loss) for event in events if isinstance(event, Progress)]
    return {"loss": _thinned(points)} if points else {}


def _thinned(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Finite ones, evenly picked where they are many, the last among them."""
    finite = [(step, value) for step, value in points if math.isfinite(value)]
    every = math.ceil(len(finite) / _MOST_POINTS) or 1
    return finite[::-1][::every][::-1]


FILMS: Final = Films()
