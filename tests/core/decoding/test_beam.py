"""Beam search over chains whose every probability is known: the best answer by enumeration."""

import math
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.decoding.beam import ALPHA, beam_search, length_penalty
from core.decoding.stepper import Hypothesis
from core.nn.transformer import DecoderState
from core.text.tokenizer import Ends

END, START = 0, 1
SOURCE = torch.tensor([[0]])


class Chain:
    """A network without a body: the next token depends on the newest one alone."""

    def __init__(self, odds: Tensor) -> None:
        self.log_probabilities = (odds / odds.sum(dim=1, keepdim=True)).log()  # (newest, next)

    def start(self, source: Tensor) -> DecoderState:
        return DecoderState((), source[:, None, None, :] >= 0)

    def step(self, reading: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        return self.log_probabilities[reading], state

    def log_probability(self, tokens: tuple[int, ...]) -> float:
        read = (START, *tokens[:-1])
        return math.fsum(
            float(self.log_probabilities[a, b]) for a, b in zip(read, tokens, strict=True)
        )


def search(chain: Chain, limit: int, beam: int, alpha: float = ALPHA) -> tuple[Hypothesis, ...]:
    ends = Ends(START, (END,))
    return beam_search(chain, SOURCE, [limit], ends, beam=beam, alpha=alpha)[0].hypotheses()


def best_of_all(chain: Chain, limit: int, alpha: float) -> float:
    """The best length-normalised score of all sequences that end within the limit."""
    scores: list[float] = []
    for length in range(1, limit + 1):
        for start in product(range(1, len(chain.log_probabilities)), repeat=length - 1):
            tokens = (*start, END)
            # Wu et al. (2016), equation 14, written out once more
            penalty = math.pow(5 + length, alpha) / math.pow(5 + 1, alpha)
            scores.append(chain.log_probability(tokens) / penalty)
    return max(scores)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, 50), min_size=3, max_size=3), min_size=3, max_size=3),
    st.integers(1, 6),
    st.floats(0.0, 2.0),
)
def test_a_beam_as_wide_as_the_tree_finds_the_best(
    odds: list[list[int]], limit: int, alpha: float
) -> None:
    chain = Chain(torch.tensor(odds, dtype=torch.float32))
    found = search(chain, limit, 3**limit, alpha)[0]
    score = sum(found.gains) / length_penalty(len(found.tokens), alpha)
    assert found.finished
    assert sum(found.gains) == pytest.approx(chain.log_probability(found.tokens), abs=1e-4)
    assert score == pytest.approx(best_of_all(chain, limit, alpha), abs=1e-4)


def test_a_longer_answer_may_overtake_a_likelier_one() -> None:
    """P(end at once) = 0.55, else ten sure tokens: 0.45 wins once lengths are weighed."""
    odds = torch.full((12, 12), 1e-9)
    odds[START, END], odds[START, 2] = 0.55, 0.45
    for token in range(2, 11):
        odds[token, token + 1] = 1.0
    odds[11, END] = 1.0
    chain = Chain(odds)
    weighed = search(chain, 20, 3)[0]
    assert weighed.tokens == (*range(2, 12), END)
    assert sum(weighed.gains) == pytest.approx(math.log(0.45), abs=1e-4)
    assert search(chain, 20, 3, alpha=0.0)[0].tokens == (END,)
    # within a limit that is too tight for it, the short one stays the best
    assert search(chain, 8, 3)[0].tokens == (END,)


def test_the_limit_cuts_what_never_ends() -> None:
    odds = torch.tensor([[1.0, 1, 1], [1e-9, 1, 3], [1e-9, 3, 1]])
    found = search(Chain(odds), 5, 2)
    assert [hypothesis.finished for hypothesis in found] == [False, False]
    assert found[0].tokens == (2, 1, 2, 1, 2)
