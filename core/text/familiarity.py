"""How often training showed each word, so that nobody takes a small model for a broken one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save

from core.errors import unusable
from core.outputs import WordFamiliarity
from core.reasons import RefusedError, reason_of
from core.text.tokenizer import Tokenizer, clean

FILE_NAME: Final = "familiarity.safetensors"
KNOWN_FROM: Final = 8  # below this many sightings a small model guesses
_KEPT_FROM: Final = KNOWN_FROM // 2  # of pairs: rarer ones are a third of a file


@dataclass(frozen=True, slots=True, eq=False)
class Familiarity:
    """Sightings of pieces, and of neighbouring pieces within a word, in training sources.

    Pairs are needed because a rare word splits into pieces that are common by themselves.

    Attributes:
        pieces: (vocabulary,) int64 counts.
        pairs: count of each pair of neighbours.
    """

    pieces: npt.NDArray[np.int64]
    pairs: dict[tuple[int, int], int]

    @classmethod
    def count(cls, tokenizer: Tokenizer, sources: Iterable[str]) -> Familiarity:
        """Count over the sentences that a model was trained on."""
        words: Counter[str] = Counter(word for text in sources for word in clean(text).split())
        pieces = np.zeros(tokenizer.size, dtype=np.int64)
        pairs: Counter[tuple[int, int]] = Counter()
        for word, times in words.items():
            ids = tokenizer.encode(word)
            for id in ids:
                pieces[id] += times
            for pair in pairwise(ids):
                pairs[pair] += times
        return cls(pieces, dict(pairs))

    @classmethod
    def load(cls, folder: Path) -> Familiarity:
        """Read `familiarity.safetensors` from a checkpoint folder.

        Raises:
            HeadlightError: checkpoint_invalid when its arrays do not fit each other.
        """
        try:
            arrays = load_file(folder / FILE_NAME)
            pieces, pairs = arrays["pieces"].astype(np.int64), arrays["pairs"]
            counts = arrays["pair_counts"]
            if pieces.ndim != 1 or pairs.shape != (len(counts), 2):
                raise RefusedError("counts_uneven")
        except Exception as error:  # safetensors raises its own untyped errors
            raise unusable(folder, FILE_NAME, reason_of(error)) from error
        keys = (tuple(row) for row in pairs.tolist())
        return cls(pieces, dict(zip(keys, counts.tolist(), strict=True)))

    def save(self, folder: Path) -> None:
        """Write `familiarity.safetensors`; pairs seen too rarely to matter are left out."""
        kept = {pair: count for pair, count in self.pairs.items() if count >= _KEPT_FROM}
        arrays = {
            "pieces": self.pieces.astype(np.int32),
            "pairs": _small(list(kept), len(self.pieces)).reshape(-1, 2),
            "pair_counts": _small(list(kept.values()), max(kept.values(), default=0)),
        }
        # save_file would keep it from other users of the machine.
        (folder / FILE_NAME).write_bytes(save(arrays))

    def words(self, tokenizer: Tokenizer, text: str) -> tuple[WordFamiliarity, ...]:
        """How well training covered each word of `text`, in order; not those of no token."""
        read = ((word, tokenizer.encode(word)) for word in clean(text).split())
        return tuple(self._word(word, ids) for word, ids in read if ids)

    def _word(self, word: str, ids: Sequence[int]) -> WordFamiliarity:
        sightings = [int(self.pieces[id]) for id in ids]
        sightings += [self.pairs.get(pair, 0) for pair in pairwise(ids)]
        seen = min(sightings)
        return WordFamiliarity(word, seen, seen >= KNOWN_FROM)


def _small(values: Sequence[int] | Sequence[tuple[int, int]], most: int) -> npt.NDArray[np.generic]:
    """In two bytes each where none is above what they hold: a folder has to stay small."""
    return np.array(values, dtype=np.uint16 if most <= np.iinfo(np.uint16).max else np.int32)
