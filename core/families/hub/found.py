"""Hugging Face folders that are on this machine: in HEADLIGHT_MODELS, and in the hub's cache."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from core.families.hub.folder import CONFIG, is_hub

_CACHED: Final = re.compile(r"models--(?P<name>[A-Za-z0-9._-]+)")
_MOST: Final = 256
"""Folders that are listed of one place."""


def hub_folders(places: Iterable[Path]) -> dict[str, Path]:
    """By the names that they have there; of a model of the cache, its owner's name comes first.

    Args:
        places: each a folder of a model, or one that holds such.
    """
    found: dict[str, Path] = {}
    for place in (*places, hub_cache()):
        for name, folder in _within(place):
            found.setdefault(name, folder)
    return found


def hub_cache() -> Path:
    """Where the Hugging Face libraries keep what they download."""
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")


def _within(place: Path) -> Iterator[tuple[str, Path]]:
    if is_hub(place):
        yield place.resolve().name, place
        return
    try:
        inner = sorted(path for path in place.iterdir() if path.is_dir())
    except OSError:
        return
    listed = 0
    for path in inner:
        cached = _CACHED.fullmatch(path.name)
        folder = _snapshot(path) if cached else path
        if folder is not None and is_hub(folder) and listed < _MOST:
            listed += 1
            yield (cached["name"] if cached else path.name), folder


def _snapshot(path: Path) -> Path | None:
    """The version of a cached model that its main branch names, or any that is whole."""
    try:
        named = (path / "refs" / "main").read_text("ascii").strip()[:64]
    except (OSError, ValueError):
        named = ""
    snapshots = path / "snapshots"
    try:
        if re.fullmatch("[0-9a-f]+", named) and (snapshots / named / CONFIG).is_file():
            return snapshots / named
        whole = (one for one in sorted(snapshots.iterdir()) if (one / CONFIG).is_file())
        return next(whole, None)
    except OSError:
        return None
