"""What the causal mask keeps from the decoder: the same look with and without it.

Row t of the decoder writes `written[t]`, which is the token that row t+1 reads. With the
mask lifted, row t may look at that very token, so its probability can change for a reason
that decoding never has. Both looks must have read the same tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.trace import AttentionTrace, Floats, Token

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Leak:
    """Probability of the right answer with the mask and without it.

    Attributes:
        written: the right answers, one a step.
        masked, lifted: (step,) natural log-probabilities of them.
        future: (step,) share of the decoder's self-attention, mean over layers and heads,
            that went to later positions with the mask lifted; 0..1.
    """

    written: tuple[Token, ...]
    masked: Doubles
    lifted: Doubles
    future: Doubles

    @property
    def probability_masked(self) -> Doubles:
        """(step,) probability of the right answer with the mask; 0..1."""
        return np.asarray(np.exp(self.masked))

    @property
    def probability_lifted(self) -> Doubles:
        """(step,) probability of the right answer without the mask; 0..1."""
        return np.asarray(np.exp(self.lifted))

    @property
    def change(self) -> Doubles:
        """(step,) probability without the mask minus probability with it; -1..1."""
        return self.probability_lifted - self.probability_masked

    @property
    def log_probability_masked(self) -> float:
        """Natural log-probability of the whole target with the mask."""
        return float(self.masked.sum())

    @property
    def log_probability_lifted(self) -> float:
        """The same product without the mask: a score, no longer a probability of a text."""
        return float(self.lifted.sum())


def leak(masked: AttentionTrace, lifted: AttentionTrace) -> Leak:
    """Compares two looks at one target.

    Args:
        masked: with the causal mask.
        lifted: the same source and target with the mask lifted.

    Raises:
        ValueError: the looks are not at the same tokens, have no decoder, or say nothing of
            probabilities.
    """
    same = (masked.source, masked.target, masked.written)
    if same != (lifted.source, lifted.target, lifted.written):
        raise ValueError("the two looks did not read the same tokens")
    if masked.logits is None or lifted.logits is None or not masked.written:
        raise ValueError("a look has no probabilities of a target")
    site = lifted.sites.get("decoder_self")
    if site is None:
        raise ValueError("the look has no decoder")
    ids = [token.id for token in masked.written]
    if not all(0 <= row < masked.logits.shape[1] for row in ids):
        raise ValueError("a token of the target has no id")
    # (layer, head, query, key) -> (query,)
    future = np.triu(site.weights.mean(axis=(0, 1), dtype=np.float64), k=1).sum(axis=1)
    return Leak(
        masked.written, _log_softmax(masked.logits, ids), _log_softmax(lifted.logits, ids), future
    )


def _log_softmax(logits: Floats, ids: list[int]) -> Doubles:
    """(step,) log-softmax of one entry a row, in float64 and without overflow."""
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    totals = np.log(np.exp(wide).sum(axis=1))
    chosen: Doubles = wide[np.arange(len(ids)), ids] - totals
    return chosen
