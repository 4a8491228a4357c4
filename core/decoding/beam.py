"""Beam search with length normalisation (Section 6.1; Wu et al., 2016, equation 14)."""

from __future__ import annotations

from typing import Final, NamedTuple

import torch
from torch import Tensor

from core.decoding.common import Hypothesis, select_past, share_memory
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
    limit: int,
    *,
    start_id: int,
    end_id: int,
    beam: int = 4,
    alpha: float = ALPHA,
) -> tuple[Hypothesis, ...]:
    """Keep the `beam` likeliest prefixes; a prefix that ends among them is an answer.

    The search is over when no live prefix can overtake the best answer any more, or at the
    limit. To stop at `beam` answers, as is common, would count answers that nobody wants:
    an unlikely prefix that ends fills a place too. With beam 1 it is greedy search, which
    takes the first answer.

    Args:
        model: in eval mode.
        source: (1, source) ids on the model's device.
        limit: the most tokens to write, end token included; 1 or more.
        beam: 1 or more.
        alpha: 0 ranks by log probability, more favours longer outputs.

    Returns:
        Best first, at most `beam`: the finished ones, or, where none finished, the prefixes
        that the limit cut off.

    Raises:
        ValueError: for more than one source, or a parameter out of its range.
    """
    if source.shape[0] != 1 or limit < 1 or beam < 1 or alpha < 0:
        raise ValueError("one source, and limit, beam >= 1, alpha >= 0")
    state = model.start(source)
    memory = state
    live = [_Live((), 0.0, 0)]
    answers: list[Hypothesis] = []
    reading = torch.tensor([[start_id]], device=source.device)
    for _ in range(limit):
        hidden, state = model.decode(reading, state)
        gains = model.project(hidden[:, -1]).log_softmax(dim=-1)  # (live, vocab)
        best, index = gains.topk(min(2 * beam, gains.shape[-1]), dim=-1)
        live, ended = _grow(live, best.tolist(), index.tolist(), beam, end_id)
        answers += ended
        if not live or (answers and (beam == 1 or _decided(live, answers, limit, alpha))):
            break
        parents = torch.tensor([prefix.parent for prefix in live], device=source.device)
        past = select_past(state.past, parents)
        state = share_memory(memory, len(live))._replace(past=past)
        reading = torch.tensor([[prefix.tokens[-1]] for prefix in live], device=source.device)
    if not answers:
        answers = [Hypothesis(prefix.tokens, prefix.total, False) for prefix in live]
    return tuple(sorted(answers, key=lambda answer: score(answer, alpha), reverse=True)[:beam])


def _grow(
    live: list[_Live], gains: list[list[float]], index: list[list[int]], beam: int, end_id: int
) -> tuple[list[_Live], list[Hypothesis]]:
    """One step: the next live prefixes, and those that ended among the `beam` likeliest.

    Twice the beam is looked at, since each prefix has one way to end. Sums are Python
    floats: in float32, a long prefix's sum would hide small differences between tokens.
    """
    grown = [
        _Live((*prefix.tokens, token), prefix.total + gain, parent)
        for parent, prefix in enumerate(live)
        for gain, token in zip(gains[parent], index[parent], strict=True)
    ]
    grown.sort(key=lambda prefix: prefix.total, reverse=True)
    ended = [
        Hypothesis(prefix.tokens, prefix.total, True)
        for prefix in grown[:beam]
        if prefix.tokens[-1] == end_id
    ]
    going = [prefix for prefix in grown if prefix.tokens[-1] != end_id]
    return going[:beam], ended


def _decided(live: list[_Live], answers: list[Hypothesis], limit: int, alpha: float) -> bool:
    # A log probability only falls, and the penalty is largest at the limit: that bounds
    # what the best live prefix can still become.
    reachable = live[0].total / length_penalty(limit, alpha)
    return max(score(answer, alpha) for answer in answers) >= reachable
