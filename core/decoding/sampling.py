"""Sampling: the next token is drawn by its probability, from the likeliest ones.

Everything is float64 on the processor, and chance is a function of the seed and the place: the
same logits draw the same token wherever they were computed, and a branch meets the same chance at
the same place.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt
from torch import Tensor

from core.model import Sampling

_ROUNDED: Final = 1e-12
"""Of a sum: ten tokens of a tenth each hold nine tenths by nine of them."""

Doubles = npt.NDArray[np.float64]


def chosen(logits: Tensor, sampling: Sampling | None, place: int) -> int:
    """The next token: the likeliest one, or one that is drawn.

    Args:
        logits: (vocabulary,), or log probabilities.
        place: tokens that stand before it.
    """
    if sampling is None:
        return int(logits.argmax())
    return drawn(logits.cpu().double().numpy(), sampling, place)


def drawn(logits: npt.ArrayLike, sampling: Sampling, place: int) -> int:
    """The token whose share of the probability holds the number that chance gives this place."""
    tokens, shares = nucleus(logits, sampling)
    sums = shares.cumsum()
    at = int(np.searchsorted(sums, chance(sampling.seed, place) * sums[-1], side="right"))
    return int(tokens[min(at, len(tokens) - 1)])  # a product may be rounded up to the whole


def nucleus(logits: npt.ArrayLike, sampling: Sampling) -> tuple[npt.NDArray[np.intp], Doubles]:
    """What may be drawn: the fewest tokens that hold `top_p` of the probability.

    Holtzman et al. (2020), equations 2 and 3, of softmax(logits / temperature); at temperature 0
    its limit, the likeliest token alone.

    Returns:
        The tokens, likeliest first, and their probabilities, which add up to 1. Of logits that
        are no numbers one token: there is nothing to draw, and a pass says so.
    """
    each = np.asarray(logits, np.float64)
    tokens = np.argsort(-each, kind="stable")
    if sampling.temperature == 0 or not np.isfinite(each.max()):
        return tokens[:1], np.ones(1)
    with np.errstate(over="ignore"):  # so cold that others are beyond any float: minus infinity
        shares = np.exp((each[tokens] - each[tokens[0]]) / sampling.temperature)
    shares /= shares.sum()
    held = shares.cumsum() - shares  # by those before
    kept = (held < sampling.top_p * (1 - _ROUNDED)) & (shares > 0)
    return tokens[kept], shares[kept] / shares[kept].sum()


def chance(seed: int, place: int) -> float:
    """A number from 0 to below 1; Python vows to keep what `Random(text).random()` says."""
    return Random(f"{seed}/{place}").random()
