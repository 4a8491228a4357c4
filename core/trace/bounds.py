"""What a trace file may hold: checked against what it declares, before it is unpacked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from core.trace.axes import AXES, KINDS, STACKS, Axis, Kind, Stack, TraceError
from core.trace.npz import Member
from core.trace.site import PARTS

TOKENS: Final = 8192
"""The most tokens of a side; nothing draws as many."""

SIDES: Final = ("source", "target", "written")
"""What tokens are called in a file; the axis "read" is its target."""

NAMES: Final = 2**20
"""The most columns of the logits, and names of the vocabulary; every name is an object."""

_MOST_HEADS: Final = 1024  # layers or heads
_ALL_HEADS: Final = 8192  # layers times heads: each is described, however few tokens there are
_WIDEST: Final = 1024  # numbers of a query or key; heads that are in use have 32 to 256
_WIDEST_STREAM: Final = 65_536  # numbers of a residual stream or of a recurrent state
_STATES: Final = 64  # named parts of a recurrent stack
_TEXTS: Final = 4 * 2**20  # bytes of an axis' pieces or texts, and of meta; a letter has four
_VOCABULARY: Final = 128 * 2**20  # bytes of its names, each as long as the longest
_ECHOED: Final = 40  # characters of what a file says, in the sentence that refuses it

Members = Mapping[str, Member]
Meta = dict[str, str | int | float | bool]


def measured(file: Members) -> list[Kind]:
    """The kinds of attention that a file holds, after all shapes have been found to agree.

    Raises:
        TraceError: naming the first array that is missing, is of another type or shape, or
            asks for too much.
    """
    lengths = {side: _length(file, side) for side in SIDES}
    if lengths["written"] not in (None, lengths["target"]):
        raise TraceError("tokens_written")
    _small(wanted(file, "meta", "U", 0), _TEXTS)
    source, target = lengths["source"] or 0, lengths["target"] or 0
    if not source and not target:
        raise TraceError("tokens_none")
    tokens: dict[Axis, int] = {"source": source, "read": target, "written": target}
    kinds: list[Kind] = [kind for kind in KINDS if f"{kind}_weights" in file]
    for kind in kinds:
        _site(file, kind, (tokens[AXES[kind].query], tokens[AXES[kind].key]))
    for stack, axis in STACKS.items():
        _stack(file, stack, tokens[axis])
    if "logits" in file:
        logits = wanted(file, "logits", "f", 2)
        _fits(logits, (target or (logits.shape[0] and source),), slice(1))
        if logits.shape[1] > NAMES:
            raise TraceError("logits_wide", count=logits.shape[1], limit=NAMES)
        if "vocabulary" in file:
            names = _texts(file, "vocabulary")
            _fits(names, logits.shape[1:], slice(None))
            _small(names, _VOCABULARY)
    return kinds


def wanted(file: Members, name: str, kind: str, *axes: int) -> Member:
    """An array of a file, by its type.

    Args:
        kind: numpy's letters for the kinds that its dtype may be of.
        axes: how many it has, or may have.

    Raises:
        TraceError: it is missing, or another one.
    """
    if name not in file:
        raise TraceError("array_missing", array=name)
    member = file[name]
    if member.dtype.kind not in kind or len(member.shape) not in axes:
        raise TraceError("array_type", array=name, dtype=str(member.dtype), axes=len(member.shape))
    return member


def lengths_of(name: str) -> str:
    """What the array is called that says how long each text of another one is."""
    return f"{name}_lengths"


def read_meta(text: str, versions: tuple[int, ...]) -> Meta:
    """The facts of a file that are text or numbers, with `model_id` among them.

    Args:
        text: JSON of a stranger.
        versions: the formats that are read.

    Raises:
        TraceError: saying what is wrong, with little of the text.
    """
    try:
        meta = json.loads(text)
        if not isinstance(meta, dict) or not isinstance(meta.get("model_id"), str):
            raise TraceError("meta_model")
        named = meta.get("format")
        if isinstance(named, bool) or named not in versions:
            known = ", ".join(map(str, versions))
            raise TraceError("meta_format", found=_echo(named), version=known)
        for key, value in meta.items():
            if not _finite(value):
                raise TraceError("meta_infinite", key=_echo(key))
    except TraceError:
        raise
    except (ValueError, RecursionError) as error:
        raise TraceError("meta_json") from error
    if isinstance(meta.get("edits"), list):  # a trace carries them as text
        meta["edits"] = json.dumps(meta["edits"], ensure_ascii=False)
    return {key: value for key, value in meta.items() if isinstance(value, str | int | float)}


def _length(file: Members, side: str) -> int | None:
    """How many tokens a side has; None for one that a file may lack, and does."""
    name = f"{side}_tokens"
    if side == "written" and name not in file:
        return None
    pieces = _texts(file, name)
    if pieces.shape[0] > TOKENS:
        raise TraceError("tokens_many", count=pieces.shape[0], axis=side, limit=TOKENS)
    _small(pieces, _TEXTS)
    texts, *numbers = extras = [f"{side}_{part}" for part in ("texts", "ids", "words")]
    if all(extra in file for extra in extras):
        for extra in (_texts(file, texts), *(wanted(file, name, "iu", 1) for name in numbers)):
            if extra.shape != pieces.shape:
                raise TraceError("tokens_uneven", axis=side)
        _small(file[texts], _TEXTS)
    return pieces.shape[0]


def _texts(file: Members, name: str) -> Member:
    """An array of texts, with a length of each where the file says that."""
    texts = wanted(file, name, "U", 1)
    if lengths_of(name) in file:
        _fits(wanted(file, lengths_of(name), "iu", 1), texts.shape, slice(None))
    return texts


def _site(file: Members, kind: Kind, sides: tuple[int, int]) -> None:
    weights = wanted(file, f"{kind}_weights", "f", 4)
    if 0 in sides or 0 in weights.shape[2:]:
        raise TraceError("kind_empty", kind=kind)
    if max(weights.shape[:2]) > _MOST_HEADS:
        raise TraceError("heads_many", kind=kind, limit=_MOST_HEADS)
    if math.prod(weights.shape[:2]) > _ALL_HEADS:
        layers, heads = weights.shape[:2]
        raise TraceError("heads_all", kind=kind, layers=layers, heads=heads, limit=_ALL_HEADS)
    _fits(weights, sides, slice(2, None))
    mask = wanted(file, f"{kind}_allowed", "b", 2, 4)
    _fits(mask, sides if len(mask.shape) == 2 else weights.shape, slice(None))
    if f"{kind}_forced" in file:
        wanted(file, f"{kind}_forced", "b", 0)
    _parts(file, kind, weights.shape)


def _stack(file: Members, stack: Stack, length: int) -> None:
    """That what was recorded of a stack of layers fits its tokens, where a file has that."""
    names = f"{stack}_residual", f"{stack}_states", f"{stack}_state_names"
    if names[0] in file:
        stream = wanted(file, names[0], "f", 3)
        _fits(stream, (length,), slice(1, 2))
        _stream(stream, stack)
    if names[1] in file:
        states, labels = wanted(file, names[1], "f", 4), _texts(file, names[2])
        _fits(states, (length,), slice(2, 3))
        _fits(labels, states.shape[:1], slice(None))
        _small(labels, _TEXTS)
        if not 1 <= states.shape[0] <= _STATES:
            raise TraceError("states_many", stack=stack, count=states.shape[0], limit=_STATES)
        _stream(states, stack)


def _stream(member: Member, stack: Stack) -> None:
    layers, width = member.shape[-3], member.shape[-1]
    if layers > _MOST_HEADS + 1:
        raise TraceError("heads_many", kind=stack, limit=_MOST_HEADS)
    if not 1 <= width <= _WIDEST_STREAM:
        raise TraceError("vectors_wide", kind=stack, width=width, limit=_WIDEST_STREAM)


def _parts(file: Members, kind: Kind, shape: tuple[int, ...]) -> None:
    """That what else is told of each head fits its weights, where a file has that."""
    lengths = {"query": shape[2], "key": shape[3]}
    vectors = {f"{kind}_queries", f"{kind}_keys"}  # neither without the other
    for part, axes in PARTS.items():
        name = f"{kind}_{part}"
        if name in file or (name in vectors and not vectors.isdisjoint(file)):
            member = wanted(file, name, "f", 2 + len(axes))
            known = [lengths[axis] for axis in axes if axis in lengths]
            _fits(member, (*shape[:2], *known), slice(2 + len(known)))
            lengths.setdefault(axes[-1], member.shape[-1])  # what d_k is, queries say
    for width in (lengths.get("d_k", 1), lengths.get("d_v", 1)):
        if not 1 <= width <= _WIDEST:
            raise TraceError("vectors_wide", kind=kind, width=width, limit=_WIDEST)


def _fits(member: Member, expected: tuple[int, ...], axes: slice) -> None:
    if member.shape[axes] != expected:
        told = ["..."] * len(member.shape)
        told[axes] = map(str, expected)
        raise TraceError(
            "array_shape", array=member.name, found=_listed(member.shape), wanted=_listed(told)
        )


def _listed(shape: tuple[int, ...] | list[str]) -> str:
    return ", ".join(map(str, shape))


def _small(member: Member, most: int) -> None:
    if member.nbytes > most:
        raise TraceError("array_large", array=member.name, size=member.nbytes, limit=most)


def _finite(value: Any) -> bool:
    """That no number within is one that a browser cannot read."""
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, list):
        return all(map(_finite, value))
    try:
        return not isinstance(value, int | float) or math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def _echo(value: object) -> str:
    told = repr(value)
    return told if len(told) <= _ECHOED else told[:_ECHOED] + "…"
