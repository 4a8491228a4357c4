"""Pairs of texts as ids, alone and in padded batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from core.text.corpora import Pair
from core.text.tokenizer import END_ID, PAD_ID, START_ID, Tokenizer


class Example(NamedTuple):
    """One pair as ids, without start and end."""

    source: tuple[int, ...]
    target: tuple[int, ...]

    @property
    def width(self) -> int:
        """Positions that it takes: source and target, each with one special token."""
        return len(self.source) + len(self.target) + 2


class Batch(NamedTuple):
    """Padded at the end; `written` is `target` shifted by one.

    Attributes:
        source: (batch, source) ids, each closed by the end token.
        target: (batch, target) ids that the decoder reads, each opened by the start token.
        written: (batch, target) ids that it should write, each closed by the end token.
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


def encode_pairs(
    tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
) -> tuple[Example, ...]:
    """Pairs as ids; those longer than the model's limits are left out."""
    sources = tokenizer.encode_all([pair.source for pair in pairs])
    targets = tokenizer.encode_all([pair.target for pair in pairs])
    return tuple(
        Example(tuple(source), tuple(target))
        for source, target in zip(sources, targets, strict=True)
        if 0 < len(source) < max_source and 0 < len(target) < max_target
    )


def collate(examples: Sequence[Example]) -> Batch:
    """Pad examples to one batch."""
    return Batch(
        pad_rows([[*example.source, END_ID] for example in examples], PAD_ID),
        pad_rows([[START_ID, *example.target] for example in examples], PAD_ID),
        pad_rows([[*example.target, END_ID] for example in examples], PAD_ID),
    )


def pad_rows(
    rows: Sequence[Sequence[int]], pad_id: int, device: torch.device | None = None
) -> Tensor:
    """(row, longest) ids with padding at the end of shorter rows."""
    width = max(map(len, rows))
    padded = [[*row, *[pad_id] * (width - len(row))] for row in rows]
    return torch.tensor(padded, dtype=torch.long, device=device)
