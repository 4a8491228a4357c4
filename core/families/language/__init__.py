"""Language models: a stack of Transformer layers that reads forward, backward, or all but gaps."""

from __future__ import annotations

from typing import Any, Final

from core.checkpoint.folder import Checkpoint
from core.families.language.adapter import LanguageLabeller, LanguageModel
from core.families.language.objective import label_smoothed_loss, negative_log_likelihood
from core.family import Family
from core.model import Inspectable
from core.nn.language import Language, LanguageConfig

__all__ = ["FAMILY", "LanguageLabeller", "LanguageModel"]


def _opened(checkpoint: Checkpoint[Any]) -> Inspectable:
    labels = checkpoint.config.model.labels
    return LanguageLabeller(checkpoint) if labels else LanguageModel(checkpoint)


FAMILY: Final = Family(
    name="language",
    sizes=LanguageConfig,
    network=Language,
    model=_opened,
    loss=label_smoothed_loss,
    likelihood=negative_log_likelihood,
)
"""Trained on texts alone: of a pair, the source."""
