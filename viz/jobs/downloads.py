"""Models that a page has fetched from the Hugging Face Hub, by processes of the command line.

A process asks what there is and ends, another one fetches it: stopping is ending it, and what was
fetched until then is not fetched again.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from cachetools import FIFOCache

from core import settings
from core.errors import HeadlightError
from core.reasons import of_system
from core.told import error_of
from viz.jobs.visitor import Visitor
from viz.text.refusals import AppError, because

State = Literal["asking", "offered", "fetching", "here", "failed"]

_AT_A_TIME: Final = 2
_KEPT: Final = 32
_LONGEST: Final = 64 * 1024  # characters of a line
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Download:
    """A model of the Hub, and how far it is.

    Attributes:
        name: owner/name.
        revision: the very version that was offered.
        files, bytes: that it takes, once the Hub has said so.
        parameters: numbers that its weights hold; 0 where the Hub does not say.
        done: bytes that are here.
        folder: where it lies once it is here.
        error: why it is not.
    """

    name: str
    state: State = "asking"
    revision: str = ""
    files: int = 0
    bytes: int = 0
    parameters: int = 0
    done: int = 0
    folder: Path | None = None
    error: HeadlightError | None = None

    @property
    def busy(self) -> bool:
        """Whether a process is at work on it."""
        return self.state in ("asking", "fetching")


_DOWNLOADS: Final[FIFOCache[str, Download]] = FIFOCache(_KEPT)
_PROCESSES: Final[dict[str, subprocess.Popen[str]]] = {}


def may_add(who: Visitor) -> bool:
    """Whether a visitor may have the app open a folder by its path, or fetch a model."""
    adders = settings.current().add_models
    return adders == "anyone" or (adders == "local" and who.local)


def download(name: str) -> Download | None:
    """How far a model is, None where nobody has asked for it."""
    with _LOCK:
        return _DOWNLOADS.get(name)


def ask(name: str, who: Visitor) -> None:
    """Has the Hub be asked what a model takes.

    Raises:
        HeadlightError: adding_closed, downloads_busy.
    """
    _begin(Download(name), ["--offer"], who)


def fetch(name: str, who: Visitor) -> None:
    """Has a model be fetched that was offered.

    Raises:
        HeadlightError: adding_closed, downloads_busy.
    """
    known = download(name) or Download(name)
    version = [f"--revision={known.revision}"] if known.revision else []
    _begin(replace(known, state="fetching", error=None), version, who)


def stop(name: str, who: Visitor) -> None:
    """Ends what is at work on a model; it can be fetched on later.

    Raises:
        HeadlightError: adding_closed.
    """
    _check(who)
    with _LOCK:
        process = _PROCESSES.pop(name, None)
        known = _DOWNLOADS.get(name)
        if process is not None and known is not None:
            _DOWNLOADS[name] = replace(known, state="offered")
            if not known.bytes:
                del _DOWNLOADS[name]
    if process is not None:
        process.terminate()


def _check(who: Visitor) -> None:
    if not may_add(who):
        raise AppError("adding_closed")


def _begin(download: Download, options: list[str], who: Visitor) -> None:
    _check(who)
    command = [sys.executable, "-m", "core", "download", download.name, *options, "--json"]
    with _LOCK:
        if download.name in _PROCESSES:
            return
        if len(_PROCESSES) >= _AT_A_TIME:
            raise AppError("downloads_busy", names=", ".join(_PROCESSES))
        try:
            process = subprocess.Popen(
                command,
                cwd=settings.CODE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError as error:
            raise _undelivered(download.name, of_system(error)) from error
        _PROCESSES[download.name] = process
        _DOWNLOADS[download.name] = download
    threading.Thread(
        target=_hear, args=(download.name, process), name="download", daemon=True
    ).start()


def _hear(name: str, process: subprocess.Popen[str]) -> None:
    """Takes over what a process says, until it ends."""
    assert process.stdout is not None
    with process.stdout as lines:
        while line := lines.readline(_LONGEST):
            with contextlib.suppress(ValueError, KeyError, TypeError), _LOCK:
                if _PROCESSES.get(name) is process and name in _DOWNLOADS:
                    _DOWNLOADS[name] = _heard(_DOWNLOADS[name], json.loads(line))
                    if not _DOWNLOADS[name].busy:  # it can be asked again before that has ended
                        del _PROCESSES[name]
    process.wait()
    with _LOCK:
        if _PROCESSES.get(name) is not process:  # it was stopped, or has said its last word
            return
        del _PROCESSES[name]
        last = _DOWNLOADS.get(name, Download(name, "here"))  # gone, where too many came after it
        if last.state == "asking" and last.bytes:
            _DOWNLOADS[name] = replace(last, state="offered")
        elif last.busy:
            lost = _undelivered(name, because("process_silent"))
            _DOWNLOADS[name] = replace(last, state="failed", error=lost)


def _heard(download: Download, told: Mapping[str, Any]) -> Download:
    if "code" in told:
        return replace(download, state="failed", error=error_of(dict(told)))
    if "done" in told:
        return replace(download, done=min(int(told["done"]), download.bytes))
    if "folder" in told:
        return replace(download, state="here", folder=Path(str(told["folder"])))
    files, size, parameters = (int(told[name]) for name in ("files", "bytes", "parameters"))
    return replace(
        download,
        revision=str(told["revision"]),
        files=files,
        bytes=size,
        parameters=parameters,
    )


def _undelivered(name: str, reason: Any) -> HeadlightError:
    return HeadlightError("model_undelivered", name=name, reason=reason)
