"""Which head to open with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from core.studies.informative import most_informative
from core.trace import AttentionSite, Floats, Kind, Token

KEYS = (Token("▁a", "a", 4, 0), Token("▁b", "b", 5, 1), Token("</s>", "end", 3))


def site(*heads: list[list[float]]) -> AttentionSite:
    """One layer of heads, each (query, key)."""
    weights: Floats = np.array([heads], dtype=np.float32)
    return AttentionSite("cross", weights, np.ones(weights.shape[2:], dtype=np.bool_))


def test_a_head_tells_nothing_that_rests_on_the_end_or_stares_at_one_word() -> None:
    resting = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
    staring = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    spread = [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3]]
    pointing = [[0.9, 0.0, 0.1], [0.1, 0.8, 0.1]]
    assert most_informative(site(resting, staring, spread, pointing), KEYS) == (0, 3)
    assert most_informative(site(resting, staring, spread), KEYS) == (0, 2)


@given(arrays(np.float64, (2, 3, 4, 3), elements=st.floats(0.01, 1.0)))
def test_it_tells_row_and_key_apart_as_entropies_do(drawn: NDArray[np.float64]) -> None:
    """I(row; key) = H(key) - H(key | row), where every key is ordinary."""
    weights = (drawn / drawn.sum(axis=3, keepdims=True)).astype(np.float32)
    words = tuple(Token(f"▁{at}", str(at), 4 + at, at) for at in range(3))
    layer, head = most_informative(
        AttentionSite("encoder_self", weights, np.ones((4, 3), bool)), words
    )
    of_key, of_key_by_row = entropy(weights.mean(axis=2)), entropy(weights).mean(axis=2)
    told = of_key - of_key_by_row
    assert told[layer, head] == pytest.approx(told.max(), abs=1e-6)


def entropy(shares: Floats) -> NDArray[np.float64]:
    nats: NDArray[np.float64] = -(shares * np.log(shares)).sum(axis=-1)
    return nats


def test_layers_are_told_from_heads() -> None:
    weights = np.full((3, 2, 2, 3), 1 / 3, dtype=np.float32)
    weights[2, 1] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    allowed = np.ones((2, 3), dtype=np.bool_)
    assert most_informative(AttentionSite("cross", weights, allowed), KEYS) == (2, 1)


@pytest.mark.parametrize(("kind", "opened"), [("encoder_self", (0, 1)), ("cross", (1, 0))])
def test_rows_of_cross_attention_write_in_the_last_layer_alone(
    kind: Kind, opened: tuple[int, int]
) -> None:
    weights = np.full((2, 2, 2, 3), 1 / 3, dtype=np.float32)
    weights[0, 1] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    weights[1, 0] = ((0.6, 0.2, 0.2), (0.2, 0.6, 0.2))
    allowed = np.ones((2, 3), dtype=np.bool_)
    assert most_informative(AttentionSite(kind, weights, allowed), KEYS) == opened


@pytest.mark.parametrize("keys", [KEYS[2:] * 3])
def test_only_special_keys_open_with_the_first_head(keys: tuple[Token, ...]) -> None:
    assert most_informative(site([[0.2, 0.3, 0.5]], [[1.0, 0.0, 0.0]]), keys) == (0, 0)
