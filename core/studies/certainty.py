"""How sure a model is of what it wrote."""

from __future__ import annotations

from core.outputs import certainty_of
from core.studies.likelihood import log_probability
from core.trace import AttentionTrace


def certainty(trace: AttentionTrace) -> float | None:
    """As `certainty_of` the tokens that it wrote by itself; its exponential is the geometric mean
    of their probabilities.

    Returns:
        None where it wrote nothing, or was made to write some of it.
    """
    if trace.logits is None or not trace.tells_next or not trace.meta.get("free_running"):
        return None
    given = trace.given
    written = [token.id for token in trace.written[given:]]
    if not written or min(written) < 0 or max(written) >= trace.logits.shape[1]:
        return None
    rows = zip(trace.logits[given:], written, strict=True)  # one by one: vocabularies are large
    return certainty_of([log_probability(row, token) for row, token in rows])
