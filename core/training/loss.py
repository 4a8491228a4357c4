"""Cross-entropy with label smoothing (Section 5.4)."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from core.nn.transformer import Transformer


def label_smoothed_loss(
    model: Transformer, source: Tensor, target: Tensor, written: Tensor, smoothing: float
) -> Tensor:
    """Mean over real target tokens of the cross-entropy against the smoothed label.

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
    hidden, _ = model.decode(target, model.start(source))
    real = written != model.config.pad_id
    # Padding is dropped before the vocabulary product, the largest of a small model.
    logits = model.project(hidden[real])  # (real tokens, vocab)
    return F.cross_entropy(logits.float(), written[real], label_smoothing=smoothing)
