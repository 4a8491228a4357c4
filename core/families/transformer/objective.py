"""What a Transformer is trained on, with label smoothing (5.4), and measured by, without."""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from core.nn.fast import packed
from core.nn.fast.cross_entropy import smoothed_cross_entropy
from core.nn.transformer import Transformer
from core.text.examples import Batch

_LOGITS: Final = 2**25  # computed at once: a batch's can be larger than the model


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
def negative_log_likelihood(model: Transformer, batch: Batch) -> float:
    """Teacher-forced and without smoothing: a sum in nats over the real target tokens."""
    real = batch.written != model.config.pad_id
    written = batch.written[real]
    hidden = packed.decode(model, batch.target, model.start(batch.source), real)
    hidden = hidden[: len(written)]  # the rest is filler
    total = 0.0
    at_once = max(1, _LOGITS // model.config.vocab_size)
    parts = zip(torch.split(hidden, at_once), torch.split(written, at_once), strict=True)
    for rows, right in parts:
        total += float(F.cross_entropy(model.unembed(rows), right, reduction="sum"))
    return total
