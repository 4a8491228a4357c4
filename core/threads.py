"""How many threads an operation gets: one where it is small.

torch spreads every operation over all cores, and waits for the slowest. Of a look at one sentence
that is thousands of operations of microseconds each: hardly faster on an idle machine, and where a
training runs beside it, each of them waits for a thread that is not on a core (`make bench
BENCH=looking` measures both).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import torch

SMALL: Final = 64 * 1024 * 1024
"""Products in one operation up to which it gets one thread: 2 to 4 milliseconds of a core."""


@contextmanager
def threads_for(products: int) -> Iterator[None]:
    """Gives the operations of a block one thread where they are small, else those that they had.

    For the calling thread alone: what other threads do meanwhile, and what this one does behind
    the block, has as many as before.

    Args:
        products: numbers multiplied in the largest operation of the block.
    """
    torch.get_num_threads()  # a thread's first operation takes the process's setting: not in there
    if products > SMALL:
        yield
        return
    with _one_thread():
        yield


@contextmanager
def _one_thread() -> Iterator[None]:
    openmp = _openmp()
    if openmp is None:
        # Counts for threads that begin meanwhile, too; a thread that has begun keeps its own.
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)
        return
    set_kernels = getattr(openmp, "MKL_Set_Num_Threads_Local", None)  # where torch has MKL
    before = openmp.omp_get_max_threads()
    openmp.omp_set_num_threads(1)
    kernels = set_kernels(1) if set_kernels else 0  # 0: as OpenMP has it
    try:
        yield
    finally:
        openmp.omp_set_num_threads(before)
        if set_kernels:
            set_kernels(kernels)


@cache
def _openmp() -> ctypes.CDLL | None:
    """The OpenMP that torch is linked to: its settings are those of the calling thread."""
    try:
        library = ctypes.CDLL(torch._C.__file__)
        before = torch.get_num_threads()
        library.omp_set_num_threads(before + 1)
        heard = torch.get_num_threads() == before + 1
        library.omp_set_num_threads(before)
    except (AttributeError, OSError):  # another platform's torch does not show it
        return None
    return library if heard else None
