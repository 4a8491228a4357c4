"""Pairs for training from texts of one language alone (Sennrich et al., 2016).

A text is what shall be written; what a model of the other direction makes of it is what will be
read. Many of those pairs are wrong: the ones that both directions find likely are kept, as in dual
conditional cross-entropy filtering (Junczys-Dowmunt, 2018).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from core.model import Done, Inspectable, untold
from core.text.corpora import Pair

_AT_ONCE: Final = 1024  # texts; enough of like lengths, and progress is told between


def back_translate(
    texts: Sequence[str],
    through: Inspectable,
    checked_by: Inspectable,
    likely: float,
    done: Done = untold,
) -> list[Pair]:
    """Pairs whose targets are texts, in their order.

    Args:
        through: reads the texts, and writes the sources.
        checked_by: reads the sources: a model such as shall be trained.
        likely: probability of a token, 0 to 1. Where its geometric mean is lower in either
            direction, the pair is left out.
        done: called with (finished, all) texts.

    Returns:
        Each source once, with the text that is likeliest behind it.

    Raises:
        RefusedError: a text is no label of `checked_by`, where that gives such.
    """
    least = math.log(likely) if likely > 0 else -math.inf
    best: dict[str, tuple[float, int]] = {}
    for chunk in by_length(texts, done):
        asked = [texts[at] for at in chunk]
        sources = through.generate_all(asked)
        there = _per_token(through, list(zip(asked, sources, strict=True)))
        back = _per_token(checked_by, list(zip(sources, asked, strict=True)))
        for at, source, one, other in zip(chunk, sources, there, back, strict=True):
            if source and min(one, other) >= least and other > best.get(source, (-math.inf, 0))[0]:
                best[source] = other, at
    kept = sorted((at, source) for source, (_, at) in best.items())
    return [Pair(source, texts[at]) for at, source in kept]


def by_length(texts: Sequence[str], done: Done) -> Iterator[list[int]]:
    """Places of texts, chunk by chunk, those of like lengths together: a batch pads less."""
    ordered = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(texts), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]
        done(min(start + _AT_ONCE, len(texts)), len(texts))


def _per_token(model: Inspectable, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Mean log probability of a token; of what it cannot read or write, none."""
    found = [one.per_token if one is not None else None for one in model.likelihoods(pairs)]
    return [-math.inf if one is None else one for one in found]
