"""A family that the project does not know: it writes what it reads, place by place.

The proof that a family is one module: `core.family.register("copier", "tests.copier")` is all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.own import OwnTranslator
from core.family import Family
from core.model import Heads
from core.nn.network import Network, Sizes
from core.probe import Edit, Probe
from core.text.examples import Batch
from core.trace import AttentionSite, Kind


class CopierSizes(Sizes):
    vocab_size: int
    d_model: int = 16
    max_length: int = 64
    pad_id: int = 0


class State(NamedTuple):
    source: Tensor
    length: int = 0

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> State:
        return self._replace(source=self.source[list(sources)])


class Copier(Network):
    def __init__(self, config: CopierSizes) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.output = nn.Linear(config.d_model, config.vocab_size)

    def start(self, source: Tensor) -> State:
        return State(source)

    def step(self, reading: Tensor, state: State) -> tuple[Tensor, State]:
        source = state.source.repeat_interleave(len(reading) // len(state.source), 0)
        places = torch.arange(reading.shape[1], device=reading.device) + state.length
        looked_at = source[:, places.clamp(max=source.shape[1] - 1)]
        length = state.length + reading.shape[1]
        return self.output(self.embedding(looked_at)), state._replace(length=length)


class CopierModel(OwnTranslator[Copier]):
    def kinds(self) -> Mapping[Kind, Heads]:
        return {"cross": Heads(1, 1)}

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[State]:
        return self._network

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        logits, _ = self._network.step(target, self._network.start(source))
        rows, columns = target.shape[1], source.shape[1]
        places = np.minimum(np.arange(rows), columns - 1)
        weights = np.eye(columns, dtype=np.float32)[None, None, places]
        site = AttentionSite("cross", weights, np.ones((rows, columns), np.bool_))
        return Pass(logits[0].cpu().numpy(), {"cross": site})


def loss(network: Copier, batch: Batch, smoothing: float) -> Tensor:
    logits, _ = network.step(batch.target, network.start(batch.source))
    flat, right = logits.flatten(0, 1), batch.written.flatten()
    return F.cross_entropy(flat, right, ignore_index=0, label_smoothing=smoothing, reduction="sum")


def likelihood(network: Copier, batch: Batch) -> Tensor:
    with torch.no_grad():
        logits, _ = network.step(batch.target, network.start(batch.source))
        nats = F.cross_entropy(logits.mT, batch.written, ignore_index=0, reduction="none")
        return nats.sum(1)


FAMILY: Final = Family(
    "copier", CopierSizes, Copier, CopierModel, loss, likelihood, tokenizers=("characters",)
)
