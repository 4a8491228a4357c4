"""The peers do the same work: with our weights, they compute what we compute."""

import pytest
import torch

from core.decoding.beam import beam_search
from core.decoding.greedy import greedy
from core.families.transformer.objective import label_smoothed_loss
from core.nn.transformer import Transformer
from core.text.examples import collate
from core.text.tokenizer import Ends
from tests.bench import decoding
from tests.bench.peers import SMOOTHING, marian, marian_logits, mean_loss, torch_translator
from tests.bench.workload import Size, examples

SIZE = Size("smallest", d_model=32, layers=2, heads=4, positions=256, rounds=1)


@pytest.fixture(scope="module")
def ours() -> Transformer:
    torch.manual_seed(0)
    model = Transformer(SIZE.config(dropout=0.0))
    with torch.no_grad():  # off their initial values, so that a missing one shows
        for name, parameter in model.named_parameters():
            if "norm" not in name:
                parameter.add_(torch.randn_like(parameter) * 0.05)
    return model


def test_the_loss_and_its_gradient_are_the_same(ours: Transformer) -> None:
    batch = collate(examples(9)[:12])
    theirs, third = torch_translator(ours), marian(ours)
    mine = label_smoothed_loss(ours, batch, SMOOTHING) / batch.tokens
    losses = (
        (mine, ours.embedding.weight),
        (mean_loss(theirs(batch.source, batch.target), batch), theirs.embedding.weight),
        (mean_loss(marian_logits(third, batch), batch), third.model.shared.weight),
    )
    slopes = [torch.autograd.grad(loss, weight)[0] for loss, weight in losses]
    for (loss, _), slope in zip(losses[1:], slopes[1:], strict=True):
        torch.testing.assert_close(loss, mine, atol=1e-4, rtol=0)
        torch.testing.assert_close(slope, slopes[0], atol=1e-4, rtol=1e-3)


def test_as_many_weights_are_trained(ours: Transformer) -> None:
    counts = {
        sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
        for model in (ours, marian(ours))
    }
    assert len(counts) == 1
    # PyTorch's own has one LayerNorm more behind each stack.
    theirs = sum(weight.numel() for weight in torch_translator(ours).parameters())
    assert theirs == counts.pop() + 4 * SIZE.d_model


def test_the_same_tokens_are_written(ours: Transformer) -> None:
    model, peer = ours.eval(), marian(ours).eval()
    source = collate(examples(9)[:3]).source
    ends = Ends(closing=(decoding.NOBODY,))
    mine = [found.tokens for found in greedy(model, source, [7] * 3, ends)]
    assert decoding.generate(peer, source, 7, beam=1) == mine
    trees = beam_search(model, source, [7] * 3, ends, beam=4)
    best = [tree.hypotheses()[0].tokens for tree in trees]
    assert decoding.generate(peer, source, 7, beam=4) == best
