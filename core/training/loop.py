"""The training loop: a generator of typed events."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import torch
from torch import nn

from core.errors import HeadlightError
from core.nn.transformer import Transformer
from core.training.batches import Batch, Example, endless_batches
from core.training.events import Event, Progress, Validated
from core.training.loss import label_smoothed_loss, negative_log_likelihood
from core.training.recipe import Recipe
from core.training.schedule import rate
from core.training.state import save_state


def adam(model: nn.Module) -> torch.optim.Adam:
    """Adam as in Section 5.3: beta 0.9 and 0.98, epsilon 1e-9."""
    # fused: 2.9 times faster than the default on CPU.
    return torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)


def train(
    recipe: Recipe,
    model: Transformer,
    optimizer: torch.optim.Adam,
    examples: Sequence[Example],
    held_out: Mapping[str, Sequence[Example]],
    *,
    start: int,
    folder: Path,
) -> Iterator[Event]:
    """Update the model in place, from step `start` + 1 to the recipe's last.

    Args:
        examples: the training part.
        held_out: by name; each gets a loss at every validation.
        folder: where the state is saved.

    Raises:
        HeadlightError: training_diverged when the loss or a weight is no longer finite.
    """
    numbers = recipe.training
    device = next(model.parameters()).device
    batches = endless_batches(examples, numbers.tokens_per_batch, recipe.seed, start)
    meter = _Meter()
    model.train()
    remaining = range(start + 1, numbers.steps + 1)
    for step, batch in zip(remaining, islice(batches, len(remaining)), strict=True):
        learning_rate = rate(recipe.schedule, step, numbers.steps, model.config.d_model)
        loss = float(_update(model, optimizer, batch.to(device), learning_rate, recipe))
        if not math.isfinite(loss):
            raise HeadlightError("training_diverged", step=step, what="the loss")
        meter.add(loss, batch.tokens)
        last = step == numbers.steps
        if last or not all(step % every for every in (numbers.validate_every, numbers.save_every)):
            _check_weights(model, step)  # the state saved before stays the last good one
        if step % numbers.report_every == 0 or last:
            yield Progress(step, *meter.read(), learning_rate)
        if step % numbers.validate_every == 0 or last:
            yield Validated(step, {name: mean_loss(model, kept) for name, kept in held_out.items()})
        if step % numbers.save_every == 0 or last:
            save_state(folder, step, model, optimizer)


def mean_loss(model: Transformer, examples: Sequence[Example]) -> float:
    """Mean negative log-likelihood of the target tokens in nats, without smoothing or dropout."""
    was_training = model.training
    model.eval()
    total, tokens = negative_log_likelihood(model, examples)
    model.train(was_training)
    return total / max(tokens, 1)


def _update(
    model: Transformer,
    optimizer: torch.optim.Adam,
    batch: Batch,
    learning_rate: float,
    recipe: Recipe,
) -> torch.Tensor:
    numbers = recipe.training
    for group in optimizer.param_groups:
        group["lr"] = learning_rate
    bf16 = numbers.precision == "bf16"
    with torch.autocast(batch.source.device.type, dtype=torch.bfloat16, enabled=bf16):
        loss = label_smoothed_loss(model, *batch, smoothing=numbers.label_smoothing)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    if numbers.clip > 0:
        nn.utils.clip_grad_norm_(model.parameters(), numbers.clip)
    optimizer.step()
    return loss.detach()


def _check_weights(model: nn.Module, step: int) -> None:
    for name, parameter in model.named_parameters():
        if not parameter.isfinite().all():
            raise HeadlightError("training_diverged", step=step, what=name)


class _Meter:
    """Mean loss and speed since it was last read."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self.loss, self.tokens, self.since = 0.0, 0, time.perf_counter()

    def add(self, loss: float, tokens: int) -> None:
        self.loss += loss * tokens
        self.tokens += tokens

    def read(self) -> tuple[float, float]:
        """(loss in nats a token, tokens a second)."""
        mean = self.loss / max(self.tokens, 1)
        speed = self.tokens / max(time.perf_counter() - self.since, 1e-9)
        self._reset()
        return mean, speed
