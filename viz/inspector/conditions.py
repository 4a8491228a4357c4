"""What was special of a pass, in short: its edits, and the chance by which tokens were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.probe import Edit, How, edits_of_json
from core.trace import AttentionTrace

_HOW: Final[Mapping[How, str]] = {"set": "=", "scale": "×", "add": "+"}

CHANCE: Final = ("seed", "temperature", "top_p")
"""What the meta of a trace says of the chance by which its tokens were drawn."""


def sampled(trace: AttentionTrace) -> dict[str, str]:
    """By what chance the tokens of a trace were drawn, by the names of `CHANCE`; {} if by none."""
    found = [trace.meta.get(name) for name in CHANCE]
    numbers = [
        f"{one:d}" if isinstance(one, int) else f"{one:g}"  # a seed to its last digit
        for one in found
        if isinstance(one, int | float)
    ]
    return dict(zip(CHANCE, numbers, strict=True)) if len(numbers) == len(CHANCE) else {}


def edits_in_short(trace: AttentionTrace) -> list[str]:
    """What was edited during the pass, each in short: where, counted from 1, and how.

    Such as "outputs cross L3 H5 × 0", or, of some rows and columns, "weights cross [4; 1–3] = 0.5";
    of many values none is named.
    """
    told = trace.meta.get("edits")
    if told is None:
        return []
    try:
        edits = edits_of_json(str(told))
    except ValueError:  # of another program's file
        return ["?"]
    return [_edit_in_short(edit) for edit in edits]


def _edit_in_short(edit: Edit) -> str:
    said: list[str] = [edit.place, edit.site]
    said += [] if edit.layer is None else [f"L{edit.layer + 1}"]
    said += [] if edit.head is None else [f"H{edit.head + 1}"]
    if edit.rows is not None or edit.columns is not None:
        said.append(f"[{_places(edit.rows)}; {_places(edit.columns)}]")
    value = "…" if isinstance(edit.value, tuple) else f"{edit.value:g}".replace("-", "\u2212")
    return " ".join([*said, _HOW[edit.how], value])


def _places(places: Sequence[int] | None) -> str:
    """Counted from 1; what follows each other as from and to."""
    if places is None:
        return "*"
    first, last = min(places, default=0) + 1, max(places, default=-1) + 1
    if len(places) > 1 and sorted(places) == list(range(first - 1, last)):
        return f"{first}–{last}"
    return ", ".join(str(place + 1) for place in places)
