"""A recurrent encoder and decoder as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.own import OwnTranslator
from core.families.recorder import Recorder
from core.model import Heads
from core.nn.recurrent import through
from core.nn.seq2seq import Seq2Seq, Seq2SeqState
from core.probe import Edit, Probe
from core.trace import AttentionSite, Kind


class Seq2SeqModel(OwnTranslator[Seq2Seq]):
    """Satisfies `core.model.Inspectable`; every gate of every step is among a trace's states."""

    def kinds(self) -> Mapping[Kind, Heads]:
        return {} if self._network.config.attention == "none" else {"cross": Heads(1, 1)}

    def facts(self) -> Mapping[str, str]:
        return {**super().facts(), "score": self._network.config.attention} if self.kinds() else {}

    def part(self, parameter: str) -> str:
        module = super().part(parameter)
        return "cross" if module in ("alignment", "joined") else module

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[Seq2SeqState]:
        return self._network

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        network, recorder = self._network, Recorder()
        x, drop = network.embed(source), network.dropout
        memory, ends = through(network.encoder, x, None, recorder, drop)
        encoder = recorder.states()
        state = Seq2SeqState(memory, (source != network.config.pad_id)[:, None, None], ends)
        s, _ = through(network.decoder, network.embed(target), ends, recorder, drop)
        hidden, scores, weights = network.look_back(s, state)
        sites: dict[Kind, AttentionSite] = {}
        if scores is not None and weights is not None:
            allowed = np.ones((target.shape[1], source.shape[1]), np.bool_)
            sites["cross"] = AttentionSite(
                "cross", weights.cpu().numpy(), allowed, scores.cpu().numpy()
            )
        logits = network.unembed(hidden)[0].cpu().numpy()
        return Pass(logits, sites, states={"encoder": encoder, "decoder": recorder.states()})
