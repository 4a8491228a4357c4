"""What every network says of its sizes, whichever family it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict
from torch import nn


class Sizes(BaseModel):
    """The configuration of a network, bounded so that nothing absurd is ever built.

    Attributes:
        vocab_size: entries of the vocabulary.
        d_model: width of what goes from layer to layer.
        max_length: the most tokens a side.
        pad_id: the token that stands for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # For the type checker alone: each family declares them in its own order and within its own
    # bounds, since the order is that of its config.json.
    if TYPE_CHECKING:
        vocab_size: int
        d_model: int
        max_length: int
        pad_id: int


class Network(nn.Module):
    """A module that is built of its sizes alone, and holds nothing of any call."""

    config: Sizes
