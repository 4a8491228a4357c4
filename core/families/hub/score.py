"""What the scores of a Hugging Face model are, where they are not q·k / sqrt(d_k)."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Literal

from torch import nn

Score = Literal["capped", "unscaled", "scaled"]
"""Bent to stay below a cap, as in Gemma 2; q·k itself, as in T5; or with a factor of its own."""


def score_of(model: nn.Module, attending: Container[int]) -> Score | None:
    """What any of its scores are; None where all are q·k / sqrt(d_k), or nothing tells.

    Args:
        attending: the modules that attend, by their `id`, which keep it as transformers has it.
    """
    modules = [module for module in model.modules() if id(module) in attending]
    if any(getattr(module, "attn_logit_softcapping", None) for module in modules):
        return "capped"
    own = [factor for module in modules if (factor := _factor(module)) is not None]
    return None if not own else "unscaled" if set(own) == {1.0} else "scaled"


def _factor(module: nn.Module) -> float | None:
    """Of q·k, where it is another than 1 / sqrt(d_k)."""
    factor = getattr(module, "scaling", None)
    width = getattr(module, "qk_head_dim", getattr(module, "head_dim", None))
    if not isinstance(factor, float):
        return None
    usual = isinstance(width, int) and math.isclose(factor, width**-0.5, rel_tol=1e-3)
    known = isinstance(width, int) or factor == 1.0  # T5 calls its width otherwise
    return factor if known and not usual else None
