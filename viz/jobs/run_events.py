"""What a browser is told of a run: its state, and its events from where it last read.

Folders and paths of this machine stay here, and errors are worded in every language.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any, Final

from core.errors import HeadlightError
from core.reasons import Reason
from core.training.events import (
    DataRead,
    Event,
    Failed,
    FellBack,
    Started,
    Validated,
    parse_event,
)
from core.training.folder import RunFolder
from viz.jobs.owners import Rights
from viz.jobs.runs import Run, shown, told_to
from viz.text.errors import worded
from viz.text.language import LANGUAGES
from viz.text.reasons import bad_rows
from viz.text.tokens import carried

MOST: Final = 512 * 1024
"""Bytes of events.jsonl that one answer covers."""
_SOME, _SHORT, _LOOKED_THROUGH = 5, 40, 200  # pairs, their characters, rows
_OURS: Final = ("path", "folder")  # fields that name places of this machine


def told(run: Run, folder: Path, start: int, rights: Rights) -> dict[str, Any]:
    """State and events of a run.

    Args:
        rights: of whoever asks; without that to read, no text of the run is told.
        start: bytes of the events that were read before; beyond their end, as when the run
            began anew, all are told again.

    Returns:
        JSON-able: the fields of `run`, `command` and `read` (what may be done with it), `from` and
        `next` (bytes), `events`, and, with the news that it started, `pairs`: some that it never
        sees, to look at; without such the recipe's examples, each beside "".
    """
    files = RunFolder(folder)
    begin, end, lines = _lines(files.events, start)
    events = [event for line in lines if (event := parse_event(line)) is not None]
    started = any(isinstance(event, Started) for event in events)
    return {
        **dataclasses.asdict(told_to(run, rights)),
        **dataclasses.asdict(rights),
        "from": begin,
        "next": end,
        "events": [_public(event if rights.read else _numbers(event)) for event in events],
        "pairs": _some_pairs(files) if started and rights.read else [],
    }


def _some_pairs(files: RunFolder) -> list[list[str]]:
    """The first pairs of the validation parts that are short enough to be drawn."""
    found: list[list[str]] = []
    for path in sorted(files.held_out.glob("*.valid.tsv")):
        with path.open(encoding="utf-8", errors="replace") as file:
            rows = (line.rstrip("\n").split("\t") for line in islice(file, 1, _LOOKED_THROUGH))
            short = (row for row in rows if len(row) == 2 and max(map(len, row)) <= _SHORT)
            found += islice(short, _SOME - len(found))
    return found or [[text, ""] for text in _examples(files.recipe)]


def _examples(recipe: Path) -> list[str]:
    try:
        examples = tomllib.loads(recipe.read_text(encoding="utf-8")).get("examples", [])
    except (OSError, ValueError):
        return []
    return [str(text) for text in examples][:_SOME] if isinstance(examples, list) else []


def _lines(path: Path, start: int) -> tuple[int, int, list[bytes]]:
    """Whole lines from a byte on, and the bytes at which they begin and end."""
    try:
        with path.open("rb") as file:
            if start > file.seek(0, 2):
                start = 0
            file.seek(start)
            block = file.read(MOST)
    except OSError:
        return 0, 0, []
    # A line beyond all measure is passed over in pieces, none of which can be read.
    whole = block.rfind(b"\n") + 1 or (len(block) if len(block) == MOST else 0)
    return start, start + whole, block[:whole].split(b"\n")


def _numbers(event: Event) -> Event:
    """What an event tells beside texts that somebody brought, or that tell of them."""
    match event:
        case Validated():
            return dataclasses.replace(event, samples=())
        case DataRead():
            return dataclasses.replace(event, bad_rows=(), faults=())
        case Failed():
            return dataclasses.replace(event, code="", parameters={})
        case FellBack():
            return dataclasses.replace(event, reason="")
    return event


def _public(event: Event) -> dict[str, Any]:
    values = {
        name: _carried(value)
        for name, value in dataclasses.asdict(event).items()
        if name not in _OURS
    }
    if isinstance(event, DataRead):
        del values["faults"]
        values["bad_rows"] = {one: list(map(carried, bad_rows(event, one))) for one in LANGUAGES}
    if isinstance(event, Failed):
        values["said"] = _said(event)
        del values["parameters"]
    return {"event": type(event).__name__.lower(), **values}


def _said(event: Failed) -> dict[str, str]:
    """Why it failed, by language; nothing for an error of a newer version."""
    own: dict[str, Any] = {name: _shown(value) for name, value in event.parameters.items()}
    try:
        error = HeadlightError(event.code, **own)
        return {language: worded(error, language) for language in LANGUAGES}
    except (KeyError, ValueError, TypeError):
        return {}


def _shown(value: str | int | float | Reason) -> str | int | float | Reason:
    if isinstance(value, Reason):
        return Reason(value.code, {name: _shown(one) for name, one in value.parameters.items()})
    return carried(shown(value)) if isinstance(value, str) else value


def _carried(value: object) -> object:
    """JSON of browsers has no infinity, which is left open; UTF-8 has no lone surrogate."""
    if isinstance(value, dict):
        return {_carried(name): _carried(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_carried(inner) for inner in value]
    if isinstance(value, str):
        return carried(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
