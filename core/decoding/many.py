"""Outputs for many sources of any length, in batches of similar ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import torch

from core.decoding.beam import beam_search
from core.decoding.greedy import greedy
from core.decoding.limits import output_limit
from core.decoding.rules import Rules
from core.decoding.stepper import S, Stepper
from core.model import Done, untold
from core.text.examples import pad_rows
from core.text.tokenizer import ENDS, Ends

_ROWS: Final = 64  # of one batch: sentences, or beams of sentences
_POSITIONS: Final = 4096  # of one batch, padding included


def search_all(
    model: Stepper[S],
    sources: Sequence[Sequence[int]],
    device: torch.device,
    *,
    max_source: int,
    max_target: int,
    ends: Ends = ENDS,
    beam: int = 1,
    done: Done = untold,
    rules: Rules | None = None,
) -> list[tuple[int, ...]]:
    """What the model writes for each source; () for one beyond `max_source`.

    Args:
        model: in eval mode, on `device`.
        sources: token ids, end token included, each at least one.
        beam: 1 is greedy.
        done: called with (finished, all) sources as outputs are written.
        rules: what may be written; None for anything.
    """
    outputs: list[tuple[int, ...]] = [()] * len(sources)
    lengths = [len(source) for source in sources]
    readable = [row for row, length in enumerate(lengths) if length <= max_source]
    finished = len(sources) - len(readable)
    for rows in batches_by_length(lengths, readable, most_rows=max(1, _ROWS // beam)):
        source = pad_rows([sources[row] for row in rows], ends.pad, device)
        limits = [output_limit(lengths[row], max_target) for row in rows]
        if beam == 1:
            found = greedy(model, source, limits, ends, rules)
        else:
            trees = beam_search(model, source, limits, ends, beam=beam, rules=rules)
            found = [tree.hypotheses()[0] for tree in trees]
        for row, hypothesis in zip(rows, found, strict=True):
            outputs[row] = hypothesis.tokens
        finished += len(rows)
        done(finished, len(sources))
    return outputs


def batches_by_length(
    lengths: Sequence[int],
    rows: Sequence[int],
    *,
    most_rows: int = _ROWS,
    most_positions: int = _POSITIONS,
) -> Iterator[list[int]]:
    """`rows` in batches of similar length, longest first, so that little of it is padding."""
    batch: list[int] = []
    for row in sorted(rows, key=lambda row: -lengths[row]):
        width = lengths[batch[0]] if batch else 0
        if batch and (len(batch) == most_rows or (len(batch) + 1) * width > most_positions):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
