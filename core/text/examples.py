"""What a network is shown, as ids: alone and in padded batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from core.text.tokenizer import END_ID, PAD_ID, START_ID


class Example(NamedTuple):
    """A row of each part of a `Batch`, without padding at its end."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    written: tuple[int, ...]

    @property
    def width(self) -> int:
        """Positions that it takes."""
        return len(self.source) + len(self.target)

    @property
    def tokens(self) -> int:
        """How many it asks for."""
        return len(self.written) - self.written.count(PAD_ID)


class Batch(NamedTuple):
    """Padded at the end.

    Attributes:
        source: (batch, source) ids.
        target: (batch, target) ids that a decoder reads; of a network without one none, (batch, 0).
        written: (batch, target) ids that it should write, or (batch, source) ids of labels where
            there is no decoder; padding where nothing is asked.
    """

    source: Tensor
    target: Tensor
    written: Tensor

    @property
    def tokens(self) -> int:
        """Real tokens written."""
        return int((self.written != PAD_ID).sum())

    def to(self, device: torch.device) -> Batch:
        return Batch(*(tensor.to(device) for tensor in self))


def translation(source: Sequence[int], target: Sequence[int]) -> Example:
    """A pair, each side closed by the end token; what is read is opened by the start token."""
    return Example((*source, END_ID), (START_ID, *target), (*target, END_ID))


def collate(examples: Sequence[Example]) -> Batch:
    """Pad examples to one batch."""
    return Batch(*(pad_rows(rows, PAD_ID) for rows in zip(*examples, strict=True)))


def pad_rows(
    rows: Sequence[Sequence[int]], pad_id: int, device: torch.device | None = None
) -> Tensor:
    """(row, longest) ids with padding at the end of shorter rows."""
    width = max(map(len, rows))
    padded = [[*row, *[pad_id] * (width - len(row))] for row in rows]
    return torch.tensor(padded, dtype=torch.long, device=device)
