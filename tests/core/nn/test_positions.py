import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.nn import positions as positional
from core.nn.transformer import Transformer, TransformerConfig

widths = st.integers(1, 128).map(lambda half: 2 * half)
positions = st.integers(0, 10_000)
offsets = st.integers(-2_000, 2_000)

# An angle pos * w_i of up to 12,000 radians is itself rounded to about 1e-12.
ROUNDING = 1e-11


@settings(deadline=None)
@given(positions, widths, st.data())
def test_every_entry_is_the_papers_formula(position: int, width: int, data: st.DataObject) -> None:
    i = data.draw(st.integers(0, width // 2 - 1))
    row = positional.encode([position], width)[0]
    angle = position / 10_000 ** (2 * i / width)
    assert math.isclose(row[2 * i], math.sin(angle), abs_tol=ROUNDING)
    assert math.isclose(row[2 * i + 1], math.cos(angle), abs_tol=ROUNDING)


@settings(deadline=None)
@given(st.integers(0, 200), widths)
def test_the_table_is_the_encoding_of_its_row_numbers(length: int, width: int) -> None:
    table = positional.sinusoidal_table(length, width)
    assert table.shape == (length, width)
    assert np.array_equal(table, positional.encode(range(length), width))


@settings(deadline=None)
@given(positions, widths)
def test_norm_is_the_root_of_half_the_width(position: int, width: int) -> None:
    norm = np.linalg.norm(positional.encode([position], width)[0])
    assert math.isclose(norm, math.sqrt(width / 2), rel_tol=1e-14)


@settings(deadline=None)
@given(positions, positions, offsets, widths)
def test_dot_product_depends_on_the_offset_only(p: int, q: int, k: int, width: int) -> None:
    vectors = positional.encode([p, p + k, q, q + k], width)
    assert math.isclose(vectors[0] @ vectors[1], vectors[2] @ vectors[3], abs_tol=ROUNDING * width)
    expected = np.cos(k * positional.frequencies(width)).sum()
    assert math.isclose(vectors[0] @ vectors[1], expected, abs_tol=ROUNDING * width)


@settings(deadline=None)
@given(positions, offsets, widths)
def test_the_rotation_moves_any_position_by_its_offset(p: int, k: int, width: int) -> None:
    here, there = positional.encode([p, p + k], width)
    matrix = positional.rotation(k, width)
    assert np.allclose(matrix @ here, there, rtol=0, atol=ROUNDING)


@settings(deadline=None, max_examples=25)
@given(offsets, offsets, widths)
def test_rotations_are_orthogonal_and_add_up(k: int, m: int, width: int) -> None:
    first, second = positional.rotation(k, width), positional.rotation(m, width)
    assert np.allclose(first @ first.T, np.eye(width), rtol=0, atol=1e-14)
    assert np.allclose(first @ second, positional.rotation(k + m, width), rtol=0, atol=ROUNDING)


@settings(deadline=None, max_examples=25)
@given(offsets, widths, st.integers(0, 10))
def test_rotating_rows_is_multiplying_by_the_matrix(k: int, width: int, count: int) -> None:
    rows = np.random.default_rng(width).normal(size=(count, width))
    by_matrix = rows @ positional.rotation(k, width).T
    assert np.allclose(positional.rotate(rows, k), by_matrix, rtol=0, atol=1e-13)


@settings(deadline=None)
@given(widths)
def test_wavelengths_rise_from_two_pi_and_repeat(width: int) -> None:
    waves = positional.wavelengths(width)
    assert waves.shape == (width // 2,)
    assert math.isclose(waves[0], 2 * math.pi)
    assert (np.diff(waves) > 0).all()
    assert waves[-1] < 2 * math.pi * 10_000
    for i in {0, width // 4, width // 2 - 1}:
        start, end = positional.encode([3.0, 3.0 + waves[i]], width)
        assert np.allclose(start[2 * i : 2 * i + 2], end[2 * i : 2 * i + 2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("width", [-4, 0, 1, 3, 511])
def test_half_a_pair_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="even"):
        positional.sinusoidal_table(4, width)


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        positional.sinusoidal_table(-1, 4)


def test_a_model_adds_the_float64_table_cast_to_float32() -> None:
    sizes = {"vocab_size": 2, "d_model": 512, "d_ff": 1, "heads": 1, "max_length": 8192}
    model = Transformer(
        TransformerConfig(**sizes, encoder_layers=1, decoder_layers=1, d_k=1, d_v=1)
    )
    table = model.positions
    assert table is not None
    assert table.dtype == torch.float32
    reference = positional.sinusoidal_table(8192, 512)
    assert np.array_equal(table.numpy(), reference.astype(np.float32))
    for i in (0, 1, 2, 100, 255):
        angle = 8191 / 10_000 ** (2 * i / 512)
        # half a unit in the last place of a float32 near 1, plus float64's own 1e-12
        assert abs(float(table[8191, 2 * i]) - math.sin(angle)) < 6e-8
        assert abs(float(table[8191, 2 * i + 1]) - math.cos(angle)) < 6e-8
