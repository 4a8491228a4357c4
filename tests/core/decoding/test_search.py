"""Cached search against slow twins that read the whole prefix at every step."""

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.beam import ALPHA, beam_search, length_penalty
from core.decoding.greedy import greedy
from core.decoding.limits import output_limit
from core.decoding.stepper import Hypothesis
from core.nn.transformer import Transformer, TransformerConfig
from core.text.tokenizer import END_ID, START_ID

START, END, VOCABULARY = START_ID, END_ID, 13

Ids = st.lists(st.integers(1, VOCABULARY - 1), min_size=1, max_size=9)


def make_model(seed: int, norm: str = "pre") -> Transformer:
    """A random model whose next token varies: tied random weights alone repeat their input."""
    config = TransformerConfig.model_validate(
        {
            "vocab_size": VOCABULARY,
            "d_model": 16,
            "d_ff": 32,
            "heads": 2,
            "encoder_layers": 1,
            "decoder_layers": 2,
            "max_length": 32,
            "norm": norm,
        }
    )
    torch.manual_seed(seed)
    model = Transformer(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.3)
    return model


MODELS = [make_model(seed, norm) for seed in range(3) for norm in ("pre", "post")]


def next_log_probabilities(
    model: Transformer, source: Sequence[int], written: Sequence[int]
) -> torch.Tensor:
    """(vocab,) after `written`, by one full forward pass without any cache."""
    with torch.inference_mode():
        logits: torch.Tensor = model(torch.tensor([source]), torch.tensor([[START, *written]]))
    return logits[0, -1].log_softmax(dim=-1)


def slow_greedy(model: Transformer, source: Sequence[int], limit: int) -> Hypothesis:
    written: list[int] = []
    told: list[float] = []
    while len(written) < limit and END not in written:
        gains = next_log_probabilities(model, source, written)
        written.append(int(gains.argmax()))
        told.append(float(gains.max()))
    return Hypothesis(tuple(written), tuple(told), written[-1] == END)


def slow_beam(model: Transformer, source: Sequence[int], limit: int, beam: int) -> Hypothesis:
    """Every continuation of every prefix, always until the limit but for a beam of one."""
    live: list[tuple[tuple[int, ...], tuple[float, ...]]] = [((), ())]
    answers: list[Hypothesis] = []
    for _ in range(limit):
        grown = [
            ((*written, token), (*told, gain))
            for written, told in live
            for token, gain in enumerate(next_log_probabilities(model, source, written).tolist())
        ]
        grown.sort(key=lambda prefix: -math.fsum(prefix[1]))
        answers += [Hypothesis(w, told, True) for w, told in grown[:beam] if w[-1] == END]
        live = [prefix for prefix in grown if prefix[0][-1] != END][:beam]
        if answers and beam == 1:
            break
    if not answers:
        answers = [Hypothesis(written, told, False) for written, told in live]
    # Wu et al. (2016), equation 14, written out once more
    return max(answers, key=lambda a: sum(a.gains) / ((5 + len(a.tokens)) / 6) ** ALPHA)


def run_greedy(model: Transformer, source: Sequence[int], limit: int) -> Hypothesis:
    batch = torch.tensor([source])
    return greedy(model, batch, [limit])[0]


def run_beam(model: Transformer, source: Sequence[int], limit: int, beam: int) -> Hypothesis:
    batch = torch.tensor([source])
    (tree,) = beam_search(model, batch, [limit], beam=beam)
    return tree.hypotheses()[0]


def assert_same(one: Hypothesis, other: Hypothesis) -> None:
    assert one.tokens == other.tokens
    assert one.finished == other.finished
    assert one.gains == pytest.approx(other.gains, abs=1e-4)
    assert sum(one.gains) == pytest.approx(sum(other.gains), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(MODELS), Ids, st.integers(1, 12))
def test_greedy_equals_its_slow_twin(model: Transformer, source: list[int], limit: int) -> None:
    assert_same(run_greedy(model, source, limit), slow_greedy(model, source, limit))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(MODELS), Ids, st.integers(1, 8), st.integers(1, 5))
def test_beam_equals_its_slow_twin(
    model: Transformer, source: list[int], limit: int, beam: int
) -> None:
    assert_same(run_beam(model, source, limit, beam), slow_beam(model, source, limit, beam))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(MODELS), Ids, st.integers(1, 12))
def test_beam_of_one_is_greedy(model: Transformer, source: list[int], limit: int) -> None:
    assert_same(run_beam(model, source, limit, 1), run_greedy(model, source, limit))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(MODELS),
    st.lists(st.tuples(Ids, st.integers(1, 12)), min_size=1, max_size=6),
)
def test_a_padded_batch_equals_one_by_one(
    model: Transformer, rows: list[tuple[list[int], int]]
) -> None:
    width = max(len(source) for source, _ in rows)
    batch = torch.tensor([source + [0] * (width - len(source)) for source, _ in rows])
    limits = [limit for _, limit in rows]
    together = greedy(model, batch, limits)
    beams = beam_search(model, batch, limits, beam=3)
    for found, best, (source, limit) in zip(together, beams, rows, strict=True):
        assert_same(found, run_greedy(model, source, limit))
        assert_same(best.hypotheses()[0], run_beam(model, source, limit, 3))


def test_the_random_models_do_end_and_do_differ() -> None:
    """Otherwise the tests above would compare little."""
    found = [run_greedy(model, [5, source], 12) for model in MODELS for source in range(4, 12)]
    assert any(hypothesis.finished for hypothesis in found)
    assert any(not hypothesis.finished for hypothesis in found)
    assert len({hypothesis.tokens for hypothesis in found}) > 8


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(MODELS), Ids, st.integers(2, 5))
def test_answers_come_best_first(model: Transformer, source: list[int], beam: int) -> None:
    batch = torch.tensor([source])
    (tree,) = beam_search(model, batch, [8], beam=beam)
    answers = tree.hypotheses()
    assert 1 <= len(answers) <= beam
    scores = [tree.score(place) for place in tree.ranked]
    assert scores == sorted(scores, reverse=True)
    assert len({answer.finished for answer in answers}) == 1
    for answer in answers:
        steps = [
            float(next_log_probabilities(model, source, answer.tokens[:step])[token])
            for step, token in enumerate(answer.tokens)
        ]
        assert math.fsum(steps) == pytest.approx(sum(answer.gains), abs=1e-4)


def test_length_penalty_is_that_of_the_paper() -> None:
    # Wu et al. (2016), equation 14: lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha
    assert length_penalty(1) == 1.0
    assert length_penalty(7) == pytest.approx(12**ALPHA / 6**ALPHA)
    assert length_penalty(30, 0.0) == 1.0


def test_output_is_at_most_fifty_beyond_the_input() -> None:
    assert output_limit(10, 200) == 60
    assert output_limit(10, 40) == 40


@pytest.mark.parametrize("limits", [[], [1, 1], [0]])
def test_greedy_refuses_limits_that_do_not_fit(limits: list[int]) -> None:
    with pytest.raises(ValueError, match="limit"):
        greedy(MODELS[0], torch.tensor([[5]]), limits)


@pytest.mark.parametrize(
    ("limits", "beam", "alpha"),
    [([5, 5], 2, 0.6), ([], 2, 0.6), ([0], 2, 0.6), ([5], 0, 0.6), ([5], 2, -1)],
)
def test_beam_refuses_parameters_out_of_range(limits: list[int], beam: int, alpha: float) -> None:
    source = torch.full((1, 3), 5)
    with pytest.raises(ValueError, match="one limit a row"):
        beam_search(MODELS[0], source, limits, beam=beam, alpha=alpha)


def test_nothing_asks_for_nothing() -> None:
    nobody = torch.empty(0, 3, dtype=torch.long)
    assert greedy(MODELS[0], nobody, []) == []
    assert beam_search(MODELS[0], nobody, []) == []


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(MODELS), st.lists(Ids, min_size=1, max_size=3), st.integers(1, 4))
def test_rows_of_one_source_read_as_if_each_had_its_own(
    model: Transformer, sources: list[list[int]], beam: int
) -> None:
    width = max(map(len, sources))
    source = torch.tensor([ids + [0] * (width - len(ids)) for ids in sources])
    first, second = torch.randint(1, VOCABULARY, (2, len(sources) * beam, 1))
    with torch.inference_mode():
        shared, own = model.start(source), model.start(source.repeat_interleave(beam, 0))
        for reading in (first, second):
            mine, shared = model.decode(reading, shared)
            expected, own = model.decode(reading, own)
            torch.testing.assert_close(mine, expected, atol=1e-5, rtol=1e-5)
    assert [len(pair.keys) for pair in shared.memory] == [len(sources)] * 2


def test_only_what_moves_is_copied() -> None:
    model = MODELS[0]
    with torch.inference_mode():
        _, state = model.decode(torch.full((4, 1), 5), model.start(torch.tensor([[5, 6], [7, 0]])))
    still = state.select([0, 1], [0, 1, 2, 3])
    assert still.past[0].keys is state.past[0].keys
    moved = state.select([0, 1], [1, 1, 3, 2])
    assert moved.memory[0].keys is state.memory[0].keys
    torch.testing.assert_close(moved.past[1].values, state.past[1].values[[1, 1, 3, 2]])
    fewer = state.select([1], [3, 2])
    assert torch.equal(fewer.memory[1].keys, state.memory[1].keys[1:])
    assert fewer.source_allowed.tolist() == [[[[True, False]]]]
    assert torch.equal(fewer.past[0].keys, state.past[0].keys[[3, 2]])
