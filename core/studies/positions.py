"""What sinusoidal positions promise, measured on the table itself.

Three properties follow from the addition theorems; floating point keeps them only up to
rounding, so each is reported with the largest deviation that was found, never assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.nn.positions import Doubles, encode, frequencies, rotate

_CHUNK = 256  # rows of the dot-product matrix held at once: 4 MB at 2,048 positions


@dataclass(frozen=True, slots=True)
class NormCheck:
    """Length of every PE(p) against sqrt(d_model / 2).

    Attributes:
        expected: sqrt(d_model / 2).
        smallest, largest: over all rows.
    """

    expected: float
    smallest: float
    largest: float

    @property
    def deviation(self) -> float:
        return max(abs(self.largest - self.expected), abs(self.smallest - self.expected))


@dataclass(frozen=True, slots=True, eq=False)
class DotProductCheck:
    """PE(p) . PE(q) against a function of q - p alone.

    Attributes:
        offsets: (2 * length - 1,) from -(length - 1) to length - 1.
        profile: (2 * length - 1,) sum_i cos(offset * w_i), at most d_model / 2.
        deviation: largest |PE(p) . PE(q) - profile(q - p)| over all pairs.
        pairs: how many pairs were compared, length squared.
    """

    offsets: Doubles
    profile: Doubles
    deviation: float
    pairs: int


@dataclass(frozen=True, slots=True)
class RotationCheck:
    """M_k PE(p) against PE(p + k).

    Attributes:
        offset: k.
        deviation: largest absolute difference of an entry, over all positions.
        positions: how many were compared.
    """

    offset: int
    deviation: float
    positions: int


def check_norms(table: Doubles) -> NormCheck:
    """Measures the Euclidean norm of every row.

    Args:
        table: (length, d_model) of `core.nn.positions.sinusoidal_table`, length 1 or more.
    """
    norms = np.linalg.norm(table, axis=1)
    return NormCheck(float(np.sqrt(table.shape[1] / 2)), float(norms.min()), float(norms.max()))


def check_dot_products(table: Doubles) -> DotProductCheck:
    """Compares every pair of rows with the profile sum_i cos((q - p) w_i).

    Args:
        table: (length, d_model) of `core.nn.positions.sinusoidal_table`, length 1 or more.
    """
    length, d_model = table.shape
    offsets = np.arange(1 - length, length, dtype=np.float64)
    one_side = np.cos(np.outer(offsets[length - 1 :], frequencies(d_model))).sum(axis=1)
    profile = np.concatenate((one_side[:0:-1], one_side))  # even in the offset
    # window p of the reversed start holds profile(q - p) for q = 0 ... length - 1
    expected = np.lib.stride_tricks.sliding_window_view(profile, length)[::-1]
    deviation = 0.0
    for start in range(0, length, _CHUNK):
        rows = slice(start, start + _CHUNK)
        deviation = max(deviation, float(np.abs(table[rows] @ table.T - expected[rows]).max()))
    return DotProductCheck(offsets, profile, deviation, length * length)


def check_rotation(table: Doubles, offset: int) -> RotationCheck:
    """Turns every row by `offset` and compares it with the encoding computed there.

    Args:
        table: (length, d_model) of `core.nn.positions.sinusoidal_table`, length 1 or more.
        offset: k, may be negative and may lead out of the table.
    """
    length, d_model = table.shape
    there = encode(np.arange(length) + offset, d_model)
    return RotationCheck(offset, float(np.abs(rotate(table, offset) - there).max()), length)
