"""Studies that are measured from the page: one at a time, beside the server, and kept by digest.

A study is a process of the command line, so that what is drawn is what the command says, and
stopping it is ending it.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, Literal

from cachetools import FIFOCache

from core import registry, settings
from core.checkpoint.manifest import MANIFEST, read_bounded
from core.errors import HeadlightError
from core.reasons import of_system
from viz.jobs import runs
from viz.jobs.priority import give_way
from viz.jobs.visitor import Visitor
from viz.text.refusals import AppError

Measurable = Literal[
    "alignment",
    "bottleneck",
    "complexity",
    "exposure",
    "extrapolation",
    "gradients",
    "receptive",
    "transfer",
]
"""Studies of some minutes: of layers, or of models that are there, on sentences of the grammar."""

_MODEL: Final = "--model="
_ROOMS: Final = ("cli", "studies", "families", "decoding", "nn", "grammar", "text")
"""What takes part in measuring, and in writing what is measured on."""
_STEP: Final = re.compile(r"(\d{1,9})/(\d{1,9})")
_MOST: Final = 16  # results that are kept
_LARGEST: Final = 4 * 2**20  # characters of one
_LONGEST: Final = 64 * 1024  # characters of a line that it says
_LOCK: Final = threading.RLock()
_KEPT: Final[FIFOCache[str, Mapping[str, Any]]] = FIFOCache(_MOST)
_FAILED: Final[FIFOCache[str, str]] = FIFOCache(_MOST)


@dataclass(slots=True, eq=False)
class _Running:
    """The one that is being measured.

    Attributes:
        owner: who started it, and may stop it.
        written: what it prints.
        done: steps that are done, and all.
    """

    digest: str
    owner: Visitor
    popen: subprocess.Popen[str]
    written: IO[str]
    done: tuple[int, int] = (0, 0)
    cancelled: bool = False


_NOW: Final[list[_Running]] = []  # one at most


def command(study: Measurable, options: Sequence[str]) -> list[str]:
    """What measures it, behind the name of Python."""
    return ["-m", "core", "study", study, *options, "--json"]


def digest(study: Measurable, options: Sequence[str]) -> str:
    """Names a study by all that its result depends on: options, models, and code that measures."""
    folders = registry.folders() if any(one.startswith(_MODEL) for one in options) else {}
    asked = [one.removeprefix(_MODEL) for one in options if one.startswith(_MODEL)]
    models = [_weights(folders[name]) for name in asked if name in folders]
    told = json.dumps([_code(), study, *options, *models])
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def _weights(folder: Path) -> str:
    """Names a checkpoint by what its manifest says of its files."""
    try:
        return hashlib.sha256(read_bounded(folder, MANIFEST)).hexdigest()
    except HeadlightError:  # the study will say so
        return ""


@cache
def _code() -> str:
    found = hashlib.sha256()
    for path in sorted(path for room in _ROOMS for path in settings.CODE.glob(f"core/{room}/**/*")):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.hexdigest()


def allowed() -> bool:
    """Whether a page may start one: where it may start a training."""
    return runs.limit() > 0


def kept(name: str) -> Mapping[str, Any] | None:
    """The result of that digest, where it was measured since the server began."""
    with _LOCK:
        return _KEPT.get(name)


def done(name: str) -> tuple[int, int] | None:
    """How many steps are done, and all, where it is being measured."""
    return next((one.done for one in [*_NOW] if one.digest == name), None)


def failure(name: str) -> str | None:
    """What it said last, where it ended without a result."""
    with _LOCK:
        return _FAILED.get(name)


def start(study: Measurable, options: Sequence[str], who: Visitor) -> None:
    """Begin to measure; nothing happens where the result is kept, or on its way.

    Raises:
        HeadlightError: study_busy while another is measured, or file_unwritable.
    """
    name = digest(study, options)
    with _LOCK:
        if name in _KEPT or done(name) is not None:
            return
        if _NOW or not allowed():
            raise AppError("study_busy")
        _FAILED.pop(name, None)
        running = _Running(name, who, *_spawned(command(study, options)))
        _NOW.append(running)
    threading.Thread(target=_follow, args=(running,), daemon=True).start()


def may_cancel(name: str, who: Visitor) -> bool:
    """Whether it is measured for this visitor, or he is at this machine itself."""
    own = [one.owner for one in [*_NOW] if one.digest == name]
    return any(who.local or (owner.id != "" and owner.id == who.id) for owner in own)


def cancel(name: str, who: Visitor) -> None:
    """End it without a result; nothing happens to one that is not measured, or another's."""
    if may_cancel(name, who):
        for one in [running for running in [*_NOW] if running.digest == name]:
            one.cancelled = True
            one.popen.kill()


def _spawned(arguments: Sequence[str]) -> tuple[subprocess.Popen[str], IO[str]]:
    try:
        with ExitStack() as opened:
            written = opened.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            popen = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=settings.CODE,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
            opened.pop_all()  # it is `_follow`'s from here on
    except OSError as error:
        raise HeadlightError("file_unwritable", path="", reason=of_system(error)) from error
    give_way(popen.pid)
    return popen, written


def _follow(running: _Running) -> None:
    """Hears how far it is, and keeps what it found."""
    said = ""
    assert running.popen.stderr is not None
    with running.popen.stderr as lines:
        while line := lines.readline(_LONGEST):
            step = _STEP.fullmatch(line.strip())
            if step is None:
                said = line.strip() or said
            else:
                running.done = int(step[1]), int(step[2])
    code = running.popen.wait()
    with _LOCK, running.written as file:
        _NOW.remove(running)
        try:
            file.seek(0)
            found = json.loads(file.read(_LARGEST)) if code == 0 else None
        except ValueError:
            found = None
        if isinstance(found, dict):
            _KEPT[running.digest] = found
        elif not running.cancelled:
            _FAILED[running.digest] = said[:500]
