"""Decoding: outputs of a prescribed length, with caches on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import torch
from torch import Tensor
from transformers import MarianMTModel

from core.decoding.beam import beam_search
from core.decoding.greedy import greedy
from core.nn.fast import few_rows
from core.nn.transformer import Transformer
from core.text.examples import collate
from core.text.tokenizer import PAD_ID, Ends
from tests.bench.peers import marian
from tests.bench.race import Contender, race
from tests.bench.report import Row, rows
from tests.bench.workload import Size, examples

NOBODY: Final = -1  # an end token that is never written
BATCHES: Final = (1, 32)
BEAMS: Final = (1, 4)
_WRITTEN: Final = 32  # tokens of each output
_QUICK: Final = 30  # rounds of one sentence: each is short, and as noisy as it is short
_TARGETS: Final = {(1, 1): 1.15, (4, 1): 1.1, (4, 32): 1.1}  # by beam and batch

Written = list[tuple[int, ...]]


def measure(size: Size, batch: int, beam: int, length: int, rounds: int | None) -> Iterator[Row]:
    """Ours against Marian's `generate`, with the same weights.

    Args:
        batch: sources at once.
        beam: 1 is greedy.
        length: median tokens of a source sentence.
    """
    torch.manual_seed(0)
    model = Transformer(size.config(dropout=0.0)).eval()
    peer = marian(model).eval()
    count = rounds or (_QUICK if batch == 1 else size.rounds)
    pairs = examples(length)
    given = [collate(pairs[i * batch : (i + 1) * batch]).source for i in range(count)]
    timings = race(
        [
            _contender("Marian", lambda source: generate(peer, source, _WRITTEN, beam=beam), given),
            _contender("ours", lambda source: search(model, source, _WRITTEN, beam=beam), given),
        ],
        count,
    )
    how = "greedy" if beam == 1 else f"beam {beam}"
    work = f"{size.name}, {how}, batch {batch}"
    units = [float(batch * _WRITTEN)] * count
    target = _TARGETS.get((beam, batch)) if size.name == "base" else None
    targets = {} if target is None else {"ours": target}
    yield from rows("decoding", work, timings, units, "tokens/s", targets)


def generate(model: MarianMTModel, source: Tensor, length: int, *, beam: int) -> Written:
    """What Marian writes, `length` tokens a row, without the start token."""
    with torch.inference_mode():
        written = model.generate(
            input_ids=source,
            attention_mask=(source != PAD_ID).long(),
            num_beams=beam,
            do_sample=False,
            max_new_tokens=length,
        )
    return [tuple(row[1:]) for row in written.tolist()]


def search(model: Transformer, source: Tensor, length: int, *, beam: int) -> Written:
    """What we write."""
    ends = Ends(closing=(NOBODY,))
    limits = [length] * len(source)
    if beam == 1:
        return [found.tokens for found in greedy(model, source, limits, ends)]
    trees = beam_search(model, source, limits, ends, beam=beam)
    return [tree.hypotheses()[0].tokens for tree in trees]


def ways() -> str:
    """How maps of few rows were computed, and of which sizes (rows x inputs to outputs)."""
    by_way: dict[str, list[str]] = {}
    for (count, outputs, inputs), way in sorted(few_rows.LINEAR.chosen().items()):
        by_way.setdefault(way, []).append(f"{count} x {inputs} to {outputs}")
    return "; ".join(f"{way}: {', '.join(sizes)}" for way, sizes in by_way.items())


def _contender(name: str, write: Callable[[Tensor], Written], given: list[Tensor]) -> Contender:
    return Contender(name, lambda number: write(given[number]))
