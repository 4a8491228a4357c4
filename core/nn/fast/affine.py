"""Linear maps of many rows, as training asks for them update by update."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.fast import fused


def affine(x: Tensor, maps: Sequence[nn.Linear], *, rectified: bool = False) -> Tensor:
    """What each of the maps makes of x, side by side: one product, nearer to the CPU's peak.

    Args:
        x: (..., inputs).
        maps: one or more, of as many inputs, all with a bias.
        rectified: max(0, .) of it.

    Returns:
        (..., sum of their outputs).
    """
    if fused.is_fused(x):
        parameters = [p for each in maps for p in (each.weight, each.bias)]
        return fused.affine(x, parameters, rectified=rectified)
    if len(maps) == 1:
        y = maps[0](x)
    else:
        weight = torch.cat([each.weight for each in maps])
        y = F.linear(x, weight, torch.cat([each.bias for each in maps]))
    return F.relu(y) if rectified else y
