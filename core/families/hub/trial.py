"""A model of others is opened on trial: in a short-lived process, with little memory and time.

What loading it does to that process, a crash or a hang, is done to no other. A process of its own
has imported the libraries, and forks for every trial: importing them takes longer than a trial
does. It is `python -m core.families.hub.trial`, hears of folders by lines of JSON, and ends when
nobody has asked for a while.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from core.errors import HeadlightError
from core.families.hub.claim import Claim, check_memory, free_bytes, invalid, named_faults
from core.families.hub.folder import claimed, described
from core.families.hub.template import chat_of
from core.reasons import RefusedError
from core.told import error_of, told_of

SECONDS: Final = 5
"""Of a processor, for what is no weight."""
_PER_GB: Final = 30  # seconds
_PATIENCE: Final = 12  # times as long may pass where others use the machine; 4 were once too few
_OWN: Final = 2**30  # bytes beside its weights
_COPIES: Final = 3  # of the weights, while they are read
_IDLE: Final = 120  # seconds until the process ends that nobody asks
_STARTING: Final = 120  # seconds that the libraries may take
_ASKING: Final = threading.Lock()
_SERVER: list[subprocess.Popen[bytes]] = []


def tried(folder: Path) -> Claim:
    """That a folder can be opened here, and what it puts around a message.

    Where processes cannot be forked, by its files alone.

    Raises:
        HeadlightError: checkpoint_missing or checkpoint_invalid, with the reason.
    """
    claim = claimed(folder)
    check_memory(claim, free_bytes())
    if not hasattr(os, "fork"):
        return claim
    seconds = SECONDS + int(_PER_GB * claim.opened_bytes / 2**30)
    asked = {
        "folder": os.path.abspath(folder),  # a link of the hub's cache has the name, its end none
        "seconds": seconds,
        "bytes": _OWN + _COPIES * claim.opened_bytes,
    }
    with _ASKING:
        waited = bool(_SERVER)  # one that ends just now, since nobody asked it, hears no more
        told = _ask(asked, _STARTING + _PATIENCE * seconds)
        if told is None and waited:
            told = _ask(asked, _STARTING + _PATIENCE * seconds)
    if told is None:
        raise _invalid(folder, RefusedError("trial_crashed"))
    if "code" in told:
        raise error_of(told)
    with named_faults(*described(folder)):
        return replace(claim, template=chat_of(told))


def _ask(asked: dict[str, Any], patience: float) -> dict[str, Any] | None:
    """What the process says; None where it is gone, which then has another one start."""
    server = _started()
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        server.stdin.write(json.dumps(asked).encode() + b"\n")
        server.stdin.flush()
        ready, _, _ = select.select([server.stdout], [], [], patience)
        told = json.loads(server.stdout.readline()) if ready else None
    except (OSError, ValueError):
        told = None
    if told is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)  # with what it forked
        server.wait()
    return told


def _started() -> subprocess.Popen[bytes]:
    """The process that tries, another one where it has ended."""
    if _SERVER and _SERVER[0].poll() is None:
        return _SERVER[0]
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if Path(path).is_absolute()),
    }
    _SERVER[:] = [
        subprocess.Popen(
            # -P: a file of the folder where somebody stands is no module of ours.
            [sys.executable, "-P", "-m", "core.families.hub.trial"],
            env=environment,
            cwd="/",
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    ]
    return _SERVER[0]


def _invalid(folder: Path, error: RefusedError) -> HeadlightError:
    return invalid(*described(folder), error)


def _serve() -> None:
    """Tries one folder after another, each in a process of its own, until nobody asks."""
    for name in ("loading", "readers", "writers"):  # once, before the first fork
        import_module(f"core.families.hub.{name}")
    while select.select([sys.stdin], [], [], _IDLE)[0]:
        line = sys.stdin.readline()
        if not line:
            return
        print(json.dumps(_forked(json.loads(line))), flush=True)


def _forked(asked: dict[str, Any]) -> dict[str, Any]:
    """What a process of its own says of a folder, or what became of it."""
    folder, seconds = Path(asked["folder"]), int(asked["seconds"])
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        told = _opened(folder, seconds, int(asked["bytes"]))
        os.write(writing, json.dumps(told).encode()[:60_000])
        os._exit(0)
    os.close(writing)
    raw = b""
    while select.select([reading], [], [], _PATIENCE * seconds)[0]:
        part = os.read(reading, 65_536)
        if not part:
            break
        raw += part
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    try:
        told = json.loads(raw)
    except ValueError:
        slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        found = (
            RefusedError("trial_long", seconds=seconds) if slow else RefusedError("trial_crashed")
        )
        return told_of(_invalid(folder, found))
    return dict(told)


def _opened(folder: Path, seconds: int, most: int) -> dict[str, Any]:
    """Opens a folder within limits, and looks at one letter by it."""
    import resource

    import torch

    from core.families.hub import open_folder
    from core.families.hub.template import told_of as told_of_chat
    from core.families.hub.writers import HubContinuer
    from core.model import TraceRequest

    most += _data()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        model = open_folder(folder, torch.device("cpu"))
        # Writing on from it until it ends would take longer than all else.
        model.trace(TraceRequest("a", "a" if model.card.capabilities.forcing else None))
        return told_of_chat(model.rendered()) if isinstance(model, HubContinuer) else {}
    except HeadlightError as error:
        return told_of(error)
    except MemoryError:
        return told_of(_invalid(folder, RefusedError("trial_memory")))
    except Exception as error:  # of any kind: of code that does not know what such a folder is
        found = RefusedError("trial_failed", said=f"{type(error).__name__}: {error}"[:200])
        return told_of(_invalid(folder, found))


def _data() -> int:
    """Bytes of memory that this process has written or may write."""
    told = Path("/proc/self/status").read_text("ascii")
    found = re.search(r"VmData:\s+(\d+) kB", told)
    return int(found[1]) * 1024 if found else 4 * 2**30


if __name__ == "__main__":
    _serve()
