import numpy as np
import pytest

from core.trace import AttentionSite, Bools, Floats, Kind, Token
from viz.inspector.traits import head_traits

KEYS = (
    Token("▁a", "a", 0, 0),
    Token("▁b", "b", 0, 1),
    Token("▁c", "c", 0, 2),
    Token("</s>", "end"),
)


def one_head(
    weights: Floats, allowed: Bools | None = None, kind: Kind = "encoder_self"
) -> dict[str, float]:
    site = AttentionSite(
        kind,
        weights[None, None].astype(np.float32),
        np.ones(weights.shape, np.bool_) if allowed is None else allowed,
    )
    traits = head_traits(site, KEYS[: weights.shape[1]])
    return {name: values[0][0] for name, values in traits.items()}


def test_a_diagonal_head() -> None:
    assert one_head(np.eye(4, dtype=np.float32)) == {
        "entropy": 0.0,
        "diagonal": 1.0,
        "previous": 0.0,
        "first": 0.25,
        "special": 0.25,
    }


def test_a_flat_head_has_the_entropy_of_its_keys() -> None:
    traits = one_head(np.full((3, 4), 0.25, np.float32))
    assert traits["entropy"] == 2.0
    assert traits["diagonal"] == 0.25
    assert traits["previous"] == pytest.approx(2 / 3 * 0.25, abs=1e-4)


def test_a_previous_token_head() -> None:
    assert (
        one_head(np.eye(4, k=-1, dtype=np.float32) + np.eye(4) * np.eye(4)[0])["previous"] == 0.75
    )


def test_rows_that_may_look_at_nothing_do_not_count() -> None:
    weights = np.eye(4, dtype=np.float32)
    weights[2:] = 0
    allowed = np.ones((4, 4), np.bool_)
    allowed[2:] = False
    assert one_head(weights, allowed)["diagonal"] == 1.0


def test_nothing_allowed_is_zero_not_a_division_by_zero() -> None:
    assert set(one_head(np.zeros((2, 3), np.float32), np.zeros((2, 3), np.bool_)).values()) == {0.0}


def test_positions_of_two_sequences_are_not_compared() -> None:
    square = np.eye(4, dtype=np.float32)
    assert set(one_head(square, kind="cross")) == {"entropy", "first", "special"}
    assert one_head(square, kind="decoder_self")["diagonal"] == 1.0
