"""What the recurrent layers of a model carried through time, beneath what they looked at."""

from __future__ import annotations

from typing import Any, Final

from viz.inspector.spelling import NUMBER
from viz.inspector.states import described
from viz.jobs.snapshots import Snapshot
from viz.screens import component
from viz.session import fields
from viz.session.callbacks import POSITION, UNIT

STACK, LAYER, STATE, UNITS = "stack", "stack_layer", "state", "units"
_WAYS: Final = ("varying", "model")
"""Which units are drawn, where that is not the few that vary most."""


def render(found: Snapshot, *, tells_next: bool = False) -> None:
    """Draws them, where the model has such.

    Args:
        tells_next: what may come next is not shown elsewhere on the page.
    """
    recorded = {one["stack"]: one for one in described(found.trace)}
    if not recorded:
        return
    asked = fields.own(STACK, LAYER, STATE, POSITION, UNIT, UNITS)
    stack = asked.get(STACK) if asked.get(STACK) in recorded else next(iter(recorded))
    one = recorded[stack]
    tokens = found.trace.source if stack == "encoder" else found.trace.target
    names = one["names"]
    usual = "hidden" if "hidden" in names else names[0]
    chosen: dict[str, Any] = {
        STACK: stack,
        LAYER: _place(asked.get(LAYER), one["layers"]) or 1,
        STATE: asked[STATE] if asked.get(STATE) in names else usual,
        POSITION: _place(asked.get(POSITION), len(tokens)) or len(tokens),
        UNIT: _place(asked.get(UNIT), one["units"]),
        UNITS: asked[UNITS] if asked.get(UNITS) in _WAYS else None,
    }
    texts = {name: None if value is None else str(value) for name, value in chosen.items()}
    fields.refuse([name for name, text in texts.items() if asked.get(name, text) != text])
    fields.live(texts)
    component.states(found, texts, tells_next=tells_next)


def _place(text: str | None, count: int) -> int | None:
    """A place from 1 to `count`, None for anything else."""
    place = NUMBER.tried(text, 0)
    return place if 1 <= place <= count else None
