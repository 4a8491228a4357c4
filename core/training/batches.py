"""Batches by token budget. Their order is a pure function of (seed, epoch)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from core.text.examples import Example

_POOL: Final = 4096  # pairs sorted by length together: enough to pad little, few enough to mix


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
        own_source, own_target = len(examples[index].source), len(examples[index].target)
        source, target = max(source, own_source), max(target, own_target)
        if batch and (len(batch) + 1) * (source + target) > budget:
            yield batch
            batch, source, target = [], own_source, own_target
        batch.append(index)
    if batch:
        yield batch
