"""The folder of a run: what stands where in it, whether it runs, and how it is asked to stop."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from filelock import FileLock, Timeout, lock_descriptor

from core.checkpoint.manifest import MANIFEST, MILESTONES, RECIPE
from core.errors import HeadlightError

_STEP: Final = "08d"
_PATIENCE: Final = 2.0  # seconds: whoever asks `is_running` holds the lock for a moment

if sys.platform == "win32":
    _ASKING: Final = Lock()  # no lock is shared here: two who ask would take each other for a run

    def _is_held(lock: int) -> bool:
        with _ASKING:
            return not lock_descriptor(lock, blocking=False)

else:
    import fcntl

    def _is_held(lock: int) -> bool:
        """Whether a `FileLock` is; those who ask share it, be they of another server."""
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:  # Where nothing can be locked so, its file is gone when it is free.
            return True
        return False


@dataclass(frozen=True, slots=True)
class MilestoneFolder:
    """A checkpoint folder of the weights after `step` updates."""

    step: int
    folder: Path


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Names in the folder of one run, which at its end is a checkpoint folder itself."""

    path: Path

    @property
    def recipe(self) -> Path:
        """The recipe by which it runs."""
        return self.path / RECIPE

    @property
    def events(self) -> Path:
        """One event a line."""
        return self.path / "events.jsonl"

    @property
    def held_out(self) -> Path:
        """The pairs that training never sees, as TSV files."""
        return self.path / "held_out"

    @property
    def work(self) -> Path:
        """What only a resumed run needs."""
        return self.path / "work"

    @property
    def best(self) -> Path:
        """The checkpoint folder with the lowest validation loss."""
        return self.path / "best"

    @property
    def tensorboard(self) -> Path:
        """Logs for TensorBoard, where they were asked for."""
        return self.path / "tensorboard"

    def milestone(self, step: int) -> Path:
        """The checkpoint folder of the weights after `step` updates."""
        return self.path / MILESTONES / f"{step:{_STEP}}"

    def milestones(self) -> tuple[MilestoneFolder, ...]:
        """Those that are whole, by step."""
        found = sorted((self.path / MILESTONES).glob("[0-9]*"))
        return tuple(
            MilestoneFolder(int(folder.name), folder)
            for folder in found
            if folder.name.isdigit() and (folder / MANIFEST).is_file()
        )

    def is_finished(self) -> bool:
        """Whether the folder is a checkpoint now."""
        return (self.path / MANIFEST).is_file()

    def is_foreign(self, recipe: Path) -> bool:
        """Whether no run made it, and it holds what a run of this recipe would write over."""
        if self.work.is_dir():
            return False
        beside = self.recipe.exists() and not self.recipe.samefile(recipe)
        return beside or self.events.exists()

    def is_running(self) -> bool:
        """Whether a process of this machine trains in it."""
        # Opened, never made: a `FileLock` would make the folder anew that was removed just now.
        try:
            lock = self._lock.open("rb")
        except OSError:
            return False
        with lock:
            return _is_held(lock.fileno())

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Make it and keep other runs out of it; the system lets go when the process dies.

        Raises:
            HeadlightError: run_busy.
            OSError: when it cannot be made.
        """
        self.work.mkdir(parents=True, exist_ok=True)
        before = self._asked_at()
        try:
            held = FileLock(self._lock).acquire(timeout=_PATIENCE)
        except Timeout as error:
            raise HeadlightError("run_busy", path=str(self.path)) from error
        with held:
            # The run counts as running from here on: who asks it to stop already is heard.
            if before is not None and self._asked_at() == before:
                self._stop.unlink(missing_ok=True)
            yield

    def begin_anew(self) -> None:
        """Removes what a run that was killed before it saved has left; nothing goes on from it."""
        told = self.events.exists()  # else these are no run's
        if told:
            for made in (self.path / MILESTONES, self.best, self.held_out):
                shutil.rmtree(made, ignore_errors=True)
        self.events.unlink(missing_ok=True)
        for left in self.work.iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            elif left not in (self._lock, self._stop):
                left.unlink()

    def ask_to_stop(self) -> None:
        """Have the run save after the step that it is at, and end."""
        self._stop.touch()

    def asked_to_stop(self) -> bool:
        """Whether somebody did since the run began."""
        return self._stop.exists()

    def _asked_at(self) -> int | None:
        """When somebody last asked a run in this folder to stop, None where nobody did."""
        try:
            return self._stop.stat().st_mtime_ns
        except OSError:
            return None

    @property
    def _lock(self) -> Path:
        return self.work / "lock"

    @property
    def _stop(self) -> Path:
        return self.work / "stop"
