"""Models that are on this machine: in places that somebody named, and in the hub's cache."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path
from typing import Final
from unicodedata import normalize

from core.families.hub.folder import CONFIG, PICKLED, called, gguf_of, weights_bytes
from core.families.hub.gguf_header import SUFFIX
from core.text.romanise import syllable

_CACHED: Final = re.compile(r"models--(?P<name>[A-Za-z0-9._-]+)")
_STRANGE: Final = re.compile(r"[^A-Za-z0-9._-]+|\.(?![A-Za-z0-9_-])")
_HANGUL: Final = re.compile("[가-힣]")
_LONGEST: Final = 48
_MOST: Final = 256
"""Models that are listed of one place."""


def with_found(known: Mapping[str, Path], places: Iterable[Path], private: Path) -> dict[str, Path]:
    """Models and their folders, and those of some places behind them.

    Args:
        known: folders by the names of their models. Who comes later and would be called as one of
            them is NAME-2, NAME-3, and so on.
        places: each a model, or a folder that holds such.
        private: of what lies there, nothing is listed: it is its owner's.
    """
    found = dict(known)
    folders, within = {folder.resolve() for folder in found.values()}, private.resolve()
    for place in (*places, hub_cache()):
        for name, folder in folders_in(place):
            path = folder.resolve()
            if path not in folders and not path.is_relative_to(within):
                folders.add(path)
                found[_free(_plain(name), found)] = folder
    return found


def hub_cache() -> Path:
    """Where the Hugging Face libraries keep what they download."""
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")


def folders_in(place: Path) -> Iterator[tuple[str, Path]]:
    """Models of one place, which may be one itself, as they are called there.

    Of a model of the cache, its owner's name comes first.
    """
    if _is_model(place) and gguf_of(place) in (None, place):  # a file in it has its own name
        yield called(place), place
        return
    try:
        inner = sorted(path for path in place.iterdir() if path.is_dir() or path.suffix == SUFFIX)
    except OSError:
        return
    found = (one for path in inner for one in _inner(path))
    yield from islice(found, _MOST)


def _inner(path: Path) -> Iterator[tuple[str, Path]]:
    """The model that it is; of a folder that is none, the files in it that are, each by its own."""
    cached = _CACHED.fullmatch(path.name)
    model = _snapshot(path) if cached else path
    if model is not None and _is_model(model):
        yield (cached["name"] if cached else called(path)), model
    elif cached is None and path.is_dir():
        with contextlib.suppress(OSError):
            for file in sorted(path.glob(f"*{SUFFIX}")):
                yield called(file), file


def _plain(name: str) -> str:
    """A folder's name, as far as addresses and commands spell it; Hangul is romanised."""
    latin = _HANGUL.sub(lambda found: syllable(found[0]), normalize("NFC", name))
    return _STRANGE.sub("-", latin).strip("-._")[:_LONGEST].rstrip("-.") or "model"


def _is_model(folder: Path) -> bool:
    """Whether it is a model, a Hugging Face one, a GGUF file or ours; it may be a bad one."""
    try:
        return (folder / CONFIG).is_file() or gguf_of(folder) is not None
    except OSError:
        return False


def _free(name: str, taken: Mapping[str, Path]) -> str:
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    return next(one for one in names if one not in taken)


def _snapshot(path: Path) -> Path | None:
    """The version of a cached model that its main branch names, or any that is whole."""
    try:
        named = (path / "refs" / "main").read_text("ascii").strip()[:64]
    except (OSError, ValueError):
        named = ""
    snapshots = path / "snapshots"
    try:
        if re.fullmatch("[0-9a-f]+", named) and _is_whole(snapshots / named):
            return snapshots / named
        return next((one for one in sorted(snapshots.iterdir()) if _is_whole(one)), None)
    except OSError:
        return None


def _is_whole(snapshot: Path) -> bool:
    """Whether its weights are there, which come last; they may be of a kind that is refused."""
    there = weights_bytes(snapshot) > 0 or any((snapshot / name).exists() for name in PICKLED)
    return there and _is_model(snapshot)
