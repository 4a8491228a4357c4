"""Runs in processes of their own, to be killed: for tests of what a run survives.

A fork server imports torch once, and its compiler, which the first step of an optimizer would
import: a process costs a fraction of a second.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pkgutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final

import torch

from core.errors import HeadlightError
from core.training.events import Event
from core.training.run import run

LOST: Final = 3  # the exit code of a process that lost another one

CONTEXT: Final = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["core.training.run", "torch._dynamo"])


@dataclass(frozen=True)
class Death:
    """Being killed at the `change`-th change of the disk made inside the function `inside`."""

    inside: str
    change: int


@dataclass(frozen=True)
class Place:
    """A process's place in a group, which meets at the store that listens on `port`."""

    rank: int
    size: int
    port: int
    device: str = "cpu"

    def environment(self) -> dict[str, str]:
        """What torchrun would tell it."""
        gpus = torch.cuda.device_count() or self.size
        told = {
            "RANK": str(self.rank),
            "LOCAL_RANK": str(self.rank % gpus),
            "WORLD_SIZE": str(self.size),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(self.port),
            "TORCHELASTIC_USE_AGENT_STORE": "True",
        }
        if gpus < self.size:  # NCCL takes a GPU twice only where it believes in two machines
            told |= {"NCCL_HOSTID": f"machine-{self.rank}", "NCCL_SOCKET_IFNAME": "lo"}
        return told


def start(
    recipe: Path, out: Path, death: Death | None = None, place: Place | None = None
) -> ForkServerProcess:
    """A process that trains, going on with whatever is in `out`."""
    return _started(recipe, out, death, place, None)


def start_telling(
    recipe: Path, out: Path, place: Place | None = None
) -> tuple[ForkServerProcess, Iterator[Event]]:
    """The same, and its events as they happen; they end when it does."""
    ears, mouth = CONTEXT.Pipe(duplex=False)
    life = _started(recipe, out, None, place, mouth)
    mouth.close()  # the other end is now the process's alone: it closes with it
    return life, _heard(ears)


def _started(
    recipe: Path, out: Path, death: Death | None, place: Place | None, mouth: Connection | None
) -> ForkServerProcess:
    life = CONTEXT.Process(target=_live, args=(recipe, out, death, place, mouth), daemon=True)
    life.start()
    return life


def _heard(ears: Connection) -> Iterator[Event]:
    with ears, suppress(EOFError, ConnectionResetError):
        while True:
            yield ears.recv()


def ends(out: Path, lives: Sequence[ForkServerProcess], within: float) -> list[int | None]:
    """The exit codes of processes that train in `out`, and are over `within` seconds.

    Raises:
        AssertionError: where one is not, with the lines of code that its threads are at.
    """
    until = time.monotonic() + within
    for life in lives:
        life.join(max(until - time.monotonic(), 0.0))
    stuck = [life for life in lives if life.exitcode is None]
    for life in stuck:
        assert life.pid is not None
        os.kill(life.pid, signal.SIGABRT)
        life.join(10)
    told = [_stack(out, life.pid or 0).read_text("utf-8") for life in stuck]
    assert not stuck, "\n".join((f"{len(stuck)} of {len(lives)} go on", *told))
    return [life.exitcode for life in lives]


def _stack(out: Path, pid: int) -> Path:
    return out.with_name(f"stack-{pid}.txt")


def _live(
    recipe: Path, out: Path, death: Death | None, place: Place | None, mouth: Connection | None
) -> None:
    faulthandler.enable(_stack(out, os.getpid()).open("w", encoding="utf-8"))  # see `ends`
    torch.set_num_threads(1)
    device = "cpu"
    if place is not None:
        device = place.device
        os.environ.update(place.environment())
    if death is not None:
        _prepare(death)
    try:
        for event in run(recipe, out, resume=True, device=device):
            if mouth is not None:
                mouth.send(event)
    except HeadlightError as error:
        os._exit(LOST if error.code == "process_lost" else 1)
    os._exit(0)


def _prepare(death: Death) -> None:
    """Count the changes that the function makes, and end at the one that was named."""
    left, within = [death.change], [False]

    def counted(change: Callable[..., Any]) -> Callable[..., Any]:
        def changing(*arguments: Any, **options: Any) -> Any:
            left[0] -= within[0]
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return change(*arguments, **options)

        return changing

    for name in ("fsync", "mkdir", "rename", "replace", "unlink", "rmdir"):
        setattr(os, name, counted(getattr(os, name)))
    Path.write_bytes = counted(Path.write_bytes)  # type: ignore[method-assign]
    Path.write_text = counted(Path.write_text)  # type: ignore[method-assign]

    holder_name, name = death.inside.rsplit(".", 1)
    holder = pkgutil.resolve_name(holder_name)
    watched = getattr(holder, name)

    def watching(*arguments: Any, **options: Any) -> Any:
        within[0] = True
        try:
            return watched(*arguments, **options)
        finally:
            within[0] = False

    setattr(holder, name, watching)
