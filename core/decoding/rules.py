"""What may be written next, however likely a model finds it: rules of decoding.

A model's own settings name tokens that it writes first, and never. Where its vocabulary spells rare
characters in bytes, it writes no bytes that make none; and it never says the same over and over.
The logits of a trace are the model's own, without any of this.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import torch
from torch import Tensor

from core.trace import Floats

_TIMES: Final = 3
_LEAST: Final = 8
_PERIODS: Final = range(1, 17)
_KEPT: Final = 256  # masks
_LEADS: Final = 0xC0  # and above: the first byte of a character that has several
_SIZES: Final = ((4, 0xF0), (3, 0xE0), (2, 0xC0), (1, 0))  # bytes of a character, by its first
_MORE: Final = (b"\x80\x80\x80", b"\x90\x80\x80", b"\xa0\x80\x80")  # one goes with any beginning


class Rules:
    """Of one model.

    Args:
        size: of the vocabulary.
        first: the only token that is written first (the language of the output, of mBART's kind).
        never: tokens that are never written.
        spelling: the byte that a piece stands for, by its id; empty where there are no such.
        loops: whether the same may be written over and over: where pieces are letters, a word may.
    """

    def __init__(
        self,
        size: int,
        *,
        first: int | None = None,
        never: Sequence[int] = (),
        spelling: Mapping[int, int] = MappingProxyType({}),
        loops: bool = True,
    ) -> None:
        self.first = first
        self.never = tuple(never)
        self._size = size
        self._bytes = dict(spelling)
        self._loops = loops
        self._after = lru_cache(_KEPT)(self._following)

    def written_next(self, written: Sequence[int]) -> Tensor:
        """(vocabulary,) True for tokens that may be written after those; not to be changed."""
        if not written and self.first is not None:
            return self._only((self.first,))
        may = self._after(self._unfinished(written))
        looping = None if self._loops else repeated(written)
        if looping is not None and looping not in self._bytes:
            may = may.clone()
            may[looping] = False
        return may

    def applied(self, gains: Tensor, written: Sequence[Sequence[int]]) -> Tensor:
        """Log probabilities (row, vocabulary), minus infinity for what may not be written.

        The others stay what the model finds: they are not made to add up to 1. A first token that
        is the only one is no choice of the model's, and costs nothing.

        Args:
            written: of each row what it wrote.
        """
        first = self.first
        if first is not None and not all(written):
            begins = torch.tensor([not row for row in written], device=gains.device)
            gains = gains.clone()
            gains[begins, first] = 0
        may = [self.written_next(row) for row in written]
        alike = all(one is may[0] for one in may)  # as nearly always
        open_ = may[0] if alike else torch.stack(may)
        return gains.masked_fill(~open_.to(gains.device), -math.inf)

    def overruled(self, logits: Floats, written: Sequence[int]) -> Mapping[int, int]:
        """Steps at which the likeliest token may not be written, and the likeliest that may.

        Args:
            logits: (step, vocabulary), without rules.
            written: what stands at these steps.
        """
        found = {}
        for step, likeliest in enumerate(logits.argmax(axis=1).tolist()):
            may = self.written_next(written[:step])
            if not may[likeliest]:
                row = torch.from_numpy(logits[step]).masked_fill(~may, -math.inf)
                found[step] = int(row.argmax())
        return found

    def _unfinished(self, written: Sequence[int]) -> bytes:
        """Bytes at the end that are part of a character, the others of which are not written."""
        raw = b""
        for token in reversed(written[-3:]):
            if token not in self._bytes:
                break
            raw = bytes([self._bytes[token]]) + raw
            if raw[0] >= _LEADS:
                return raw if _goes_on(raw) and not _is_character(raw) else b""
        return b""

    def _following(self, begun: bytes) -> Tensor:
        """What may follow bytes of an unfinished character, or none."""
        fitting = [token for token, byte in self._bytes.items() if _goes_on(begun + bytes([byte]))]
        if begun and fitting:
            return self._only(fitting)
        may = torch.ones(self._size, dtype=torch.bool)
        may[list(self._bytes)] = False
        may[fitting] = True
        may[list(self.never)] = False
        return may if may.any() else torch.ones_like(may)  # who forbids everything forbids nothing

    def _only(self, tokens: Sequence[int]) -> Tensor:
        may = torch.zeros(self._size, dtype=torch.bool)
        may[list(tokens)] = True
        return may


def repeated(written: Sequence[int]) -> int | None:
    """The token that would complete a loop: the same tokens three times, eight of them at least.

    Numbers and laughter repeat a token some times; no sentence says three times the same.
    """
    end = len(written)
    for period in _PERIODS:
        needed = max(_TIMES * period, _LEAST) - 1  # tokens that are there when it would be complete
        if end < needed:
            continue
        tail = written[end - needed :]
        if all(tail[at] == tail[at - period] for at in range(period, needed)):
            return tail[needed - period]
    return None


def _goes_on(raw: bytes) -> bool:
    """Whether bytes are one character, or the beginning of one."""
    size = next(size for size, least in _SIZES if raw[0] >= least)
    return any(_is_character((raw + more)[:size]) for more in _MORE) if len(raw) <= size else False


def _is_character(raw: bytes) -> bool:
    try:
        return len(raw.decode()) == 1
    except UnicodeDecodeError:
        return False
