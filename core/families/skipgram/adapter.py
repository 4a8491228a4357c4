"""A skip-gram as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from core.families.opened import Pass
from core.families.own import OwnModel
from core.families.reader import Reader
from core.families.refusing import check_beam
from core.model import Answers, Capabilities, Done, Generation, Heads
from core.nn.skipgram import SkipGram
from core.probe import Probe
from core.text.readable import readable
from core.trace import Floats, Kind


class SkipGramModel(OwnModel[SkipGram], Reader):
    """Satisfies `core.model.Inspectable`.

    At each token of a text it says what is likely to stand near it, wherever that is.
    """

    def kinds(self) -> Mapping[Kind, Heads]:
        return {}

    def capabilities(self) -> Capabilities:
        return Capabilities(familiarity=self._checkpoint.familiarity is not None)

    def parameters(self) -> Mapping[str, int]:
        network = self._network
        return {
            "centres": network.embedding.weight.numel(),
            "contexts": network.context.weight.numel(),
        }

    @property
    def answers(self) -> Answers:
        return "tokens"

    def facts(self) -> Mapping[str, str]:
        return {"foretells": "near"}

    def answer(self, source: Sequence[int], logits: Floats) -> str:
        """Nothing."""
        return ""

    def generate(self, source: str, *, beam: int = 1) -> Generation:
        """Nothing, with certainty: it writes no text.

        Raises:
            HeadlightError: as `Inspectable.generate`, and unsupported for a beam above 1.
        """
        check_beam(beam)
        if beam > 1:
            raise self.no_search()
        self._source_ids(readable(source))
        return Generation("", (), 0.0, True)

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done | None = None
    ) -> list[str]:
        """Nothing of each, as `generate`."""
        check_beam(beam)
        if beam > 1:
            raise self.no_search()
        return [""] * len(sources)

    def run(self, source: Tensor, probe: Probe) -> Pass:
        centres = self._network(source)
        logits = self._network.unembed(centres)[0].cpu().numpy()
        return Pass(logits, {}, states={"encoder": {"vector": centres.cpu().numpy()}})
