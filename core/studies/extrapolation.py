"""How language models fare at places where none of their training texts had a token.

"Train short, test long" (Press et al. 2022): what tells a model where its tokens stand decides what
becomes of it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import torch
from torch import Tensor

from core.families.language import LanguageModel
from core.model import Done, of_part, untold
from core.probe import Probe
from core.reasons import RefusedError
from core.text.tokenizer import START_ID

PLACES: Final = (1, 17, 33, 65, 97, 129, 193, 257)
"""Where a group of places begins, counted from 1; the last ends where the texts do."""
DISTANCES: Final = (0, 1, 2, 3, 5, 9, 17, 33, 65, 129)
"""Where a group of distances begins, in tokens; the last has no end."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How one model fares.

    Attributes:
        model: its id.
        positions: how it is told where tokens stand.
        parameters: how many it has.
        nats: of each group of places the mean of the next token, in nats.
        distances: (group of places, group of distances): of what the tokens there look at, the
            share that is so far before them, a mean over heads, layers and texts; each row sums
            to 1.
    """

    model: str
    positions: str
    parameters: int
    nats: tuple[float, ...]
    distances: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """What was found.

    Attributes:
        texts: that were read.
        places, far: where groups of places and of distances begin, and how far the texts go.
        longest: tokens of every text.
    """

    texts: int
    places: tuple[int, ...]
    far: tuple[int, ...]
    longest: int
    curves: tuple[Curve, ...]


def extrapolation(
    models: Sequence[LanguageModel],
    texts: Sequence[str],
    *,
    starts: Sequence[int] = PLACES,
    done: Done = untold,
) -> Extrapolation:
    """The loss of each model by place, and how far back it looks there.

    All texts are cut to as many tokens, those of the shortest or what every model can read.

    Args:
        models: forward language models; each reads tokens of its own tokenizer.
        starts: the first place of each group, rising from 1.
        done: called with (finished, all) texts of all models.

    Raises:
        RefusedError: as `check_reading`; or a text ends before the last group begins.
        ValueError: no models or texts, or starts that do not rise from 1.
    """
    rising = starts and starts[0] == 1 and all(one < other for one, other in pairwise(starts))
    if not models or not texts or not rising:
        raise ValueError("models, texts, and groups of places that rise from 1")
    every = [[model.checkpoint.tokenizer.encode(text) for text in texts] for model in models]
    most = min(check_reading(model, starts[-1]) for model in models)
    longest = min(most, *(len(ids) for each in every for ids in each))
    if longest < starts[-1]:
        raise RefusedError("texts_short", length=longest, wanted=starts[-1])
    curves = []
    for number, (model, each) in enumerate(zip(models, every, strict=True)):
        rows = torch.tensor([[START_ID, *ids[:longest]] for ids in each])
        curves.append(_curve(model, rows, starts, of_part(done, number, len(models))))
    return Extrapolation(len(texts), tuple(starts), DISTANCES, longest, tuple(curves))


def check_reading(model: LanguageModel, place: int) -> int:
    """How many tokens of a text a model foretells, which are to be as many as `place`.

    Raises:
        RefusedError: they are fewer.
    """
    most = model.card.max_source - 1
    if most < place:
        raise RefusedError("reads_short", length=most, wanted=place)
    return most


@torch.inference_mode()
def _curve(model: LanguageModel, rows: Tensor, starts: Sequence[int], done: Done) -> Curve:
    """Of (text, place) ids, all of one length."""
    length = rows.shape[1] - 1
    nats = torch.zeros(length, dtype=torch.float64)
    looks = torch.zeros(length, len(DISTANCES), dtype=torch.float64)
    places = torch.arange(length)
    before = (places[:, None] - places).clamp(min=0)  # (query, key); keys behind it weigh nothing
    apart = _groups(before, DISTANCES)
    for number, row in enumerate(rows, start=1):
        ids = row[None].to(model.checkpoint.device)
        probe = Probe(frozenset({"weights"}))
        network = model.checkpoint.model
        logits = network.unembed(network(ids[:, :-1], probe))[0]
        right = logits.float().log_softmax(-1).gather(1, ids[0, 1:, None])
        nats -= right[:, 0].cpu().double()
        layers = torch.stack(probe.layers("weights", "encoder_self"))
        weights = layers.cpu().double().mean((0, 1, 2))  # (query, key)
        looks.scatter_add_(1, apart, weights)
        done(number, len(rows))
    groups = _groups(places + 1, starts)
    nats, looks = nats / len(rows), looks / len(rows)
    return Curve(
        model.card.model_id,
        str(model.card.sizes["positions"]),
        model.card.total_parameters,
        tuple(float(nats[groups == at].mean()) for at in range(len(starts))),
        tuple(tuple(looks[groups == at].mean(0).tolist()) for at in range(len(starts))),
    )


def _groups(values: Tensor, starts: Sequence[int]) -> Tensor:
    """The last group that begins at or before each value."""
    return torch.bucketize(values, torch.tensor(starts), right=True) - 1
