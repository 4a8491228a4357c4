"""The training loop: one update a step, alone or shared by several processes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from core.errors import HeadlightError
from core.family import Family, find
from core.nn.network import Network
from core.reasons import because
from core.text.examples import Batch, Example, collate
from core.text.tokenizer import PAD_ID
from core.training.batches import endless_order
from core.training.group import Group
from core.training.precision import Precision
from core.training.recipe import Recipe
from core.training.sampled import sampled, share_at
from core.training.schedule import rate


class Update(NamedTuple):
    """One step that was made.

    Attributes:
        loss: that was trained on, in nats, summed over its target tokens.
        tokens: target tokens, of all processes.
        gradient_norm: before clipping.
        seconds: that it took.
    """

    step: int
    loss: float
    tokens: int
    learning_rate: float
    gradient_norm: float
    seconds: float


def adam(model: nn.Module) -> torch.optim.Adam:
    """Adam as in Section 5.3: beta 0.9 and 0.98, epsilon 1e-9."""
    # fused: 2.9 times faster than the default on CPU.
    return torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)


def updates(
    recipe: Recipe,
    model: Network,
    optimizer: torch.optim.Adam,
    examples: Sequence[Example],
    group: Group,
    *,
    start: int,
    precision: Precision,
) -> Iterator[Update]:
    """Update the model in place, from step `start` + 1 to the recipe's last.

    What an update does is a pure function of the recipe, the weights and the step: batches
    are numbered, and dropout is seeded anew for each step.

    Args:
        examples: the training part, the same for every process.

    Raises:
        HeadlightError: training_diverged when the loss is no longer finite.
    """
    numbers = recipe.training
    device = next(model.parameters()).device
    summed = _SummedLoss(find(recipe.family), model, numbers.label_smoothing)
    shared = DistributedDataParallel(summed) if group.size > 1 else summed
    order = endless_order(
        examples, numbers.tokens_per_batch, recipe.seed, start * numbers.accumulate
    )
    for step in range(start + 1, numbers.steps + 1):
        began = time.perf_counter()
        batches = list(islice(order, numbers.accumulate))
        # Known to every process without asking the others.
        tokens = sum(examples[i].tokens for batch in batches for i in batch)
        model.train()
        _seed(recipe.seed, step, group.rank)
        optimizer.zero_grad(set_to_none=True)
        loss = torch.zeros((), device=device)
        own = share_at(numbers.scheduled_sampling, step, numbers.steps)
        for number, indices in enumerate(batches, start=1):
            model.take_in(id for i in indices for id in examples[i].written)
            batch = _share([examples[i] for i in indices], group).to(device)
            with _autocast(device, precision):
                batch = sampled(model, batch, own)  # type: ignore[arg-type]  # it writes
            with _in_step(shared, last=number == len(batches)):
                with _autocast(device, precision):
                    part: Tensor = shared(*batch)
                # Distributed training averages gradients over processes: undo that.
                (part * (group.size / tokens)).backward()  # type: ignore[no-untyped-call]
            loss += part.detach()
        total = float(group.total(loss))
        if not math.isfinite(total):
            raise HeadlightError("training_diverged", step=step, what=because("loss"))
        norm = nn.utils.clip_grad_norm_(model.parameters(), numbers.clip or math.inf)
        learning_rate = rate(recipe.schedule, step, numbers.steps, model.config.d_model)
        for parameters in optimizer.param_groups:
            parameters["lr"] = learning_rate
        optimizer.step()
        yield Update(step, total, tokens, learning_rate, float(norm), time.perf_counter() - began)


def check_weights(model: nn.Module, step: int) -> None:
    """That what is about to be kept is finite: what was kept before stays the last good one.

    Raises:
        HeadlightError: training_diverged, naming the parameter.
    """
    for name, parameter in model.named_parameters():
        if not parameter.isfinite().all():
            raise HeadlightError("training_diverged", step=step, what=name)


class _SummedLoss(nn.Module):
    """The loss as a module, as distributed training wants it."""

    def __init__(self, family: Family, model: Network, smoothing: float) -> None:
        super().__init__()
        self.family = family
        self.model = model
        self.smoothing = smoothing

    def forward(self, source: Tensor, target: Tensor, written: Tensor) -> Tensor:
        return self.family.loss(self.model, Batch(source, target, written), self.smoothing)


def _seed(seed: int, step: int, rank: int) -> None:
    state = np.random.SeedSequence((seed, step, rank)).generate_state(1, np.uint64)
    torch.manual_seed(int(state[0]))


def _share(examples: Sequence[Example], group: Group) -> Batch:
    """This process's rows of a batch; where there is none for it, one that counts nothing."""
    mine = examples[group.rank :: group.size]
    if mine:
        return collate(mine)
    batch = collate(examples[:1])
    return batch._replace(written=torch.full_like(batch.written, PAD_ID))


def _in_step(shared: nn.Module, *, last: bool) -> AbstractContextManager[None]:
    """Gradients are exchanged once an update, with its last batch."""
    if last or not isinstance(shared, DistributedDataParallel):
        return nullcontext()
    return shared.no_sync()


def _autocast(device: torch.device, precision: Precision) -> AbstractContextManager[None]:
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == "bf16")
