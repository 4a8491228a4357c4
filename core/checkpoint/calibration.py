"""How sure a model is where it is right: below that, an output of it is marked as a guess."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field

MARKED: Final = 0.1
"""The share of right outputs that may bear a mark."""

Share = Annotated[float, Field(ge=0, le=1)]


class Calibration(BaseModel):
    """`calibration.json` of a checkpoint: by outputs to sentences, right and wrong.

    Those that it was trained on make it look surer than it is: a card says how many are.

    Attributes:
        sure_from: an output whose `certainty` (a log probability, natural logarithm) is below this
            is a guess.
        right, wrong: how many outputs were so.
        marked_right, marked_wrong: the share of them that is below.
        auc: how often a right output is surer than a wrong one (the area under the ROC curve).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sure_from: Annotated[float, Field(le=0, allow_inf_nan=False)]
    right: Annotated[int, Field(ge=1)]
    wrong: Annotated[int, Field(ge=0)]
    marked_right: Share
    marked_wrong: Share
    auc: Share

    @classmethod
    def of(cls, right: Sequence[float], wrong: Sequence[float], marked: float = MARKED) -> Self:
        """That marks as many wrong outputs as it can with at most `marked` of the right ones.

        Args:
            right, wrong: certainties of outputs.
            marked: a share, 0 to below 1.

        Raises:
            ValueError: no output is right.
        """
        if not right:
            raise ValueError("nothing to calibrate on")
        ranked = sorted(right)
        sure_from = ranked[math.floor(marked * len(ranked))]
        return cls(
            sure_from=sure_from,
            right=len(right),
            wrong=len(wrong),
            marked_right=_below(right, sure_from),
            marked_wrong=_below(wrong, sure_from),
            auc=_auc(right, wrong),
        )


def _below(found: Sequence[float], bound: float) -> float:
    return sum(one < bound for one in found) / len(found) if found else 0.0


def _auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    if not wrong:
        return 1.0
    ranked = sorted(wrong)
    won = sum(bisect_left(ranked, one) + bisect_right(ranked, one) for one in right) / 2
    return won / (len(right) * len(wrong))
