"""Whether this machine can do something at all: found out by doing it once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch


@cache
def works(trial: Callable[[], object]) -> bool:
    """Whether `trial` ends without an error here; asked once a process.

    Operators that need an instruction set, or that this torch does not have, say so only when
    they are called: by a RuntimeError of oneDNN's, a NotImplementedError, an AttributeError.
    What is drawn after it by chance is what would be drawn without it, so that a training that
    goes on in another process draws what it would have drawn in the first.
    """
    try:
        with torch.random.fork_rng(devices=[]):
            trial()
    except Exception:  # whatever its kind: the plain twin serves
        return False
    return True
