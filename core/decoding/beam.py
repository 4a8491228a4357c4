"""Beam search with length normalisation (Section 6.1; Wu et al., 2016, equation 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import torch
from torch import Tensor

from core.decoding.common import Hypothesis, select
from core.nn.transformer import Transformer

ALPHA: Final = 0.6


class _Live(NamedTuple):
    tokens: tuple[int, ...]
    total: float
    parent: int


def length_penalty(length: int, alpha: float = ALPHA) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^alpha; a hypothesis scores log P / lp."""
    return float(((5 + length) / 6) ** alpha)


def score(hypothesis: Hypothesis, alpha: float = ALPHA) -> float:
    """Length-normalised log probability, by which hypotheses are ranked."""
    return hypothesis.log_probability / length_penalty(len(hypothesis.tokens), alpha)


@torch.inference_mode()
def beam_search(
    model: Transformer,
    source: Tensor,
    limits: Sequence[int],
    *,
    start_id: int,
    end_id: int,
    beam: int = 4,
    alpha: float = ALPHA,
) -> list[tuple[Hypothesis, ...]]:
    """For each source, keep the `beam` likeliest prefixes; one that ends among them is an answer.

    The search is over when no live prefix can overtake the best answer any more, or at the
    limit. To stop at `beam` answers, as is common, would count answers that nobody wants:
    an unlikely prefix that ends fills a place too. With beam 1 it is greedy search, which
    takes the first answer. A source whose search is over leaves the batch.

    Args:
        model: in eval mode.
        source: (batch, source) ids on the model's device, padding at the end of a row.
        limits: the most tokens that each row may write, end token included; 1 or more.
        beam: 1 or more.
        alpha: 0 ranks by log probability, more favours longer outputs.

    Returns:
        For each row its hypotheses, best first, at most `beam`: the finished ones, or, where
        none finished, the prefixes that the limit cut off.

    Raises:
        ValueError: when `limits` does not fit the batch, or a parameter is out of its range.
    """
    if len(limits) != source.shape[0] or min(limits, default=1) < 1 or beam < 1 or alpha < 0:
        raise ValueError("one limit a row, and limits, beam >= 1, alpha >= 0")
    searches = [_Search(limit, beam, alpha) for limit in limits]
    if not searches:
        return []
    going = searches  # in the order of the batch, `width` rows each
    width = 1
    state = model.start(source)
    reading = torch.full((len(going), 1), start_id, device=source.device)
    while True:
        hidden, state = model.decode(reading, state)
        gains = model.project(hidden[:, -1]).log_softmax(dim=-1)  # (going * width, vocab)
        best, index = (found.tolist() for found in gains.topk(min(2 * beam, gains.shape[-1])))
        for place, search in enumerate(going):
            rows = slice(place * width, (place + 1) * width)
            search.grow(best[rows], index[rows], end_id)
        places = [place for place, search in enumerate(going) if not search.over]
        if not places:
            return [search.ranked() for search in searches]
        going = [going[place] for place in places]
        parents, tokens, width = _rows(going, places, width)
        state = select(state, places, parents)
        reading = torch.tensor(tokens, device=source.device)[:, None]


@dataclass(slots=True)
class _Search:
    """Of one source: its live prefixes, likeliest first, and its answers."""

    limit: int
    beam: int
    alpha: float
    live: list[_Live] = field(default_factory=lambda: [_Live((), 0.0, 0)])
    answers: list[Hypothesis] = field(default_factory=list)

    def grow(self, gains: list[list[float]], index: list[list[int]], end_id: int) -> None:
        """One step, given the likeliest tokens of each live prefix; rows beyond are ignored.

        Twice the beam is looked at, since each prefix has one way to end. Sums are Python
        floats: in float32, a long prefix's sum would hide small differences between tokens.
        """
        grown = [
            (prefix.total + gain, parent, token)
            for parent, prefix in enumerate(self.live)
            for gain, token in zip(gains[parent], index[parent], strict=True)
        ]
        grown.sort(key=lambda found: found[0], reverse=True)
        likeliest = [
            _Live((*self.live[parent].tokens, token), total, parent)
            for total, parent, token in grown[: 2 * self.beam]
        ]
        self.answers += [
            Hypothesis(prefix.tokens, prefix.total, True)
            for prefix in likeliest[: self.beam]
            if prefix.tokens[-1] == end_id
        ]
        self.live = [prefix for prefix in likeliest if prefix.tokens[-1] != end_id][: self.beam]

    @property
    def over(self) -> bool:
        if not self.live or len(self.live[0].tokens) == self.limit:
            return True
        if not self.answers or self.beam == 1:
            return bool(self.answers)
        # A log probability only falls, and the penalty is largest at the limit: that bounds
        # what the best live prefix can still become.
        reachable = self.live[0].total / length_penalty(self.limit, self.alpha)
        return max(score(answer, self.alpha) for answer in self.answers) >= reachable

    def ranked(self) -> tuple[Hypothesis, ...]:
        """Best first, at most `beam`."""
        cut = [Hypothesis(prefix.tokens, prefix.total, False) for prefix in self.live]
        found = self.answers or cut
        found = sorted(found, key=lambda answer: score(answer, self.alpha), reverse=True)
        return tuple(found[: self.beam])


def _rows(going: list[_Search], places: list[int], width: int) -> tuple[list[int], list[int], int]:
    """Parents and newest tokens of the rows of the next step, and how many a source has.

    All sources have as many rows: one with fewer live prefixes repeats its likeliest.
    """
    wider = max(len(search.live) for search in going)
    rows = [
        (place * width + prefix.parent, prefix.tokens[-1])
        for place, search in zip(places, going, strict=True)
        for prefix in (*search.live, *search.live[:1] * (wider - len(search.live)))
    ]
    return [parent for parent, _ in rows], [token for _, token in rows], wider
