"""What a model's own settings have it write first, and never, however likely it finds it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from torch import Tensor

from core.trace import Floats


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of decoding; the logits of a trace are the model's own, without them.

    Attributes:
        first: the only token that is written first (the language of the output, of mBART's kind).
        never: tokens that are never written.
    """

    first: int | None = None
    never: tuple[int, ...] = ()

    def applied(self, logits: Tensor, *, begins: bool) -> Tensor:
        """Logits (row, step, vocabulary) with minus infinity in place of what is not written.

        Args:
            begins: whether the first of these steps is the first that the model writes.
        """
        ruled = logits.clone()
        ruled[..., list(self.never)] = -math.inf
        if begins and self.first is not None:
            ruled[:, 0] = -math.inf
            ruled[:, 0, self.first] = logits[:, 0, self.first]
        return ruled

    def likeliest(self, logits: Floats, begins: int) -> npt.NDArray[np.intp]:
        """What would be written greedily by logits (step, vocabulary) of a trace.

        Args:
            begins: the step that is the first which the model writes.
        """
        written = np.ones(logits.shape[1], np.bool_)
        written[[token for token in self.never if token < len(written)]] = False
        chosen: npt.NDArray[np.intp] = np.where(written, logits, -np.inf).argmax(axis=1)
        if self.first is not None and begins < len(chosen):
            chosen[begins] = self.first
        return chosen

    def as_meta(self) -> dict[str, str | int]:
        """As a trace tells of them; {} where there are none."""
        told: dict[str, str | int] = {}
        if self.first is not None:
            told["first"] = self.first
        if self.never:
            told["never"] = " ".join(map(str, self.never))
        return told

    @classmethod
    def of(cls, meta: Mapping[str, object]) -> Rules:
        """Those that a trace tells of; a file that was brought may say anything."""
        first, never = meta.get("first"), str(meta.get("never", "")).split()
        counted = all(token.isascii() and token.isdigit() for token in never)
        return cls(
            first if isinstance(first, int) and first >= 0 else None,
            tuple(map(int, never)) if counted else (),
        )


NONE: Final = Rules()
