"""A stack of recurrent layers as something that can be looked into."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.foreteller import Foreteller
from core.families.labeller import Labeller
from core.families.opened import Pass
from core.families.own import OwnReader, OwnTranslator
from core.families.recorder import Recorder
from core.nn.language import Objective
from core.nn.recurrent_model import Recurrent, RecurrentState
from core.probe import Edit, Probe
from core.text.tasks import labelled_words
from core.trace import Token


class _Recurrent(OwnReader[Recurrent]):
    """Says something after each token; every gate is among a trace's states."""

    def run(self, source: Tensor, probe: Probe) -> Pass:
        recorder = Recorder()
        hidden, _ = self._network.read(source, None, recorder)
        logits = self.unembed(hidden)[0].cpu().numpy()
        return Pass(logits, {}, states={"encoder": recorder.states()})


class RecurrentReader(_Recurrent, Labeller):
    """Gives a text, or each of its tokens, a label."""

    def part(self, parameter: str) -> str:
        part = super().part(parameter)
        return "input" if part == "embedding" else part  # and no more than that

    @property
    def labels(self) -> tuple[str, ...]:
        return self._network.config.labels

    def asked(self, tokens: Sequence[Token]) -> list[int]:
        if self._network.config.answers == "label":
            return [len(tokens) - 1]
        last = {word: at for at, word in enumerate(labelled_words(tokens)) if word >= 0}
        return list(last.values())


class RecurrentForeteller(_Recurrent, Foreteller):
    """Foretells the next token at each."""

    objective: Objective = "forward"


class RecurrentWriter(OwnTranslator[Recurrent]):
    """Writes after what it read, by the same layers; every gate is among a trace's states."""

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[RecurrentState]:
        return self._network

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        network, recorder = self._network, Recorder()
        _, ends = network.read(source, None, recorder)
        encoder = recorder.states()
        hidden, _ = network.read(target, ends, recorder)
        logits = network.unembed(hidden)[0].cpu().numpy()
        return Pass(logits, {}, states={"encoder": encoder, "decoder": recorder.states()})
