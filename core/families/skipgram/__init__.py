"""Skip-gram with negative sampling: vectors of tokens, by what stands around them."""

from __future__ import annotations

from typing import Final

from core.families.skipgram.adapter import SkipGramModel
from core.families.skipgram.objective import negative_log_likelihood, negative_sampling_loss
from core.family import Family
from core.nn.skipgram import SkipGram, SkipGramConfig

__all__ = ["FAMILY", "SkipGramModel"]

FAMILY: Final = Family(
    name="skipgram",
    sizes=SkipGramConfig,
    network=SkipGram,
    model=SkipGramModel,
    loss=negative_sampling_loss,
    likelihood=negative_log_likelihood,
)
"""Trained on texts alone: of a pair, the source."""
