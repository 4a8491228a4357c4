"""How sure a model is where it is right: below that, an output of it is marked as a guess."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from core.outputs import weighed

MARKED: Final = 0.1
"""The share of right outputs that may bear a mark."""
_WEIGHTS: Final = (0.0, 0.02, 0.05, 0.1)
"""That the log frequency of a source's rarest word may have. By 0.2 `en-hangul` would have to be
surer than sure of a word that training never showed: all of those would be guesses."""
_CLEAR: Final = 0.005
"""What is gained of the AUC by less than that is chance: lists are short."""

Share = Annotated[float, Field(ge=0, le=1)]
Nats = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Sure:
    """How sure a model is of an output, and whether that is right.

    Attributes:
        certainty: a log probability, natural logarithm.
        seen: how often training showed the word of its source that it showed least.
    """

    certainty: float
    right: bool
    seen: int = 0


class Calibration(BaseModel):
    """`calibration.json` of a checkpoint: by outputs to sentences, right and wrong.

    Those that it was trained on make it look surer than it is: a card says how many are.

    Attributes:
        sure_from: an output whose `certainty` (a log probability, natural logarithm) is below this
            is a guess, once it is `weighed` by how often training showed its source's words.
        frequency_weight: by what it is weighed: the least by which right outputs are surer than
            wrong ones as often as by any, but for chance.
        right, wrong: how many outputs were so.
        marked_right, marked_wrong: the share of them that is below.
        auc: how often a right output is surer than a wrong one (the area under the ROC curve).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sure_from: Nats
    frequency_weight: Annotated[Nats, Field(ge=0)] = 0.0
    right: Annotated[int, Field(ge=1)]
    wrong: Annotated[int, Field(ge=0)]
    marked_right: Share
    marked_wrong: Share
    auc: Share

    @classmethod
    def of(cls, found: Sequence[Sure], marked: float = MARKED) -> Self:
        """That marks as many wrong outputs as it can with at most `marked` of the right ones.

        Args:
            marked: a share, 0 to below 1.

        Raises:
            ValueError: no output is right.
        """
        if not any(one.right for one in found):
            raise ValueError("nothing to calibrate on")
        aucs = {weight: _auc(*_sides(found, weight)) for weight in _WEIGHTS}
        most = max(aucs.values())
        weight = next(weight for weight, auc in aucs.items() if auc >= most - _CLEAR)
        right, wrong = _sides(found, weight)
        sure_from = right[math.floor(marked * len(right))]
        return cls(
            sure_from=sure_from,
            frequency_weight=weight,
            right=len(right),
            wrong=len(wrong),
            marked_right=_below(right, sure_from),
            marked_wrong=_below(wrong, sure_from),
            auc=aucs[weight],
        )


def _sides(found: Sequence[Sure], weight: float) -> tuple[list[float], list[float]]:
    """How sure it is of right outputs, and of wrong ones, in order."""
    right, wrong = (
        sorted(weighed(one.certainty, one.seen, weight) for one in found if one.right is side)
        for side in (True, False)
    )
    return right, wrong


def _below(found: Sequence[float], bound: float) -> float:
    return bisect_left(found, bound) / len(found) if found else 0.0


def _auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Of two in order."""
    if not wrong:
        return 1.0
    won = sum(bisect_left(wrong, one) + bisect_right(wrong, one) for one in right) / 2
    return won / (len(right) * len(wrong))
