"""The sliced cross-entropy against torch's own."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from core.nn.fast import cross_entropy
from core.nn.fast.cross_entropy import smoothed_cross_entropy


@given(st.integers(0, 40), st.integers(2, 30), st.floats(0, 0.9), st.sampled_from([1.0, 50.0]))
def test_loss_and_gradient_are_torchs(
    tokens: int, vocabulary: int, smoothing: float, spread: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cross_entropy, "_CACHED", 100)  # so that several slices are needed
        torch.manual_seed(tokens)
        logits = (spread * torch.randn(tokens, vocabulary)).requires_grad_()
        right = torch.randint(vocabulary, (tokens,))
        ours = smoothed_cross_entropy(logits, right, smoothing)
        theirs = F.cross_entropy(logits, right, label_smoothing=smoothing, reduction="sum")
        slopes = [torch.autograd.grad(loss / 3, logits)[0] for loss in (ours, theirs)]
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(*slopes, rtol=1e-4, atol=1e-6)


def test_half_floats_are_summed_in_whole_ones() -> None:
    torch.manual_seed(0)
    logits, right = torch.randn(3000, 50).bfloat16(), torch.randint(50, (3000,))
    loss = smoothed_cross_entropy(logits, right, 0.1)
    assert loss.dtype == torch.float32
    expected = F.cross_entropy(logits.double(), right, label_smoothing=0.1, reduction="sum")
    assert float(loss) == pytest.approx(float(expected), rel=1e-5)


@pytest.mark.parametrize("bad", [torch.inf, torch.nan])
def test_what_is_not_finite_stays_so(bad: float) -> None:
    logits = torch.zeros(4, 5)
    logits[2, 1] = bad
    assert not smoothed_cross_entropy(logits, torch.zeros(4, dtype=torch.long), 0.1).isfinite()


def test_rows_beyond_the_labels_count_for_nothing() -> None:
    torch.manual_seed(0)
    logits = torch.randn(9, 5, requires_grad=True)
    right = torch.randint(5, (6,))
    found = [smoothed_cross_entropy(x, right, 0.1) for x in (logits, logits[:6])]
    torch.testing.assert_close(found[0], found[1])
    slopes = [torch.autograd.grad(loss, logits)[0] for loss in found]
    torch.testing.assert_close(slopes[0], slopes[1])
    assert not slopes[0][6:].any()
