import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.words import words_of
from core.trace import Token
from tests.twins.words import word_weights


def sentence(words: list[int]) -> list[Token]:
    """Pieces of these words; -1 is a special token."""
    return [Token(f"p{at}", f"p{at}", at, word) for at, word in enumerate(words)]


def test_special_tokens_are_words_by_themselves() -> None:
    assert words_of(sentence([-1, -1, 0, 0, 1, -1])) == [[0], [1], [2, 3], [4], [5]]


def test_keys_are_added_and_queries_averaged() -> None:
    weights = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]], np.float32)
    got = word_weights(weights, sentence([0, 0]), sentence([0, 0, -1]))
    assert got == pytest.approx(np.array([[(0.75 + 0.3) / 2, (0.25 + 0.7) / 2]]))


def test_a_query_that_looks_at_nothing_takes_no_part() -> None:
    weights = np.array([[0.0, 0.0], [0.25, 0.75]], np.float32)
    queries, keys = sentence([0, 0]), sentence([0, 1])
    got = word_weights(weights, queries, keys, np.array([[False, False], [True, True]]))
    assert got == pytest.approx(np.array([[0.25, 0.75]]))


def test_a_query_that_may_look_takes_part_though_its_weights_go_to_no_key() -> None:
    weights = np.array([[0.0, 0.0], [0.25, 0.75]], np.float32)
    queries, keys = sentence([0, 0]), sentence([0, 1])
    got = word_weights(weights, queries, keys, np.array([[True, False], [True, True]]))
    assert got == pytest.approx(np.array([[0.125, 0.375]]))


def test_axes_must_fit() -> None:
    with pytest.raises(ValueError, match="2 queries, 1 keys"):
        word_weights(np.ones((2, 2), np.float32), sentence([0, 1]), sentence([0]))


@given(
    st.lists(st.booleans(), min_size=1, max_size=9),
    st.lists(st.booleans(), min_size=1, max_size=9),
    st.integers(0, 2**32 - 1),
)
def test_rows_still_sum_to_one(rows: list[bool], columns: list[bool], seed: int) -> None:
    queries, keys = (sentence(np.cumsum(starts).tolist()) for starts in (rows, columns))
    odds = np.random.default_rng(seed).random((len(rows), len(columns))) + 1e-3
    weights = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    assert word_weights(weights, queries, keys).sum(axis=1) == pytest.approx(1, abs=1e-5)
