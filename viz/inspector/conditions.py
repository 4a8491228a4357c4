"""What was special of a pass, in short: its edits, and the chance by which tokens were drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.probe import Edit, How, edits_of_json
from core.trace import AXES, STACKS, AttentionTrace, Bools, Kind

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


def edits_in_short(trace: AttentionTrace, words: Mapping[str, str]) -> list[str]:
    """What was edited during the pass, each in short: where, counted from 1, and how.

    Such as "head outputs (Cross L3 H5) × 0", or, of some rows and columns,
    "weights (Cross) [4; 1–3] = 0.5"; of many values their number is told.

    Args:
        words: of figures (`viz.text.paper.figure_words`), which name heads as pictures do.
    """
    edits = _edits(trace)
    if edits is None:  # of another program's file
        return ["?"]
    return [_edit_in_short(edit, trace, words) for edit in edits]


def scores_edited(trace: AttentionTrace, kind: Kind) -> Bools:
    """(layer, head): whether an edit of its scores met a head, so that they are no longer q·k's."""
    met: Bools = np.zeros(trace.sites[kind].weights.shape[:2], np.bool_)
    for edit in _edits(trace) or ():
        if edit.place == "scores" and edit.site == kind:
            met[_from(edit.layer), _from(edit.head)] = True
    return met


def _from(place: int | None) -> slice:
    """The one place, or all."""
    return slice(None) if place is None else slice(place, place + 1)


def _edits(trace: AttentionTrace) -> tuple[Edit, ...] | None:
    """Those of the pass; None where what a trace says of them is none of ours."""
    told = trace.meta.get("edits")
    try:
        return () if told is None else edits_of_json(str(told))
    except ValueError:
        return None


def _edit_in_short(edit: Edit, trace: AttentionTrace, words: Mapping[str, str]) -> str:
    where = _where(edit, trace, words)
    said = [words["edit_of"].format(place=words[f"edit_{edit.place}"], where=where)]
    if edit.rows is not None or edit.columns is not None:
        said.append(f"[{_places(edit.rows)}; {_places(edit.columns)}]")
    return " ".join([*said, _HOW[edit.how], _value(edit, words)])


def _value(edit: Edit, words: Mapping[str, str]) -> str:
    values = np.ravel(edit.value)
    if len(values) == 1:
        return f"{values[0]:g}".replace("-", "\u2212")
    return words["edit_values"].format(count=len(values))


def _where(edit: Edit, trace: AttentionTrace, words: Mapping[str, str]) -> str:
    """The attention or the stack, and which of its layers and heads, as far as that is told."""
    stack = edit.site in STACKS
    site = words[f"edit_{edit.site}" if stack else f"kind_{edit.site}"]
    layer, head = (None if at is None else at + 1 for at in (edit.layer, edit.head))
    if layer is not None and head is not None:
        return f"{site} {words['head_short'].format(layer=layer, head=head)}"
    if head is not None:
        return f"{site} {words['edit_head'].format(head=head)}"
    if layer is None:
        return site
    if stack and edit.layer == _layers(trace, edit.site):  # what the last of them leaves
        return f"{site} {words['edit_after'].format(layer=edit.layer)}"
    return f"{site} {words['edit_layer'].format(layer=layer)}"


def _layers(trace: AttentionTrace, stack: str) -> int | None:
    """How many a stack has, as its attention tells; None where it has none."""
    encoder = stack == "encoder"
    own = (site for kind, site in trace.sites.items() if (AXES[kind].query == "source") == encoder)
    return next((site.layers for site in own), None)


def _places(places: Sequence[int] | None) -> str:
    """Counted from 1; what follows each other as from and to."""
    if places is None:
        return "*"
    first, last = min(places, default=0) + 1, max(places, default=-1) + 1
    if len(places) > 1 and sorted(places) == list(range(first - 1, last)):
        return f"{first}–{last}"
    return ", ".join(str(place + 1) for place in places)
