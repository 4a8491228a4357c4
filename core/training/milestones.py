"""At which steps a run keeps a whole checkpoint, so that one can watch it learn afterwards."""

from __future__ import annotations


def milestone_steps(steps: int, count: int) -> tuple[int, ...]:
    """Steps from 0 (untrained) to the last, the rest evenly spaced by their logarithm.

    Early updates change the most, so they are kept the most densely.

    Args:
        steps: of the whole run.
        count: how many are wanted; close to 0 the steps are whole numbers that coincide,
            so it can be some fewer. 1 keeps the last alone, 0 none.
    """
    if count < 2:
        return (steps,) * count
    spaces = max(count - 2, 1)
    return tuple(sorted({0, *(round(steps ** (place / spaces)) for place in range(spaces + 1))}))
