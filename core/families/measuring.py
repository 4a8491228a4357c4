"""How likely a network finds what it was forced to write, or what it should label."""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from core.nn.network import Network

_LOGITS: Final = 2**25  # computed at once: a batch's can be larger than the model


def nats_of(model: Network, hidden: Tensor, written: Tensor) -> Tensor:
    """The negative log-likelihood of written tokens.

    Args:
        hidden: (tokens, d_model).
        written: (tokens,) ids.

    Returns:
        (tokens,) in nats.
    """
    at_once = max(1, _LOGITS // model.config.vocab_size)
    parts = zip(torch.split(hidden, at_once), torch.split(written, at_once), strict=True)
    return torch.cat(
        [F.cross_entropy(model.unembed(some), right, reduction="none") for some, right in parts]
    )


def summed_by_row(nats: Tensor, rows: Tensor, count: int) -> Tensor:
    """What the tokens of each row of a batch have together.

    Args:
        nats: (tokens,).
        rows: (tokens,) of each token, from 0 to below count.

    Returns:
        (count,) in double precision, on the CPU: not every device has it.
    """
    sums = torch.zeros(count, dtype=torch.float64)
    return sums.index_add_(0, rows.cpu(), nats.cpu().double())


def summed_where(real: Tensor, nats: Tensor) -> Tensor:
    """As `summed_by_row`, of the tokens of a batch where `real` (batch, place) says that one is."""
    return summed_by_row(nats, real.nonzero()[:, 0], len(real))


def labelled_loss(logits: Tensor, right: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy of labels, in nats, whatever the type of the logits.

    Args:
        logits: (asked, label).
        right: (asked,) columns.
        smoothing: share of each that is spread evenly over all labels.
    """
    loss = F.cross_entropy(logits.float(), right, reduction="sum", label_smoothing=smoothing)
    return loss if len(right) else logits.sum()
