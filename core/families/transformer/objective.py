"""What a Transformer is trained on, with label smoothing (5.4), and measured by, without."""

from __future__ import annotations

import torch
from torch import Tensor

from core.families.measuring import nats_of, summed_where
from core.nn.fast import packed
from core.nn.fast.cross_entropy import smoothed_cross_entropy
from core.nn.transformer import Transformer
from core.text.examples import Batch


def label_smoothed_loss(model: Transformer, batch: Batch, smoothing: float) -> Tensor:
    """Sum over real target tokens of the cross-entropy against the smoothed label.

    The smoothed label is `1 - smoothing` on the right token plus `smoothing` spread evenly
    over the whole vocabulary.

    Args:
        smoothing: 0 to 1, 1 excluded.

    Returns:
        Scalar, in nats.
    """
    real = batch.written != model.config.pad_id
    hidden = packed.decode(model, batch.target, model.start(batch.source), real)
    logits = model.unembed(hidden)  # (packed, vocab); more rows than labels: filler comes last
    return smoothed_cross_entropy(logits, batch.written[real], smoothing)


@torch.inference_mode()
def negative_log_likelihood(model: Transformer, batch: Batch) -> Tensor:
    """Teacher-forced and without smoothing: (batch,) in nats, of each row's real target tokens."""
    real = batch.written != model.config.pad_id
    written = batch.written[real]
    hidden = packed.decode(model, batch.target, model.start(batch.source), real)
    return summed_where(real, nats_of(model, hidden[: len(written)], written))  # no filler
