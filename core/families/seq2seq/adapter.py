"""A recurrent encoder and decoder as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.translator import Translator
from core.model import Capabilities, Heads
from core.nn.recurrent import RecurrentLayer, States
from core.nn.seq2seq import Seq2Seq, Seq2SeqState
from core.probe import Edit, Probe
from core.trace import AttentionSite, Floats, Kind


class Seq2SeqModel(Translator[Seq2Seq]):
    """Satisfies `core.model.Inspectable`; every gate of every step is among a trace's states."""

    def kinds(self) -> Mapping[Kind, Heads]:
        return {} if self._network.config.attention == "none" else {"cross": Heads(1, 1)}

    def capabilities(self) -> Capabilities:
        familiarity = self._checkpoint.familiarity is not None
        return Capabilities(search=True, forcing=True, branching=True, familiarity=familiarity)

    def parameters(self) -> Mapping[str, int]:
        parts: dict[str, int] = {}
        for name, parameter in self._network.named_parameters():
            module = name.partition(".")[0]
            part = "cross" if module in ("alignment", "joined") else module
            parts[part] = parts.get(part, 0) + parameter.numel()
        return parts

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[Seq2SeqState]:
        return self._network

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        network, recorder = self._network, _Recorder()
        x = network.embed(source)
        memory, ends = network.read(network.encoder, x, network.zeros(x), recorder)
        encoder = recorder.states()
        state = Seq2SeqState(memory, (source != network.config.pad_id)[:, None, None], ends)
        s, _ = network.read(network.decoder, network.embed(target), ends, recorder)
        hidden, scores, weights = network.look_back(s, state)
        sites: dict[Kind, AttentionSite] = {}
        if scores is not None and weights is not None:
            allowed = np.ones((target.shape[1], source.shape[1]), np.bool_)
            sites["cross"] = AttentionSite(
                "cross", weights.cpu().numpy(), allowed, scores.cpu().numpy()
            )
        logits = network.unembed(hidden)[0].cpu().numpy()
        return Pass(logits, sites, states={"encoder": encoder, "decoder": recorder.states()})


class _Recorder:
    """Reads layers step by step and keeps what they compute."""

    def __init__(self) -> None:
        self._layers: list[States] = []

    def __call__(self, layer: RecurrentLayer, x: Tensor, start: States) -> tuple[Tensor, States]:
        states = layer(x, start)
        self._layers.append(states)
        return states["hidden"], {name: states[name][:, -1] for name in layer.CARRIED}

    def states(self) -> Mapping[str, Floats]:
        """(layer, place, unit) of what was kept since they were last asked for, by name."""
        layers, self._layers = self._layers, []
        return {
            name: np.stack([states[name][0].cpu().numpy() for states in layers])
            for name in layers[0]
        }
