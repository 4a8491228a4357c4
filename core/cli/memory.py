"""How freed memory is kept, for work that asks for as much again a moment later."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

# glibc's malloc.h
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_MAX: Final = -4


def keep_freed_memory() -> bool:
    """Let this process keep what it frees, instead of handing it back and faulting it in again.

    Each update of a training frees as much as the next one takes: page faults were an eighth
    of a small model's processor time and a third of a tiny one's.

    Returns:
        Whether this system's allocator can be told so: glibc's can.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_MAX, 0) and mallopt(_M_TRIM_THRESHOLD, -1))
