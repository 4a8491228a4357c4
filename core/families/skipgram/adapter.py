"""A skip-gram as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from core.families.opened import Pass
from core.families.own import OwnModel
from core.families.silent import Silent
from core.nn.skipgram import SkipGram
from core.probe import Probe


class SkipGramModel(OwnModel[SkipGram], Silent):
    """Satisfies `core.model.Inspectable`.

    At each token of a text it says what is likely to stand near it, wherever that is.
    """

    def part(self, parameter: str) -> str:
        return {"embedding": "centres", "context": "contexts"}[super().part(parameter)]

    def facts(self) -> Mapping[str, str]:
        return {"foretells": "near"}

    def run(self, source: Tensor, probe: Probe) -> Pass:
        centres = self._network(source)
        logits = self._network.unembed(centres)[0].cpu().numpy()
        return Pass(logits, {}, states={"encoder": {"vector": centres.cpu().numpy()}})
