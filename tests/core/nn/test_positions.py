import math

import numpy as np
import pytest
import torch

from core import positional
from core.nn.positions import sinusoidal_table


def test_is_the_float64_table_cast_to_float32() -> None:
    table = sinusoidal_table(10_001, 64)
    assert table.dtype == torch.float32
    assert table.shape == (10_001, 64)
    reference = positional.sinusoidal_table(10_001, 64)
    assert np.array_equal(table.numpy(), reference.astype(np.float32))


def test_position_ten_thousand_has_no_float32_drift() -> None:
    row = sinusoidal_table(10_001, 512)[10_000]
    for i in (0, 1, 2, 100, 255):
        angle = 10_000 / 10_000 ** (2 * i / 512)
        # half a unit in the last place of a float32 near 1, plus float64's own 1e-12
        assert abs(float(row[2 * i]) - math.sin(angle)) < 6e-8
        assert abs(float(row[2 * i + 1]) - math.cos(angle)) < 6e-8


@pytest.mark.parametrize("width", [-2, 0, 1, 7, 511])
def test_a_width_that_is_not_even_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="even"):
        sinusoidal_table(4, width)
