"""Encoder and decoder of recurrent layers, with attention or without."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

from core.families.measuring import nats_of, summed_where
from core.families.seq2seq.adapter import Seq2SeqModel
from core.family import Family
from core.nn.fast.cross_entropy import smoothed_cross_entropy
from core.nn.seq2seq import Seq2Seq, Seq2SeqConfig
from core.text.examples import Batch

__all__ = ["FAMILY", "Seq2SeqModel"]


def _forced(model: Seq2Seq, batch: Batch, real: Tensor) -> tuple[Tensor, Tensor]:
    """(tokens, d_model) by which the (tokens,) real target ids are written, teacher-forced."""
    hidden, _ = model.decode(batch.target, model.start(batch.source))
    return hidden[real], batch.written[real]


def label_smoothed_loss(model: Seq2Seq, batch: Batch, smoothing: float) -> Tensor:
    """Sum over real target tokens of the cross-entropy against the smoothed label, in nats."""
    hidden, written = _forced(model, batch, batch.written != model.config.pad_id)
    return smoothed_cross_entropy(model.unembed(hidden), written, smoothing)


@torch.inference_mode()
def negative_log_likelihood(model: Seq2Seq, batch: Batch) -> Tensor:
    """Without smoothing: (batch,) in nats, of each row's real target tokens."""
    real = batch.written != model.config.pad_id
    return summed_where(real, nats_of(model, *_forced(model, batch, real)))


FAMILY: Final = Family(
    name="seq2seq",
    sizes=Seq2SeqConfig,
    network=Seq2Seq,
    model=Seq2SeqModel,
    loss=label_smoothed_loss,
    likelihood=negative_log_likelihood,
)
"""Trained as the Transformer is, by teacher forcing."""
