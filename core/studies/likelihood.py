"""How likely a model found what stands in a trace."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.trace import AttentionTrace, Floats

Doubles = npt.NDArray[np.float64]


def log_probabilities(trace: AttentionTrace) -> Doubles | None:
    """(step,) natural log-probability of each token written, in float64 and without overflow.

    Returns:
        None for a trace that says nothing of probabilities: no logits, no decoder, or a
        written token whose place in the vocabulary is unknown.
    """
    ids = [token.id for token in trace.written]
    if trace.logits is None or not ids:
        return None
    if not all(0 <= row < trace.logits.shape[1] for row in ids):
        return None
    return np.array([log_probability(*one) for one in zip(trace.logits, ids, strict=True)])


def log_probability(logits: Floats, token: int) -> float:
    """The same of one token, by the (vocabulary,) logits of its step."""
    below = logits.astype(np.float64)
    below -= below.max()
    return float(below[token] - np.log(np.exp(below).sum()))
