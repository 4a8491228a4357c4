"""The processes that share one training: a single one, or those that torchrun started.

They share the work of each update, not the recipe: every batch is dealt out row by row, so
the same recipe takes the same steps however many processes there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor

from core.errors import HeadlightError

_LOST = ("gloo", "nccl", "connection", "socket", "timed out")


@dataclass(frozen=True, slots=True)
class Group:
    """This process's place among `size`; the one of rank 0 leads: it writes and speaks."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def total(self, value: Tensor) -> Tensor:
        """The sum of every process's scalar."""
        if self.size > 1:
            dist.all_reduce(value)
        return value

    def any(self, flag: bool) -> bool:
        """Whether it is true for at least one."""
        return flag if self.size == 1 else bool(self._spread(float(flag)) > 0)

    def led(self, value: float) -> float:
        """The leader's number, for all."""
        return value if self.size == 1 else self._spread(value if self.leads else 0.0)

    def wait(self) -> None:
        """Go on when all are here."""
        if self.size > 1:
            dist.barrier()

    def _spread(self, value: float) -> float:
        # double: what one process decides by, all decide by
        number = torch.tensor(value, dtype=torch.float64, device=_device())
        dist.all_reduce(number)
        return float(number)


@contextmanager
def join_group(device: torch.device) -> Iterator[Group]:
    """The group that torchrun's environment tells of, else a group of one.

    NCCL with one GPU for each process where they train on CUDA, else gloo.

    Raises:
        HeadlightError: device_unknown where there are more processes than GPUs.
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Group()
        return
    if device.type == "cuda":
        own, gpus = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
        if own >= gpus:  # NCCL itself would only speak of an invalid ordinal
            known = ", ".join(f"cuda:{at}" for at in range(gpus))
            raise HeadlightError("device_unknown", device=f"cuda:{own}", known=known)
        torch.cuda.set_device(own)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Group(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()


def lost_a_process(error: RuntimeError) -> bool:
    """Whether an error is how the transport says that another process is gone."""
    text = str(error).casefold()
    return dist.is_initialized() and any(word in text for word in _LOST)


def _device() -> str:
    return "cuda" if dist.get_backend() == "nccl" else "cpu"
