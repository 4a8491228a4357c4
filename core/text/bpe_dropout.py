"""BPE-dropout (Provilkov et al., 2020): words in more and smaller pieces than usual, by chance.

SentencePiece can do it, but what it draws differs from process to process whatever the seed: a
run that goes on would find other data than it began with.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise


def with_dropout(
    letters: Sequence[str], merged: Mapping[str, int], share: float, chance: random.Random
) -> list[str]:
    """Symbols of a word after merges, each of which is left out with the probability `share`.

    Algorithm 1 of the paper: at each step the first of the merges that are not left out is made,
    until none is left.

    Args:
        letters: of the word; a byte counts as one.
        merged: ranks of symbols that are made of two, the first to be made lowest.
        share: 0 to 1; 0 merges as usual.
    """
    symbols = list(letters)
    while True:
        found = [
            (rank, at)
            for at, pair in enumerate(map("".join, pairwise(symbols)))
            if (rank := merged.get(pair)) is not None and chance.random() >= share
        ]
        if not found:
            return symbols
        _, at = min(found)
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
