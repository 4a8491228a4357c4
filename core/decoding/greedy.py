"""Greedy search: the likeliest token at each step, many sources at once."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.decoding.rules import Rules
from core.decoding.stepper import Hypothesis, S, Stepper
from core.text.tokenizer import ENDS, Ends


@torch.inference_mode()
def greedy(
    model: Stepper[S],
    source: Tensor,
    limits: Sequence[int],
    ends: Ends = ENDS,
    rules: Rules | None = None,
) -> list[Hypothesis]:
    """Write each source's tokens one by one, each step reading only the newest token.

    A row that is done leaves the batch, so the others do not wait for its arithmetic.

    Args:
        model: in eval mode.
        source: (batch, source) ids on the model's device, padding at the end of a row.
        limits: the most tokens that each row may write, end token included; 1 or more.
        ends: what it reads first, and what ends an output.
        rules: what may be written; None for anything.

    Returns:
        One hypothesis a row, in the order of the batch.

    Raises:
        ValueError: when `limits` does not fit the batch, or a limit is below 1.
    """
    if len(limits) != source.shape[0] or min(limits, default=1) < 1:
        raise ValueError("one limit a row, each at least 1")
    written: list[list[int]] = [[] for _ in limits]
    gains: list[list[float]] = [[] for _ in limits]
    live = list(range(len(limits)))
    if not live:
        return []
    state = model.start(source)
    reading = torch.full((len(live), 1), ends.start, dtype=torch.long, device=source.device)
    while True:
        logits, state = model.step(reading, state)
        told = logits[:, -1].log_softmax(dim=-1)
        if rules is not None:
            told = rules.applied(told, [written[row] for row in live])
        best, chosen = told.max(dim=-1)  # (live,)
        most = best.tolist()
        going: list[int] = []
        for place, (row, token) in enumerate(zip(live, chosen.tolist(), strict=True)):
            written[row].append(token)
            gains[row].append(most[place])
            if token not in ends.closing and len(written[row]) < limits[row]:
                going.append(place)
        if not going:
            break
        reading = chosen[:, None]
        if len(going) < len(live):
            state, reading = state.select(going, going), reading[going]
            live = [live[place] for place in going]
    return [
        Hypothesis(tuple(tokens), tuple(own), tokens[-1] in ends.closing)
        for tokens, own in zip(written, gains, strict=True)
    ]
