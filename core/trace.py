"""What one look at a model holds: every head of every layer, as plain arrays.

Axis order is one law: `(layer, head, query, key)`; masks are bool and True = may attend.
Nothing here knows torch, so figures and the inspector may import it freely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from core.reasons import RefusedError

Kind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: Final[tuple[Kind, ...]] = ("encoder_self", "decoder_self", "cross")

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

ROW_SUM_TOLERANCE: Final = 1e-5


class TraceError(RefusedError):
    """The arrays contradict each other: such a trace is never drawn."""


@dataclass(frozen=True, slots=True)
class Token:
    """One position of a sequence.

    Attributes:
        piece: as the vocabulary spells it ("▁cafe", "<s>").
        text: as a person reads it ("cafe", "start"); never markup.
        id: row of the embedding, -1 where unknown (a foreign trace file).
        word: index of the word that the piece belongs to, -1 for special tokens.
    """

    piece: str
    text: str
    id: int = -1
    word: int = -1

    @property
    def special(self) -> bool:
        return self.word < 0


def check_sums(kind: Kind, weights: Floats, allowed: Bools) -> None:
    """That rows which may attend to anything sum to 1, and others to 0.

    Args:
        weights: (..., query, key).
        allowed: (query, key).

    Raises:
        TraceError: one does not, within `ROW_SUM_TOLERANCE`, or is no number.
    """
    sums = weights.sum(axis=-1, dtype=np.float64)
    expected = allowed.any(axis=1).astype(np.float32)
    if not np.isfinite(sums).all():
        raise TraceError("weight_infinite", kind=kind)
    off = np.abs(sums - expected)
    if not (off <= ROW_SUM_TOLERANCE).all():
        worst = off.argmax()
        raise TraceError(
            "row_sum",
            kind=kind,
            sum=float(sums.flat[worst]),
            wanted=float(np.broadcast_to(expected, sums.shape).flat[worst]),
            tolerance=ROW_SUM_TOLERANCE,
        )


@dataclass(frozen=True, slots=True, eq=False)
class AttentionSite:
    """All heads of all layers of one kind of attention.

    Attributes:
        kind: which attention.
        weights: (layer, head, query, key) softmax output before dropout, rows sum to 1.
        allowed: (query, key) the mask as the model applied it.
        scores: (layer, head, query, key) q·k / sqrt(d_k) before masking, where exposed.
        queries: (layer, head, query, d_k) as they enter q·k / sqrt(d_k), where exposed.
        keys: (layer, head, key, d_k), where queries are.

    Raises:
        TraceError: on construction, when a row does not sum to 1 within 1e-5 (rows with
            no allowed key must be all 0), a forbidden cell is not exactly 0, a value is
            not finite, shapes disagree, or there are queries without keys.
    """

    kind: Kind
    weights: Floats
    allowed: Bools
    scores: Floats | None = None
    queries: Floats | None = None
    keys: Floats | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise TraceError("kind_unknown", kind=self.kind)
        if self.weights.ndim != 4:
            raise TraceError("weights_axes", kind=self.kind, axes=self.weights.ndim)
        if self.weights.shape[0] < 1 or self.weights.shape[1] < 1:
            raise TraceError("kind_headless", kind=self.kind)
        if self.allowed.dtype != np.bool_ or self.allowed.shape != self.weights.shape[2:]:
            raise TraceError("mask_form", kind=self.kind)
        if self.scores is not None:
            if self.scores.shape != self.weights.shape:
                raise TraceError("part_shape", kind=self.kind, part="scores")
            if not np.isfinite(self.scores).all():
                raise TraceError("score_infinite", kind=self.kind)
        self._check_vectors()
        for layer in self.weights:  # one at a time: what is compared takes memory, too
            self._check(layer)

    def _check(self, weights: Floats) -> None:
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise TraceError("weight_infinite", kind=self.kind)
        if weights[:, ~self.allowed].any():
            raise TraceError("weight_forbidden", kind=self.kind)
        check_sums(self.kind, weights, self.allowed)

    def _check_vectors(self) -> None:
        if self.queries is None and self.keys is None:
            return
        if self.queries is None or self.keys is None:
            raise TraceError("vectors_alone", kind=self.kind)
        *heads, rows, columns = self.weights.shape
        for name, vectors, length in (
            ("queries", self.queries, rows),
            ("keys", self.keys, columns),
        ):
            if vectors.ndim != 4 or vectors.shape[:3] != (*heads, length):
                raise TraceError("part_shape", kind=self.kind, part=name)
            if not np.isfinite(vectors).all():
                raise TraceError("part_infinite", kind=self.kind, part=name)
        if self.queries.shape[3] != self.keys.shape[3] or self.queries.shape[3] < 1:
            raise TraceError("vectors_uneven", kind=self.kind)

    @property
    def layers(self) -> int:
        return int(self.weights.shape[0])

    @property
    def heads(self) -> int:
        return int(self.weights.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTrace:
    """One look at one model, checked on construction.

    A decoder row has two names: the token that it *reads* (`target[t]`) and the token
    that it *writes* (`written[t]`), which is the label of the decoder's queries. The keys
    of `decoder_self` are tokens read.

    Attributes:
        model_id: whose attention this is.
        source: what the encoder read; empty for a decoder-only model.
        target: what the decoder read, starting with its start token; empty for an encoder.
        written: what each decoder position wrote; as long as `target`.
        sites: the kinds of attention that the model has.
        logits: (target, vocabulary), where the model exposes them.
        meta: further facts of the look (free-running or teacher-forced, mask lifted, ...).
        vocabulary: what people read for each row of the vocabulary, where that is known.

    Raises:
        TraceError: when an axis does not fit its tokens, or the vocabulary its logits.
    """

    model_id: str
    source: tuple[Token, ...]
    target: tuple[Token, ...]
    written: tuple[Token, ...]
    sites: Mapping[Kind, AttentionSite]
    logits: Floats | None = None
    meta: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    vocabulary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.written) != len(self.target):
            raise TraceError("tokens_written")
        for kind, site in self.sites.items():
            if kind != site.kind:
                raise TraceError("kind_misfiled", kind=site.kind, name=kind)
            expected = (len(self.queries(kind)), len(self.keys(kind)))
            if site.allowed.shape != expected:
                raise TraceError(
                    "kind_axes", kind=kind, found=str(site.allowed.shape), wanted=str(expected)
                )
        if self.logits is not None:
            if self.logits.ndim != 2 or self.logits.shape[0] != len(self.target):
                raise TraceError("logits_target")
            if not np.isfinite(self.logits).all():
                raise TraceError("logit_infinite")
            if self.vocabulary is not None and len(self.vocabulary) != self.logits.shape[1]:
                raise TraceError("vocabulary_uneven")

    def queries(self, kind: Kind) -> tuple[Token, ...]:
        """Labels of the query axis: what a decoder row writes, what an encoder row reads."""
        return self.source if kind == "encoder_self" else self.written

    def keys(self, kind: Kind) -> tuple[Token, ...]:
        """Labels of the key axis: always tokens that were read."""
        return self.target if kind == "decoder_self" else self.source

    def prefix(self, steps: int) -> AttentionTrace:
        """The look after `steps` decoder positions, as views: stepping is slicing.

        Args:
            steps: 1 to len(target).

        Raises:
            IndexError: outside that range.
        """
        if not 1 <= steps <= len(self.target):
            raise IndexError(f"step {steps} of {len(self.target)}")
        sites: dict[Kind, AttentionSite] = {}
        for kind, site in self.sites.items():
            rows = slice(None) if kind == "encoder_self" else slice(steps)
            columns = slice(steps) if kind == "decoder_self" else slice(None)
            sites[kind] = AttentionSite(
                kind,
                site.weights[:, :, rows, columns],
                site.allowed[rows, columns],
                None if site.scores is None else site.scores[:, :, rows, columns],
                None if site.queries is None else site.queries[:, :, rows],
                None if site.keys is None else site.keys[:, :, columns],
            )
        return AttentionTrace(
            self.model_id,
            self.source,
            self.target[:steps],
            self.written[:steps],
            sites,
            None if self.logits is None else self.logits[:steps],
            self.meta,
            self.vocabulary,
        )
