"""What a file that opens from disk holds: a trace, two and their difference, or states over time.

Each is a view of the inspector, whole; `title` and `language` are as `page` of
`viz.inspector.offline` has them, and so is what comes of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from core.trace import AttentionTrace, Kind
from viz.inspector import options
from viz.inspector.offline import Bodies, page
from viz.inspector.pack import Packed, exact_bytes, exact_size, logits_bytes
from viz.inspector.quantise import quantised
from viz.inspector.states import described, states_bytes

EXACT: Final = 12 * 1024 * 1024
"""Bytes of exact floats that a file may hold, before compression; others are "about"."""
ALONE: Final = 64 * 1024 * 1024
"""Bytes of what a file opens on, a head or two, which may be more than all others together."""
LOGITS: Final = 4 * 1024 * 1024
"""Bytes of logits that a file may hold, before compression; else it has no temperature."""

Place = tuple[Kind, int, int]
"""Kind, layer and head, counted from 0."""
Heads = tuple[tuple[int, int], ...]


def single_file(
    packed: Packed, data: Mapping[str, Any], *, title: str, language: str, compact: bool = False
) -> str:
    """One trace, whole.

    Args:
        packed: the trace.
        data: what the component would be sent (`viz.inspector.payload.component_data`).
        compact: the head that it opens on and those kept beside it are exact, all others have
            eight bits, and next tokens have no temperature.
    """
    selection = data["meta"]["ui"]["selection"]
    kinds = list(packed.trace.sites)
    kept = _kept(selection)
    order = _nearest(packed.trace, kinds, _opened(packed.trace, selection), kept)
    order = order[: 1 + len(kept)] if compact else order
    bodies = _bodies([packed], kinds, [order], whole=True, linear=compact)
    logits = {} if compact else _logits(packed)
    bodies[packed.meta["trace_id"]] |= logits
    told = {**data, "meta": {**_told(data["meta"], linear=compact), "logits": bool(logits)}}
    return page("main.js", ("style.css",), told, bodies, title=title, language=language)


def pair_file(
    packs: tuple[Packed, Packed],
    data: Mapping[str, Any],
    opened: tuple[Place, Place],
    *,
    title: str,
    language: str,
    compact: bool = False,
) -> str:
    """Two traces beside each other and their difference, whole.

    Args:
        packs: the traces; of one that stands beside itself, under one id, all is held once.
        data: what the component would be sent (`viz.inspector.pair.pair_data`).
        opened: the head of either that the file opens on.
        compact: the two heads are exact, all others have eight bits.
    """
    first, second = (packed.trace for packed in packs)
    kinds = [kind for kind in first.sites if kind in second.sites]
    orders = [_nearest(p.trace, kinds, at) for p, at in zip(packs, opened, strict=True)]
    if compact:
        orders = [order[:1] for order in orders]
    bodies = _bodies(packs, kinds, orders, whole=False, linear=compact)
    traces = [_told(meta, linear=compact) for meta in data["meta"]["traces"]]
    told = {**data, "meta": {**data["meta"], "traces": traces}}
    sheets = ("style.css", "compare/style.css")
    return page("compare/main.js", sheets, told, bodies, title=title, language=language)


def states_file(
    traces: Sequence[AttentionTrace], data: Mapping[str, Any], *, title: str, language: str
) -> str:
    """States over time, every layer of every stack, of one trace or of two beside each other.

    Args:
        data: what the component would be sent (`states_data` or `states_pair_data` of
            `viz.inspector.states`).
    """
    meta = data["meta"]
    told = zip(meta.get("traces", [meta]), traces, strict=True)
    bodies = {one["trace_id"]: _states(trace) for one, trace in told}
    beside = len(traces) > 1
    module = "states/pairs.js" if beside else "states/main.js"
    sheets = ("style.css", *(["compare/style.css"] if beside else []), "states/style.css")
    return page(module, sheets, data, bodies, title=title, language=language)


def _states(trace: AttentionTrace) -> dict[str, bytes]:
    """What the server would answer, of every layer."""
    return {
        f"states/{one['stack']}/{layer}": states_bytes(trace, one["stack"], layer)
        for one in described(trace)
        for layer in range(one["layers"])
    }


def _told(meta: Mapping[str, Any], *, linear: bool) -> dict[str, Any]:
    """A description of bodies as the file has them."""
    return {**meta, "sites": [{**site, "linear": linear} for site in meta["sites"]]}


def _bodies(
    packs: Sequence[Packed],
    kinds: Sequence[Kind],
    orders: Sequence[Sequence[Place]],
    *,
    whole: bool,
    linear: bool,
) -> Bodies:
    """What the server would answer; the exact floats of as many heads as there is room for.

    Args:
        orders: the heads of each trace; where there are two, they take turns.
        whole: with scores and shares, where there are any.
        linear: as `quantised` has it.
    """
    found: Bodies = {}
    for packed in packs:
        held = found.setdefault(packed.meta["trace_id"], {})
        for kind in kinds:
            site = packed.trace.sites[kind]
            held[kind] = (quantised(site, linear=True) if linear else packed.body(kind)).tobytes()
    room = EXACT
    for at, turn in enumerate(zip_longest(*orders)):
        for packed, place in zip(packs, turn, strict=True):
            held = found[packed.meta["trace_id"]]
            if place is None or _path(place) in held:
                continue
            site = packed.trace.sites[place[0]]
            size = exact_size(site) if whole else 4 * math.prod(site.shape)
            if size <= room or (at == 0 and size * len(packs) <= ALONE):
                room -= size
                held[_path(place)] = exact_bytes(packed.trace, *place)[:size]
    return found


def _path(place: Place) -> str:
    return "/".join(map(str, place))


def _logits(packed: Packed) -> dict[str, bytes]:
    """The logits of every step by path, where there is room for them."""
    logits = packed.trace.logits
    if not packed.meta["logits"] or logits is None or logits.nbytes > LOGITS:
        return {}
    return {f"logits/{step}": logits_bytes(packed.trace, step) for step in range(len(logits))}


def _nearest(
    trace: AttentionTrace, kinds: Sequence[Kind], opened: Place | None, kept: Heads = ()
) -> list[Place]:
    """All heads: the one that is opened on, those kept beside it, the nearest, other kinds."""
    if opened is None:
        return []
    kind, *at = opened

    def near(place: Place) -> tuple[bool, bool, int]:
        own, *head = place
        return (
            own != kind,
            tuple(head) not in (tuple(at), *kept),
            abs(head[0] - at[0]) + abs(head[1] - at[1]),
        )

    extents = ((own, trace.sites[own].weights.shape[:2]) for own in kinds)
    return sorted(((own, *head) for own, of in extents for head in np.ndindex(*of)), key=near)


def _opened(trace: AttentionTrace, selection: Mapping[str, Any]) -> Place | None:
    """The head of a selection, None where there is no head at all.

    What does not fit the trace is replaced as by the browser (`settle` in web/store.js).
    """
    if not trace.sites:
        return None
    first: Kind = "cross" if "cross" in trace.sites else next(iter(trace.sites))
    kind = next((own for own in trace.sites if own == selection.get("kind")), first)
    site = trace.sites[kind]
    layer = _settled(selection.get("layer"), site.layers)
    return kind, layer, _settled(selection.get("head"), site.heads)


def _kept(selection: Mapping[str, Any]) -> Heads:
    try:
        return options.change(options.PLAIN, "kept", str(selection.get("kept") or "")).kept
    except ValueError:
        return ()


def _settled(wanted: object, most: int) -> int:
    return min(max(wanted, 1), most) - 1 if isinstance(wanted, int) else 0
