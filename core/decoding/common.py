"""What greedy and beam search share: their answer, and moving rows of a cache."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from core.nn.attention import KeysValues
from core.nn.transformer import DecoderState


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output of a search.

    Attributes:
        tokens: ids written, the end token included when it was reached.
        log_probability: of all of them given the source, natural logarithm.
        finished: False when the length limit cut it off.
    """

    tokens: tuple[int, ...]
    log_probability: float
    finished: bool


def select(state: DecoderState, rows: Tensor) -> DecoderState:
    """The state of some rows of its batch, in that order.

    Args:
        rows: (new batch,) int64 indices.
    """
    return DecoderState(
        tuple(_select(pair, rows) for pair in state.memory),
        state.source_allowed.index_select(0, rows),
        select_past(state.past, rows),
    )


def select_past(past: tuple[KeysValues, ...], rows: Tensor) -> tuple[KeysValues, ...]:
    """The same for the positions already read alone: beams share one source."""
    return tuple(_select(pair, rows) for pair in past)


def share_memory(state: DecoderState, rows: int) -> DecoderState:
    """A state of one source seen by `rows` rows; the memory is a view, not a copy."""
    return DecoderState(
        tuple(
            KeysValues(
                pair.keys.expand(rows, -1, -1, -1),  # (1 -> rows, head, source, d_k)
                pair.values.expand(rows, -1, -1, -1),
            )
            for pair in state.memory
        ),
        state.source_allowed.expand(rows, -1, -1, -1),
        state.past,
    )


def _select(pair: KeysValues, rows: Tensor) -> KeysValues:
    return KeysValues(pair.keys.index_select(0, rows), pair.values.index_select(0, rows))
