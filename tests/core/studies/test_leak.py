"""The leak of a lifted mask, on looks whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.probe import LIFTED_MASK
from core.studies.leak import leak
from core.trace import AttentionSite, AttentionTrace, Floats, Token

WORDS = tuple(Token(f"▁{name}", name, index, index) for index, name in enumerate("abcd"))


def _trace(logits: Floats | None, weights: Floats, *, causal: bool) -> AttentionTrace:
    steps = weights.shape[-1]
    allowed = np.ones((steps, steps), np.bool_)
    site = AttentionSite("decoder_self", weights, np.tril(allowed) if causal else allowed)
    return AttentionTrace("made", (), WORDS[:steps], WORDS[:steps], {"decoder_self": site}, logits)


def _even(steps: int, *, causal: bool) -> Floats:
    allowed = np.tril(np.ones((steps, steps))) if causal else np.ones((steps, steps))
    even: Floats = (allowed / allowed.sum(axis=1, keepdims=True)).astype(np.float32)
    return even[None, None]  # (layer, head, query, key)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_it_is_the_softmax_of_the_right_answers(steps: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.normal(0, 30, (2, steps, 9)).astype(np.float32)
    measured = leak(
        _trace(first, _even(steps, causal=True), causal=True),
        _trace(second, _even(steps, causal=False), causal=False),
    )
    for logits, found in (
        (first, measured.probability_masked),
        (second, measured.probability_lifted),
    ):
        exponentials = np.exp(logits.astype(np.float64))
        right = exponentials[np.arange(steps), np.arange(steps)] / exponentials.sum(axis=1)
        np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-300)
    np.testing.assert_allclose(
        measured.change, measured.probability_lifted - measured.probability_masked
    )
    assert measured.log_probability_masked == pytest.approx(float(measured.masked.sum()))
    # even attention over n positions: row t gives n - 1 - t of n to what comes later
    expected = [(steps - 1 - row) / steps for row in range(steps)]
    np.testing.assert_allclose(measured.future, expected, atol=1e-6)


@given(st.integers(1, 4), st.data())
def test_a_text_that_a_model_goes_on_from_is_no_answer(steps: int, data: st.DataObject) -> None:
    """What is left of it is what the steps behind it are."""
    count = data.draw(st.integers(0, steps - 1))
    logits = np.random.default_rng(steps).normal(0, 3, (2, steps, 9)).astype(np.float32)
    looks = [
        _trace(one, _even(steps, causal=at == 0), causal=at == 0) for at, one in enumerate(logits)
    ]
    whole = leak(*looks)
    found = leak(*(replace(look, meta={"given": count}) for look in looks))
    assert found.given == count
    assert found.written == WORDS[count:steps]
    for name in ("masked", "lifted", "future", "change"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name)[count:])
    with pytest.raises(ValueError, match="probabilities of a target"):
        leak(*(replace(look, meta={"given": steps}) for look in looks))


def test_large_scores_do_not_overflow() -> None:
    logits = np.array([[1e4, -1e4]], np.float32)
    look = _trace(logits, _even(1, causal=True), causal=True)
    measured = leak(look, look)
    assert measured.probability_masked[0] == 1.0
    assert measured.change[0] == 0.0


def test_a_real_models_mask_is_what_is_measured(tiny_model: TransformerModel) -> None:
    request = TraceRequest("나는 물을 마신다", "I drink water")
    masked = tiny_model.trace(request)
    lifted = tiny_model.trace(replace(request, edits=(LIFTED_MASK,)))
    measured = leak(masked, lifted)
    assert len(measured.written) == len(masked.target)
    assert measured.future[:-1].min() > 0
    assert measured.future[-1] == pytest.approx(0, abs=1e-6)  # nothing comes after the last
    assert np.abs(measured.change[:-1]).max() > 0
    # this model knows the sentence by heart, so its mask costs it nothing
    assert measured.probability_masked.mean() > 0.8


def test_looks_that_cannot_be_compared_are_refused() -> None:
    logits = np.zeros((2, 5), np.float32)
    look = _trace(logits, _even(2, causal=True), causal=True)
    with pytest.raises(ValueError, match="same tokens"):
        leak(look, _trace(np.zeros((3, 5), np.float32), _even(3, causal=False), causal=False))
    with pytest.raises(ValueError, match="probabilities"):
        leak(look, replace(look, logits=None))
    with pytest.raises(ValueError, match="no decoder"):
        leak(look, replace(look, sites={}))
    unknown = (*look.written[:1], replace(look.written[1], id=-1))
    nameless = replace(look, written=unknown)
    with pytest.raises(ValueError, match="probabilities"):
        leak(nameless, nameless)
