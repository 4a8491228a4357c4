"""Seeded choices that favour common words and yet reach every word."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, repeat
from typing import TypeVar, cast

from core.grammar.lexicon import Adverb, Lexicon, Noun
from core.grammar.lexicon import Counter as Unit
from core.grammar.names import alike

T = TypeVar("T")

# One draw in four goes to the word of its pool that was used least: the long tail is learnt too.
_TAIL = 0.25
# One name in two of any sentence is one of a thousand others.
_OTHERS = 0.5
_NAME = frozenset({"name"})


class Draw:
    """A seeded source of choices over one lexicon; it counts what it chose.

    Where Korean is ``settled``, a choice that English does not show is always made alike.
    """

    def __init__(self, lexicon: Lexicon, seed: int, *, settled: bool = False) -> None:
        """Start from a seed; equal seeds and lexicons give equal choices."""
        self.lexicon = lexicon
        self.settled = settled
        self._random = random.Random(seed)
        self._used: Counter[int] = Counter()
        self._weights: dict[int, list[float]] = {}

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random.random() < probability

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, all alike."""
        return options[int(self._random.random() * len(options))]

    def variant(self, options: Sequence[T]) -> T:
        """One of several ways to say the same thing in Korean; settled, the first."""
        return options[0] if self.settled else self.one_of(options)

    def told(self, options: Sequence[str]) -> str:
        """One of several ways to say the same thing in English, the usual one first.

        A target is the usual one; a source may be any.
        """
        return self.one_of(options) if self.settled and self.chance(0.5) else options[0]

    def loose(self, probability: float) -> bool:
        """Whether Korean takes a freedom that English does not show; settled, it never does."""
        return not self.settled and self.chance(probability)

    def weighted(self, options: Sequence[T], weights: Sequence[float]) -> T:
        """One of the options by weight."""
        return self._stepped(options, list(accumulate(weights)))

    def word(self, pool: Sequence[T]) -> T:
        """One word of a pool: earlier words more often, neglected words now and then."""
        if self.chance(_TAIL):
            used = list(map(self._used.get, map(id, pool), repeat(0)))
            chosen = pool[used.index(min(used))]
        else:
            chosen = self._stepped(pool, self._slope(len(pool)))
        self._used[id(chosen)] += 1
        if isinstance(chosen, Noun) and chosen.classes == _NAME and self.chance(_OTHERS):
            return cast(T, self._random.choice(alike(next(iter(chosen.features)))))
        return chosen

    def noun(self, selection: str) -> Noun:
        """A noun of the selected classes."""
        return self.word(self.lexicon.pool(selection))

    def counter(self, noun: Noun) -> Unit | None:
        """A counter for a noun, if it has any; settled, the narrowest with its English."""
        counters = self.lexicon.counters_of(noun)
        if not counters:
            return None
        chosen = self.one_of(counters)
        alike = [counter for counter in counters if counter.english == chosen.english]
        return alike[-1] if self.settled else chosen

    def adverb(self, *kinds: str) -> Adverb:
        """An adverb of one of the kinds."""
        return self.word(self.lexicon.adverbs_of(*kinds))

    def _stepped(self, options: Sequence[T], steps: Sequence[float]) -> T:
        """As `random.choices` of one, by cumulative weights, in half the time."""
        return options[bisect(steps, self._random.random() * steps[-1], 0, len(steps) - 1)]

    def _slope(self, size: int) -> list[float]:
        if size not in self._weights:
            self._weights[size] = list(accumulate(1 / (rank + 8) ** 0.6 for rank in range(size)))
        return self._weights[size]
