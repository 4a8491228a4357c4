"""Our Transformer as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.own import OwnTranslator
from core.families.recorded import (
    attention_site,
    bias_facts,
    check_attention_edit,
    stacked,
)
from core.model import Capabilities, Heads
from core.nn.attention import MultiHeadAttention
from core.nn.transformer import DecoderState, Transformer
from core.probe import PLACES, RECORDS, Edit, Probe
from core.trace import KINDS, STACKS, Kind


class TransformerModel(OwnTranslator[Transformer]):
    """Satisfies `core.model.Inspectable`."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        decoder = Heads(sizes.decoder_layers, sizes.heads)
        encoder = Heads(sizes.encoder_layers, sizes.heads)
        return {"encoder_self": encoder, "decoder_self": decoder, "cross": decoder}

    def capabilities(self) -> Capabilities:
        return replace(super().capabilities(), edits=PLACES, records=RECORDS)

    def part(self, parameter: str) -> str:
        """Of the embedding (also the output, tied), the output where that has a bias, positions
        where learned, attention of each kind, feed_forward of both stacks, norms.
        """
        stack = super().part(parameter)
        if parameter.startswith(("embedding.", "positions")):
            return stack
        if parameter == "output_bias":
            return "output"
        if "relative." in parameter:
            return "positions"
        if "_norm." in parameter:
            return "norms"
        if ".feed_forward." in parameter:
            return f"{stack}_feed_forward"
        return "cross" if ".cross_attention." in parameter else f"{stack}_self"

    def products(self) -> int:
        return self._network.config.d_model * self._network.config.d_ff

    def facts(self) -> Mapping[str, str]:
        return {**super().facts(), **bias_facts(self._network.config.positions)}

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[DecoderState]:
        return _Edited(self._network, edits) if edits else self._network

    def never_written(self) -> tuple[int, ...]:
        return self._network.config.never_written

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        wanted, probe = probe.record, Probe(probe.record | {"outputs"}, probe.edits)
        logits: Tensor = self._network(source, target, probe)
        streams = STACKS if "residual" in wanted else ()
        return Pass(
            logits[0].cpu().numpy(),
            {
                kind: attention_site(
                    kind, probe, self._projections(kind), outputs="outputs" in wanted
                )
                for kind in KINDS
            },
            {stack: stacked(probe.layers("residual", stack)) for stack in streams},
        )

    def check_edit(self, edit: Edit, source: int, target: int | None) -> None:
        sizes = self._network.config
        encodes = edit.site in ("encoder", "encoder_self")
        layers = sizes.encoder_layers if encodes else sizes.decoder_layers
        check_attention_edit(edit, sizes, layers, source, target)

    def _projections(self, kind: Kind) -> list[Tensor]:
        """W^O of a kind in each layer."""
        return [
            module.output.weight
            for name, module in self._network.named_modules()
            if isinstance(module, MultiHeadAttention) and self.part(f"{name}.output") == kind
        ]


class _Edited:
    """The network as it writes under edits: a `Stepper`."""

    def __init__(self, network: Transformer, edits: tuple[Edit, ...]) -> None:
        self._network = network
        self._probe = Probe(edits=edits)

    def start(self, source: Tensor) -> DecoderState:
        return self._network.start(source, self._probe)

    def step(self, reading: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        return self._network.step(reading, state, self._probe)
