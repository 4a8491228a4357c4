"""Learning rates."""

from __future__ import annotations

import math

from core.training.recipe import Schedule


def paper_rate(step: int, d_model: int, warmup: int) -> float:
    """d_model^-0.5 * min(step^-0.5, step * warmup^-1.5) (equation 3).

    Args:
        step: from 1 on.

    Raises:
        ValueError: for a step below 1.
    """
    if step < 1:
        raise ValueError("steps count from 1")
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def rate(schedule: Schedule, step: int, steps: int, d_model: int) -> float:
    """Learning rate of update `step` (1 to `steps`) of a run."""
    if schedule.kind == "paper":
        return schedule.scale * paper_rate(step, d_model, schedule.warmup)
    rising = step / schedule.warmup
    left = min((steps - step + 1) / max(steps - schedule.warmup, 1), 1.0)  # 1, then down to ~0
    falling = {
        "linear": left,
        "cosine": (1.0 - math.cos(math.pi * left)) / 2.0,
        "constant": 1.0,
    }[schedule.kind]
    return schedule.peak * min(rising, falling, 1.0)
