"""Pairs for training from texts and the models that read them (Kim and Rush, 2016).

Several teachers are better than each of them: every one writes what a text becomes, and what
all find likeliest is taught, an ensemble over whole outputs that needs no vocabulary in common.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from core.model import Done, Inspectable, untold
from core.text.corpora import Pair
from core.training.back_translation import by_length


def distill(
    texts: Sequence[str],
    teachers: Sequence[Inspectable],
    likely: float,
    done: Done = untold,
    *,
    beam: int = 1,
) -> list[Pair]:
    """Texts with the output that their teachers agree on, each once and in their order.

    Args:
        teachers: of one direction.
        likely: probability of a token, 0 to 1. Where its geometric mean over the output's tokens
            and all teachers is lower, the text is left out.
        done: called with (finished, all) texts.
        beam: width of the one with which each writes; 1 is greedy.

    Raises:
        RefusedError: one gives a label that another does not know.
    """
    least = math.log(likely) if likely > 0 else -math.inf
    texts = [text for text in dict.fromkeys(texts) if text]
    taught: dict[int, str] = {}
    for chunk in by_length(texts, done):
        best = _best([texts[at] for at in chunk], teachers, beam)
        taught |= {
            at: output
            for at, (output, per_token) in zip(chunk, best, strict=True)
            if output and per_token >= least
        }
    return [Pair(texts[at], taught[at]) for at in sorted(taught)]


def _best(
    asked: Sequence[str], teachers: Sequence[Inspectable], beam: int
) -> list[tuple[str, float]]:
    """Of each text the likeliest of what teachers write, and its mean log probability a token."""
    written = [teacher.generate_all(asked, beam=beam) for teacher in teachers]
    rivals = [sorted(set(outputs) - {""}) for outputs in zip(*written, strict=True)]
    pairs = [
        (text, rival) for text, several in zip(asked, rivals, strict=True) for rival in several
    ]
    found = iter(_agreed(teachers, pairs))
    best = []
    for several in rivals:
        judged = [(*next(found), rival) for rival in several]
        _, per_token, output = max(judged, default=(-math.inf, -math.inf, ""))
        best.append((output, per_token))
    return best


def _agreed(
    teachers: Sequence[Inspectable], pairs: Sequence[tuple[str, str]]
) -> list[tuple[float, float]]:
    """Mean log probability over the teachers: of each whole target, and of a token of it."""
    judged = zip(*(teacher.likelihoods(pairs) for teacher in teachers), strict=True)
    agreed = []
    for each in judged:
        known = [one for one in each if one is not None]
        if len(known) < len(each):  # one of them cannot write it
            agreed.append((-math.inf, -math.inf))
            continue
        whole = fmean(one.log_probability for one in known)
        agreed.append((whole, whole / fmean(one.tokens for one in known)))
    return agreed
