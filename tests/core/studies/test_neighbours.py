"""Neighbours: the nearest by angle, none that names nothing, and a plane that keeps what it can."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.outputs import Embedding
from core.studies.neighbours import neighbours
from core.trace import Token

WORDS = ["rain", "snow", "hot", "cold", "cafe", "tea", "go", "come"]
TOKENS = (
    Token("<pad>", "pad", 0),
    Token("<s>", "start", 1),
    Token("<0xEA>", "\ufffd", 2, 0),
    Token("\u2581", " ", 3, 0),
    *(Token(f"\u2581{word}", word, 4 + at, 0) for at, word in enumerate(WORDS)),
    Token("rain", "rain", 12, 0),
)


def embedding(seed: int, read: list[int], width: int = 6) -> Embedding:
    vectors = np.random.default_rng(seed).normal(size=(len(TOKENS), width)).astype(np.float32)
    return Embedding(tuple(TOKENS[id] for id in read), TOKENS, vectors)


@settings(max_examples=40)
@given(
    st.integers(0, 1000), st.lists(st.integers(4, 12), min_size=1, max_size=6), st.integers(1, 9)
)
def test_neighbours_are_the_nearest_one_by_one(seed: int, read: list[int], count: int) -> None:
    asked = embedding(seed, read)
    found = neighbours(asked, count)
    assert [one.token.id for one in found.near] == list(dict.fromkeys(read))
    for one in found.near:
        own = asked.vectors[one.token.id].astype(np.float64)
        cosines = {
            id: float(own @ other / np.linalg.norm(own) / np.linalg.norm(other))
            for id, other in enumerate(asked.vectors.astype(np.float64))
            if id >= 4 and TOKENS[id].text != one.token.text
        }
        best = sorted(cosines, key=lambda id: -cosines[id])[:count]
        assert list(one.ids) == best
        np.testing.assert_allclose(one.cosines, [cosines[id] for id in best], atol=1e-5)
        assert all(id in found.places for id in (one.token.id, *one.ids))


@given(st.integers(0, 1000))
def test_a_plane_keeps_the_distances_of_what_lies_in_one(seed: int) -> None:
    asked = embedding(seed, [4, 5, 6], width=2)
    found = neighbours(asked, 3)
    assert found.kept == pytest.approx(1.0)
    units = asked.vectors / np.linalg.norm(asked.vectors, axis=1, keepdims=True)
    for one in found.places:
        for other in found.places:
            apart = np.linalg.norm(np.subtract(found.places[one], found.places[other]))
            assert apart == pytest.approx(np.linalg.norm(units[one] - units[other]), abs=1e-4)


@given(st.integers(0, 1000), st.integers(1, 8))
def test_nothing_lies_farther_apart_on_a_plane_than_it_does(seed: int, width: int) -> None:
    asked = embedding(seed, [4, 5, 6, 7], width)
    places = neighbours(asked, 3).places
    units = asked.vectors / np.linalg.norm(asked.vectors, axis=1, keepdims=True)
    for one in places:
        for other in places:
            apart = np.linalg.norm(np.subtract(places[one], places[other]))
            assert apart <= np.linalg.norm(units[one] - units[other]) + 1e-4


def test_a_byte_is_called_by_its_letter_and_is_nobodys_neighbour() -> None:
    """In one vocabulary a piece is a byte, in the other (Ġ) it is some of them."""
    byte, half = Token("<0xEA>", "<0xEA>", 0, 0), Token("Ġë", "<0xEB>", 1, 0)
    rain, snow = Token("▁rain", "rain", 2, 0), Token("▁snow", "snow", 3, 0)
    tokens = (byte, half, rain, snow)
    read = (replace(byte, text="가 1/3"), replace(byte, text="각 1/3"), rain)
    vectors = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    found = neighbours(Embedding(read, tokens, vectors), 3)
    assert {id for one in found.near for id in one.ids} == {2, 3}
    assert found.called(tokens) == {0: "가 1/3", 2: "rain", 3: "snow"}


def test_special_tokens_have_no_place_and_an_empty_vector_no_neighbours_to_be() -> None:
    asked = embedding(0, [1, 4])
    asked.vectors[5] = 0.0
    found = neighbours(asked, 20)
    assert [one.token.id for one in found.near] == [4]
    assert set(found.near[0].ids) == {6, 7, 8, 9, 10, 11}
    assert neighbours(embedding(0, [1]), 3).near == ()
    assert neighbours(embedding(0, [1]), 3).places == {}
    with pytest.raises(ValueError, match="neighbour"):
        neighbours(asked, 0)
