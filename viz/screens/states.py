"""What the recurrent layers of a model carried through time, beneath what they looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.trace import Stack
from viz.inspector.spelling import NUMBER
from viz.inspector.states import Shape, shapes, shapes_beside
from viz.jobs.snapshots import Snapshot
from viz.screens import component
from viz.session import fields
from viz.session.callbacks import OF_STATES, POSITION, UNIT

STACK, LAYER, STATE, UNITS = "stack", "stack_layer", "state", "units"
_WAYS: Final = ("varying", "model")
"""Which units are drawn, where that is not the few that vary most."""


def render(found: Snapshot, *, tells_next: bool = False) -> None:
    """Draws them, where the model has such, and what may come next, if nothing else tells it."""
    carried = shapes(found.trace)
    if carried:
        component.states(found, _chosen(carried), tells_next=tells_next)


def render_pair(first: Snapshot, second: Snapshot, *, same_units: bool) -> None:
    """Draws those of two beside each other, where either has such.

    Args:
        same_units: unit 7 of one is unit 7 of the other: they are of one model, or of one run.
    """
    carried = shapes_beside(first.trace, second.trace)
    if carried:
        component.states_pair(first, second, _chosen(carried), same_units=same_units)


def _chosen(carried: Mapping[Stack, Shape]) -> dict[str, str | None]:
    """What the address asks for as it fits; what does not is said and let go."""
    fields.apart(POSITION, OF_STATES)
    asked = fields.own(STACK, LAYER, STATE, POSITION, UNIT, UNITS)
    stack = next((one for one in carried if one == asked.get(STACK)), next(iter(carried)))
    one = carried[stack]
    chosen: dict[str, Any] = {
        STACK: stack,
        LAYER: _place(asked.get(LAYER), one.layers) or 1,
        STATE: asked[STATE] if asked.get(STATE) in one.names else one.usual,
        POSITION: _place(asked.get(POSITION), one.steps),
        UNIT: _place(asked.get(UNIT), one.units),
        UNITS: asked[UNITS] if asked.get(UNITS) in _WAYS else None,
    }
    texts = {name: None if value is None else str(value) for name, value in chosen.items()}
    fields.refuse([name for name, text in texts.items() if asked.get(name, text) != text])
    fields.live(texts)
    return texts


def _place(text: str | None, count: int) -> int | None:
    """A place from 1 to `count`, None for anything else."""
    place = NUMBER.tried(text, 0)
    return place if 1 <= place <= count else None
