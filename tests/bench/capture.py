"""Looking: one forward pass with every score, mask and weight captured, and without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import torch

from core.nn.transformer import Transformer
from core.probe import OF_ATTENTION, Probe
from tests.bench.race import Contender, race
from tests.bench.report import Row, rows
from tests.bench.workload import VOCABULARY, Size

LENGTHS: Final = (16, 128, 512)
_TARGET: Final = 1 / 1.05
_ROUNDS: Final = {16: 60, 128: 30, 512: 12}


def measure(size: Size, length: int, rounds: int | None) -> Iterator[Row]:
    """One sentence of `length` source and as many target tokens.

    The pages of what is captured are fresh: whoever asks for it keeps it.
    """
    torch.manual_seed(0)
    config = size.config(dropout=0.0).model_copy(update={"max_length": length})
    model = Transformer(config).eval()
    source, target = torch.randint(4, VOCABULARY, (2, 1, length))

    @torch.inference_mode()
    def plain(number: int) -> None:
        model(source, target)

    @torch.inference_mode()
    def captured(number: int) -> None:
        model(source, target, Probe(OF_ATTENTION))

    count = rounds or _ROUNDS[length]
    timings = race(
        [Contender("nothing captured", plain), Contender("all captured", captured)], count
    )
    work = f"{size.name}, {length} tokens a side"
    units = [2.0 * length] * count
    yield from rows("capture", work, timings, units, "tokens/s", {"all captured": _TARGET})
