"""The packages that put words together, which nothing but the grammar needs: what is said where
they are not here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from core.errors import HeadlightError

REQUIREMENTS: Final = "requirements-grammar.txt"
"""What is to be installed, beside app.py."""
_REFUSED: Final = 2  # exit code, as that of wrong arguments


@contextmanager
def packages() -> Iterator[None]:
    """What is imported within comes of such a package.

    Raises:
        HeadlightError: package_missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise HeadlightError(
            "package_missing", feature="The grammar", package=f"-r {REQUIREMENTS}"
        ) from error


@contextmanager
def told() -> Iterator[None]:
    """What is refused within ends the process with one line."""
    try:
        yield
    except HeadlightError as error:
        print("error:", error, file=sys.stderr)
        sys.exit(_REFUSED)
