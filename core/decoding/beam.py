"""Beam search with length normalisation (Section 6.1; Wu et al., 2016, equation 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

import torch
from torch import Tensor

from core.decoding.rules import Rules
from core.decoding.stepper import Hypothesis, S, Stepper
from core.text.tokenizer import ENDS, Ends

ALPHA: Final = 0.6
ROOT: Final = -1

Fate = Literal["grew", "ended", "left", "stopped"]


class Node(NamedTuple):
    """One token that a hypothesis in the beam wrote.

    Attributes:
        parent: place among the nodes of the token before it, `ROOT` for none.
        token: its vocabulary row.
        gain: log probability of the token, natural logarithm.
        total: of it and all before it.
    """

    parent: int
    token: int
    gain: float
    total: float


@dataclass(frozen=True, slots=True)
class BeamTree:
    """Every hypothesis that one search held.

    Attributes:
        nodes: parents before their children, every one of them once in the beam.
        fates: of each node: it "grew", it "ended" and is an answer, it "left" the beam since
            none of its continuations stayed, or it was live when the search "stopped".
        ranked: nodes that the search answers with, best first, at most `beam`: those that
            ended, or, where none did, those that the limit cut off.
    """

    nodes: tuple[Node, ...]
    fates: tuple[Fate, ...]
    ranked: tuple[int, ...]

    def path(self, place: int) -> tuple[int, ...]:
        """Tokens up to and with a node."""
        return _tokens(self.nodes, place)

    def places(self, place: int) -> tuple[int, ...]:
        """The nodes of these tokens."""
        return _places(self.nodes, place)

    def gains(self, place: int) -> tuple[float, ...]:
        """Log probability of each of these tokens."""
        return tuple(self.nodes[at].gain for at in self.places(place))

    def score(self, place: int, alpha: float = ALPHA) -> float:
        """Length-normalised log probability of the tokens up to a node."""
        return self.nodes[place].total / length_penalty(len(self.path(place)), alpha)

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What the search answers with, best first."""
        return tuple(
            Hypothesis(self.path(place), self.gains(place), self.fates[place] == "ended")
            for place in self.ranked
        )


def length_penalty(length: int, alpha: float = ALPHA) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^alpha; a hypothesis scores log P / lp."""
    return float(((5 + length) / 6) ** alpha)


@torch.inference_mode()
def beam_search(
    model: Stepper[S],
    source: Tensor,
    limits: Sequence[int],
    ends: Ends = ENDS,
    *,
    beam: int = 4,
    alpha: float = ALPHA,
    rules: Rules | None = None,
) -> list[BeamTree]:
    """For each source, keep the `beam` likeliest prefixes; one that ends among them is an answer.

    The search is over when no live prefix can overtake the best answer any more, or at the
    limit. To stop at `beam` answers, as is common, would count answers that nobody wants:
    an unlikely prefix that ends fills a place too. With beam 1 it is greedy search, which
    takes the first answer. A source whose search is over leaves the batch.

    Args:
        model: in eval mode.
        source: (batch, source) ids on the model's device, padding at the end of a row.
        limits: the most tokens that each row may write, end token included; 1 or more.
        ends: what it reads first, and what ends an output.
        beam: 1 or more.
        alpha: 0 ranks by log probability, more favours longer outputs.
        rules: what may be written; None for anything.

    Returns:
        The search of each row.

    Raises:
        ValueError: when `limits` does not fit the batch, or a parameter is out of its range.
    """
    if len(limits) != source.shape[0] or min(limits, default=1) < 1 or beam < 1 or alpha < 0:
        raise ValueError("one limit a row, and limits, beam >= 1, alpha >= 0")
    searches = [_Search(limit, beam, alpha, ends.closing) for limit in limits]
    if not searches:
        return []
    going = searches  # in the order of the batch, `width` rows each
    width = 1
    state = model.start(source)
    reading = torch.full((len(going), 1), ends.start, device=source.device)
    while True:
        logits, state = model.step(reading, state)
        gains = logits[:, -1].log_softmax(dim=-1)  # (going * width, vocab)
        if rules is not None:
            gains = rules.applied(gains, [row for search in going for row in search.written(width)])
        best, index = (
            found.tolist() for found in gains.topk(min(searches[0].width, gains.shape[-1]))
        )
        for place, search in enumerate(going):
            rows = slice(place * width, (place + 1) * width)
            search.grow(best[rows], index[rows])
        places = [place for place, search in enumerate(going) if not search.over]
        if not places:
            return [search.tree() for search in searches]
        going = [going[place] for place in places]
        parents, tokens, width = _rows(going, places, width)
        state = state.select(places, parents)
        reading = torch.tensor(tokens, device=source.device)[:, None]


@dataclass(slots=True)
class _Search:
    """Of one source.

    Attributes:
        nodes: every prefix that was in the beam.
        live: places of those that go on, likeliest first.
        rows: of each of them its parent's place among those that were live before.
        answers: places of those that ended.
        best: the highest score of an answer.
    """

    limit: int
    beam: int
    alpha: float
    closing: Sequence[int]
    nodes: list[Node] = field(default_factory=list)
    live: list[int] = field(default_factory=lambda: [ROOT])
    rows: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    best: float = float("-inf")
    length: int = 0

    def grow(self, gains: list[list[float]], index: list[list[int]]) -> None:
        """One step, given the likeliest tokens of each live prefix; rows beyond are ignored.

        Sums are Python floats: in float32, a long prefix's sum would hide small differences
        between tokens.
        """
        totals = [0.0 if place == ROOT else self.nodes[place].total for place in self.live]
        grown = [
            (total + gain, gain, row, token)
            for row, total in enumerate(totals)
            for gain, token in zip(gains[row], index[row], strict=True)
            if gain > float("-inf")  # what a model must not write
        ]
        grown.sort(key=lambda found: found[0], reverse=True)
        likeliest = grown[: self.width]
        going = [found for found in likeliest if found[-1] not in self.closing][: self.beam]
        ended = [found for found in likeliest[: self.beam] if found[-1] in self.closing]
        parents = self.live
        self.length += 1
        for total, gain, row, token in ended:
            self.answers.append(len(self.nodes))
            self.best = max(self.best, total / length_penalty(self.length, self.alpha))
            self.nodes.append(Node(parents[row], token, gain, total))
        self.live = list(range(len(self.nodes), len(self.nodes) + len(going)))
        self.rows = [row for _, _, row, _ in going]
        self.nodes += [Node(parents[row], token, gain, total) for total, gain, row, token in going]

    def written(self, width: int) -> list[tuple[int, ...]]:
        """What each of `width` rows wrote: the live prefixes, the likeliest again for others."""
        paths = [_tokens(self.nodes, place) for place in self.live]
        return [*paths, *paths[:1] * (width - len(paths))]

    @property
    def width(self) -> int:
        """Prefixes that are looked at in one step: as many as may end, and the beam."""
        return (1 + len(self.closing)) * self.beam

    @property
    def over(self) -> bool:
        if not self.live or self.length == self.limit:
            return True
        if not self.answers or self.beam == 1:
            return bool(self.answers)
        # A log probability only falls, and the penalty is largest at the limit: that bounds
        # what the best live prefix can still become.
        return self.best >= self.nodes[self.live[0]].total / length_penalty(self.limit, self.alpha)

    def tree(self) -> BeamTree:
        fates: list[Fate] = ["left"] * len(self.nodes)
        for node in self.nodes:
            if node.parent != ROOT:
                fates[node.parent] = "grew"
        for place in self.answers:
            fates[place] = "ended"
        for place in self.live:
            fates[place] = "stopped"
        tree = BeamTree(tuple(self.nodes), tuple(fates), tuple(self.answers or self.live))
        ranked = sorted(tree.ranked, key=lambda place: -tree.score(place, self.alpha))
        return replace(tree, ranked=tuple(ranked[: self.beam]))


def _tokens(nodes: Sequence[Node], place: int) -> tuple[int, ...]:
    """Tokens up to and with a node."""
    return tuple(nodes[at].token for at in _places(nodes, place))


def _places(nodes: Sequence[Node], place: int) -> tuple[int, ...]:
    """Places of the nodes up to and with one."""
    places: list[int] = []
    while place != ROOT:
        places.append(place)
        place = nodes[place].parent
    return tuple(reversed(places))


def _rows(going: list[_Search], places: list[int], width: int) -> tuple[list[int], list[int], int]:
    """Parents and newest tokens of the rows of the next step, and how many a source has.

    All sources have as many rows: one with fewer live prefixes repeats its likeliest.
    """
    wider = max(len(search.live) for search in going)
    parents: list[int] = []
    tokens: list[int] = []
    for place, search in zip(places, going, strict=True):
        short = wider - len(search.live)
        parents += [place * width + row for row in (*search.rows, *search.rows[:1] * short)]
        newest = [search.nodes[at].token for at in search.live]
        tokens += [*newest, *newest[:1] * short]
    return parents, tokens, wider
