"""One sentence at every milestone of a training run, packed for the browser as one film.

All milestones read the same tokens, so that their maps can be laid over each other: each
frame is a packed trace (`viz.inspector.pack`), and all of them travel in one array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

import numpy as np

from core.trace import Token
from viz.inspector.pack import Packed, token_columns, ui
from viz.inspector.quantise import WEIGHT_ERROR, Bytes

BUDGET: Final = 4 * 1024 * 1024
"""Bytes of weights that a film may send to a browser."""
LONGEST: Final = 64
"""Tokens a side beyond which no film goes: more cells than a small picture has points."""

Curves = Mapping[str, Sequence[tuple[int, float]]]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One milestone.

    Attributes:
        step: updates of the weights before it was kept.
        packed: the trace of the shared target.
        output: what it writes freely, the end token included when it was reached.
        finished: False when the length limit cut `output` off.
        loss: nats a token of the shared target, None where the model tells no probabilities.
    """

    step: int
    packed: Packed
    output: tuple[Token, ...]
    finished: bool
    loss: float | None


@dataclass(frozen=True, slots=True, eq=False)
class PackedFilm:
    """What the component is sent.

    Attributes:
        meta: JSON-able description of the film and of where things lie in `array`.
        array: (bytes,) uint8; the bodies of all frames (`viz.inspector.quantise`).
    """

    meta: dict[str, Any]
    array: Bytes


def longest_side(heads: int, milestones: int) -> int:
    """Tokens that source and target may each have, special ones included.

    Args:
        heads: of all layers and kinds of attention.
        milestones: of the run.
    """
    return min(LONGEST, isqrt(BUDGET // max(1, heads * milestones)))


def pack_film(
    frames: Sequence[Frame], *, film_id: str, validation: Mapping[str, Curves], training: Curves
) -> PackedFilm:
    """Lay the frames behind each other.

    Args:
        frames: by step, at least one; all of the same tokens and the same heads.
        film_id: names the film and its curves.
        validation: by the corpus's name, the curves of its scores: (step, value) by name.
        training: curves of what the loop reports, alike.

    Raises:
        ValueError: for frames that do not fit each other.
    """
    first = frames[0].packed.meta
    shared = {name: first[name] for name in ("source", "read", "written")}
    shapes = [_shapes(frame.packed) for frame in frames]
    alike = all({name: f.packed.meta[name] for name in shared} == shared for f in frames)
    if not alike or any(shape != shapes[0] for shape in shapes):
        raise ValueError("the frames are not of the same tokens and heads")
    milestones: list[dict[str, Any]] = []
    arrays: list[Bytes] = []
    place = 0
    for frame in frames:
        sites, array = frame.packed.whole(place)
        milestones.append(
            {
                "step": frame.step,
                "trace_id": frame.packed.meta["trace_id"],
                "output": token_columns(frame.output),
                "finished": frame.finished,
                "loss": frame.loss,
                "sites": sites,  # as they lie in the common array
            }
        )
        arrays.append(array)
        place += array.size
    meta: dict[str, Any] = {
        "film_id": film_id,
        "weight_error": WEIGHT_ERROR,
        **shared,
        "milestones": milestones,
        "validation": {name: _lists(curves) for name, curves in validation.items()},
        "training": _lists(training),
    }
    return PackedFilm(meta, np.concatenate(arrays))


def film_data(
    packed: PackedFilm,
    *,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any],
) -> dict[str, Any]:
    """What a v2 component takes as `data`; the array stays at the top level, as it must.

    Args:
        packed: the film.
        language: BCP 47 tag of the texts.
        text: the words of the inspector and of the film together.
        selection: where to start: `kind`, `layer`, `head`, `pinned` as in `component_data`,
            `milestone` and `compare` (steps), `view` ("maps" or "difference"); what does not
            fit the film is replaced.
    """
    meta = {**packed.meta, "ui": ui("film", language, text, selection)}
    return {"meta": meta, "array": packed.array}


def _shapes(packed: Packed) -> list[tuple[Any, ...]]:
    axes = ("kind", "layers", "heads", "rows", "columns")
    return [tuple(site[axis] for axis in axes) for site in packed.meta["sites"]]


def _lists(curves: Curves) -> dict[str, list[list[float]]]:
    return {name: [[step, value] for step, value in points] for name, points in curves.items()}
