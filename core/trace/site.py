"""All heads of all layers of one kind of attention, as plain arrays that check themselves.

Axis order is one law: `(layer, head, query, key)`; masks are bool and True = may attend.
Nothing here knows torch, so figures and the inspector may import it freely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.trace.axes import AXES, KINDS, Axis, Bools, Floats, Kind, TraceError

ROW_SUM_TOLERANCE: Final = 1e-5
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "scores": ("query", "key"),
    "queries": ("query", "d_k"),
    "keys": ("key", "d_k"),
    "outputs": ("query", "d_v"),
    "shares": ("query",),
    "sinks": ("query",),
}
"""Arrays that may be missing, and their axes behind (layer, head)."""


def check_sums(kind: Kind, weights: Floats, allowed: Bools, sinks: Floats | None = None) -> None:
    """That rows which may attend to anything, or have a sink, sum to 1 with it, and others to 0.

    Args:
        weights: (..., query, key).
        allowed: (..., query, key), broadcastable to the weights.
        sinks: (..., query) what of each row no key has.

    Raises:
        TraceError: one does not, within `ROW_SUM_TOLERANCE`, or is no number.
    """
    sums = weights.sum(axis=-1, dtype=np.float64)
    sunk = np.zeros(sums.shape, np.float32) if sinks is None else sinks
    expected = (allowed.any(axis=-1) | (sunk > 0)) - sunk
    if not np.isfinite(sums).all():
        raise TraceError("weight_infinite", kind=kind)
    off = np.abs(sums - expected)
    if not (off <= ROW_SUM_TOLERANCE).all():
        worst = off.argmax()
        raise TraceError(
            "row_sum",
            kind=kind,
            sum=float(sums.flat[worst]),
            wanted=float(expected.flat[worst]),
            tolerance=ROW_SUM_TOLERANCE,
        )


@dataclass(frozen=True, slots=True, eq=False)
class AttentionSite:
    """All heads of all layers of one kind of attention.

    Attributes:
        kind: which attention.
        weights: (layer, head, query, key) softmax output before dropout, rows sum to 1.
        allowed: the mask as the model applied it: (query, key) where all heads have the same,
            (layer, head, query, key) where they differ.
        scores: (layer, head, query, key) q·k / sqrt(d_k) before masking, where exposed; with what a
            model adds, such as for where its tokens stand (`bias` in the trace's meta says how).
        queries: (layer, head, query, d_k) as they enter q·k / sqrt(d_k), where exposed.
        keys: (layer, head, key, d_k), where queries are.
        outputs: (layer, head, query, d_v) what each head mixed of its values, before W^O, where
            exposed.
        shares: (layer, head, query) of each head in what all heads of its layer add to the
            residual stream (`core.nn.attention.shares`), where exposed; those
            of a row sum to 1, and may be negative.
        sinks: (layer, head, query) what of each row flows into no key, of a model that has a score
            for that; None of any other, whose rows sum to 1.
        forced: weights were put in the place of a softmax's. They need not sum to 1, nor keep
            to the mask.

    Raises:
        TraceError: on construction, when a row and its sink do not sum to 1 within 1e-5 (rows
            with no allowed key must be all 0, and their sink 0 or 1), a forbidden cell is not
            exactly 0, a value is not finite, shapes disagree, or there are queries without keys.
    """

    kind: Kind
    weights: Floats
    allowed: Bools
    scores: Floats | None = None
    queries: Floats | None = None
    keys: Floats | None = None
    outputs: Floats | None = None
    shares: Floats | None = None
    forced: bool = False
    sinks: Floats | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise TraceError("kind_unknown", kind=self.kind)
        if self.weights.ndim != 4:
            raise TraceError("weights_axes", kind=self.kind, axes=self.weights.ndim)
        if self.weights.shape[0] < 1 or self.weights.shape[1] < 1:
            raise TraceError("kind_headless", kind=self.kind)
        shapes = (self.weights.shape[2:], self.weights.shape)
        if self.allowed.dtype != np.bool_ or self.allowed.shape not in shapes:
            raise TraceError("mask_form", kind=self.kind)
        self._check_parts()
        for layer, weights in enumerate(self.weights):  # one at a time: comparing takes memory
            self._check(
                weights,
                self.allowed if self.one_mask else self.allowed[layer],
                None if self.sinks is None else self.sinks[layer],
            )

    def _check(self, weights: Floats, allowed: Bools, sinks: Floats | None) -> None:
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise TraceError("weight_infinite", kind=self.kind)
        if self.forced:
            return
        forbidden = weights[:, ~allowed] if allowed.ndim == 2 else weights[~allowed]
        if forbidden.any():
            raise TraceError("weight_forbidden", kind=self.kind)
        check_sums(self.kind, weights, allowed, sinks)

    def _check_parts(self) -> None:
        *heads, rows, columns = self.weights.shape
        lengths = {"query": rows, "key": columns}
        for name, part in self.parts().items():
            # what d_k and d_v are, the part itself says
            expected = map(lengths.get, PARTS[name], part.shape[2:])
            if part.ndim != 2 + len(PARTS[name]) or part.shape != (*heads, *expected):
                raise TraceError("part_shape", kind=self.kind, part=name)
            if not np.isfinite(part).all():
                if name == "scores":
                    raise TraceError("score_infinite", kind=self.kind)
                raise TraceError("part_infinite", kind=self.kind, part=name)
        if (self.queries is None) != (self.keys is None):
            raise TraceError("vectors_alone", kind=self.kind)
        if self.queries is not None and self.keys is not None:
            width = self.queries.shape[3]
            if width != self.keys.shape[3] or width < 1:
                raise TraceError("vectors_uneven", kind=self.kind)

    def parts(self) -> dict[str, Floats]:
        """Those of `PARTS` that it has."""
        found = {name: getattr(self, name) for name in PARTS}
        return {name: part for name, part in found.items() if part is not None}

    @property
    def layers(self) -> int:
        return int(self.weights.shape[0])

    @property
    def heads(self) -> int:
        return int(self.weights.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """How many queries and keys."""
        return int(self.weights.shape[2]), int(self.weights.shape[3])

    @property
    def query_axis(self) -> Axis:
        """Whose tokens the queries are: what a decoder row writes, what an encoder row reads."""
        return AXES[self.kind].query

    @property
    def key_axis(self) -> Axis:
        """Whose tokens the keys are: always such as were read."""
        return AXES[self.kind].key

    @property
    def writes(self) -> bool:
        """Whether its queries are decoder rows, of which each has two names."""
        return self.query_axis == "written"

    @property
    def one_sequence(self) -> bool:
        """Whether the query and the key of one place are of one position."""
        axes = {self.query_axis, self.key_axis}
        return len(axes) == 1 or "source" not in axes

    @property
    def one_mask(self) -> bool:
        """Whether all heads of all layers have one mask."""
        return self.allowed.ndim == 2

    def mask(self, layer: int, head: int) -> Bools:
        """(query, key) of one head; both count from 0."""
        return self.allowed if self.one_mask else self.allowed[layer, head]
