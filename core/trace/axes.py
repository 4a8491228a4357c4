"""What the rows and columns of attention are: tokens of a sequence, under the names of an axis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from core.reasons import RefusedError

Kind = Literal["encoder_self", "decoder_self", "cross"]
KINDS: Final[tuple[Kind, ...]] = ("encoder_self", "decoder_self", "cross")

Axis = Literal["source", "read", "written"]
"""The source; what the decoder read; what it wrote at the same positions."""


class Axes(NamedTuple):
    """Whose tokens the queries of a kind are, and whose its keys."""

    query: Axis
    key: Axis


AXES: Final[Mapping[Kind, Axes]] = {
    "encoder_self": Axes("source", "source"),
    "decoder_self": Axes("written", "read"),
    "cross": Axes("written", "source"),
}

Stack = Literal["encoder", "decoder"]
STACKS: Final[Mapping[Stack, Axis]] = {"encoder": "source", "decoder": "read"}
"""The axis along which each stack of layers computes."""

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


_BYTE: Final = re.compile(r"<0x[0-9A-F]{2}>")


class TraceError(RefusedError):
    """The arrays contradict each other: such a trace is never drawn."""


@dataclass(frozen=True, slots=True)
class Token:
    """One position of a sequence.

    Attributes:
        piece: as the vocabulary spells it ("▁cafe", "<s>").
        text: as a person reads it ("cafe", "start"); never markup.
        id: row of the embedding, -1 where unknown (a foreign trace file).
        word: index of the word that the piece belongs to, -1 for special tokens.
    """

    piece: str
    text: str
    id: int = -1
    word: int = -1

    @property
    def byte(self) -> bool:
        """Whether it is one byte of a character that the vocabulary has no piece for."""
        return _BYTE.fullmatch(self.piece) is not None

    @property
    def special(self) -> bool:
        return self.word < 0


def labels_as_tokens(labels: Iterable[str]) -> tuple[Token, ...]:
    """The columns of a classifier's logits, as a vocabulary has them."""
    return tuple(Token(label, label, row, 0) for row, label in enumerate(labels))
