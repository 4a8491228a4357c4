"""What a language model brings to another task: its body under a head of labels, against none.

A masked model has learned from texts alone (BERT, Devlin et al. 2019). The same network is taught
to label, once from its weights and once from scratch, by few examples and by many.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import torch
from pydantic import ValidationError
from torch import Tensor

from core.families.language.objective import label_smoothed_loss
from core.model import Done, untold
from core.nn.language import Language, LanguageConfig
from core.nn.network import begin_with, check_labels
from core.reasons import RefusedError, reason_of
from core.text.corpora import Pair
from core.text.examples import Example, collate
from core.text.tasks import FIRST_LABEL
from core.text.tokenizer import PAD_ID, Tokenizer

_CHECKS: Final = 10  # of a training
_ROWS: Final = 250  # measured at once


@dataclass(frozen=True, slots=True)
class TransferOptions:
    """What the study is asked for.

    Attributes:
        counts: examples that are taught, rising; more than there are means all.
        seeds: draws of the examples, each with its own start.
        updates: of a training, at most: its best tenth by the chosen part counts.
        batch: examples of an update.
        rates: of Adam, of which the best by the chosen part counts, of each network by itself.
        chosen: examples that are never taught: by them rates and updates are chosen.
    """

    counts: tuple[int, ...] = (50, 200, 1000, 1_000_000)
    seeds: int = 3
    updates: int = 400
    batch: int = 32
    rates: tuple[float, ...] = (3e-4, 1e-3)
    chosen: int = 500


@dataclass(frozen=True, slots=True)
class Score:
    """One training's worth.

    Attributes:
        pretrained: it began with the language model's weights.
        count: examples that it was taught.
        seed: from 0.
        right: share of the test that it labels right, 0 to 1.
        rate, updates: that were chosen.
    """

    pretrained: bool
    count: int
    seed: int
    right: float
    rate: float
    updates: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """What was found.

    Attributes:
        labels: that are told apart.
        most: share of the commonest in the test, which who knows nothing would have right.
        tested: examples of the test.
    """

    labels: tuple[str, ...]
    most: float
    tested: int
    scores: tuple[Score, ...]


def transfer(
    body: Language,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    test: Sequence[Pair],
    options: TransferOptions,
    done: Done = untold,
) -> Transfer:
    """Teach the network to label, from its weights and from scratch, and count what is right.

    Args:
        body: of a language model that reads forward or both ways, with its tokenizer.
        pairs: texts and labels to teach and to choose by.
        test: texts that are not taught: those among `pairs` are left out of these.
        done: called with (finished, all) trainings.

    Raises:
        RefusedError: fewer than two labels, one in the test alone, no text of the test that can
            be read, or no more pairs than are chosen by.
    """
    held_out = {pair.source for pair in test}
    pairs = [pair for pair in pairs if pair.source not in held_out]
    labels = tuple(sorted({pair.target.strip() for pair in pairs}))
    check_labels(labels)
    shared = body.config.model_dump(exclude={"labels"})
    try:
        sizes = LanguageConfig.model_validate({**shared, "labels": labels})
    except ValidationError as error:
        raise RefusedError("other", said=str(reason_of(error))) from error
    examples = sizes.task.examples(tokenizer, pairs, sizes.max_length, sizes.max_length)
    tested = sizes.task.examples(tokenizer, test, sizes.max_length, sizes.max_length)
    if not tested:
        raise RefusedError("test_unread")
    if len(examples) <= options.chosen:
        raise RefusedError("pairs_few", count=len(examples), wanted=options.chosen + 1)
    counts = sorted({min(count, len(examples) - options.chosen) for count in options.counts})
    scores = []
    works = list(product(counts, range(options.seeds), (body, None)))
    for number, (count, seed, begun) in enumerate(works, start=1):
        order = random.Random(seed).sample(examples, len(examples))
        parts = order[options.chosen : options.chosen + count], order[: options.chosen], tested
        found = [_taught(sizes, begun, parts, rate, seed, options) for rate in options.rates]
        best = max(found, key=lambda one: one.chosen)
        scores.append(Score(begun is not None, count, seed, best.right, best.rate, best.updates))
        done(number, len(works))
    right = _right(tested)
    most = float(right.bincount().max()) / len(tested)
    return Transfer(labels, most, len(tested), tuple(scores))


@dataclass(frozen=True, slots=True)
class _Taught:
    """A training at its best: shares that are right of the chosen part and of the test."""

    chosen: float
    right: float
    rate: float
    updates: int


def _taught(
    sizes: LanguageConfig,
    body: Language | None,
    parts: tuple[Sequence[Example], Sequence[Example], Sequence[Example]],
    rate: float,
    seed: int,
    options: TransferOptions,
) -> _Taught:
    taught, chosen, tested = parts
    best = _Taught(-1.0, 0.0, rate, 0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network, draw = Language(sizes), random.Random(seed)
        if body is not None:
            begin_with(network, body)
        optimizer = torch.optim.Adam(network.parameters(), lr=rate)
        for update in range(1, options.updates + 1):
            batch = collate(draw.choices(taught, k=options.batch))
            loss = label_smoothed_loss(network, batch, 0.0) / options.batch
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            if update % max(1, options.updates // _CHECKS) == 0:
                share = _share(network, chosen)
                if share > best.chosen:
                    best = _Taught(share, _share(network, tested), rate, update)
    return best


@torch.inference_mode()
def _share(network: Language, examples: Sequence[Example]) -> float:
    """Of texts whose label is the likeliest."""
    network.eval()
    right = 0
    for start in range(0, len(examples), _ROWS):
        rows = examples[start : start + _ROWS]
        batch = collate(rows)
        asked = batch.written != PAD_ID
        told = network.unembed(network(batch.source)[asked]).argmax(-1)
        right += int((told == _right(rows)).sum())
    network.train()
    return right / len(examples)


def _right(examples: Sequence[Example]) -> Tensor:
    """(example,) the columns of their labels."""
    return torch.tensor([example.written[-1] - FIRST_LABEL for example in examples])
