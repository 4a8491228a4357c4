"""What is trained on, with label smoothing (Section 5.4), and what is measured, without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from core.nn.fast import packed
from core.nn.transformer import Transformer
from core.training.batches import Example, collate, epoch_order
from core.training.cross_entropy import smoothed_cross_entropy

_POSITIONS: Final = 8192  # of one batch that is measured, padding included
_LOGITS: Final = 2**25  # computed at once: a batch's can be larger than the model


def label_smoothed_loss(
    model: Transformer, source: Tensor, target: Tensor, written: Tensor, smoothing: float
) -> Tensor:
    """Sum over real target tokens of the cross-entropy against the smoothed label.

    A sum, because who shares an update divides by the tokens of all its parts.

    The smoothed label is `1 - smoothing` on the right token plus `smoothing` spread evenly
    over the whole vocabulary.

    Args:
        source: (batch, source) ids.
        target: (batch, target) ids that the decoder reads, padded at the end.
        written: (batch, target) ids that it should write.
        smoothing: 0 to 1, 1 excluded.

    Returns:
        Scalar, in nats.
    """
    real = written != model.config.pad_id
    hidden = packed.decode(model, target, model.start(source), real)
    logits = model.project(hidden)  # (packed, vocab)
    return smoothed_cross_entropy(logits, written[real], smoothing)


@torch.inference_mode()
def negative_log_likelihood(model: Transformer, examples: Sequence[Example]) -> tuple[float, int]:
    """Teacher-forced and without smoothing: a sum in nats, and the target tokens it is over.

    Args:
        model: in eval mode.
        examples: any number; the end token of each target counts.
    """
    device = next(model.parameters()).device
    total, tokens = 0.0, 0
    slices = max(1, _LOGITS // model.config.vocab_size)
    for indices in epoch_order(examples, _POSITIONS, seed=0, epoch=0):
        batch = collate([examples[i] for i in indices]).to(device)
        real = batch.written != model.config.pad_id
        hidden = packed.decode(model, batch.target, model.start(batch.source), real)
        written = batch.written[real]
        hidden = hidden[: len(written)]  # the rest is filler
        for start in range(0, len(written), slices):
            part = slice(start, start + slices)
            logits = model.project(hidden[part])  # (tokens, vocab)
            total += float(F.cross_entropy(logits, written[part], reduction="sum"))
        tokens += len(written)
    return total, tokens
