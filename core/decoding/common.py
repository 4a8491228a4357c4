"""What greedy and beam search share: their answer, and moving rows of a cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
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


def select(state: DecoderState, sources: Sequence[int], rows: Sequence[int]) -> DecoderState:
    """The state of some sources and of some rows that read them, in that order.

    Beams share the memory of their source, which is never repeated; what stays as it is is
    not copied.

    Args:
        sources: of the memory.
        rows: of what was read so far, each source's rows side by side.
    """
    if _differ(sources, len(state.source_allowed)):
        index = torch.tensor(sources, device=state.source_allowed.device)
        allowed = state.source_allowed.index_select(0, index)
        state = state._replace(memory=_select(state.memory, index), source_allowed=allowed)
    if state.past and _differ(rows, len(state.past[0].keys)):
        index = torch.tensor(rows, device=state.source_allowed.device)
        state = state._replace(past=_select(state.past, index))
    return state


def _differ(places: Sequence[int], length: int) -> bool:
    return list(places) != list(range(length))


def _select(pairs: tuple[KeysValues, ...], index: Tensor) -> tuple[KeysValues, ...]:
    return tuple(
        KeysValues(pair.keys.index_select(0, index), pair.values.index_select(0, index))
        for pair in pairs
    )
