"""The sinusoidal table as the model adds it; the mathematics lives in `core.positional`."""

from __future__ import annotations

import torch

from core import positional


def sinusoidal_table(length: int, d_model: int) -> torch.Tensor:
    """PE of positions 0 to length - 1 (section 3.5), computed in float64, then cast.

    Args:
        length: number of positions, 0 or more.
        d_model: width of the model, even.

    Returns:
        (length, d_model) float32 on the CPU, in -1 to 1.

    Raises:
        ValueError: for a negative length or an odd or non-positive width.
    """
    return torch.from_numpy(positional.sinusoidal_table(length, d_model)).to(torch.float32)
