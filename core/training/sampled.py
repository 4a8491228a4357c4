"""Scheduled sampling: some of the tokens that a decoder reads in training are its own.

Taught on right beginnings alone, it meets its own only in use (exposure bias; Bengio et al. 2015).
Here its own are those of a pass that was forced, all at once (Mihaylova and Martins 2019), and what
is asked for stays right.
"""

from __future__ import annotations

from typing import Any

import torch

from core.decoding.stepper import Stepper
from core.text.examples import Batch
from core.text.tokenizer import PAD_ID


def share_at(most: float, step: int, steps: int) -> float:
    """How much of what is read is its own at a step: rising from 0 to `most` with the last one."""
    return most * (step / steps)


@torch.no_grad()
def sampled(model: Stepper[Any], batch: Batch, share: float) -> Batch:
    """The batch with a share of the tokens read exchanged for what the model finds likeliest there.

    The start is always given, and padding stays. What is random comes of torch's own generator,
    which the loop seeds anew for each step.

    Args:
        share: 0 to 1; of 0 the batch itself.
    """
    if share == 0 or batch.target.shape[1] < 2:
        return batch
    logits, _ = model.step(batch.target, model.start(batch.source))
    likeliest = logits.argmax(-1)[:, :-1]
    read = batch.target[:, 1:]
    own = (torch.rand(read.shape) < share).to(read.device) & (read != PAD_ID)
    return batch._replace(
        target=torch.cat((batch.target[:, :1], torch.where(own, likeliest, read)), dim=1)
    )
