"""How likely a network finds what it was forced to write, or what it should label."""

from __future__ import annotations

from typing import Final, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from core.nn.network import Sizes

_LOGITS: Final = 2**25  # computed at once: a batch's can be larger than the model


class Unembeds(Protocol):
    """A network whose last step is a matrix product."""

    @property
    def config(self) -> Sizes: ...

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab)."""
        ...


def summed_nats(model: Unembeds, hidden: Tensor, written: Tensor) -> float:
    """The negative log-likelihood of written tokens, summed.

    Args:
        hidden: (tokens, d_model).
        written: (tokens,) ids.
    """
    at_once = max(1, _LOGITS // model.config.vocab_size)
    parts = zip(torch.split(hidden, at_once), torch.split(written, at_once), strict=True)
    return sum(
        float(F.cross_entropy(model.unembed(rows), right, reduction="sum")) for rows, right in parts
    )


def labelled_loss(logits: Tensor, right: Tensor, smoothing: float) -> Tensor:
    """Summed cross-entropy of labels, in nats, whatever the type of the logits.

    Args:
        logits: (asked, label).
        right: (asked,) columns.
        smoothing: share of each that is spread evenly over all labels.
    """
    loss = F.cross_entropy(logits.float(), right, reduction="sum", label_smoothing=smoothing)
    return loss if len(right) else logits.sum()
