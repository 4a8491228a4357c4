"""Positions within attention: each map is of its paper's formula, and of distance alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.nn.positions import frequencies, sinusoidal_table
from core.nn.relative import BUCKETS
from core.studies.schemes import HEADS, alibi_map, bucket_map, rotary_map, unevenness


@given(st.integers(1, 40), st.integers(1, 16).map(lambda half: 2 * half))
def test_rotary_is_the_law_of_the_sinusoidal_table(length: int, width: int) -> None:
    table = sinusoidal_table(length, width) if width >= 4 else None
    apart = np.arange(length)[:, None] - np.arange(length)
    wanted = np.cos(apart[..., None] * frequencies(width)).mean(-1)
    found = rotary_map(length, width)
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    if table is not None:
        np.testing.assert_allclose(found, table @ table.T / (width / 2), atol=1e-6)
    assert unevenness(found) < 1e-6


def test_alibi_falls_by_its_slope_and_no_head_is_another() -> None:
    maps = alibi_map(20)
    apart = np.abs(np.arange(20)[:, None] - np.arange(20))
    for head in range(HEADS):
        np.testing.assert_allclose(maps[head], -(2.0 ** -(head + 1)) * apart, rtol=1e-6)
    assert max(map(unevenness, maps)) == 0


@pytest.mark.parametrize("length", [1, 2, 300])
def test_groups_tell_near_distances_apart_and_both_sides(length: int) -> None:
    groups = bucket_map(length)
    assert groups.min() == 0
    assert groups.max() < BUCKETS
    assert unevenness(groups) == 0
    before, after = groups[-1][::-1], groups[0]
    assert (np.diff(before) >= 0).all()
    np.testing.assert_array_equal(after[1:], before[1:] + BUCKETS // 2)
    assert len(set(before[:8])) == min(8, length)


def test_what_is_no_matter_of_distance_is_uneven() -> None:
    assert unevenness(np.array([[0.0, 1.0], [1.0, 5.0]])) == 5
