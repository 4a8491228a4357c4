"""Whether this machine can do something at all: found out by doing it once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache


@cache
def works(trial: Callable[[], object]) -> bool:
    """Whether `trial` ends without an error here; asked once a process.

    Operators that need an instruction set, or that this torch does not have, say so only when
    they are called: by a RuntimeError of oneDNN's, a NotImplementedError, an AttributeError.
    """
    try:
        trial()
    except Exception:  # whatever its kind: the plain twin serves
        return False
    return True
