"""What a model answers, beside a trace of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from statistics import fmean
from typing import Final, Literal

from core.trace import Floats, Token

_LEAST_SURE: Final = 3
"""Where one in ten right outputs is marked, so are of the wrong ones, by three and by all tokens,
81 and 70 % (en-ko-everyday), 50 and 40 % (en-hangul), 77 and 82 % (ko-en-everyday). Two and four
do alike; the number was chosen on the lists of `tests/acceptance`, by which that is measured."""


def certainty_of(gains: Sequence[float]) -> float | None:
    """How sure a model is of an output: its mean log probability of the tokens it is least sure of.

    Those are three, or all where there are fewer. Where an output goes wrong, few of its tokens
    tell; a mean of all drowns them.

    Args:
        gains: log probability of each token, natural logarithm.

    Returns:
        Natural logarithm, 0 at most; None where nothing was written.
    """
    return fmean(nsmallest(_LEAST_SURE, gains)) if gains else None


def weighed(certainty: float, seen: int, weight: float) -> float:
    """A certainty, and more for a source whose words training has shown.

    Where one in ten right outputs was marked, an `en-hangul` marked 7 of 10 wrong ones by 0.1 of it
    and 5 by none (AUC 0.92 and 0.87): it was as sure of many words that it never saw. For the
    everyday models 0.02 is best, and does little (AUC 0.93 and 0.92; 0.92 and 0.91).

    Args:
        certainty: as `certainty_of`.
        seen: how often training showed the word of the source that it showed least (`rarest`).
        weight: of the natural logarithm of that, and one.
    """
    return certainty + weight * math.log1p(seen)


@dataclass(frozen=True, slots=True)
class Generation:
    """What a model wrote.

    Attributes:
        text: detokenised.
        tokens: written tokens, the end token included when it was reached.
        gains: log probability of each token that it chose, natural logarithm: not one for each of
            `tokens` where a model goes on from its source, and none where it fills it.
        finished: False when the length limit cut it off.
    """

    text: str
    tokens: tuple[Token, ...]
    gains: tuple[float, ...]
    finished: bool

    @property
    def log_probability(self) -> float:
        """Of all that it chose, natural logarithm."""
        return math.fsum(self.gains)

    @property
    def certainty(self) -> float | None:
        """As `certainty_of` its gains."""
        return certainty_of(self.gains)


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely a model found a text that was forced on it.

    Attributes:
        log_probability: of all its tokens, natural logarithm, the end token included.
        tokens: how many those are.
    """

    log_probability: float
    tokens: int

    @property
    def per_token(self) -> float | None:
        """Mean log probability of a token; None where there is none."""
        return self.log_probability / self.tokens if self.tokens else None


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """What a language model would write in the place of each token of a text.

    Attributes:
        tokens: that are read, the start and the end token included.
        logits: (gap, vocabulary): row i is of tokens[i + 1], from what the model may look at of the
            others. There is no gap in the place of the first and the last.
    """

    tokens: tuple[Token, ...]
    logits: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """The vectors that tokens are read as.

    Attributes:
        read: tokens of one text, without any that are added to it.
        tokens: the whole vocabulary, each as it stands alone.
        vectors: (vocabulary, d_model). Not to be changed: they are the model's own.
    """

    read: tuple[Token, ...]
    tokens: Sequence[Token]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class SearchNode:
    """One token of a hypothesis that beam search held.

    Attributes:
        parent: place among the nodes of the token before it, -1 for none.
        token: what was written.
        gain: its log probability, natural logarithm.
        total: of it and all before it.
        score: `total` over the length penalty, by which answers are ranked.
        fate: "grew", "ended" (an answer, where it is ranked), "left" the beam, or live when the
            search "stopped".
    """

    parent: int
    token: Token
    gain: float
    total: float
    score: float
    fate: Literal["grew", "ended", "left", "stopped"]


@dataclass(frozen=True, slots=True)
class SearchTree:
    """Every hypothesis of one beam search: parents before their children.

    Attributes:
        nodes: all that was once in the beam.
        ranked: places of the answers, best first, `beam` at most: more may have ended.
        beam: how many prefixes were kept a step.
        given: vocabulary rows of a text that all of them go on from, as a prefix has them; () of a
            model that writes behind what it reads.
    """

    nodes: tuple[SearchNode, ...]
    ranked: tuple[int, ...]
    beam: int
    given: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WordFamiliarity:
    """How often training showed one word of an input.

    Attributes:
        text: the word as typed.
        seen: its occurrences, or those of the rarest piece or pair of neighbouring pieces in it.
        known: False when `seen` is so low that nobody should expect a translation.
    """

    text: str
    seen: int
    known: bool


def rarest(words: Sequence[WordFamiliarity]) -> int:
    """How often training showed the word of a source that it showed least; 0 of no words."""
    return min((word.seen for word in words), default=0)
