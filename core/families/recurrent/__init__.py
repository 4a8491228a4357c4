"""One stack of recurrent layers: labels for a text or its tokens, or another text."""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import Tensor

from core.checkpoint.folder import Checkpoint
from core.families.measuring import labelled_loss, nats_of, summed_where
from core.families.recurrent.adapter import (
    RecurrentForeteller,
    RecurrentReader,
    RecurrentWriter,
)
from core.family import Family
from core.model import Inspectable
from core.nn.fast.cross_entropy import smoothed_cross_entropy
from core.nn.recurrent_model import Recurrent, RecurrentConfig
from core.text.examples import Batch
from core.text.tasks import FIRST_LABEL

__all__ = ["FAMILY", "RecurrentForeteller", "RecurrentReader", "RecurrentWriter"]


def _told(model: Recurrent, batch: Batch, real: Tensor) -> tuple[Tensor, Tensor]:
    """(asked, d_model) of what is asked for in a batch, and the (asked,) right columns."""
    if model.config.labels:
        return model(batch.source)[real], batch.written[real] - FIRST_LABEL
    if model.config.answers == "next":
        return model(batch.source)[real], batch.written[real]
    hidden, _ = model.decode(batch.target, model.start(batch.source))
    return hidden[real], batch.written[real]


def label_smoothed_loss(model: Recurrent, batch: Batch, smoothing: float) -> Tensor:
    """Sum over what is asked for of the cross-entropy against the smoothed label, in nats."""
    hidden, right = _told(model, batch, batch.written != model.config.pad_id)
    logits = model.unembed(hidden)
    if model.config.labels:
        return labelled_loss(logits, right, smoothing)
    return smoothed_cross_entropy(logits, right, smoothing)


@torch.inference_mode()
def negative_log_likelihood(model: Recurrent, batch: Batch) -> Tensor:
    """Without smoothing: (batch,) in nats, of what is asked for in each row."""
    real = batch.written != model.config.pad_id
    return summed_where(real, nats_of(model, *_told(model, batch, real)))


def _opened(checkpoint: Checkpoint[Any]) -> Inspectable:
    match checkpoint.config.model.answers:
        case "text":
            return RecurrentWriter(checkpoint)
        case "next":
            return RecurrentForeteller(checkpoint)
    return RecurrentReader(checkpoint)


FAMILY: Final = Family(
    name="recurrent",
    sizes=RecurrentConfig,
    network=Recurrent,
    model=_opened,
    loss=label_smoothed_loss,
    likelihood=negative_log_likelihood,
)
"""Each of its tasks is trained by the same loss, over what the task asks for."""
