"""Which head to open with."""

import numpy as np
import pytest

from core.studies.focus import most_focused
from core.trace import AttentionSite, Floats, Token

KEYS = (Token("▁a", "a", 4, 0), Token("▁b", "b", 5, 1), Token("</s>", "end", 3))


def site(*heads: list[list[float]]) -> AttentionSite:
    """One layer of heads, each (query, key)."""
    weights: Floats = np.array([heads], dtype=np.float32)
    return AttentionSite("cross", weights, np.ones(weights.shape[2:], dtype=np.bool_))


def test_a_head_that_rests_on_the_end_is_not_focused() -> None:
    resting = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
    spread = [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3]]
    pointing = [[0.9, 0.0, 0.1], [0.1, 0.8, 0.1]]
    assert most_focused(site(resting, spread, pointing), KEYS) == (0, 2)
    assert most_focused(site(resting, spread), KEYS) == (0, 1)


def test_layers_are_told_from_heads() -> None:
    weights = np.full((3, 2, 1, 3), 1 / 3, dtype=np.float32)
    weights[2, 1, 0] = (1.0, 0.0, 0.0)
    allowed = np.ones((1, 3), dtype=np.bool_)
    assert most_focused(AttentionSite("cross", weights, allowed), KEYS) == (2, 1)


@pytest.mark.parametrize("keys", [KEYS[2:] * 3])
def test_only_special_keys_open_with_the_first_head(keys: tuple[Token, ...]) -> None:
    assert most_focused(site([[0.2, 0.3, 0.5]], [[1.0, 0.0, 0.0]]), keys) == (0, 0)
