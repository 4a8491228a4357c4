"""How likely a model found what stands in a trace."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.trace import AttentionTrace

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
    wide = trace.logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    totals = np.log(np.exp(wide).sum(axis=1))
    chosen: Doubles = wide[np.arange(len(ids)), ids] - totals
    return chosen
