"""How long an update takes on this machine: measured on a few, never guessed."""

from __future__ import annotations

import random
from itertools import islice
from statistics import fmean

import torch

from core.device import best_device
from core.family import find
from core.text.examples import Example
from core.text.tokenizer import END_ID
from core.training.group import Group
from core.training.loop import adam, updates
from core.training.precision import take
from core.training.recipe import Recipe

_MEASURED = 4  # updates; the first warms caches and does not count
_LENGTH = 16  # tokens a side: everyday sentences; an update's padded size is the recipe's


def seconds_per_update(recipe: Recipe, vocabulary: int) -> float:
    """The mean of a few updates of an untrained model on random sentences.

    Args:
        vocabulary: entries of the tokenizer that the run will have, more than 4.

    Raises:
        HeadlightError: device_unknown, training_diverged.
    """
    with torch.random.fork_rng(devices=[]):
        family = find(recipe.family)
        model = family.network(recipe.model_config_for(vocabulary)).to(best_device())
        examples = _examples(recipe, vocabulary)
        wanted = recipe.training.precision
        precision = take(wanted, family, model.config, examples, best_device()).precision
        made = updates(recipe, model, adam(model), examples, Group(), start=0, precision=precision)
        return fmean(update.seconds for update in islice(made, 1, _MEASURED))


def _examples(recipe: Recipe, vocabulary: int) -> list[Example]:
    chance = random.Random(0)
    length = min(_LENGTH, recipe.max_source, recipe.max_target) - 1

    def ids() -> tuple[int, ...]:
        return tuple(chance.choices(range(END_ID + 1, vocabulary), k=length))

    count = max(1, _MEASURED * recipe.training.tokens_per_batch // length)
    return [recipe.task.filled(ids()) for _ in range(count)]
