"""What is recorded and edited during one pass of a Hugging Face model, and how its parts find it.

Their code takes no argument of ours, so what a pass is asked for is a context variable: passes of
several threads do not see each other, and nothing is kept on a module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from torch import Tensor, nn

from core.probe import Probe, Site
from core.trace import Kind, Stack


class Call(NamedTuple):
    """One call of our function: by which module, of how many queries and keys."""

    module: nn.Module
    queries: int
    keys: int
    scaled: bool
    """Scores are q·k, scaled: not bent by a cap."""
    biased: bool
    """What was learned of distances is added to them."""
    added: bool
    """So is what else a mask has of numbers."""
    sunk: bool
    """A part of each row flows into a sink."""


class Layer(NamedTuple):
    """One call of a layer: what it read of the stream, and what it left."""

    module: nn.Module
    read: Tensor
    left: Tensor


@dataclass(frozen=True, slots=True)
class Stream:
    """A residual stream: through how many calls of layers it goes, and how wide it is."""

    layers: int
    width: int


@dataclass(slots=True)
class Capture:
    """What is recorded and edited during one pass.

    Attributes:
        probe: of this pass.
        kinds: which attention each module is, by its `id`.
        stacks: of which stack each module is a layer, by its `id`.
        streams: of each of those stacks.
        positions: of the rows of each kind in their sequence; None counts from 0.
        calls: how many layers of each kind and stack have been through: a module may be several.
        sinks: (head, query) what of each row flows into a sink, by kind and layer.
        seen: every call of our function in its order, where that is asked for.
        layers: every call of what may be a layer, where that is asked for.
    """

    probe: Probe
    kinds: Mapping[int, Kind] = field(default_factory=dict)
    stacks: Mapping[int, Stack] = field(default_factory=dict)
    streams: Mapping[Stack, Stream] = field(default_factory=dict)
    positions: Sequence[int] | None = None
    calls: Counter[Site] = field(default_factory=Counter)
    sinks: dict[tuple[Kind, int], Tensor] = field(default_factory=dict)
    seen: list[Call] | None = None
    layers: list[Layer] | None = None

    def rows(self, count: int) -> Sequence[int]:
        """Where so many rows stand in their sequence."""
        return range(count) if self.positions is None else self.positions


_CAPTURE: Final[ContextVar[Capture | None]] = ContextVar("capture", default=None)


@contextmanager
def captured(capture: Capture) -> Iterator[Capture]:
    """Passes within are recorded and edited."""
    token = _CAPTURE.set(capture)
    try:
        yield capture
    finally:
        _CAPTURE.reset(token)


def current() -> Capture | None:
    """That of the pass that is under way, if it is captured."""
    return _CAPTURE.get()
