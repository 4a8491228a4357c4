"""Sinusoidal positions ("Attention Is All You Need", section 3.5), in numpy and float64.

    PE(pos, 2i)     = sin(pos / 10000^(2i / d_model))
    PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))

The one place where they are computed: models cast this table to float32
(`core.nn.layers`), the app draws it. Computed in float32 the angles would drift by
4e-4 at long positions. No torch here, so that a page about positions opens fast. Of a `d_model`
that is odd or below 2 each function raises what `frequencies` does.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

BASE: Final = 10_000.0


def frequencies(d_model: int) -> Doubles:
    """Angular frequency w_i = 10000^(-2i / d_model) of each sine-cosine pair.

    Args:
        d_model: width of the model, even, 2 or more.

    Returns:
        (d_model / 2,) radians a position, from 1 downwards.

    Raises:
        ValueError: for an odd or non-positive width: half a pair has no rotation.
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(f"d_model must be even and at least 2, not {d_model}")
    return np.power(BASE, -np.arange(0, d_model, 2, dtype=np.float64) / d_model)


def wavelengths(d_model: int) -> Doubles:
    """Positions after which each pair repeats: 2 pi / w_i, from 2 pi towards 10000 * 2 pi.

    Returns:
        (d_model / 2,) positions.
    """
    return 2.0 * np.pi / frequencies(d_model)


def encode(positions: npt.ArrayLike, d_model: int) -> Doubles:
    """PE of any positions, each a row; sine in even columns, cosine in odd ones.

    Args:
        positions: (n,) any real numbers, negative ones too.

    Returns:
        (n, d_model) in -1 to 1.
    """
    angles = np.outer(np.asarray(positions, dtype=np.float64), frequencies(d_model))
    return np.stack((np.sin(angles), np.cos(angles)), axis=-1).reshape(-1, d_model)


def sinusoidal_table(length: int, d_model: int) -> Doubles:
    """PE of positions 0 to length - 1.

    Args:
        length: number of positions, 0 or more.

    Returns:
        (length, d_model) in -1 to 1.

    Raises:
        ValueError: for a negative length.
    """
    if length < 0:
        raise ValueError(f"length must not be negative, not {length}")
    return encode(np.arange(length), d_model)


def rotation_blocks(offset: int, d_model: int) -> Doubles:
    """The 2x2 blocks of M_k, one for each pair, acting on column vectors (sin, cos).

    Block i is [[cos k w_i, sin k w_i], [-sin k w_i, cos k w_i]]: a turn of the pair by the
    angle k w_i, by the addition theorems of sine and cosine.

    Args:
        offset: k, may be negative.

    Returns:
        (d_model / 2, 2, 2).
    """
    angles = offset * frequencies(d_model)
    cosine, sine = np.cos(angles), np.sin(angles)
    rows = np.stack((cosine, sine, -sine, cosine), axis=-1)
    return rows.reshape(-1, 2, 2)


def rotation(offset: int, d_model: int) -> Doubles:
    """M_k with PE(p + k) = M_k PE(p) for every p, PE(p) being a column vector.

    A table holds positions as rows, so there it reads `table @ M_k.T`.

    Args:
        offset: k, may be negative.

    Returns:
        (d_model, d_model) block-diagonal and orthogonal.
    """
    blocks = rotation_blocks(offset, d_model)
    matrix = np.zeros((d_model, d_model))
    for i, block in enumerate(blocks):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    return matrix


def rotate(vectors: Doubles, offset: int) -> Doubles:
    """M_k applied to each row, block by block: what `vectors @ rotation(k, d).T` gives.

    Args:
        vectors: (n, d_model) rows.
        offset: k, may be negative.

    Returns:
        (n, d_model).
    """
    count, d_model = vectors.shape
    blocks = rotation_blocks(offset, d_model)
    pairs = vectors.reshape(count, d_model // 2, 2)  # (n, d_model / 2, sine and cosine)
    turned: Doubles = np.einsum("nij,ikj->nik", pairs, blocks)
    return turned.reshape(count, d_model)
