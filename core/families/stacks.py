"""Models of ours that are stacks of Transformer layers, all of whose places can be looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from torch import Tensor

from core.families.opened import Pass
from core.families.own import OwnModel
from core.families.recorded import attention_site, stacked, stacks_of
from core.model import Capabilities, Heads
from core.nn.attention import MultiHeadAttention
from core.nn.language import Language
from core.nn.transformer import Transformer
from core.probe import PLACES, RECORDS, Probe, Site
from core.trace import Kind

S = TypeVar("S", Language, Transformer)


class OwnStacks(OwnModel[S]):
    """What they have in common, whatever they do."""

    def capabilities(self) -> Capabilities:
        return replace(super().capabilities(), edits=PLACES, records=RECORDS)

    def part(self, parameter: str) -> str:
        """Of the embedding (also the output, tied), the output where it has weights of its own,
        positions where learned, attention of each kind, feed_forward of each stack, norms.
        """
        first = super().part(parameter)
        if first in ("embedding", "positions"):
            return first
        if first in ("output_bias", "head"):
            return "output"
        if "relative." in parameter:
            return "positions"
        if "norm." in parameter:
            return "norms"
        stack = "encoder" if first == "layers" else first
        if ".feed_forward." in parameter:
            return f"{stack}_feed_forward"
        return "cross" if ".cross_attention." in parameter else f"{stack}_self"

    def products(self) -> int:
        return self._network.config.d_model * self._network.config.d_ff

    def facts(self) -> Mapping[str, str]:
        positions = self._network.config.positions
        bias = {"bias": positions} if positions in ("alibi", "relative") else {}
        return {**super().facts(), **bias}

    def reach(self) -> Mapping[Site, tuple[Heads, int]]:
        sizes = self._network.config
        kinds = self.kinds()
        found: dict[Site, tuple[Heads, int]] = {kind: (of, sizes.d_v) for kind, of in kinds.items()}
        found |= {stack: (of, sizes.d_model) for stack, of in stacks_of(kinds).items()}
        return found

    def looked_into(self, probe: Probe, compute: Callable[[Probe], Tensor]) -> Pass:
        """A pass, with what a probe asks for.

        Args:
            compute: its (1, row, column) logits, under a probe that records heads' outputs, too.
        """
        recording = Probe(probe.record | {"outputs"}, probe.edits, probe.first)
        outputs = "outputs" in probe.record
        logits = compute(recording)
        kinds = self.kinds()
        streams = stacks_of(kinds) if "residual" in probe.record else ()
        return Pass(
            logits[0].cpu().numpy(),
            {
                kind: attention_site(kind, recording, self._projections(kind), outputs=outputs)
                for kind in kinds
            },
            {stack: stacked(recording.layers("residual", stack)) for stack in streams},
        )

    def _projections(self, kind: Kind) -> list[Tensor]:
        """W^O of a kind in each layer."""
        return [
            module.output.weight
            for name, module in self._network.named_modules()
            if isinstance(module, MultiHeadAttention) and self.part(f"{name}.output") == kind
        ]
