"""Places of models that somebody named in a page: kept in a file, so that links to them last.

A place is what HEADLIGHT_MODELS lists: a folder of a model, or one that holds such.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.errors import unwritable

FILE: Final = "models.txt"
"""In the folder where runs live: one path a line, in the order in which they were named."""
_MOST: Final = 64
_LONGEST: Final = 2**20  # bytes of the file that are read
_LOCK: Final = threading.Lock()


def remembered(root: Path) -> tuple[Path, ...]:
    """Places that were named.

    Args:
        root: the folder that holds the file.
    """
    try:
        with (root / FILE).open("rb") as file:
            lines = file.read(_LONGEST).decode("utf-8", "replace").split("\n")
    except OSError:
        return ()
    paths = [Path(line) for line in lines if line and "\0" not in line]
    return tuple(path for path in paths if path.is_absolute())[:_MOST]


def remember(root: Path, place: Path) -> None:
    """Keeps a place, behind all others, so that no model of theirs is called otherwise.

    Beyond 64 the one that was named first is let go.

    Raises:
        HeadlightError: file_unwritable.
    """
    path = Path(os.path.abspath(place))
    with _LOCK:
        known = remembered(root)
        if path not in known:
            _write(root, (*known, path)[-_MOST:])


def forget(root: Path, place: Path) -> None:
    """Lets a place go; nothing happens to what lies there.

    Raises:
        HeadlightError: file_unwritable.
    """
    with _LOCK:
        _write(root, [one for one in remembered(root) if one != place])


def _write(root: Path, places: Sequence[Path]) -> None:
    text = "".join(f"{place}\n" for place in places)
    beside = root / f".{FILE}.{secrets.token_hex(4)}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, root / FILE)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise unwritable(root / FILE, error) from error
