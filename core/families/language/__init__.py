"""Language models: a stack of Transformer layers that reads forward, backward, or all but gaps."""

from __future__ import annotations

from typing import Final

from core.families.language.adapter import LanguageModel
from core.families.language.objective import label_smoothed_loss, negative_log_likelihood
from core.family import Family
from core.nn.language import Language, LanguageConfig

__all__ = ["FAMILY", "LanguageModel"]

FAMILY: Final = Family(
    name="language",
    sizes=LanguageConfig,
    network=Language,
    model=LanguageModel,
    loss=label_smoothed_loss,
    likelihood=negative_log_likelihood,
)
"""Trained on texts alone: of a pair, the source."""
