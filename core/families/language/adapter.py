"""Language models, and what labels by the same layers, as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from core.families.foreteller import Foreteller, Framed
from core.families.labeller import Labeller
from core.families.opened import Pass
from core.families.own import OwnReader
from core.families.stacks import OwnStacks
from core.model import Heads
from core.nn.language import Language, Objective
from core.probe import Probe
from core.trace import Kind, Token


class _Stack(OwnStacks[Language], OwnReader[Language]):
    """What all have in common: one stack of Transformer layers."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        return {"encoder_self": Heads(sizes.layers, sizes.heads)}

    def run(self, source: Tensor, probe: Probe) -> Pass:
        return self.looked_into(
            probe, lambda recording: self.unembed(self._network(source, recording))
        )


class LanguageLabeller(_Stack, Framed, Labeller):
    """Gives a text a label, at its end token; what it looks at is as that of a language model."""

    @property
    def labels(self) -> tuple[str, ...]:
        return self._network.config.labels

    def asked(self, tokens: Sequence[Token]) -> list[int]:
        return [len(tokens) - 1]

    def run(self, source: Tensor, probe: Probe) -> Pass:
        found = super().run(source, probe)
        assert found.logits is not None
        # Its head was taught at the end token alone: what it says there is said of every row.
        return replace(found, logits=found.logits[-1:].repeat(len(found.logits), 0))


class LanguageModel(_Stack, Foreteller):
    """Foretells by what its tokens may look at."""

    @property
    def objective(self) -> Objective:
        return self._network.config.objective
