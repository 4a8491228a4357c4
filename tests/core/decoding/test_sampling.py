"""Chance in what is written: against a slow twin, against the probabilities, against greedy."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.forced import continued
from core.decoding.greedy import greedy
from core.decoding.sampling import chance, drawn, nucleus
from core.model import MOST_SEED, Sampling
from core.reasons import RefusedError
from tests.core.decoding.test_search import END, MODELS, VOCABULARY, Ids
from tests.core.decoding.test_search import next_log_probabilities as next_

Logits = st.lists(st.floats(-20, 20), min_size=1, max_size=12)
Samplings = st.builds(
    Sampling,
    st.integers(0, MOST_SEED),
    st.sampled_from((0.0, 0.05, 0.7, 1.0, 2.0)),
    st.sampled_from((0.05, 0.5, 0.9, 1.0)),
)
Prefix = st.lists(st.integers(0, VOCABULARY - 1).filter(lambda id: id != END), max_size=4)


def slowly(logits: Sequence[float], sampling: Sampling, place: int) -> int:
    """A token drawn with Python's own numbers, one after another."""
    top = max(logits)
    if sampling.temperature == 0:
        return list(logits).index(top)
    odds = [math.exp((logit - top) / sampling.temperature) for logit in logits]
    kept: list[int] = []
    for token in sorted(range(len(odds)), key=lambda token: -logits[token]):
        if math.fsum(odds[at] for at in kept) >= sampling.top_p * math.fsum(odds) * (1 - 1e-12):
            break
        kept.append(token)
    left = Random(f"{sampling.seed}/{place}").random() * math.fsum(odds[at] for at in kept)
    for token in kept:
        left -= odds[token]
        if left < 0:
            return token
    return kept[-1]


@settings(max_examples=200, deadline=None)
@given(Logits, Samplings, st.integers(0, 1000))
def test_what_is_drawn_is_what_its_slow_twin_draws(
    logits: list[float], sampling: Sampling, place: int
) -> None:
    assert drawn(logits, sampling, place) == slowly(logits, sampling, place)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(MODELS) - 1), Ids, Prefix, st.integers(1, 8), Samplings)
def test_with_a_cache_it_writes_what_full_passes_draw(
    model: int, source: list[int], prefix: list[int], more: int, sampling: Sampling
) -> None:
    limit = len(prefix) + more
    found = continued(MODELS[model], torch.tensor([source]), prefix, limit, sampling=sampling)
    written, total = list(prefix), 0.0
    for place, token in enumerate(found.tokens):
        gains = next_(MODELS[model], source, written[:place])
        if place >= len(prefix):
            written.append(slowly(gains.tolist(), sampling, place))
        total += float(gains[token])
    assert found.tokens == tuple(written)
    assert len(written) == limit or written[-1] == END
    assert sum(found.gains) == pytest.approx(total, abs=1e-4)  # the model's, not chance's


@settings(max_examples=20, deadline=None)
@given(st.integers(0, len(MODELS) - 1), Ids, st.sampled_from(((0.0, 1.0), (1.0, 1e-9))))
def test_without_heat_or_with_the_least_nucleus_it_is_greedy(
    model: int, source: list[int], cold: tuple[float, float]
) -> None:
    batch = torch.tensor([source])
    sampled = continued(MODELS[model], batch, (), 12, sampling=Sampling(3, *cold))
    assert sampled.tokens == greedy(MODELS[model], batch, [12])[0].tokens


@settings(max_examples=20, deadline=None)
@given(st.integers(0, len(MODELS) - 1), Ids, st.integers(0, 12), st.integers(0, MOST_SEED))
def test_a_branch_meets_the_same_chance_at_the_same_place(
    model: int, source: list[int], kept: int, seed: int
) -> None:
    batch, sampling = torch.tensor([source]), Sampling(seed)
    free = continued(MODELS[model], batch, (), 12, sampling=sampling)
    again = continued(MODELS[model], batch, free.tokens[:kept], 12, sampling=sampling)
    assert again.tokens == free.tokens


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.5, 1.0), (1.0, 0.8), (2.0, 0.9)])
def test_tokens_come_as_often_as_their_probabilities_say(temperature: float, top_p: float) -> None:
    logits = np.log([0.4, 0.3, 0.15, 0.1, 0.05])
    draws = 20_000
    counts = Counter(drawn(logits, Sampling(seed, temperature, top_p), 5) for seed in range(draws))
    tokens, shares = nucleus(logits, Sampling(0, temperature, top_p))
    assert shares.sum() == pytest.approx(1)
    assert counts.keys() <= set(tokens.tolist())
    wanted = draws * shares
    seen = np.array([counts[int(token)] for token in tokens])
    # Pearson's statistic; of at most 4 degrees of freedom it is above 18.5 once in a thousand times
    assert float(((seen - wanted) ** 2 / wanted).sum()) < 18.5


def test_a_nucleus_is_the_fewest_tokens_with_that_share() -> None:
    logits = np.log([0.05, 0.4, 0.3, 0.25])
    tokens, shares = nucleus(logits, Sampling(0, top_p=0.69))
    assert tokens.tolist() == [1, 2]
    np.testing.assert_allclose(shares, np.array([0.4, 0.3]) / 0.7)


@given(
    st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=9),
    st.floats(0, 1e-300, allow_subnormal=True),
)
def test_the_colder_the_likelier_down_to_the_likeliest_alone(
    logits: list[float], temperature: float
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tokens, shares = nucleus(logits, Sampling(0, temperature))
    assert logits[tokens[0]] == max(logits)
    assert shares.sum() == pytest.approx(1)
    assert temperature == 0 or {logits[at] for at in tokens} == {max(logits)}


@pytest.mark.parametrize("logits", [[np.nan] * 4, [np.inf, 0.0, 1.0], [-np.inf, np.nan]])
def test_of_what_is_no_number_one_token_is_drawn(logits: list[float]) -> None:
    """A pass refuses it, and says whose fault it is; before that nothing breaks."""
    tokens, shares = nucleus(logits, Sampling(1))
    assert len(tokens) == 1
    assert shares.tolist() == [1.0]
    assert 0 <= drawn(logits, Sampling(1), 0) < len(logits)


def test_what_a_model_must_not_write_is_never_drawn() -> None:
    logits = [-math.inf, 0.0, -math.inf, -1.0]
    assert {drawn(logits, Sampling(seed, 2.0), 0) for seed in range(200)} == {1, 3}


def test_chance_is_the_same_on_every_machine_and_in_every_version() -> None:
    """Links carry a seed: with other numbers they would open other texts."""
    assert chance(7, 0) == 0.7059339087777089
    assert chance(7, 1) == 0.05507912152868766
    places = np.array([chance(seed, place) for seed in range(20) for place in range(100)])
    assert abs(places.mean() - 0.5) < 0.03
    assert abs(np.corrcoef(places[:-1], places[1:])[0, 1]) < 0.08


@pytest.mark.parametrize(
    "wrong", [(-1, 1.0, 1.0), (MOST_SEED + 1, 1.0, 1.0), (0, -0.1, 1.0), (0, 2.1, 1.0)]
)
def test_numbers_out_of_their_range_are_refused(wrong: tuple[int, float, float]) -> None:
    with pytest.raises(RefusedError):
        Sampling(*wrong)
    for number in (math.nan, 0.0, 1.01):
        with pytest.raises(RefusedError):
            Sampling(0, 1.0, number)
    with pytest.raises(RefusedError):
        Sampling(0, math.nan)
