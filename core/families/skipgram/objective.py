"""What a skip-gram is trained on, neighbours against noise, and measured by, neighbours alone."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from core.families.measuring import nats_of, summed_by_row
from core.nn.skipgram import SkipGram
from core.text.examples import Batch


def negative_sampling_loss(model: SkipGram, batch: Batch, smoothing: float) -> Tensor:
    """Sum over neighbours of -log s(v·u) - sum log s(-v·n), n drawn from noise (equation 4).

    Args:
        smoothing: there are no labels to smooth; not looked at.
    """
    words = batch.written != model.config.pad_id
    if model.training:
        words = words & model.kept(batch.written)
    loss = 0.0 * (model.embedding.weight.sum() + model.context.weight.sum())
    for distance, pairs in _near(model, words):
        if model.training:  # near ones oftener, as by windows of random widths
            share = 1 - (distance - 1) / model.config.window
            pairs = pairs[torch.rand(len(pairs), device=pairs.device) < share]
        rows, places, others = pairs.unbind(1)
        if len(rows):
            loss = loss + _against_noise(
                model, batch.written[rows, places], batch.written[rows, others]
            )
    return loss


@torch.inference_mode()
def negative_log_likelihood(model: SkipGram, batch: Batch) -> Tensor:
    """(batch,) in nats: of each token of a row the mean of its neighbours', among all tokens."""
    words = batch.written != model.config.pad_id
    pairs = torch.cat([pairs for _, pairs in _near(model, words)])
    rows, places, others = pairs.unbind(1)
    width = words.shape[1]
    neighbours = torch.bincount(rows * width + places, minlength=words.numel())
    nats = nats_of(model, model(batch.written[rows, places]), batch.written[rows, others])
    return summed_by_row(nats / neighbours[rows * width + places], rows, len(words))


def _near(model: SkipGram, words: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Each distance with the (pair, 3) rows, centres and neighbours that far apart, both ways.

    Args:
        words: (batch, place) bool, of what can be either.
    """
    for distance in range(1, min(model.config.window, words.shape[1] - 1) + 1):
        rows, before = (words[:, :-distance] & words[:, distance:]).nonzero().unbind(1)
        after = before + distance
        there = torch.stack((rows, before, after), 1)
        yield distance, torch.cat((there, there[:, [0, 2, 1]]))


def _against_noise(model: SkipGram, centres: Tensor, near: Tensor) -> Tensor:
    count = model.config.negatives
    drawn = torch.multinomial(model.noise(), len(near) * count, replacement=True)
    v = model.embedding(centres)  # (pair, d_model)
    near_products = (v * model.context(near)).sum(-1)
    noise = model.context(drawn.view(-1, count))  # (pair, negative, d_model)
    noise_products = (noise @ v[:, :, None]).squeeze(-1)
    loss: Tensor = -F.logsigmoid(near_products).sum() - F.logsigmoid(-noise_products).sum()
    return loss
