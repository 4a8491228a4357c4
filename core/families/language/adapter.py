"""Language models, and what labels by the same layers, as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from core.families.foreteller import Foreteller, Framed
from core.families.labeller import Labeller
from core.families.opened import Pass
from core.families.own import OwnReader
from core.families.recorded import (
    attention_site,
    bias_facts,
    check_attention_edit,
    stacked,
)
from core.model import Capabilities, Heads
from core.nn.language import Language, Objective
from core.probe import PLACES, RECORDS, Edit, Probe
from core.trace import Kind, Token


class _Stack(OwnReader[Language]):
    """What all have in common: one stack of Transformer layers."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        return {"encoder_self": Heads(sizes.layers, sizes.heads)}

    def capabilities(self) -> Capabilities:
        return replace(super().capabilities(), edits=PLACES, records=RECORDS)

    def part(self, parameter: str) -> str:
        if parameter.startswith(("embedding.", "positions")):
            return super().part(parameter)
        if "relative." in parameter:
            return "positions"
        if parameter.startswith("head."):
            return "output"
        if "norm." in parameter:
            return "norms"
        return "encoder_feed_forward" if ".feed_forward." in parameter else "encoder_self"

    def products(self) -> int:
        return self._network.config.d_model * self._network.config.d_ff

    def check_edit(self, edit: Edit, source: int, target: int | None) -> None:
        if edit.site not in ("encoder", "encoder_self"):
            super().check_edit(edit, source, target)
        sizes = self._network.config
        check_attention_edit(edit, sizes, sizes.layers, source, target)

    def facts(self) -> Mapping[str, str]:
        return {**super().facts(), **bias_facts(self._network.config.positions)}

    def run(self, source: Tensor, probe: Probe) -> Pass:
        wanted, probe = probe.record, Probe(probe.record | {"outputs"}, probe.edits)
        logits = self._network.unembed(self._network(source, probe))
        projections = [layer.self_attention.output.weight for layer in self._network.stack()]
        site = attention_site("encoder_self", probe, projections, outputs="outputs" in wanted)
        found = Pass(logits[0].cpu().numpy(), {"encoder_self": site})
        if "residual" in wanted:
            found = replace(
                found, residuals={"encoder": stacked(probe.layers("residual", "encoder"))}
            )
        return found


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
