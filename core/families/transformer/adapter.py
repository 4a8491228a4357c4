"""Our Transformer as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.own import OwnTranslator
from core.families.stacks import OwnStacks
from core.model import Heads
from core.nn.transformer import DecoderState, Transformer
from core.probe import Edit, Probe
from core.trace import Kind


class TransformerModel(OwnStacks[Transformer], OwnTranslator[Transformer]):
    """Satisfies `core.model.Inspectable`."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        decoder = Heads(sizes.decoder_layers, sizes.heads)
        encoder = Heads(sizes.encoder_layers, sizes.heads)
        return {"encoder_self": encoder, "decoder_self": decoder, "cross": decoder}

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[DecoderState]:
        return _Edited(self._network, edits) if edits else self._network

    def never_written(self) -> tuple[int, ...]:
        return self._network.config.never_written

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        return self.looked_into(probe, lambda recording: self._network(source, target, recording))


class _Edited:
    """The network as it writes under edits: a `Stepper`."""

    def __init__(self, network: Transformer, edits: tuple[Edit, ...]) -> None:
        self._network = network
        self._probe = Probe(edits=edits)

    def start(self, source: Tensor) -> DecoderState:
        return self._network.start(source, self._probe)

    def step(self, reading: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        return self._network.step(reading, state, self._probe)
