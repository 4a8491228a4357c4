"""One model of several that began alike: the mean of their weights (Wortsman et al., 2022)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch

from core.checkpoint.folder import Checkpoint, load, save
from core.checkpoint.manifest import RECIPE, Manifest, Storage
from core.reasons import RefusedError

_OF_TRAINING: Final = {"dropout", "attention_dropout", "negatives", "subsampling"}
"""Sizes that a trained network computes nothing by."""


def average(
    folders: Sequence[Path], shares: Sequence[float], out: Path, storage: Storage = "float16"
) -> Manifest:
    """Write the weighted mean of checkpoints as one; all that is no weight is the first one's.

    Means are of use for models that one was trained into: runs from seeds of their own mean
    nothing together.

    Args:
        shares: of the sum, one for each folder; they need not add up to 1.

    Raises:
        RefusedError: `unlike_first`, for one of other sizes, or with other tokens.
        HeadlightError: as `load`.
        ValueError: shares that are not as many as folders, or whose sum is not above 0 and finite.
    """
    whole = sum(shares)
    if len(shares) != len(folders) or not 0 < whole < math.inf:
        raise ValueError("one share for each folder, and a finite sum above 0")
    cpu = torch.device("cpu")
    first: Checkpoint[Any] = load(folders[0], cpu)
    state = first.model.state_dict()
    # In float64, so that the order of the folders tells nothing.
    sums = {name: tensor.double() * (shares[0] / whole) for name, tensor in state.items()}
    for folder, share in zip(folders[1:], shares[1:], strict=True):
        other: Checkpoint[Any] = load(folder, cpu)
        if not _alike(first, other):
            raise RefusedError("unlike_first", name=folder.resolve().name)
        for name, tensor in other.model.state_dict().items():
            sums[name] += tensor.double() * (share / whole)
    first.model.load_state_dict({name: sums[name].to(state[name].dtype) for name in state})
    recipe = first.folder / RECIPE
    return save(
        out,
        first.config,
        first.model,
        first.tokenizer,
        step=first.manifest.step,
        seed=first.manifest.seed,
        recipe=recipe.read_text("utf-8") if recipe.is_file() else None,
        familiarity=first.familiarity,
        storage=storage,
    )


def _alike(first: Checkpoint[Any], other: Checkpoint[Any]) -> bool:
    own, theirs = (one.config.model.model_dump(exclude=_OF_TRAINING) for one in (first, other))
    return (
        first.config.family == other.config.family
        and own == theirs
        and _entries(first) == _entries(other)
    )


def _entries(checkpoint: Checkpoint[Any]) -> tuple[str, ...]:
    tokenizer = checkpoint.tokenizer
    return tuple(token.text for token in tokenizer.tokens(list(range(tokenizer.size))))
