"""What the recurrent layers of a model carried through time, beneath what they looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from viz.inspector.spelling import NUMBER
from viz.inspector.states import described, places
from viz.jobs.snapshots import Snapshot
from viz.screens import component
from viz.session import fields
from viz.session.callbacks import POSITION, UNIT

STACK, LAYER, STATE, UNITS = "stack", "stack_layer", "state", "units"
_WAYS: Final = ("varying", "model")
"""Which units are drawn, where that is not the few that vary most."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What there is to choose of a stack, of one trace or of two.

    Attributes:
        names: of states, gates and what they are made of.
        steps: tokens that it reads, or places of both.
    """

    layers: int
    units: int
    names: tuple[str, ...]
    steps: int


def render(found: Snapshot, *, tells_next: bool = False) -> None:
    """Draws them, where the model has such.

    Args:
        tells_next: what may come next is not shown elsewhere on the page.
    """
    tokens = {"encoder": found.trace.source, "decoder": found.trace.target}
    shapes = {
        one["stack"]: _shape([one], len(tokens[one["stack"]])) for one in described(found.trace)
    }
    if shapes:
        component.states(found, _chosen(shapes), tells_next=tells_next)


def render_pair(first: Snapshot, second: Snapshot, *, same_units: bool) -> None:
    """Draws those of two beside each other, where either has such.

    Args:
        same_units: unit 7 of one is unit 7 of the other: they are of one model, or of one run.
    """
    each = [{one["stack"]: one for one in described(found.trace)} for found in (first, second)]
    steps = places(first.trace, second.trace)
    shapes = {
        stack: _shape([own[stack] for own in each if stack in own], len(steps[stack]))
        for stack in steps
        if any(stack in own for own in each)
    }
    if shapes:
        component.states_pair(first, second, _chosen(shapes), same_units=same_units)


def _shape(recorded: list[dict[str, Any]], steps: int) -> _Shape:
    """As web/states/both.js has it."""
    names = dict.fromkeys(name for one in recorded for name in one["names"])
    layers = max(one["layers"] for one in recorded)
    return _Shape(layers, recorded[0]["units"], tuple(names), steps)


def _chosen(shapes: Mapping[str, _Shape]) -> dict[str, str | None]:
    """What the address asks for as it fits; what does not is said and let go."""
    asked = fields.own(STACK, LAYER, STATE, POSITION, UNIT, UNITS)
    stack = asked[STACK] if asked.get(STACK) in shapes else next(iter(shapes))
    one = shapes[stack]
    usual = "hidden" if "hidden" in one.names else one.names[0]
    chosen: dict[str, Any] = {
        STACK: stack,
        LAYER: _place(asked.get(LAYER), one.layers) or 1,
        STATE: asked[STATE] if asked.get(STATE) in one.names else usual,
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
