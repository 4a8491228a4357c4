"""What the environment sets: HEADLIGHT_ and a field, read once, refused by name where it is wrong.

A setting that was misspelled would fail open, so there is no name that is passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from core.errors import HeadlightError
from core.reasons import RefusedError

OF_TESTS: Final = ("HEADLIGHT_CHROMIUM", "HEADLIGHT_SNAPSHOTS")
"""Known, so that a shell which tests can start the app, too; tests read them themselves."""

Adders = Literal["local", "anyone", "nobody"]
DEVICES: Final = ("cuda", "mps", "cpu")
"""Kinds of devices; which of them are here, `core.device` says."""
CODE: Final = Path(__file__).resolve().parents[1]
"""The folder of app.py, core and viz; what the app starts as a process starts here."""
_COUNT: Final = re.compile(r"[0-9]{1,3}")
_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_SAID: Final = 60  # characters of a wrong value, in its refusal


@dataclass(frozen=True, slots=True)
class Settings:
    """What was set, or what holds where nothing was.

    Attributes:
        checkpoints: where models live; `checkpoints/` beside the code.
        runs: where training runs live; `runs/` beside the code.
        device: one of `DEVICES`, None for the fastest one here.
        trainings: how many runs may train at a time; 0: none from a page.
        hosts: names under which browsers may ask for the app beside its own; lower case.
        models: where Hugging Face folders and GGUF files lie, beside the hub's own cache; they are
            only read.
        add_models: who may have the app open a folder by its path, or download a model: those at
            the machine itself, anyone who can reach the app, or nobody.
        browser: the program that shows the window of `make desktop`; "" for whichever is there.
    """

    checkpoints: Path = CODE / "checkpoints"
    runs: Path = CODE / "runs"
    device: str | None = None
    trainings: int = 1
    hosts: frozenset[str] = frozenset()
    browser: str = ""
    models: tuple[Path, ...] = ()
    add_models: Adders = "local"


@cache
def current() -> Settings:
    """The settings of this process, as they were when they were first asked for.

    Raises:
        HeadlightError: as `read`.
    """
    return read(os.environ)


def read(environment: Mapping[str, str]) -> Settings:
    """Settings from an environment; an empty one counts as not set.

    Raises:
        HeadlightError: setting_unknown or setting_invalid for the first name that is wrong.
    """
    for name in sorted(environment):
        if name.startswith(_PREFIX) and name not in KNOWN:
            raise HeadlightError("setting_unknown", name=name[:_SAID], known=", ".join(KNOWN))
    given = {field: environment.get(_variable(field)) for field in _PARSED}
    return Settings(**{field: _parsed(field, text) for field, text in given.items() if text})


def _variable(field: str) -> str:
    return f"{_PREFIX}{field.upper()}"


def _parsed(field: str, text: str) -> Any:
    try:
        return _PARSED[field](text)
    except RefusedError as error:
        said = text if len(text) <= _SAID else f"{text[: _SAID - 1]}…"
        raise HeadlightError(
            "setting_invalid", name=_variable(field), value=said, reason=error.reason
        ) from None


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(Path(part) for part in text.split(os.pathsep) if part)


def _one_of(*known: str) -> Callable[[str], str]:
    def checked(text: str) -> str:
        if text not in known:
            raise RefusedError("one_of", known=", ".join(known))
        return text

    return checked


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise RefusedError("whole_from_none")
    return int(text)


def _hosts(text: str) -> frozenset[str]:
    hosts = [host.strip().lower().removesuffix(".") for host in text.split(",")]
    if not all(_NAME.fullmatch(host) for host in hosts):
        raise RefusedError("host_names")
    return frozenset(hosts)


_PREFIX: Final = "HEADLIGHT_"
_PARSED: Final[Mapping[str, Callable[[str], Any]]] = {
    "add_models": _one_of(*get_args(Adders)),
    "browser": str,
    "checkpoints": Path,
    "device": _one_of(*DEVICES),
    "hosts": _hosts,
    "models": _paths,
    "runs": Path,
    "trainings": _count,
}
KNOWN: Final = (*map(_variable, _PARSED), *OF_TESTS)
