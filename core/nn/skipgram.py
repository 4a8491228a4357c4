"""Skip-gram with negative sampling: a word is what stands around it.

Each token has two vectors: v, where it is the centre of a window, and u, where it stands in the
window of another. In training v·u of neighbours is pulled up, and that of a centre with a few
tokens drawn from a noise distribution down; in the end v·u tells how much oftener than by chance
the two stand near each other (Levy and Goldberg 2014, section 3.1). Sections without a name are
those of Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their
Compositionality".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import torch
from pydantic import Field
from torch import Tensor, nn

from core.nn.fast import functional as fast
from core.nn.network import Network, Sizes
from core.text.tasks import Predicting, Task

POWER: Final = 0.75
"""Of how often a token was seen, in the noise distribution (section 2.2)."""


class SkipGramConfig(Sizes):
    """As `Sizes`; each token of the vocabulary has two vectors.

    Attributes:
        d_model: width of a vector.
        window: how far a neighbour may stand, in tokens; nearer ones are taken oftener (the
            skip-gram model of Mikolov et al. 2013, "Efficient Estimation of Word Representations").
        negatives: tokens drawn from noise for each neighbour (2.2).
        subsampling: share of all tokens above which frequent ones are passed over now and then
            (2.3); 1: none is.
    """

    vocab_size: Annotated[int, Field(ge=2, le=1_000_000)]
    d_model: Annotated[int, Field(ge=1, le=8192)] = 128
    window: Annotated[int, Field(ge=1, le=64)] = 5
    negatives: Annotated[int, Field(ge=1, le=64)] = 5
    subsampling: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    max_length: Annotated[int, Field(ge=3, le=8192)] = 512
    pad_id: Annotated[int, Field(ge=0)] = 0

    @property
    def task(self) -> Task:
        return Predicting(0, least=2)  # a token alone has no neighbour


class SkipGram(Network):
    """Two tables of vectors, and how often training showed each token."""

    config: SkipGramConfig
    log_counts: Tensor

    def __init__(self, config: SkipGramConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)  # v
        self.context = nn.Embedding(config.vocab_size, config.d_model)  # u
        # Of one each, so that nothing is impossible; as logarithms, which half floats can hold.
        self.register_buffer("log_counts", torch.zeros(config.vocab_size))
        nn.init.uniform_(self.embedding.weight, -0.5 / config.d_model, 0.5 / config.d_model)
        nn.init.zeros_(self.context.weight)

    def forward(self, ids: Tensor) -> Tensor:
        """(batch, place) ids -> (batch, place, d_model): v of each."""
        centres: Tensor = self.embedding(ids)
        return centres

    def unembed(self, centres: Tensor) -> Tensor:
        """v (..., d_model) -> logits (..., vocab) of what stands near it.

        v·u is the log of how much likelier a neighbour is than noise (but for a constant): with
        the noise's own log it is the neighbour's.
        """
        return fast.linear(centres, self.context.weight) + POWER * self.log_counts

    def noise(self) -> Tensor:
        """(vocab,) what negative samples are drawn from; sums to 1."""
        return (POWER * self.log_counts).softmax(0)

    def take_in(self, ids: Iterable[int]) -> None:
        seen = torch.tensor([id for id in ids if id != self.config.pad_id], dtype=torch.int64)
        newer = torch.bincount(seen, minlength=len(self.log_counts)).to(self.log_counts.device)
        self.log_counts.copy_(torch.logaddexp(self.log_counts, newer.log()))

    def kept(self, ids: Tensor) -> Tensor:
        """Of any ids at random which are not passed over: bool, of their shape (equation 5)."""
        share = self.log_counts.softmax(0)
        chance = (self.config.subsampling / share).sqrt()
        return torch.rand(ids.shape, device=ids.device) < chance[ids]
