"""The precision of a run's matrix products: what its recipe says, or what is faster here."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import torch

from core.family import Family
from core.nn.network import Network, Sizes
from core.text.examples import Batch, Example, collate

Precision = Literal["fp32", "bf16"]
Wanted = Literal["auto", "fp32", "bf16"]

WORTH: Final = 1.1
"""Times as fast that bf16 must be to be taken: it rounds, and a timing is off by some per cent."""

_ROUNDS: Final = 4
_SECONDS: Final = 0.8  # after which no further round is begun
_HOPELESS: Final = 3.0  # times as slow as float32, bf16 is not timed any further
_TASTE: Final = 16  # as small a part of the work tells whether it is: it may be 20 times as slow
_PRODUCTS: Final = {"cpu": 1e9, "cuda": 1e11, "mps": 1e10}  # of one pass, about
_LEAST, _MOST = 64, 16_384  # positions of a pass
_READ: Final = 512  # examples of which a typical batch is made


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run computes in.

    Attributes:
        gain: how many times as fast bf16 was as float32, 0 where it does not work here; None
            where nothing was measured, since the recipe or a saved state says what to take.
    """

    precision: Precision
    gain: float | None = None


def take(
    wanted: Wanted,
    family: Family,
    sizes: Sizes,
    examples: Sequence[Example],
    device: torch.device,
) -> Taken:
    """What a recipe's word means on this device, for such a model and such sentences.

    "auto" is measured, in under 2 s, and leaves torch's random state as it is.
    """
    if wanted != "auto":
        return Taken(wanted)
    gain = _bf16_gain(family, sizes, examples, device)
    return Taken("bf16" if gain >= WORTH else "fp32", round(gain, 2))


def _bf16_gain(
    family: Family, sizes: Sizes, examples: Sequence[Example], device: torch.device
) -> float:
    """Timed on the family's sample of such a model, forwards and backwards."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        sample = family.network(family.sample(sizes, device)).to(device).train()
        batch = _batch(sample, examples).to(device)
        taste = Batch(*(each[: -(-len(each) // _TASTE)] for each in batch))
        try:
            _race(family, sample, Batch(*(each[:1, :2] for each in batch)))  # makes ready, no more
            slow, fast = _race(family, sample, taste)
            if fast < _HOPELESS * slow:
                slow, fast = _race(family, sample, batch)
        except RuntimeError:  # this device, or this torch, has no bf16
            return 0.0
    return slow / fast


def _race(family: Family, sample: Network, batch: Batch) -> tuple[float, float]:
    """Seconds in float32 and in bf16: the least, as all else that a machine does adds to it."""
    slow = fast = math.inf
    began = time.perf_counter()
    for _ in range(_ROUNDS):
        slow = min(slow, _seconds(family, sample, batch, "fp32"))
        fast = min(fast, _seconds(family, sample, batch, "bf16"))
        if time.perf_counter() - began > _SECONDS:
            break
    return slow, fast


def _batch(sample: Network, examples: Sequence[Example]) -> Batch:
    """Of middling length, and so large that a pass takes some tenths of a second."""
    read = sorted(examples[:: -(-len(examples) // _READ)], key=lambda example: example.width)
    middle = read[len(read) // 2]
    device = next(sample.parameters()).device.type
    products = _PRODUCTS.get(device, _PRODUCTS["cpu"])
    positions = products / sum(each.numel() for each in sample.parameters())
    rows = max(1, int(min(max(positions, _LEAST), _MOST)) // middle.width)
    batch = collate([middle] * rows)
    return Batch(*(ids.clamp(max=sample.config.vocab_size - 1) for ids in batch))


def _seconds(family: Family, sample: Network, batch: Batch, precision: Precision) -> float:
    _finish(batch.source.device)
    began = time.perf_counter()
    enabled = precision == "bf16"
    with torch.autocast(batch.source.device.type, dtype=torch.bfloat16, enabled=enabled):
        loss = family.loss(sample, batch, 0.1)
    torch.autograd.backward(loss)
    sample.zero_grad(set_to_none=True)
    _finish(batch.source.device)
    return time.perf_counter() - began


def _finish(device: torch.device) -> None:
    """Wait for what a GPU has still to do."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
