"""What a language model is trained on and measured by: the tokens that it foretells."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

from core.families.measuring import labelled_loss, nats_of, summed_by_row, summed_where
from core.nn.fast.cross_entropy import smoothed_cross_entropy
from core.nn.language import HIDDEN_ID, Language
from core.text.examples import Batch
from core.text.tasks import FIRST_LABEL
from core.text.tokenizer import SPECIAL_PIECES

HIDDEN: Final = 0.15
"""Share of the tokens that a masked model is asked for, as BERT's (Devlin et al. 2019, 3.1)."""

_SHOWN, _ANOTHER = 0.1, 0.1  # of those: left as they are, or another token in their place
_POSITIONS: Final = 4096  # measured at once, padding included


def label_smoothed_loss(model: Language, batch: Batch, smoothing: float) -> Tensor:
    """Sum over real tokens of the cross-entropy against the smoothed label, in nats.

    A masked model is asked for a share of them in each pass, at random; their sum is scaled up to
    what it would be of all.
    """
    asked, source, scale = batch.written != model.config.pad_id, batch.source, 1.0
    if model.config.labels:
        logits = model.unembed(model(source)[asked])
        return labelled_loss(logits, batch.written[asked] - FIRST_LABEL, smoothing)
    if model.config.objective == "masked":
        real = asked
        asked = _chosen(real)
        source = _with_hidden(source, asked, model.config.vocab_size)
        scale = float(real.sum()) / max(1, int(asked.sum()))
    logits = model.unembed(model(source)[asked])
    return smoothed_cross_entropy(logits, batch.written[asked], smoothing) * scale


@torch.inference_mode()
def negative_log_likelihood(model: Language, batch: Batch) -> Tensor:
    """Without smoothing: (batch,) in nats, of each row's real tokens.

    Of a masked model, each token's alone, while it is hidden and all others are not: what is called
    the pseudo-log-likelihood (Salazar et al. 2020).
    """
    real = batch.written != model.config.pad_id
    if model.config.labels:
        right = batch.written[real] - FIRST_LABEL
        return summed_where(real, nats_of(model, model(batch.source)[real], right))
    if model.config.objective != "masked":
        return summed_where(real, nats_of(model, model(batch.source)[real], batch.written[real]))
    places, nats = real.nonzero(), []
    for some in torch.split(places, max(1, _POSITIONS // batch.source.shape[1])):
        rows, columns = some.unbind(1)
        each = torch.arange(len(some), device=some.device)
        source = batch.source[rows].clone()
        source[each, columns] = HIDDEN_ID
        hidden = model(source)[each, columns]
        nats.append(nats_of(model, hidden, batch.written[rows, columns]))
    return summed_by_row(torch.cat(nats), places[:, 0], len(real))


def _chosen(real: Tensor) -> Tensor:
    """A share of the real places at random, and at least one a text that has any."""
    chance = torch.rand(real.shape, device=real.device).masked_fill(~real, 2.0)
    asked = chance < HIDDEN
    asked[torch.arange(len(real), device=real.device), chance.argmin(1)] = True
    return asked & real


def _with_hidden(source: Tensor, asked: Tensor, vocabulary: int) -> Tensor:
    """The source as the model reads it: most of what it is asked for is hidden."""
    chance = torch.rand(source.shape, device=source.device)
    others = torch.randint(len(SPECIAL_PIECES), vocabulary, source.shape, device=source.device)
    read = torch.where(asked & (chance >= _SHOWN + _ANOTHER), HIDDEN_ID, source)
    return torch.where(asked & (chance < _ANOTHER), others, read)
