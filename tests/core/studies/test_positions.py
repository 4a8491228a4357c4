import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.nn.positions import sinusoidal_table
from core.studies.positions import check_dot_products, check_norms, check_rotation

lengths = st.integers(1, 300)
widths = st.integers(1, 64).map(lambda half: 2 * half)


@settings(deadline=None, max_examples=30)
@given(lengths, widths)
def test_norms_are_the_root_of_half_the_width(length: int, width: int) -> None:
    check = check_norms(sinusoidal_table(length, width))
    assert check.expected == math.sqrt(width / 2)
    assert check.smallest <= check.largest
    assert check.deviation < 1e-14 * width


@settings(deadline=None, max_examples=30)
@given(lengths, widths)
def test_dot_products_follow_the_profile(length: int, width: int) -> None:
    table = sinusoidal_table(length, width)
    check = check_dot_products(table)
    assert check.deviation < 1e-11
    assert check.pairs == length**2
    assert check.offsets[0] == 1 - length
    assert check.offsets[-1] == length - 1
    assert np.allclose(check.profile[length - 1 :], table @ table[0], rtol=0, atol=1e-11)
    assert check.profile.max() == check.profile[length - 1]
    assert math.isclose(check.profile[length - 1], width / 2)


@settings(deadline=None, max_examples=30)
@given(lengths, widths, st.integers(-500, 500))
def test_rotation_holds_at_every_position(length: int, width: int, offset: int) -> None:
    check = check_rotation(sinusoidal_table(length, width), offset)
    assert check.deviation < 1e-11
    assert check.positions == length


@settings(deadline=None, max_examples=20)
@given(st.integers(2, 300), widths, st.data())
def test_one_altered_entry_is_found_by_every_check(
    length: int, width: int, data: st.DataObject
) -> None:
    table = sinusoidal_table(length, width)
    row = data.draw(st.integers(0, length - 1))
    table[row] *= 1.01
    assert check_norms(table).deviation > 1e-3
    assert check_dot_products(table).deviation > 1e-3
    assert check_rotation(table, 3).deviation > 1e-3


@pytest.mark.parametrize("width", [4, 512])
def test_every_pair_is_compared_beyond_one_chunk(width: int) -> None:
    table = sinusoidal_table(600, width)
    table[599, 0] += 0.25
    assert check_dot_products(table).deviation > 0.1
