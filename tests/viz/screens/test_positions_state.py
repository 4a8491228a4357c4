import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.screens.positions_state import (
    MAX_DIMENSIONS,
    MAX_LENGTH,
    MAX_WIDTH,
    NAMES,
    PICTURES,
    PositionsState,
    automatic,
    fitted,
    parse,
    spell,
)

numbers = st.integers(-5000, 5000)
states = st.builds(
    PositionsState,
    picture=st.sampled_from(PICTURES),
    length=numbers,
    width=numbers,
    position=numbers,
    offset=numbers,
    dimensions=st.lists(numbers, max_size=12).map(tuple),
)
queries = st.dictionaries(st.sampled_from((*NAMES, "lang")), st.text(max_size=12))


def is_usable(state: PositionsState) -> bool:
    return (
        state.picture in PICTURES
        and 1 <= state.length <= MAX_LENGTH
        and 4 <= state.width <= MAX_WIDTH
        and state.width % 2 == 0
        and 0 <= state.position < state.length
        and abs(state.offset) < MAX_LENGTH
        and len(state.dimensions) <= MAX_DIMENSIONS
        and list(state.dimensions) == sorted(set(state.dimensions))
        and all(0 <= dimension < state.width for dimension in state.shown_dimensions)
    )


@settings(deadline=None)
@given(states)
def test_whatever_is_asked_for_becomes_usable_and_stays_put(state: PositionsState) -> None:
    usable = fitted(state)
    assert is_usable(usable)
    assert fitted(usable) == usable


@settings(deadline=None)
@given(states)
def test_an_address_brings_the_state_back(state: PositionsState) -> None:
    usable = fitted(state)
    assert parse(spell(usable)) == (usable, ())


@settings(deadline=None)
@given(queries)
def test_no_address_breaks_the_page(query: dict[str, str]) -> None:
    state, refused = parse(query)
    assert is_usable(state)
    assert set(refused) <= set(query) & set(NAMES)
    assert len(set(refused)) == len(refused)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("picture", "pie"),
        ("length", "0"),
        ("length", "2049"),
        ("length", "1e3"),
        ("length", "٣"),
        ("length", "9" * 40),
        ("width", "63"),
        ("width", "2"),
        ("position", "-1"),
        ("position", "128"),
        ("offset", "2048"),
        ("dimensions", "0,1"),
        ("dimensions", "64"),
        ("dimensions", "3.3"),
        ("dimensions", "."),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(name: str, text: str) -> None:
    state, refused = parse({name: text})
    assert refused == (name,)
    assert is_usable(state)


def test_a_shorter_table_takes_p_along_without_a_word() -> None:
    state, refused = parse({"length": "5"})
    assert state.position == 4
    assert refused == ()


@settings(deadline=None)
@given(st.integers(2, 512).map(lambda half: 2 * half))
def test_dimensions_shown_by_default_exist_and_differ_in_wavelength(width: int) -> None:
    shown = automatic(width)
    assert 2 <= len(shown) <= 5
    assert shown[:2] == (0, 1)
    pairs = [dimension // 2 for dimension in shown[1:]]
    assert len(set(pairs)) == len(pairs)
