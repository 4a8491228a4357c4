"""Attention in one byte a weight.

A float16 maximum for every row, and the square root of `weight / maximum` in 0..255. The
square root spends its steps where attention lives (many small weights, few large ones). The
largest weight of a row is right to float16 (half a thousandth); for every other cell the
rounding error is at most `sqrt(w * maximum) / 255`, and since a row sums to 1 that is below
`WEIGHT_ERROR`.

Where all heads together have more than `CELLS` weights, each head is made coarse first: a cell
of the smaller matrix is the largest of the weights that it covers, as a small picture shows it.
With it travels, of every real row, how large its largest weight is and where: a head at its real
size (`spread` in web/data/model.js) has that right, and no cell above it.

Weights that were put in the place of a softmax's may be any: where rows have more than 1, or
several that are as large as the largest, a cell is right to `COARSE_ERROR` of the largest of all.

In a file that has to be small, `linear`, every row has its head's maximum and a code is
`weight / maximum` itself: that is right to half a 255th of it, within the same errors, and what is
small beside the head's largest weight is 0, which compresses to half.

The browser's reader is web/data/model.js.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.trace import AttentionSite, Floats

Bytes = npt.NDArray[np.uint8]

LEVELS: Final = 255
CELLS: Final = 2_400_000
"""Weights that a kind of attention may send before it is looked at head by head."""
WEIGHT_ERROR: Final = 0.0025
"""Largest difference between a packed weight and the real one."""
BELOW: Final = np.float32(1023 / 1024)
"""How much of a row's largest weight its other cells may have: less, by a step of float16."""
COARSE_ERROR: Final = 0.0045
"""The same for a coarse one: the largest weights that rows cover do not sum to 1."""
_LARGEST: Final = np.float32(np.finfo(np.float16).max)
"""What a maximum is at most: what is beyond it is shown as that until the exact one arrives."""


def layout(site: AttentionSite) -> dict[str, Any]:
    """Where things lie in `quantised(site)`, as the browser is told.

    `fine` is the size of a packed head, (rows, columns) or less; `masks` is how many masks there
    are, one or one of each head; `maxima`, `codes`, `allowed` and `peaks` (None where a head is as
    it is) are places in bytes, `bytes` is the length of it all. `linear` says how codes are read.
    """
    rows, columns = site.shape
    heads = site.layers * site.heads
    masks = 1 if site.one_mask else heads
    tall, wide = _fine(heads, rows, columns)
    codes = heads * tall * 2
    allowed = codes + heads * tall * wide
    peaks = allowed + -(-masks * rows * columns // 8)
    shrunk = (tall, wide) != (rows, columns)
    error = COARSE_ERROR if shrunk else WEIGHT_ERROR
    if site.forced:
        most = float(site.weights.max(initial=0.0))
        wrong = most if most > _LARGEST else COARSE_ERROR * most
        error = max(error, float(f"{1.05 * wrong:.2g}"))  # short, and not below
    return {
        "rows": rows,
        "columns": columns,
        "fine": [tall, wide],
        "masks": masks,
        "error": error,
        "linear": False,
        "maxima": 0,
        "codes": codes,
        "allowed": allowed,
        "peaks": peaks if shrunk else None,
        "bytes": peaks + 4 * heads * rows * shrunk,
    }


def quantised(site: AttentionSite, *, linear: bool = False) -> Bytes:
    """Row maxima (little-endian float16), companded weights, masks (bits, low bit first).

    Of a coarse head then the largest weight of every real row and its column (float16, uint16).
    """
    place = layout(site)
    tall, wide = place["fine"]
    maxima = np.empty((site.layers, site.heads, tall), "<f2")
    codes = np.empty((site.layers, site.heads, tall, wide), np.uint8)
    # Layer by layer, so that 512 tokens do not need a second copy of everything in float32.
    for layer in range(site.layers):
        weights = coarse(site.weights[layer], tall, wide)  # (head, tall, wide)
        axes = (1, 2) if linear else 2
        most = weights.max(axis=axes, initial=0.0, keepdims=True).reshape(site.heads, -1)
        maxima[layer] = np.minimum(most, _LARGEST)
        scale = maxima[layer].astype(np.float32)[..., None]
        share = np.divide(weights, scale, out=np.zeros_like(weights), where=scale > 0)
        share = np.minimum(share, 1.0)
        codes[layer] = np.rint(LEVELS * (share if linear else np.sqrt(share)))
    mask = np.packbits(site.allowed.reshape(-1), bitorder="little")
    parts = [maxima.reshape(-1).view(np.uint8), codes.reshape(-1), mask]
    if place["peaks"] is not None:
        largest = np.minimum(site.weights.max(axis=3), _LARGEST).astype("<f2").view("<u2")
        columns = site.weights.argmax(axis=3).astype("<u2")
        parts.append(np.stack([largest, columns], axis=3).reshape(-1).view(np.uint8))
    return np.concatenate(parts)


def coarse(values: Floats, tall: int, wide: int) -> Floats:
    """Largest value beneath each of `tall` x `wide` cells of (..., query, key).

    Key `c` of `columns` lies beneath cell `c * wide // columns`, as in web/views/paint.js.
    """
    for axis, size in ((-1, wide), (-2, tall)):
        cells = values.shape[axis]
        if size != cells:
            starts = -(-np.arange(size) * cells // size)
            values = np.maximum.reduceat(values, starts, axis=axis)
    return values


def _fine(heads: int, rows: int, columns: int) -> tuple[int, int]:
    """The size of a packed head: that of the real one where all of them fit."""
    cells = heads * rows * columns
    if cells <= CELLS:
        return rows, columns
    shrink = sqrt(CELLS / cells)
    return max(1, int(rows * shrink)), max(1, int(columns * shrink))
