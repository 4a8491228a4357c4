"""How often training showed each word, so that nobody takes a small model for a broken one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from core.errors import unusable
from core.outputs import WordFamiliarity
from core.reasons import RefusedError, reason_of
from core.text.corpora import text_key
from core.text.tokenizer import Tokenizer, clean

FILE_NAME: Final = "familiarity.safetensors"
KNOWN_FROM: Final = 8  # below this many sightings a small model guesses
_KEPT_FROM: Final = KNOWN_FROM // 2  # of pairs: rarer ones are a third of a file


@dataclass(frozen=True, slots=True, eq=False)
class Familiarity:
    """Sightings of pieces, and of neighbouring pieces within a word, in training sources.

    Pairs are needed because a rare word splits into pieces that are common by themselves. Into
    characters it splits so that its pairs are common, too: there, words are counted.

    Attributes:
        pieces: (vocabulary,) int64 counts.
        pairs: count of each pair of neighbours; none where words are counted.
        whole: count of each word by its `word_digest`; None where pairs tell.
    """

    pieces: npt.NDArray[np.int64]
    pairs: dict[tuple[int, int], int]
    whole: dict[int, int] | None = None

    @classmethod
    def count(cls, tokenizer: Tokenizer, sources: Iterable[str]) -> Familiarity:
        """Count over the sentences that a model was trained on."""
        counts: Counter[str] = Counter(word for text in sources for word in clean(text).split())
        pieces = np.zeros(tokenizer.size, dtype=np.int64)
        pairs: Counter[tuple[int, int]] = Counter()
        words: Counter[int] = Counter()
        by_words = tokenizer.kind == "characters"
        for word, times in counts.items():
            ids = tokenizer.encode(word)
            for id in ids:
                pieces[id] += times
            if by_words:
                words[word_digest(word)] += times
                continue
            for pair in pairwise(ids):
                pairs[pair] += times
        return cls(pieces, dict(pairs), dict(words) if by_words else None)

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
            words, sightings = arrays.get("words"), arrays.get("word_counts")
            if pieces.ndim != 1 or pairs.shape != (len(counts), 2):
                raise RefusedError("counts_uneven")
            known = None
            if words is not None and sightings is not None:
                known = dict(zip(words.tolist(), sightings.tolist(), strict=True))
        except (SafetensorError, ValueError, KeyError, OSError) as error:
            raise unusable(folder, FILE_NAME, reason_of(error)) from error
        keys = (tuple(row) for row in pairs.tolist())
        return cls(pieces, dict(zip(keys, counts.tolist(), strict=True)), known)

    def save(self, folder: Path) -> None:
        """Write `familiarity.safetensors`; pairs seen too rarely to matter are left out."""
        kept = {pair: count for pair, count in self.pairs.items() if count >= _KEPT_FROM}
        arrays = {
            "pieces": self.pieces.astype(np.int32),
            "pairs": _small(list(kept), len(self.pieces)).reshape(-1, 2),
            "pair_counts": _small(list(kept.values()), max(kept.values(), default=0)),
        }
        if self.whole is not None:
            ranked = dict(sorted(self.whole.items()))
            arrays["words"] = np.array(list(ranked), dtype=np.uint32)
            arrays["word_counts"] = _small(list(ranked.values()), max(ranked.values(), default=0))
        # save_file would keep it from other users of the machine.
        (folder / FILE_NAME).write_bytes(save(arrays))

    def words(self, tokenizer: Tokenizer, text: str) -> tuple[WordFamiliarity, ...]:
        """How well training covered each word of `text`, in order; not those of no token."""
        read = ((word, tokenizer.encode(word)) for word in clean(text).split())
        return tuple(self._word(word, ids) for word, ids in read if ids)

    def _word(self, word: str, ids: Sequence[int]) -> WordFamiliarity:
        if self.whole is not None:
            # Letters are read one by one: a word that was never seen may come out right.
            return WordFamiliarity(word, self.whole.get(word_digest(word), 0), known=True)
        sightings = [int(self.pieces[id]) for id in ids]
        sightings += [self.pairs.get(pair, 0) for pair in pairwise(ids)]
        seen = min(sightings)
        return WordFamiliarity(word, seen, seen >= KNOWN_FROM)


def word_digest(word: str) -> int:
    """Four bytes that stand for a word, however its letters are written, without its stops.

    One word in some 40,000 that training never showed has those of one of 100,000 that it did.
    """
    return crc32(text_key(word).encode())


def _small(values: Sequence[int] | Sequence[tuple[int, int]], most: int) -> npt.NDArray[np.generic]:
    """In two bytes each where none is above what they hold: a folder has to stay small."""
    return np.array(values, dtype=np.uint16 if most <= np.iinfo(np.uint16).max else np.int32)
