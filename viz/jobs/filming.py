"""Computing one film: the same sentence looked at by one milestone after the other.

Models of milestones are opened one at a time and let go of again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from core import registry
from core.errors import HeadlightError
from core.model import Inspectable, ModelCard, TraceRequest
from core.studies.likelihood import log_probabilities
from core.studies.milestones import SharedTarget, shared_target
from core.trace import AttentionTrace
from core.training.events import Event, Progress, Validated, read_events
from core.training.folder import MilestoneFolder, RunFolder
from viz.inspector.film import Curves, Frame, PackedFilm, longest_side, pack_film
from viz.inspector.pack import pack
from viz.jobs.models import Failed
from viz.jobs.services import COMPUTING
from viz.jobs.snapshots import Snapshot, snapshot_id
from viz.text.refusals import because

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
        snapshots: one a milestone, by step; without next-token distributions and
            without queries and keys.
        packed: all of them for the browser.
    """

    id: str
    target: SharedTarget
    steps: tuple[int, ...]
    snapshots: tuple[Snapshot, ...]
    packed: PackedFilm


@dataclass(frozen=True, slots=True)
class Stopped:
    """A film that was stopped after `done` milestones; `film` shows those."""

    done: int
    of: int
    film: Film


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


Outcome = Film | Stopped | TooLong | Silent | Failed


Told = Callable[[int], bool]
Taken = dict[int, tuple[Frame, Snapshot]]
"""Frames of a film by the step of their milestone."""


def outcome(
    request: FilmRequest, milestones: Sequence[MilestoneFolder], told: Told, taken: Taken
) -> Outcome:
    """Compute a film; whatever stands in its way is an outcome, too.

    Args:
        milestones: of the run, by step.
        told: called with how many are done before each further one; False stops.
        taken: frames that an earlier attempt took of these milestones, which are used where the
            target is still the same; more are added.
    """
    try:
        return _film(request, milestones, told, taken)
    except HeadlightError as error:
        return Failed(error)
    except Exception as error:
        _LOG.exception("no film of %s", request.folder)
        reason = because("crashed_looking", kind=type(error).__name__)
        path = request.folder.name
        return Failed(HeadlightError("checkpoint_invalid", file="", path=path, reason=reason))


def _film(
    request: FilmRequest, milestones: Sequence[MilestoneFolder], told: Told, taken: Taken
) -> Outcome:
    last = milestones[-1]
    model = registry.load(last.folder)
    longest = longest_side(_heads(model.card), len(milestones))
    target = _target(model, request, longest)
    if not target.text:
        return Silent()
    forced = target.text if model.card.capabilities.forcing else None
    asked = TraceRequest(request.source, forced)
    for step in [step for step, (_, snapshot) in taken.items() if snapshot.request != asked]:
        del taken[step]
    taken[last.step] = _frame(model, last.step, asked)
    if (beyond := _beyond(taken[last.step][1].trace, longest, len(milestones))) is not None:
        return beyond
    del model  # one at a time
    for milestone in milestones:
        if milestone.step in taken:
            continue
        if not told(len(taken)):
            return Stopped(len(taken), len(milestones), _edited(request, target, taken))
        taken[milestone.step] = _frame(registry.load(milestone.folder), milestone.step, asked)
    return _edited(request, target, taken)


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


def _frame(model: Inspectable, step: int, request: TraceRequest) -> tuple[Frame, Snapshot]:
    """One milestone: its trace of the shared target, and what it writes freely."""
    with COMPUTING:
        trace = model.trace(request)
        free = model.generate(request.source)
    likely = log_probabilities(trace)
    # Distributions and vectors would be most of the bytes, and a film shows neither.
    bare = {kind: replace(site, queries=None, keys=None) for kind, site in trace.sites.items()}
    trace = replace(trace, sites=bare, logits=None)
    whole = snapshot_id(model.digest, model.card.device, request)
    name = hashlib.sha256(f"film {whole}".encode()).hexdigest()
    packed = pack(trace, trace_id=name)
    snapshot = Snapshot(name, request, trace, packed)
    loss = None if likely is None else -float(likely.mean())
    return Frame(step, packed, free.tokens, free.finished, loss), snapshot


def _edited(request: FilmRequest, target: SharedTarget, taken: Taken) -> Film:
    frames = [frame for _, frame in sorted(taken.items())]
    events = read_events(RunFolder(request.folder).events)
    snapshots = tuple(snapshot for _, snapshot in frames)
    validation, training = _validation(events), _training(events)
    content = json.dumps([[snapshot.id for snapshot in snapshots], validation, training])
    name = hashlib.sha256(content.encode()).hexdigest()
    pictures = [frame for frame, _ in frames]
    packed = pack_film(pictures, film_id=name, validation=validation, training=training)
    return Film(name, target, tuple(frame.step for frame in pictures), snapshots, packed)


def _validation(events: Sequence[Event]) -> Mapping[str, Curves]:
    """By the corpus's name: (step, value) of each score."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for event in events:
        if isinstance(event, Validated):
            for name, scores in event.scores.items():
                curves = found.setdefault(name, {"loss": [], "bleu": [], "chrf": [], "exact": []})
                for score, points in curves.items():
                    value = getattr(scores, score)
                    points += [] if value is None else [(event.step, float(value))]
    return {
        name: {score: _thinned(points) for score, points in curves.items() if points}
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
