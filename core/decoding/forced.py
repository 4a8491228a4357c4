"""Writing token by token, after tokens which are given: greedily, or by chance."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.decoding.rules import Rules
from core.decoding.sampling import chosen
from core.decoding.stepper import Hypothesis, S, Stepper
from core.model import Sampling
from core.text.tokenizer import ENDS, Ends


@torch.inference_mode()
def continued(
    model: Stepper[S],
    source: Tensor,
    prefix: Sequence[int],
    limit: int,
    ends: Ends = ENDS,
    *,
    sampling: Sampling | None = None,
    before: int = 0,
    rules: Rules | None = None,
) -> Hypothesis:
    """The likeliest token, or one that is drawn, at each step after `prefix`.

    The prefix is read in one pass.

    Args:
        model: in eval mode.
        source: (1, source) ids on the model's device.
        prefix: what the model is made to write first; an end token in it ends the output.
        limit: the most tokens written, `prefix` and end token included.
        ends: what it reads first, and what ends an output.
        sampling: how chance chooses; None takes the likeliest.
        before: tokens that stand before the first one written, which chance counts too.
        rules: what may be written behind the prefix; None for anything.

    Returns:
        The prefix and what follows; its log probability is of all of them, as the model has it,
        whatever they were drawn by.

    Raises:
        ValueError: the prefix is longer than the limit, or goes on after an end token.
    """
    written = list(prefix)
    if len(written) > limit or limit < 1 or set(ends.closing) & set(written[:-1]):
        raise ValueError("a prefix within the limit, its end token last")
    state = model.start(source)
    reading = torch.tensor([[ends.start, *written[: limit - 1]]], device=source.device)
    logits, state = model.step(reading, state)
    told = logits[0].log_softmax(dim=-1)  # (read, vocab)
    gains = [float(told[place, token]) for place, token in enumerate(written)]
    newest = told[-1]
    while len(written) < limit and not (written and written[-1] in ends.closing):
        open_ = newest if rules is None else rules.applied(newest[None], [written])[0]
        token = chosen(open_, sampling, before + len(written))
        gains.append(float(newest[token]))
        written.append(token)
        if token not in ends.closing and len(written) < limit:
            reading = torch.tensor([[token]], device=source.device)
            logits, state = model.step(reading, state)
            newest = logits[0, -1].log_softmax(dim=-1)
    return Hypothesis(tuple(written), tuple(gains), bool(written) and written[-1] in ends.closing)
