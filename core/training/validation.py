"""How a model that is being trained fares on pairs that training never sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from core.model import Inspectable
from core.studies.evaluation import evaluate
from core.text.corpora import Pair
from core.text.tokenizer import Tokenizer
from core.training.events import Sample, Scores, Validated
from core.training.recipe import Recipe

_PAIRS: Final = 200  # of each part: enough to see scores move, and translated in seconds
_SAMPLES: Final = 5


def validation_pairs(
    recipe: Recipe, tokenizer: Tokenizer, pairs: Sequence[Pair]
) -> tuple[Pair, ...]:
    """At most 200 that the model can read and write, evenly spread: a file may be sorted."""
    chosen = pairs[:: -(-len(pairs) // _PAIRS) or 1]
    return recipe.task.fitting(tokenizer, chosen, recipe.max_source, recipe.max_target)


def validate(step: int, model: Inspectable, parts: Mapping[str, Sequence[Pair]]) -> Validated:
    """Loss, BLEU, chrF and exact match on each part, and what becomes of the first pairs.

    Args:
        parts: as `validation_pairs` chose them, by the corpus's name, none of them empty.
    """
    scores: dict[str, Scores] = {}
    samples: list[Sample] = []
    for name, pairs in parts.items():
        found = evaluate(model, pairs)
        assert found.loss is not None, "no pair of the part fits the model"
        scores[name] = Scores(found.loss, found.bleu, found.chrf, found.exact, found.pairs)
        shown = zip(pairs[: -(-_SAMPLES // len(parts))], found.outputs, strict=False)
        samples += [Sample(*pair, output) for pair, output in shown]
    return Validated(step, scores, tuple(samples[:_SAMPLES]))


def mean_loss(validated: Validated) -> float:
    """What "best" means: the mean of the parts' losses, in nats."""
    return fmean(scores.loss for scores in validated.scores.values())
