"""The processes that share one training: a single one, or those that torchrun started.

They share the work of each update, not the recipe: every batch is dealt out row by row, so
the same recipe takes the same steps however many processes there are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import torch
import torch.distributed as dist
from torch import Tensor

from core.errors import HeadlightError

_LOST: Final = ("gloo", "nccl", "connection", "socket", "timed out")
_FOREVER: Final = timedelta(days=365)
_GONE: Final = threading.Event()
"""The lifeline of this process has been let go at its other end."""


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

    @contextmanager
    def first(self) -> Iterator[None]:
        """What the leader does before the others go on: where it fails, they end, too.

        They say nothing of it, for the leader does.

        Raises:
            SystemExit: in all others, where the leader has failed.
        """
        try:
            yield
        except Exception:
            self.any(True)
            raise
        if self.any(False) and not self.leads:
            raise SystemExit(1)

    def _spread(self, value: float) -> float:
        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
        # double: what one process decides by, all decide by
        number = torch.tensor(value, dtype=torch.float64, device=device)
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
        # What waits for NCCL then raises what NCCL met; else a thread of its own ends the process.
        os.environ.setdefault("TORCH_NCCL_BLOCKING_WAIT", "1")
        dist.init_process_group("nccl", device_id=torch.device("cuda", own))
    else:
        dist.init_process_group("gloo")
    try:
        with _lifeline() if device.type == "cuda" else nullcontext():
            yield Group(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()


@contextmanager
def _lifeline() -> Iterator[None]:
    """Ends NCCL's waiting when a process is gone: each listens to the next one, in a ring.

    NCCL itself notices nothing on one machine, where its processes share memory, and after a
    minute over a network (measured: 62 s). Gloo's connections notice at once.
    """
    ring = dist.new_group(backend="gloo", timeout=_FOREVER)
    rank, size = dist.get_rank(), dist.get_world_size()

    def listen() -> None:
        try:
            dist.recv(torch.zeros(1), src=(rank + 1) % size, group=ring)  # sent at the end
        except RuntimeError:
            _abort()

    listener = threading.Thread(target=listen, name="lifeline", daemon=True)
    listener.start()
    yield
    dist.send(torch.zeros(1), dst=(rank - 1) % size, group=ring)
    listener.join()


def _abort() -> None:
    """End NCCL's part here: who waits for it is told by an error (see `lost_a_process`)."""
    assert dist.group.WORLD is not None
    _GONE.set()
    dist.group.WORLD.abort()


def lost_a_process(error: RuntimeError) -> bool:
    """Whether an error is how the transport says that another process is gone.

    What NCCL was ended in the midst of may complain of what it got, and of anything.
    """
    text = str(error).casefold()
    return dist.is_initialized() and (_GONE.is_set() or any(word in text for word in _LOST))
