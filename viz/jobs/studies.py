"""What studies measured, as it is kept beside the report: read once, and when it changes."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core import settings

FOLDER: Final = settings.CODE / "docs" / "studies"
_LARGEST: Final = 4 * 2**20  # bytes of a file


def kept(study: str) -> list[dict[str, Any]]:
    """What was printed of a study (`python -m core study NAME --json`), file by file."""
    try:
        paths = sorted(path for path in FOLDER.glob("*.json") if path.stem.split(".")[0] == study)
        found = [_read(path, path.stat().st_mtime_ns) for path in paths]
    except OSError:
        return []
    return [one for one in found if one is not None]


@lru_cache(maxsize=32)
def _read(path: Path, changed: int) -> dict[str, Any] | None:
    if path.stat().st_size > _LARGEST:
        return None
    try:
        told = json.loads(path.read_text("utf-8"))
    except ValueError:
        return None
    return told if isinstance(told, dict) else None
