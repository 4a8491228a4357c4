"""The inspector's modules: which of them a page needs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

WEB: Final = Path(__file__).parent / "web"
_COMMENT: Final = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\* @\w+ [^*]*\*/ ?", re.MULTILINE | re.DOTALL
)
"""On lines of its own, or a type among the code."""
_IMPORT: Final = re.compile(r'from "(\.{1,2}/[a-z0-9_/]+\.js)"')


@cache
def imported(main: str) -> tuple[str, ...]:
    """A module and all that it imports, each once, by its path within `WEB`."""
    found: list[str] = []
    wanted = [main]
    while wanted:
        name = wanted.pop(0)
        if name not in found:
            found.append(name)
            wanted += imports(name).values()
    return tuple(found)


def imports(name: str) -> dict[str, str]:
    """What a module imports, as it says it, and the path of each within `WEB`."""
    said = _IMPORT.findall((WEB / name).read_text(encoding="utf-8"))
    return {own: normpath(join(dirname(name), own)) for own in said}


def bare(path: Path) -> str:
    """A script without its comments."""
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))
