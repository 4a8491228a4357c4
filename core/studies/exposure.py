"""What a model loses by reading its own words in the place of the right ones: exposure bias.

Taught by teacher forcing, a decoder has only ever read right beginnings; alone, it reads what it
wrote itself (Bengio et al. 2015; Ranzato et al. 2016). Here a share of the tokens that it reads are
its own, at random, and the right one is asked for at every step all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch

from core.decoding.many import batches_by_length
from core.families.own import OwnTranslator
from core.model import Done, untold
from core.reasons import RefusedError
from core.text.examples import Batch, collate
from core.text.tokenizer import PAD_ID

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Point:
    """How well the right tokens are foretold.

    Attributes:
        share: of tokens read that were the model's own choice: 0 is teacher forcing, 1 free
            running. The first of all, the start, is always given.
        loss: nats a right token, end tokens included.
        right: share of steps whose likeliest token is the right one.
    """

    share: float
    loss: float
    right: float


@dataclass(frozen=True, slots=True)
class Exposure:
    """What was found of one model and one set of pairs.

    Attributes:
        points: by their shares.
        pairs: that it can read and write.
        tokens: steps of each point.
    """

    points: tuple[Point, ...]
    pairs: int
    tokens: int


@torch.inference_mode()
def exposure(
    model: OwnTranslator[Any],
    pairs: Sequence[tuple[str, str]],
    shares: Sequence[float] = SHARES,
    *,
    seed: int = 0,
    done: Done = untold,
) -> Exposure:
    """Measure the gap between teacher forcing and free running, and what lies between.

    Where a model runs free, its words may say the same in another order: then its loss tells how
    far it is from the reference, and not how wrong it is.

    Args:
        shares: 0 to 1 each.
        seed: of which tokens are its own.
        done: called with (finished, all) batches of all shares.

    Raises:
        RefusedError: no pair is short enough.
    """
    fitting = model.fitting(pairs)
    widths = [example.width for example in fitting]
    batches = [
        collate([fitting[row] for row in rows]).to(model.checkpoint.device)
        for rows in batches_by_length(widths, range(len(widths)))
    ]
    if not batches:
        raise RefusedError("pairs_long")
    points, tokens, rows = [], 0, sum(len(batch.source) for batch in batches)
    for index, share in enumerate(shares):
        generator = torch.Generator().manual_seed(seed)
        nats, right, tokens = 0.0, 0, 0
        for at, batch in enumerate(batches):
            found = _measured(model, batch, share, generator)
            nats, right, tokens = nats + found[0], right + found[1], tokens + found[2]
            done(index * len(batches) + at + 1, len(shares) * len(batches))
        points.append(Point(share, nats / tokens, right / tokens))
    return Exposure(tuple(points), rows, tokens)


def _measured(
    model: OwnTranslator[Any], batch: Batch, share: float, generator: torch.Generator
) -> tuple[float, int, int]:
    """Nats, right answers and steps of one batch."""
    stepper = model.stepper()
    state = stepper.start(batch.source)
    own = torch.rand(batch.written.shape, generator=generator) < share
    own = own.to(batch.written.device)
    reading, nats, right = batch.target[:, :1], 0.0, 0
    for step in range(batch.written.shape[1]):
        logits, state = stepper.step(reading, state)
        wanted = batch.written[:, step]
        real = wanted != PAD_ID
        told = logits[:, -1].float().log_softmax(-1)
        choice = told.argmax(-1)
        nats -= float(told.gather(1, wanted[:, None])[real].double().sum())
        right += int((choice == wanted)[real].sum())
        reading = torch.where(own[:, step], choice, wanted)[:, None]
    return nats, right, int((batch.written != PAD_ID).sum())
