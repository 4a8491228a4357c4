"""How sure a model is of what it wrote."""

from __future__ import annotations

import numpy as np

from core.trace import AttentionTrace


def certainty(trace: AttentionTrace) -> float | None:
    """Mean log probability of a token that it wrote by itself, natural logarithm.

    Its exponential is the geometric mean of the probabilities, and minus it the logarithm of the
    output's perplexity.

    Returns:
        None where it wrote nothing, or was made to write some of it.
    """
    if trace.logits is None or not trace.tells_next or not trace.meta.get("free_running"):
        return None
    given = trace.meta.get("given", 0)
    begin = int(given) if isinstance(given, int | float) else 0
    written = [token.id for token in trace.written[begin:]]
    logits = trace.logits[begin:].astype(np.float64)
    if not written or min(written) < 0 or max(written) >= logits.shape[1]:
        return None
    peaks = logits.max(axis=1, keepdims=True)
    totals = peaks[:, 0] + np.log(np.exp(logits - peaks).sum(axis=1))
    return float((logits[np.arange(len(written)), written] - totals).mean())
