"""Temperature, top-k and top-p, slowly: the twin of viz/inspector/web/data/sampling.js."""

from __future__ import annotations

import math


def shaped(logits: list[float], temperature: float, top_k: int, top_p: float) -> list[float]:
    """Probabilities, 0 for a token that is cut.

    Args:
        logits: of one step.
        top_k: 0 cuts nothing.
        top_p: 1 cuts nothing.
    """
    order = sorted(range(len(logits)), key=lambda id: (-logits[id], id))
    order = order[: top_k or None]
    odds = {id: math.exp((logits[id] - max(logits)) / temperature) for id in order}
    whole = sum(odds.values())
    kept: list[int] = []
    for id in order:
        if top_p < 1 and kept and sum(odds[one] for one in kept) >= top_p * whole:
            break
        kept.append(id)
    share = sum(odds[id] for id in kept)
    return [odds[id] / share if id in kept else 0.0 for id in range(len(logits))]
