"""What a head did, as numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.heads import head_traits
from core.trace import AttentionSite, Bools, Floats, Kind, Token

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
        "distance": 0.0,
        "previous": 0.0,
        "diagonal": 1.0,
        "next": 0.0,
        "first": 0.25,
        "special": 0.25,
    }


def test_a_flat_head_has_the_entropy_of_its_keys() -> None:
    traits = one_head(np.full((3, 4), 0.25, np.float32))
    assert traits["entropy"] == 2.0
    assert traits["diagonal"] == 0.25
    assert traits["previous"] == pytest.approx(2 / 3 * 0.25, abs=1e-4)


@given(
    st.lists(st.lists(st.floats(2**-7, 1, width=32), min_size=4, max_size=4), min_size=3),
    st.sampled_from((1e-30, 0.5, 3.0, 3e37)),
    st.booleans(),
)
def test_forced_weights_of_any_size_are_told_by_their_shares(
    parts: list[list[float]], scale: float, sinks: bool
) -> None:
    """As if they were the distribution that they are in proportion; rows of none do not count."""
    rows = np.array([*parts[:3], [0.0] * 4], np.float32)[None, None]
    rows[..., :3, :] /= rows[..., :3, :].sum(-1, keepdims=True)
    allowed = np.ones((4, 4), np.bool_)
    allowed[3] = False
    plain = AttentionSite("encoder_self", rows, allowed)
    put = AttentionSite(
        "encoder_self",
        rows * np.float32(scale),
        np.ones((4, 4), np.bool_),
        forced=True,
        sinks=np.zeros((1, 1, 4), np.float32) if sinks else None,
    )
    found, wanted = head_traits(put, KEYS), head_traits(plain, KEYS)
    assert found.keys() == wanted.keys()
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name], atol=2e-4, err_msg=name)


def test_no_entropy_has_no_sign() -> None:
    assert str(one_head(np.eye(4, dtype=np.float32))["entropy"]) == "0.0"


def test_a_silenced_head_tells_of_none() -> None:
    site = AttentionSite(
        "cross", np.zeros((1, 2, 3, 4), np.float32), np.ones((3, 4), np.bool_), forced=True
    )
    assert {value for values in head_traits(site, KEYS).values() for value in values[0]} == {0.0}


@given(st.lists(st.floats(2**-7, 1, width=32), min_size=4, max_size=4))
def test_what_goes_to_no_key_is_one_more_in_the_entropy(parts: list[float]) -> None:
    """As if it were a key; what is on keys is told without it."""
    row = np.array(parts, np.float32)[None, None, None]
    row /= row.sum()
    weights, sinks = row[..., :3], row[..., 3]
    site = AttentionSite("encoder_self", weights, np.ones((1, 3), np.bool_), sinks=sinks)
    found, four = head_traits(site, KEYS[:3]), one_head(row[0, 0])
    assert found["entropy"][0][0] == four["entropy"]
    assert found["first"][0][0] == four["first"]


def test_a_previous_token_head() -> None:
    weights = np.eye(4, k=-1, dtype=np.float32) + np.eye(4) * np.eye(4)[0]
    traits = one_head(weights)
    assert traits["previous"] == 0.75
    assert traits["distance"] == 0.75


def test_a_next_token_head() -> None:
    weights = np.eye(4, k=1, dtype=np.float32)
    weights[3, 0] = 1.0  # the last one has none after it, and looks three back
    traits = one_head(weights)
    assert traits["next"] == 0.75
    assert traits["previous"] == 0.0
    assert traits["distance"] == pytest.approx((1 + 1 + 1 + 3) / 4)


def test_rows_that_may_look_at_nothing_do_not_count() -> None:
    weights = np.eye(4, dtype=np.float32)
    weights[2:] = 0
    allowed = np.ones((4, 4), np.bool_)
    allowed[2:] = False
    traits = one_head(weights, allowed)
    assert traits["diagonal"] == 1.0
    assert traits["distance"] == 0.0


def test_nothing_allowed_is_zero_not_a_division_by_zero() -> None:
    assert set(one_head(np.zeros((2, 3), np.float32), np.zeros((2, 3), np.bool_)).values()) == {0.0}


def test_positions_of_two_sequences_are_not_compared() -> None:
    square = np.eye(4, dtype=np.float32)
    assert set(one_head(square, kind="cross")) == {"entropy", "distance", "first", "special"}
    assert one_head(square, kind="decoder_self")["diagonal"] == 1.0
    assert "next" not in one_head(square, kind="decoder_self")


@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (2, 4), (1, 1), (4, 4)])
def test_between_two_sequences_the_distance_is_a_share_of_their_lengths(
    rows: int, columns: int
) -> None:
    along = np.zeros((rows, columns), np.float32)
    across = np.zeros_like(along)
    for row in range(rows):
        column = round(row * (columns - 1) / max(rows - 1, 1))
        along[row, column] = 1.0
        across[row, columns - 1 - column] = 1.0
    exact = one_head(along, kind="cross")["distance"]
    assert exact <= 0.5 / max(columns - 1, 1)
    far = one_head(across, kind="cross")["distance"]
    assert exact <= far <= 1.0
    assert far == exact or rows > 1
