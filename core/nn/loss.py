"""What is trained on: cross-entropy against a smoothed label (Section 5.4)."""

from __future__ import annotations

from torch import Tensor


def smoothed_cross_entropy(logits: Tensor, right: Tensor, smoothing: float) -> Tensor:
    """Sum over tokens of -sum_i y_i log p_i.

    The smoothed label y is `1 - smoothing` on the right token, plus `smoothing` spread evenly over
    the whole vocabulary.

    Args:
        logits: (tokens, vocab).
        right: (tokens,) ids.
        smoothing: epsilon_ls, 0 to 1.

    Returns:
        Scalar, in nats.
    """
    log_p = logits.log_softmax(dim=-1)  # (tokens, vocab)
    of_right = log_p.gather(1, right[:, None]).sum()
    return -(1 - smoothing) * of_right - smoothing * log_p.mean(dim=-1).sum()
