"""Beam search that reads each prefix anew at every step: the slow twin of `core.decoding.beam`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.decoding.beam import ROOT, BeamTree, Fate, Node, length_penalty
from core.nn.transformer import Transformer
from core.text.tokenizer import Ends


@torch.inference_mode()
def slow_beam_search(
    model: Transformer,
    source: Tensor,
    limit: int,
    ends: Ends,
    *,
    beam: int,
    alpha: float,
) -> BeamTree:
    start = model.start(source)
    nodes: list[Node] = []
    answers: list[int] = []
    live = [ROOT]
    for length in range(1, limit + 1):
        reading = [[ends.start, *_path(nodes, place)] for place in live]
        hidden, _ = model.decode(torch.tensor(reading, device=source.device), start)
        gains = model.unembed(hidden[:, -1]).log_softmax(dim=-1)  # (live, vocab)
        grown = _likeliest(nodes, live, gains, (1 + len(ends.closing)) * beam)
        ended = [node for node in grown[:beam] if node.token in ends.closing]
        going = [node for node in grown if node.token not in ends.closing][:beam]
        answers += range(len(nodes), len(nodes) + len(ended))
        nodes += ended
        live = list(range(len(nodes), len(nodes) + len(going)))
        nodes += going
        if not live or (answers and beam == 1):
            break
        best = max((_score(nodes, place, alpha) for place in answers), default=float("-inf"))
        if length < limit and best >= nodes[live[0]].total / length_penalty(limit, alpha):
            break
    ranked = sorted(answers or live, key=lambda place: _score(nodes, place, alpha), reverse=True)
    return BeamTree(tuple(nodes), _fates(nodes, answers, live), tuple(ranked[:beam]))


def _likeliest(nodes: Sequence[Node], live: Sequence[int], gains: Tensor, most: int) -> list[Node]:
    """Continuations of the live prefixes, likeliest first."""
    found: list[Node] = []
    values, tokens = gains.topk(min(most, gains.shape[-1]))
    for place, row, ids in zip(live, values.tolist(), tokens.tolist(), strict=True):
        before = 0.0 if place == ROOT else nodes[place].total
        found += [
            Node(place, token, gain, before + gain) for gain, token in zip(row, ids, strict=True)
        ]
    return sorted(found, key=lambda node: node.total, reverse=True)[:most]


def _fates(nodes: Sequence[Node], answers: Sequence[int], live: Sequence[int]) -> tuple[Fate, ...]:
    fates: list[Fate] = ["left"] * len(nodes)
    for node in nodes:
        if node.parent != ROOT:
            fates[node.parent] = "grew"
    for place in answers:
        fates[place] = "ended"
    for place in live:
        fates[place] = "stopped"
    return tuple(fates)


def _path(nodes: Sequence[Node], place: int) -> tuple[int, ...]:
    tokens: list[int] = []
    while place != ROOT:
        tokens.append(nodes[place].token)
        place = nodes[place].parent
    return tuple(reversed(tokens))


def _score(nodes: Sequence[Node], place: int, alpha: float) -> float:
    return nodes[place].total / length_penalty(len(_path(nodes, place)), alpha)
