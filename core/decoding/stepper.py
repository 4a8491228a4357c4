"""What decoding asks of a network, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from torch import Tensor


class State(Protocol):
    """What a network carries from step to step; a value, never stored on a module."""

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> Self:
        """The state of some sources and of some rows that read them, in that order.

        Args:
            sources: places among the sources, each once.
            rows: places among all rows; each source has as many, side by side.
        """
        ...


S = TypeVar("S", bound=State)


class Stepper(Protocol[S]):
    """A network that writes token by token."""

    def start(self, source: Tensor) -> S:
        """Read (batch, source) ids, padding at the end of a row."""
        ...

    def step(self, reading: Tensor, state: S) -> tuple[Tensor, S]:
        """Read newer tokens after those that `state` holds.

        Args:
            reading: (row, new) ids; as many rows as sources, or a multiple: the rows of one
                source stand side by side.

        Returns:
            Logits (row, new, vocab), and the state after them.
        """
        ...


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output of a search.

    Attributes:
        tokens: ids written, the end token included when it was reached.
        gains: log probability of each of them given the source and those before it, natural
            logarithm.
        finished: False when the length limit cut it off.
    """

    tokens: tuple[int, ...]
    gains: tuple[float, ...]
    finished: bool
