"""What is trained on: cross-entropy against a smoothed label (Section 5.4).

`core.nn.fast.cross_entropy` computes it in training, at once with its gradient.
"""

from __future__ import annotations

from torch import Tensor


def smoothed_cross_entropy(logits: Tensor, labels: Tensor, smoothing: float) -> Tensor:
    """Sum over tokens of -sum_i y_i log p_i.

    The smoothed label y is `1 - smoothing` on the right token, plus `smoothing` spread evenly over
    the whole vocabulary.

    Args:
        logits: (tokens, vocab).
        labels: (tokens,) ids of the right tokens.
        smoothing: epsilon_ls, 0 to 1, 1 excluded.

    Returns:
        Scalar, in nats.
    """
    log_p = logits.log_softmax(dim=-1)  # (tokens, vocab)
    of_labels = log_p.gather(1, labels[:, None]).sum()
    return -(1 - smoothing) * of_labels - smoothing * log_p.mean(dim=-1).sum()
