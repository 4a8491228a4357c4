"""Greedy search that goes on after tokens which are given."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.decoding.stepper import Hypothesis, S, Stepper


@torch.inference_mode()
def continued(
    model: Stepper[S],
    source: Tensor,
    prefix: Sequence[int],
    limit: int,
    *,
    start_id: int,
    end_id: int,
) -> Hypothesis:
    """The likeliest token at each step after `prefix`, which is read in one pass.

    Args:
        model: in eval mode.
        source: (1, source) ids on the model's device.
        prefix: what the model is made to write first; an end token in it ends the output.
        limit: the most tokens written, `prefix` and end token included.

    Returns:
        The prefix and what follows; its log probability is of all of them.

    Raises:
        ValueError: the prefix is longer than the limit, or goes on after an end token.
    """
    written = list(prefix)
    if len(written) > limit or limit < 1 or end_id in written[:-1]:
        raise ValueError("a prefix within the limit, its end token last")
    state = model.start(source)
    reading = torch.tensor([[start_id, *written[: limit - 1]]], device=source.device)
    logits, state = model.step(reading, state)
    gains = logits[0].log_softmax(dim=-1)  # (read, vocab)
    total = sum(float(gains[place, token]) for place, token in enumerate(written))
    newest = gains[-1]
    while len(written) < limit and written[-1:] != [end_id]:
        token = int(newest.argmax())
        total += float(newest[token])
        written.append(token)
        if token != end_id and len(written) < limit:
            reading = torch.tensor([[token]], device=source.device)
            logits, state = model.step(reading, state)
            newest = logits[0, -1].log_softmax(dim=-1)
    return Hypothesis(tuple(written), total, written[-1:] == [end_id])
