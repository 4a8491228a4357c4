"""How translation fares by the length of what is translated: a bottleneck tells by long sentences.

Without attention a decoder knows of its source what one vector holds, however long the source is
("On the properties of neural machine translation", Cho et al. 2014; figure 2 of Bahdanau et al.
2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.model import Done, Inspectable, of_part, untold
from core.studies.evaluation import overlap
from core.text.corpora import Pair

WORDS: Final = (1, 3, 5, 7, 9)
"""Where a group of lengths begins, in words of the source; the last has no end."""
FEWEST: Final = 20
"""Pairs below which a group's BLEU would tell of them, and not of their length."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs whose sources are of about one length.

    Attributes:
        least, most: words of a source; None for no end.
        pairs: how many there are.
    """

    least: int
    most: int | None
    pairs: int


@dataclass(frozen=True, slots=True)
class Curve:
    """How one model fares.

    Attributes:
        model: its id.
        family: as its card has it.
        attention: of a Seq2Seq, how it looks back ("none" is the bottleneck); "" where no size of
            that name is.
        parameters: how many it has.
        bleu: 0 to 100, greedy, of each group; None of groups that are too small.
        all: of all pairs together.
    """

    model: str
    family: str
    attention: str
    parameters: int
    bleu: tuple[float | None, ...]
    all: float


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What was found: the groups, and a curve a model, as they were given."""

    groups: tuple[Group, ...]
    curves: tuple[Curve, ...]


def bottleneck(
    models: Sequence[Inspectable],
    pairs: Sequence[Pair],
    *,
    starts: Sequence[int] = WORDS,
    done: Done = untold,
) -> Bottleneck:
    """BLEU of each model, by the length of the source.

    Args:
        pairs: sources and references, of which no model has seen any.
        starts: the least words of each group, rising; shorter sources are of none.
        done: called with (finished, all) sources of all models.

    Raises:
        ValueError: for no pairs, or starts that do not rise.
    """
    if not pairs or any(one >= other for one, other in pairwise(starts)):
        raise ValueError("pairs, and groups that begin one behind the other")
    ends = [*(start - 1 for start in starts[1:]), None]
    groups = [
        [
            at
            for at, (source, _) in enumerate(pairs)
            if start <= len(source.split()) and (end is None or len(source.split()) <= end)
        ]
        for start, end in zip(starts, ends, strict=True)
    ]
    curves = [
        _curve(model, pairs, groups, of_part(done, number, len(models)))
        for number, model in enumerate(models)
    ]
    return Bottleneck(
        tuple(
            Group(start, end, len(group))
            for start, end, group in zip(starts, ends, groups, strict=True)
        ),
        tuple(curves),
    )


def _curve(
    model: Inspectable, pairs: Sequence[Pair], groups: Sequence[Sequence[int]], done: Done
) -> Curve:
    card = model.card
    outputs = model.generate_all([source for source, _ in pairs], done=done)

    def bleu(places: Sequence[int]) -> float:
        found = overlap(
            [outputs[at] for at in places], [pairs[at][1] for at in places], card.target_language
        ).bleu
        assert found is not None
        return found

    return Curve(
        card.model_id,
        card.family,
        str(card.sizes.get("attention", "")),
        card.total_parameters,
        tuple(bleu(group) if len(group) >= FEWEST else None for group in groups),
        bleu(range(len(pairs))),
    )
