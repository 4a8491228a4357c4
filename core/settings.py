"""What the environment sets: HEADLIGHT_ and a name, read once, refused by name where it is wrong.

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
from core.reasons import Reason, because

CHECKPOINTS: Final = "HEADLIGHT_CHECKPOINTS"
RUNS: Final = "HEADLIGHT_RUNS"
DEVICE: Final = "HEADLIGHT_DEVICE"
TRAININGS: Final = "HEADLIGHT_TRAININGS"
HOSTS: Final = "HEADLIGHT_HOSTS"
BROWSER: Final = "HEADLIGHT_BROWSER"
MODELS: Final = "HEADLIGHT_MODELS"
ADD_MODELS: Final = "HEADLIGHT_ADD_MODELS"
OF_TESTS: Final = ("HEADLIGHT_CHROMIUM", "HEADLIGHT_SNAPSHOTS")
"""Known, so that a shell which tests can start the app, too; tests read them themselves."""

Adders = Literal["local", "anyone", "nobody"]
DEVICES: Final = ("cuda", "mps", "cpu")
"""Kinds of devices; which of them are here, `core.device` says."""
_CODE: Final = Path(__file__).resolve().parent.parent
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

    checkpoints: Path = _CODE / "checkpoints"
    runs: Path = _CODE / "runs"
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
    texts = {name: text for name, text in environment.items() if name.startswith(_PREFIX)}
    for name in sorted(texts):
        if name not in KNOWN:
            raise HeadlightError("setting_unknown", name=name[:_SAID], known=", ".join(KNOWN))
    given = [(field, parse, name) for name, (field, parse) in _FIELDS.items() if texts.get(name)]
    return Settings(**{field: parse(name, texts[name]) for field, parse, name in given})


def _text(_: str, text: str) -> str:
    return text


def _path(_: str, text: str) -> Path:
    return Path(text)


def _paths(_: str, text: str) -> tuple[Path, ...]:
    return tuple(Path(part) for part in text.split(os.pathsep) if part)


def _device(name: str, text: str) -> str | None:
    if text not in DEVICES:
        raise _wrong(name, text, because("one_of", known=", ".join(DEVICES)))
    return text


def _adders(name: str, text: str) -> str:
    known = get_args(Adders)
    if text not in known:
        raise _wrong(name, text, because("one_of", known=", ".join(known)))
    return text


def _count(name: str, text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise _wrong(name, text, because("whole_from_none"))
    return int(text)


def _hosts(name: str, text: str) -> frozenset[str]:
    hosts = [host.strip().lower().removesuffix(".") for host in text.split(",")]
    if not all(_NAME.fullmatch(host) for host in hosts):
        raise _wrong(name, text, because("host_names"))
    return frozenset(hosts)


def _wrong(name: str, text: str, reason: Reason) -> HeadlightError:
    said = text if len(text) <= _SAID else f"{text[: _SAID - 1]}…"
    return HeadlightError("setting_invalid", name=name, value=said, reason=reason)


_PREFIX: Final = "HEADLIGHT_"
_FIELDS: Final[Mapping[str, tuple[str, Callable[[str, str], Any]]]] = {
    ADD_MODELS: ("add_models", _adders),
    BROWSER: ("browser", _text),
    CHECKPOINTS: ("checkpoints", _path),
    DEVICE: ("device", _device),
    HOSTS: ("hosts", _hosts),
    MODELS: ("models", _paths),
    RUNS: ("runs", _path),
    TRAININGS: ("trainings", _count),
}
KNOWN: Final = (*_FIELDS, *OF_TESTS)
