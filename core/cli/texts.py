"""Texts of one language, from a file."""

from __future__ import annotations

from pathlib import Path

from core.errors import HeadlightError
from core.reasons import of_system, reason_of


def read_texts(path: Path) -> list[str]:
    """A text a line, without its outer spaces; empty lines are none.

    Raises:
        HeadlightError: no such file, or no UTF-8 text.
    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except UnicodeDecodeError as error:
        raise HeadlightError("file_unreadable", path=str(path), reason=reason_of(error)) from error
    except OSError as error:
        raise HeadlightError("file_unreadable", path=str(path), reason=of_system(error)) from error
    return [" ".join(line.split()) for line in lines if line.strip()]
