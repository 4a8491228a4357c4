"""What recurrent layers carried and computed: described for the browser, sent by the layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.trace import STACKS, AttentionTrace, Floats, Stack
from viz.inspector.pack import Packed, ui
from viz.inspector.pair import alignment
from viz.text.tokens import carried

FEW: Final = 32
"""Units that are drawn at first: those that vary most (`web/states/chosen.js`)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What there is to choose of a stack, of one trace or of two.

    Attributes:
        units: of the first trace that has the stack.
        names: of states, gates and what they are made of.
        steps: tokens that it reads, or places of both.
    """

    layers: int
    units: int
    names: tuple[str, ...]
    steps: int

    @property
    def usual(self) -> str:
        """The state that is shown where none is asked for."""
        return "hidden" if "hidden" in self.names else self.names[0]


def states_data(
    packed: Packed,
    *,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any] | None = None,
    tells_next: bool = False,
) -> dict[str, Any]:
    """What web/states/main.js takes as `data`; numbers it fetches by itself.

    Args:
        packed: a trace that has states.
        language: BCP 47 tag of the texts.
        text: the words of the inspector and of the states together.
        selection: where to start: `stack`, `stack_layer`, `state`, `position`, `unit` and `units`,
            each optional, counted from 1; what does not fit the trace is replaced.
        tells_next: what may come next is shown with them; what a model tells of its source
            always is.
    """
    told = _meta(packed, tells_next=tells_next)
    return {"meta": {**told, "ui": ui("states", language, text, selection)}}


def states_pair_data(
    first: Packed,
    second: Packed,
    *,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any],
    same_units: bool,
) -> dict[str, Any]:
    """What web/states/pairs.js takes as `data`.

    Args:
        first, second: traces, of which one at least has states.
        language: BCP 47 tag of the texts.
        text: the words of the inspector, of the pair and of the states together.
        selection: as `states_data` has it; `position` counts the places of both
            (`viz.inspector.pair.alignment`).
        same_units: unit 7 of one is unit 7 of the other, as of one model at two sentences.
    """
    return {
        "meta": {
            "traces": [
                {**_meta(packed, tells_next=False), "model_id": packed.meta["model_id"]}
                for packed in (first, second)
            ],
            "alignment": places(first.trace, second.trace),
            "same_units": same_units,
            "ui": ui("states-pair", language, text, selection),
        }
    }


def places(first: AttentionTrace, second: AttentionTrace) -> dict[Stack, list[list[int]]]:
    """Which tokens belong together, of those that each stack reads."""
    return {
        stack: alignment(first.tokens(axis), second.tokens(axis)) for stack, axis in STACKS.items()
    }


def shapes(trace: AttentionTrace) -> dict[Stack, Shape]:
    """By stack, of those that have states."""
    return {
        one["stack"]: _shape([one], len(trace.tokens(STACKS[one["stack"]])))
        for one in described(trace)
    }


def shapes_beside(first: AttentionTrace, second: AttentionTrace) -> dict[Stack, Shape]:
    """The same of two: all that either has, over the places of both."""
    each = [{one["stack"]: one for one in described(trace)} for trace in (first, second)]
    return {
        stack: _shape([own[stack] for own in each if stack in own], len(together))
        for stack, together in places(first, second).items()
        if any(stack in own for own in each)
    }


def _shape(recorded: list[dict[str, Any]], steps: int) -> Shape:
    """As web/states/both.js has it."""
    names = dict.fromkeys(name for one in recorded for name in one["names"])
    layers = max(one["layers"] for one in recorded)
    return Shape(layers, recorded[0]["units"], tuple(names), steps)


def _meta(packed: Packed, *, tells_next: bool) -> dict[str, Any]:
    meta = packed.meta
    told = meta["told"]
    return {
        "trace_id": meta["trace_id"],
        "states": described(packed.trace),
        "source": meta["source"],
        "read": meta["read"],
        "next": told or (meta["next"] if tells_next else None),
        "next_stack": "encoder" if told else "decoder",
        "foretells": meta["facts"].get("foretells"),
    }


def described(trace: AttentionTrace) -> list[dict[str, Any]]:
    """Layers, units and names of each stack that has states; of an empty one there is nothing."""
    found = []
    for stack in STACKS:
        parts = trace.states.get(stack)
        if parts and next(iter(parts.values())).size:
            layers, _, units = next(iter(parts.values())).shape
            names = [*map(carried, parts)]
            found.append({"stack": stack, "layers": layers, "units": units, "names": names})
    return found


def answers(packed: Packed) -> tuple[list[str], Floats] | None:
    """How likely each answer is after each token, of a model with few (web/states/told.js).

    Returns:
        Names, and (answer, position) from 0 to 1, by the ids of the answers; None of a model that
        writes, or of one whose answers are not all told.
    """
    told = packed.meta["told"]
    if not told or any(one["others"] for one in told):
        return None
    ids = sorted(told[0]["ids"])
    names = dict(zip(told[0]["ids"], told[0]["texts"], strict=True))
    shares = [[one["p"][one["ids"].index(at)] for one in told] for at in ids]
    return [names[at] for at in ids], np.array(shares, np.float32)


def states_bytes(trace: AttentionTrace, stack: Stack, layer: int) -> bytes:
    """The body of `trace/{trace_id}/states/{stack}/{layer}`.

    Little-endian float32: (position, unit) of one name behind the other, as `described` has them.

    Args:
        layer: counts from 0, in the path as here.

    Raises:
        KeyError: the trace has no states of that stack.
        IndexError: no such layer.
    """
    parts = trace.states[stack]
    if not 0 <= layer < len(next(iter(parts.values()))):
        raise IndexError(f"{stack} has no layer {layer}")
    body: bytes = np.stack([part[layer] for part in parts.values()]).astype("<f4").tobytes()
    return body
