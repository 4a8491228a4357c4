"""What is trained on, and the batches that it is summed over."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from core.families.transformer.objective import label_smoothed_loss, negative_log_likelihood
from core.nn.transformer import Transformer, TransformerConfig
from core.text.examples import Example, collate, translation
from core.text.tokenizer import END_ID, PAD_ID, START_ID
from core.training.batches import endless_order, epoch_order
from core.training.loop import adam

IDS = st.lists(st.integers(4, 19), min_size=1, max_size=9).map(tuple)
EXAMPLES = st.lists(st.builds(translation, IDS, IDS), min_size=1, max_size=30)


def model() -> Transformer:
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    return Transformer(
        TransformerConfig.model_validate({"vocab_size": 20, "dropout": 0.0, **sizes})
    )


def test_adam_is_the_papers() -> None:
    group = adam(model()).param_groups[0]
    assert group["betas"] == (0.9, 0.98)
    assert group["eps"] == 1e-9
    assert group["weight_decay"] == 0


@settings(max_examples=25)
@given(EXAMPLES, st.floats(0, 0.9))
def test_loss_equals_the_sum_over_single_tokens(examples: list[Example], smoothing: float) -> None:
    network = model().eval()
    total, count = 0.0, 0
    for example in examples:
        source = torch.tensor([example.source])
        read = torch.tensor([example.target])
        with torch.no_grad():
            logs = F.log_softmax(network(source, read)[0], dim=-1)
        for row, right in zip(logs, example.written, strict=True):
            total -= float((1 - smoothing) * row[right] + smoothing * row.mean())
            count += 1
    with torch.no_grad():
        loss = label_smoothed_loss(network, collate(examples), smoothing)
    assert float(loss) == pytest.approx(total, rel=1e-4)
    if smoothing == 0:
        batch = collate(examples)
        assert float(negative_log_likelihood(network, batch).sum()) == pytest.approx(
            total, rel=1e-4
        )
        assert batch.tokens == count


@pytest.mark.parametrize("tokens", [127, 128, 130, 500, 1001])
def test_filler_behind_a_large_batch_counts_for_nothing(tokens: int) -> None:
    """Batches of about a size are made equal by a few rows that nobody looks at."""
    network = model().eval()
    examples = [translation((4 + at % 9,), (5, 6)) for at in range(tokens // 3 - 1)]
    examples.append(translation((7,), (8,) * (tokens - 3 * len(examples) - 1)))
    alone = [float(negative_log_likelihood(network, collate([each]))) for each in examples]
    batch = collate(examples)
    together = negative_log_likelihood(network, batch)
    assert batch.tokens == tokens
    assert together.tolist() == pytest.approx(alone, rel=1e-5)
    with torch.no_grad():
        trained_on = label_smoothed_loss(network, collate(examples), 0.0)
    assert float(trained_on) == pytest.approx(sum(alone), rel=1e-5)


def test_bf16_and_fp32_agree_on_the_loss() -> None:
    network = model()
    batch = collate([translation((4, 5, 6), (7, 8)), translation((9,), (10, 11, 12))])
    full = label_smoothed_loss(network, batch, 0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = label_smoothed_loss(network, batch, 0.1)
    assert math.isclose(full.item(), half.item(), rel_tol=0.02)


@given(EXAMPLES)
def test_a_batch_reads_what_it_has_just_written(examples: list[Example]) -> None:
    batch = collate(examples)
    for i, example in enumerate(examples):
        length = len(example.target)
        assert batch.target[i, 0] == START_ID
        assert batch.target[i, 1:length].tolist() == batch.written[i, : length - 1].tolist()
        assert batch.written[i, length - 1] == END_ID
        assert (batch.written[i, length:] == PAD_ID).all()
        assert batch.source[i, : len(example.source)].tolist() == [*example.source]
        assert example.source[-1] == END_ID


@given(EXAMPLES, st.integers(8, 200), st.integers(0, 5), st.integers(0, 3))
def test_an_epoch_shows_every_pair_once_within_the_budget(
    examples: list[Example], budget: int, seed: int, epoch: int
) -> None:
    order = epoch_order(examples, budget, seed, epoch)
    assert sorted(i for batch in order for i in batch) == list(range(len(examples)))
    for indices in order:
        batch = collate([examples[i] for i in indices])
        assert len(indices) == 1 or batch.source.numel() + batch.target.numel() <= budget
    assert order == epoch_order(examples, budget, seed, epoch)


@given(EXAMPLES, st.integers(0, 12))
def test_batches_can_be_taken_up_at_any_position(examples: list[Example], start: int) -> None:
    whole, later = endless_order(examples, 40, 3, 0), endless_order(examples, 40, 3, start)
    for _ in range(start):
        next(whole)
    assert [next(whole) for _ in range(3)] == [next(later) for _ in range(3)]
