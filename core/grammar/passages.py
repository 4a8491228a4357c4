"""Several sentences as one row: short ones to train on, and held-out ones beyond any of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from core.grammar.sentences import Sentence

BEYOND: Final = 8
"""How many times as many sentences a held-out passage has as the longest that is trained on."""


def short(sentences: Sequence[Sentence], most: int, seed: int) -> Iterator[Sentence]:
    """All sentences in their order, 1 to `most` of them a passage, at random."""
    draw, start = random.Random(f"{seed}:passages"), 0
    while start < len(sentences):
        count = draw.randint(1, most)
        yield _joined(sentences[start : start + count])
        start += count


def long(sentences: Sequence[Sentence], most: int) -> Iterator[Sentence]:
    """Sentences in their order, BEYOND times `most` a passage; what is over is left out."""
    count = BEYOND * most
    for start in range(0, len(sentences) - count + 1, count):
        yield _joined(sentences[start : start + count])


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    return Sentence(
        " ".join(sentence.korean for sentence in sentences),
        " ".join(sentence.english for sentence in sentences),
        str(len(sentences)),
    )
