"""Seq2Seq: attention as its formulas stand, padding that is not read, steps that are one pass."""

from typing import get_args

import pytest
import torch
from torch import Tensor

from core.nn.recurrent import CELLS, CellName
from core.nn.seq2seq import Alignment, Score, Seq2Seq, Seq2SeqConfig

SCORES: tuple[Score, ...] = get_args(Score)
SOURCE = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
TARGET = torch.tensor([[1, 4, 5], [1, 9, 3]])


def made(cell: CellName = "gru", attention: Score = "dot", layers: int = 2) -> Seq2Seq:
    torch.manual_seed(0)
    sizes = {"vocab_size": 12, "d_model": 6, "dropout": 0.3, "max_length": 16}
    config = Seq2SeqConfig(cell=cell, attention=attention, layers=layers, **sizes)
    return Seq2Seq(config).double().eval()


@pytest.fixture(params=CELLS)
def cell(request: pytest.FixtureRequest) -> CellName:
    found: CellName = request.param
    return found


@pytest.fixture(params=SCORES)
def attention(request: pytest.FixtureRequest) -> Score:
    found: Score = request.param
    return found


def test_it_writes_step_by_step_what_one_pass_says(cell: CellName, attention: Score) -> None:
    model = made(cell, attention)
    with torch.inference_mode():
        whole = model(SOURCE, TARGET)
        state, steps = model.start(SOURCE), []
        for at in range(TARGET.shape[1]):
            logits, state = model.step(TARGET[:, at : at + 1], state)
            steps.append(logits)
    torch.testing.assert_close(torch.cat(steps, 1), whole)


def test_padding_of_the_source_says_nothing(cell: CellName, attention: Score) -> None:
    model = made(cell, attention)
    with torch.inference_mode():
        padded, alone = model(SOURCE, TARGET)[1:], model(SOURCE[1:, :2], TARGET[1:])
    torch.testing.assert_close(padded, alone)


def test_beams_of_a_source_are_that_source_many_times(cell: CellName, attention: Score) -> None:
    model = made(cell, attention)
    rows = torch.tensor([[1], [1], [1], [1]])
    with torch.inference_mode():
        state = model.start(SOURCE)
        beams, after = model.step(rows, state)
        twice, _ = model.step(rows, model.start(SOURCE.repeat_interleave(2, 0)))
        torch.testing.assert_close(beams, twice)
        kept, _ = model.step(rows[:2], after.select([1], [3, 2]))
        again, _ = model.step(rows, after)
    torch.testing.assert_close(kept, again[[3, 2]])


def test_the_alignment_is_what_its_formulas_say(attention: Score) -> None:
    if attention == "none":
        return
    torch.manual_seed(0)
    alignment = Alignment(4, attention).double()
    s, h = torch.randn(1, 2, 4).double(), torch.randn(1, 3, 4).double()
    allowed = torch.tensor([True, True, False])[None, None, None]
    scores, weights, mixed = alignment(s, h, allowed)

    def score(query: Tensor, key: Tensor) -> Tensor:
        if attention == "dot":
            return query @ key
        if attention == "general":
            return query @ (alignment.of_encoder.weight @ key)
        inner = alignment.of_decoder(query) + alignment.of_encoder.weight @ key
        return alignment.energy.weight[0] @ torch.tanh(inner)

    for t in range(2):
        wanted = torch.stack([score(s[0, t], h[0, i]) for i in range(3)])
        torch.testing.assert_close(scores[0, 0, t], wanted)
        shares = torch.softmax(wanted[:2], 0)
        torch.testing.assert_close(weights[0, 0, t, :2], shares)
        assert weights[0, 0, t, 2].item() == 0.0
        torch.testing.assert_close(mixed[0, t], shares @ h[0, :2])


def test_what_is_written_by_has_both_parts() -> None:
    """[a_t; s_t] is twice as wide as a state."""
    model = made(attention="dot")
    assert model.joined.in_features == 2 * model.config.d_model


def test_without_attention_the_source_comes_through_what_is_carried_alone(cell: CellName) -> None:
    model = made(cell, "none")
    with torch.inference_mode():
        state = model.start(SOURCE)
        other = state._replace(memory=torch.zeros_like(state.memory))
        assert torch.equal(model.step(TARGET, state)[0], model.step(TARGET, other)[0])


def test_every_parameter_has_a_gradient(cell: CellName, attention: Score) -> None:
    model = made(cell, attention).train()
    model(SOURCE, TARGET).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_more_places_than_it_was_built_for_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 16"):
        made().start(torch.ones(1, 17, dtype=torch.long))
