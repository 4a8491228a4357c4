"""Where a model's weights go, and in which precision, so that it opens on what memory there is.

Numbers come first: float32 wherever it fits, on one device before several; then half precision,
on one device before several, as slow as it may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.reasons import RefusedError

Room = Mapping[int | str, int]
"""Bytes that are free: of each GPU by its number, and of the machine itself as "cpu"."""

HELD: Final = 0.9
"""How much of a device weights may fill: what is computed with them needs some, too."""


@dataclass(frozen=True, slots=True)
class Placing:
    """How a model is held.

    Attributes:
        half: its weights are in half precision.
        spread: bytes that each device may hold of it; None: all of it is on one.
    """

    half: bool = False
    spread: Room | None = None


def placing(parameters: int, device: str, room: Room) -> Placing:
    """Where a model goes that has so many numbers.

    Args:
        device: the kind that is asked for, "cpu", "cuda" or "mps".
        room: what is free; what it does not name is not known, and taken for enough.

    Raises:
        RefusedError: memory_short, of half precision, which needs least.
    """
    own = {name: int(HELD * size) for name, size in room.items()}
    gpus = {name: size for name, size in own.items() if name != "cpu"}
    first = next(iter(gpus.values()), None) if device == "cuda" else own.get("cpu")
    if first is None:
        return Placing()
    for half in (False, True):
        size = (2 if half else 4) * parameters
        if size <= first:
            return Placing(half)
        if device == "cuda" and size <= sum(gpus.values()):
            return Placing(half, gpus)
    if device == "cuda" and size <= sum(own.values()):
        return Placing(half=True, spread=own)
    needed, free = (of / 2**30 for of in (size, sum(own.values()) if device == "cuda" else first))
    raise RefusedError("memory_short", needed=f"{needed:.1f}", free=f"{free:.1f}")
