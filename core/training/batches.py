"""Batches by token budget. Their order is a pure function of (seed, epoch)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.decoding.many import pad_rows
from core.text.corpora import Pair
from core.text.tokenizer import END_ID, PAD_ID, START_ID, Tokenizer

_POOL: Final = 4096  # pairs sorted by length together: enough to pad little, few enough to mix


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


def epoch_order(
    examples: Sequence[Example], tokens_per_batch: int, seed: int, epoch: int
) -> list[list[int]]:
    """Indices of each batch of one epoch.

    Pairs are shuffled, sorted by length within pools of 4096 and cut to the token budget;
    then the batches are shuffled. A pair that is wider than the budget is a batch of its own.
    """
    generator = np.random.default_rng((seed, epoch))
    order = generator.permutation(len(examples))
    batches: list[list[int]] = []
    for start in range(0, len(order), _POOL):
        pool = sorted(order[start : start + _POOL].tolist(), key=lambda i: examples[i].width)
        batches.extend(_cut(pool, examples, tokens_per_batch))
    return [batches[i] for i in generator.permutation(len(batches))]


def endless_order(
    examples: Sequence[Example], tokens_per_batch: int, seed: int, start: int
) -> Iterator[list[int]]:
    """Indices of batches number `start`, `start` + 1, ... counted over all epochs from 0."""
    position, epoch = 0, 0
    while True:
        order = epoch_order(examples, tokens_per_batch, seed, epoch)
        yield from order[max(start - position, 0) :]
        position += len(order)
        epoch += 1


def _cut(pool: list[int], examples: Sequence[Example], budget: int) -> Iterator[list[int]]:
    batch: list[int] = []
    source = target = 0
    for index in pool:
        longer_source = max(source, len(examples[index].source) + 1)
        longer_target = max(target, len(examples[index].target) + 1)
        if batch and (len(batch) + 1) * (longer_source + longer_target) > budget:
            yield batch
            batch = []
            longer_source = len(examples[index].source) + 1
            longer_target = len(examples[index].target) + 1
        batch.append(index)
        source, target = longer_source, longer_target
    if batch:
        yield batch
