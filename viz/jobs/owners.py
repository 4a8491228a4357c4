"""Whose a training run is, and what others may see and do.

Beside a run that was started from a page stands a digest of the token of the browser that started
it, so that it knows its owner after any restart. What was learned from texts that somebody brought
is private: others see that it trains and how well, not the texts, nor what tells of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core import registry
from core.errors import HeadlightError
from viz.jobs.visitor import Visitor
from viz.text.refusals import AppError

OWNER: Final = "visitor.json"
LOG: Final = "output.log"
"""What the process printed; a run that has it was started from a page, and may be removed there."""
_MOST: Final = 1000  # bytes


@dataclass(frozen=True, slots=True)
class Owner:
    """Who started a run.

    Attributes:
        id: `Visitor.id`, "" for nobody who could be known again.
        private: it learns from texts that somebody brought.
    """

    id: str
    private: bool


@dataclass(frozen=True, slots=True)
class Rights:
    """What one visitor may do with one run.

    Attributes:
        command: stop it, go on with it, delete it.
        read: see its texts, its attention and its model.
    """

    command: bool
    read: bool


def file_of(owner: Owner) -> bytes:
    """What stands in a run's folder (`OWNER`)."""
    return json.dumps(asdict(owner)).encode()


def owner_of(folder: Path) -> Owner:
    """Who started a run; what cannot be told is nobody's and private.

    A run that the command line started is nobody's, and as open as the models beside it.
    """
    try:
        with (folder / OWNER).open("rb") as file:
            told = json.loads(file.read(_MOST))
        name, private = told["id"], told["private"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        from_page = (folder / LOG).exists() or (folder / OWNER).exists()
        return Owner("", from_page)
    whole = isinstance(name, str) and isinstance(private, bool)
    return Owner(name, private) if whole else Owner("", True)


def rights(folder: Path, visitor: Visitor) -> Rights:
    """What a visitor may do with the run in this folder."""
    if visitor.local:
        return Rights(command=True, read=True)
    owner = owner_of(folder)
    own = visitor.id != "" and owner.id == visitor.id
    return Rights(command=own, read=own or not owner.private)


def open_to(folders: Mapping[str, Path], visitor: Visitor) -> dict[str, Path]:
    """Models or runs that a visitor may look into, of these folders by their ids."""
    runs = registry.runs_root()
    return {
        name: folder
        for name, folder in folders.items()
        if folder.parent != runs or rights(folder, visitor).read
    }


def foreign(run_id: str) -> HeadlightError:
    """That a run is somebody else's."""
    return AppError("run_foreign", run=run_id[:200])
