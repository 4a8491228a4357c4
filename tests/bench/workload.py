"""What everybody works on: sizes of models, and batches of made-up sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.nn.transformer import TransformerConfig
from core.text.examples import Batch, Example, collate, translation
from core.training.batches import epoch_order

VOCABULARY: Final = 8000
MAX_LENGTH: Final = 128
_PAIRS: Final = 12_000


@dataclass(frozen=True, slots=True)
class Size:
    """A model and the batches that it is trained on.

    Attributes:
        layers: of the encoder, and as many of the decoder.
        positions: of one batch, source and target, padding included.
        rounds: of training that are counted, if nobody says else.
    """

    name: str
    d_model: int
    layers: int
    heads: int
    positions: int
    rounds: int

    def config(self, dropout: float) -> TransformerConfig:
        """Our model of this size; d_ff is 4 times d_model, as in the paper."""
        return TransformerConfig(
            vocab_size=VOCABULARY,
            encoder_layers=self.layers,
            decoder_layers=self.layers,
            d_model=self.d_model,
            d_ff=4 * self.d_model,
            heads=self.heads,
            d_k=self.d_model // self.heads,
            d_v=self.d_model // self.heads,
            dropout=dropout,
            max_length=MAX_LENGTH,
        )


SIZES: Final = {
    size.name: size
    for size in (
        Size("tiny", d_model=128, layers=2, heads=4, positions=4096, rounds=9),
        Size("small", d_model=256, layers=4, heads=8, positions=4096, rounds=7),
        Size("base", d_model=512, layers=6, heads=8, positions=2048, rounds=5),
    )
}


def examples(length: int) -> list[Example]:
    """Pairs of made-up sentences whose lengths are spread as those of real ones.

    Measured on everyday and Tatoeba sentences: logarithms of both lengths have a standard
    deviation of 0.35, and a correlation of 0.75.

    Args:
        length: median number of tokens; targets are a tenth longer.
    """
    random = np.random.default_rng(0)
    shared = random.normal(0, 0.3, _PAIRS)
    sides = [
        np.exp(np.log(median) + shared + random.normal(0, 0.175, _PAIRS))
        .round()
        .astype(int)
        .clip(2, MAX_LENGTH - 2)
        for median in (length, 1.1 * length)
    ]

    def sentence(tokens: int) -> tuple[int, ...]:
        return tuple(random.integers(4, VOCABULARY, tokens).tolist())

    return [
        translation(sentence(source), sentence(target))
        for source, target in zip(*sides, strict=True)
    ]


def batches(size: Size, length: int, count: int) -> list[Batch]:
    """As the trainer makes them: sorted by length within pools, then shuffled."""
    pairs = examples(length)
    order = epoch_order(pairs, size.positions, seed=0, epoch=0)
    return [collate([pairs[i] for i in indices]) for indices in order[:count]]


def real_positions(batch: Batch) -> int:
    """Source and target positions of a batch that are not padding."""
    return sum(int((ids != 0).sum()) for ids in (batch.source, batch.target))
