"""Training: forward, loss, backward, clipping and Adam, on the same batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import torch
from torch import Tensor, nn

from core.families.transformer import FAMILY
from core.families.transformer.objective import label_smoothed_loss
from core.nn.transformer import Transformer
from core.text.examples import Batch
from core.training.loop import adam
from core.training.precision import take
from tests.bench.peers import SMOOTHING, marian, marian_logits, mean_loss, torch_translator
from tests.bench.race import Contender, race
from tests.bench.report import Row, rows
from tests.bench.workload import Size, batches, examples, real_positions

DROPOUTS: Final = (0.0, 0.1)
_FP32: Final = {0.0: 1.0, 0.1: 1.1}
_BF16: Final = {"tiny": 2.0, "small": 2.8, "base": 2.8}


def measure(size: Size, dropout: float, length: int, rounds: int | None) -> Iterator[Row]:
    """Ours against the peers, from the same weights.

    Args:
        length: median tokens of a source sentence.
        rounds: the size's own if None.
    """
    given = batches(size, length, rounds or size.rounds)
    torch.manual_seed(0)
    start = Transformer(size.config(dropout))
    timings = race(
        [
            _contender("nn.Transformer", *_torch(start), given),
            _contender("nn.Transformer bf16", *_torch(start), given),
            _contender("Marian", *_marian(start), given),
            _contender("ours", *_ours(start), given),
            _contender("ours bf16", *_ours(start), given),
        ],
        len(given),
    )
    units = [float(real_positions(batch)) for batch in given]
    filled = sum(units) / sum(batch.source.numel() + batch.target.numel() for batch in given)
    work = f"{size.name}, dropout {dropout:g}, {filled:.0%} full"
    targets = {"ours": _FP32[dropout], "ours bf16": _BF16[size.name]}
    yield from rows("training", work, timings, units, "tokens/s", targets)


def taken(size: Size, length: int) -> str:
    """What a recipe that leaves the precision open would take here."""
    began = time.perf_counter()
    found = take("auto", FAMILY, size.config(dropout=0.1), examples(length), torch.device("cpu"))
    seconds = time.perf_counter() - began
    return (
        f"{size.name}: auto takes {found.precision}, bf16 {found.gain:.2f} times, {seconds:.1f} s"
    )


Loss = Callable[[Batch], Tensor]


def _torch(start: Transformer) -> tuple[nn.Module, Loss]:
    model = torch_translator(start).train()
    return model, lambda batch: mean_loss(model(batch.source, batch.target), batch)


def _marian(start: Transformer) -> tuple[nn.Module, Loss]:
    model = marian(start)
    return model, lambda batch: mean_loss(marian_logits(model, batch), batch)


def _ours(start: Transformer) -> tuple[nn.Module, Loss]:
    model = Transformer(start.config).train()
    model.load_state_dict(start.state_dict())

    def loss(batch: Batch) -> Tensor:
        return label_smoothed_loss(model, batch, SMOOTHING) / batch.tokens

    return model, loss


def _contender(name: str, model: nn.Module, loss: Loss, given: list[Batch]) -> Contender:
    optimizer = adam(model)
    for group in optimizer.param_groups:
        group["lr"] = 1e-4

    def update(number: int) -> float:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=name.endswith("bf16")):
            found = loss(given[number])
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(found)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return float(found.detach())

    return Contender(name, update)
