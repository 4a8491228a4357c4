"""Training runs as the app sees them: listed, started, stopped, gone on with, removed.

A run is a process of the command line in a folder of `registry.runs_root()`. What is known of
it stands in that folder, so it outlives pages, browsers and this server.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from core import registry, settings
from core.errors import HeadlightError, wrong
from core.reasons import of_system
from core.training.events import Event, Failed, Stopped, parse_event
from core.training.folder import RunFolder
from viz.jobs.owners import LOG, Rights
from viz.jobs.priority import give_way
from viz.text.refusals import because

State = Literal["starting", "running", "stopping", "stopped", "failed", "lost", "finished"]
ACTIVE: Final = ("starting", "running", "stopping")

MOST_RUNS: Final = 200
"""Folders beyond which no run is started from a page: whoever reaches it may fill a disk."""

_TAIL: Final = 64 * 1024  # bytes in which the last event of a run is looked for
_AWHILE: Final = 60.0  # seconds in which a process has told that it began
# What may be gone when a run goes on; the rest ends it at the same step again.
_PASSING: Final = ("file_unwritable", "memory_full", "process_lost")
# On Windows: neither Ctrl-C reaches it, and it yields, too.
_WINDOWS: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its folder tells of it.

    Attributes:
        id: name of its folder.
        state: "lost" when its process ended without a word.
        stoppable: it trains, or this server has started it and it does not yet.
        resumable: it can go on after what was saved, or from the beginning.
        removable: it was started from a page and does not run.
        model: id of its finished model, None until then.
    """

    id: str
    state: State
    stoppable: bool
    resumable: bool
    removable: bool
    model: str | None


@dataclass(frozen=True, slots=True, eq=False)
class _Process:
    """A process that was started here, and the size of the events that it found.

    Attributes:
        stopped: it was ended before it held its folder.
    """

    popen: subprocess.Popen[bytes]
    told: int
    stopped: bool = False


_PROCESSES: Final[dict[str, _Process]] = {}


def limit() -> int:
    """How many runs may train at a time: HEADLIGHT_TRAININGS, or one. 0: none from a page."""
    return settings.current().trainings


def runs() -> tuple[Run, ...]:
    """All runs, the one that told something last first."""
    found = [(_told_at(registry.runs_root() / name), name) for name in registry.run_ids()]
    told = (_found(name) for _, name in sorted(found, reverse=True)[:MOST_RUNS])
    return tuple(one for one in told if one is not None)


def _found(run_id: str) -> Run | None:
    """One run; None where somebody has removed it meanwhile."""
    try:
        return run(run_id)
    except HeadlightError:
        return None


def run(run_id: str) -> Run:
    """One run.

    Raises:
        HeadlightError: parameter_invalid for an id that is none.
    """
    path = registry.known_run(run_id)
    state, last = _state(run_id, RunFolder(path))
    passing = not isinstance(last, Failed) or last.code in _PASSING
    return Run(
        run_id,
        state,
        stoppable=state == "running" or (state == "starting" and run_id in _PROCESSES),
        resumable=state in ("stopped", "lost") or (state == "failed" and passing),
        removable=state not in ACTIVE and (path / LOG).is_file(),
        model=_model(path) if state == "finished" else None,
    )


def told_to(run: Run, rights: Rights) -> Run:
    """A run as one visitor is told of it: what he may not do cannot be done."""
    return replace(
        run,
        stoppable=run.stoppable and rights.command,
        resumable=run.resumable and rights.command,
        removable=run.removable and rights.command,
        model=run.model if rights.read else None,
    )


def active() -> tuple[str, ...]:
    """Ids of the runs that train now."""
    return tuple(run.id for run in runs() if run.state in ACTIVE)


def is_free(run_id: str) -> bool:
    """Whether neither a model nor a run is called so."""
    return run_id not in registry.model_ids() and not (registry.runs_root() / run_id).exists()


def path_of(run_id: str, name: str) -> str:
    """A file of a run as its recipe shall name it: from where its process starts, if it can."""
    path = registry.runs_root() / run_id / name
    return (
        path.relative_to(settings.CODE).as_posix()
        if path.is_relative_to(settings.CODE)
        else str(path)
    )


def place(path: str) -> Path:
    """A file that a recipe names, seen from where its process starts."""
    return settings.CODE / path


def start(run_id: str, files: Mapping[str, bytes]) -> None:
    """Begin a run in a folder of its own.

    Args:
        run_id: its name, free (`is_free`), as `Recipe.model_id` allows it.
        files: that the folder begins with, recipe.toml among them.

    Raises:
        HeadlightError: run_busy when as many train as may, run_exists for a name that is taken,
            file_unwritable, or as `load_recipe`.
    """
    from core.training.recipe import load_recipe  # here: it brings torch

    folder = RunFolder(registry.runs_root() / run_id)
    with _LOCK:
        _make_room()
        if not is_free(run_id):
            raise HeadlightError("run_exists", path=shown(folder.path))
        with _worded():
            folder.path.mkdir(parents=True)  # what stands there meanwhile is another's, and stays
            try:
                for name, content in files.items():
                    (folder.path / name).write_bytes(content)
                load_recipe(folder.recipe)
                _spawn(run_id, folder)
            except BaseException:
                shutil.rmtree(folder.path, ignore_errors=True)
                raise


def go_on(run_id: str) -> None:
    """Have a run go on after what it saved last.

    Raises:
        HeadlightError: run_busy, file_unwritable, or parameter_invalid for a run that is none or
            cannot go on.
    """
    with _LOCK:
        if not run(run_id).resumable:
            raise wrong("run", run_id, because("run_stays"))
        _make_room()
        with _worded():
            _spawn(run_id, RunFolder(registry.known_run(run_id)))


def stop(run_id: str) -> None:
    """Have a run save and end; nothing happens to one that does not train.

    One that holds no folder yet has nothing to save and hears of nothing: its process is ended.

    Raises:
        HeadlightError: parameter_invalid for an id that is none.
    """
    found = run(run_id)
    if found.state == "running":
        RunFolder(registry.known_run(run_id)).ask_to_stop()
    elif found.stoppable:
        process = _PROCESSES[run_id]
        _PROCESSES[run_id] = replace(process, stopped=True)
        process.popen.terminate()


def remove(run_id: str) -> None:
    """Delete a run and all that it made.

    Raises:
        HeadlightError: parameter_invalid for a run that is none, that trains, or that was not
            started from a page.
    """
    with _LOCK:
        if not run(run_id).removable:
            raise wrong("run", run_id, because("run_kept"))
        # Out of the list at once, whatever becomes of the files.
        gone = registry.runs_root() / f".{run_id}.{secrets.token_hex(4)}.removed"
        registry.known_run(run_id).rename(gone)
        _PROCESSES.pop(run_id, None)
    shutil.rmtree(gone, ignore_errors=True)


def shown(path: Path | str) -> str:
    """A path as visitors may read it: within the folder of runs, and no more of the machine."""
    return (
        str(path)
        .replace(str(registry.runs_root()), "runs")
        .replace(str(settings.CODE) + os.sep, "")
    )


def _state(run_id: str, folder: RunFolder) -> tuple[State, Event | None]:
    """Where a run stands, and the last that it told."""
    last = _last_event(folder.events)
    if folder.is_running():
        return "stopping" if folder.asked_to_stop() else "running", last
    process = _PROCESSES.get(run_id)
    works = process is not None and process.popen.poll() is None  # asking lets an ended one go
    if process is not None and process.told == _size(folder.events):
        # Between being started and holding its folder.
        if process.stopped:
            return "stopping" if works else "stopped", last
        return "starting" if works else "lost", last
    if last is None and process is None and time.time() - _told_at(folder.path) < _AWHILE:
        return "starting", last  # by another server
    match last:
        case Failed():
            return "failed", last
        case Stopped():
            return "stopped", last
        case _ if folder.is_finished():
            return "finished", last
    return "lost", last


def _last_event(path: Path) -> Event | None:
    try:
        with path.open("rb") as file:
            file.seek(max(0, _size(path) - _TAIL))
            lines = file.read().split(b"\n")
    except OSError:
        return None
    return next((event for line in reversed(lines[:-1]) if (event := parse_event(line))), None)


def _make_room() -> None:
    """Refuses where one more run is one too many."""
    training = active()
    if len(training) >= limit():
        raise HeadlightError("run_busy", path=", ".join(training))
    if len(registry.run_ids()) >= MOST_RUNS:
        reason = because("runs_many", limit=MOST_RUNS)
        raise HeadlightError("file_unwritable", path="runs", reason=reason)


def _spawn(run_id: str, folder: RunFolder) -> None:
    command = [sys.executable, "-m", "core", "train", str(folder.recipe), "--resume"]
    with (folder.path / LOG).open("ab") as log:
        popen = subprocess.Popen(
            [*command, "--out", str(folder.path)],
            cwd=settings.CODE,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # Its own session: neither Ctrl-C in the server's terminal nor its end reaches it.
            start_new_session=True,
            creationflags=_WINDOWS,
        )
    give_way(popen.pid)
    _PROCESSES[run_id] = _Process(popen, _size(folder.events))


def _model(path: Path) -> str | None:
    return next((entry.model_id for entry in registry.entries() if entry.folder == path), None)


def _told_at(path: Path) -> float:
    """When a run last told something, in seconds since the epoch."""
    for file in (RunFolder(path).events, RunFolder(path).recipe):
        try:
            return file.stat().st_mtime
        except OSError:
            continue
    return 0.0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _worded() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        path = shown(error.filename or registry.runs_root())
        raise HeadlightError("file_unwritable", path=path, reason=of_system(error)) from error
