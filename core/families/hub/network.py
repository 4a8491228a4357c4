"""A Hugging Face model as something that answers ids, whatever its architecture is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.families.hub.capture import Capture, captured
from core.families.hub.wiring import TOLD, Form, call, logits_of, weights_of, wire
from core.families.opened import Pass
from core.nn.attention import shares
from core.probe import Probe, Record, Site
from core.reasons import RefusedError
from core.trace import AttentionSite, Bools, Floats, Kind


class HubNetwork:
    """Calls may come from many threads at once: it holds nothing of any."""

    def __init__(self, model: PreTrainedModel, form: Form) -> None:
        self.model = model
        self.form = form
        self.wiring = wire(model, form)

    @property
    def config(self) -> Any:
        """That of its text part."""
        return self.model.config.get_text_config()

    @property
    def unseen(self) -> tuple[Kind, ...]:
        """Kinds of attention that it has, and that cannot be seen."""
        return tuple(kind for kind in TOLD[self.form] if kind not in self.wiring.heads)

    @property
    def idle(self) -> tuple[int, int]:
        """Layers that attend to nothing, and all of them, of a stack that stands alone."""
        if self.form == "encoder-decoder":
            return 0, 0
        layers = int(getattr(self.config, "num_hidden_layers", 0))
        (attending,) = (of.layers for of in self.wiring.heads.values())
        return max(0, layers - attending), layers

    def capture(self, probe: Probe, positions: Sequence[int] | None = None) -> Capture:
        """Of one pass, whose decoder rows are at these positions."""
        wiring = self.wiring
        return Capture(probe, wiring.kinds, wiring.stacks, wiring.streams, positions)

    def read(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        """One pass of (1, source) and (1, target) ids, of which its form takes its own.

        Logits are (column,) of a model that says one thing of a text.
        """
        wiring, wanted = self.wiring, probe.record
        if wiring.projections:  # by which heads' outputs are what they add
            probe = Probe(wanted | {"outputs"}, probe.edits)
        told = {} if wiring.probed else {"output_attentions": True}
        with captured(self.capture(probe)) as capture:
            found = call(self.model, self.form, source, target, **told)
        if wiring.probed:
            sites = {kind: self._site(kind, capture, wanted) for kind in wiring.heads}
        else:
            weights = weights_of(found, self.form)
            if not wiring.heads.keys() <= weights.keys():  # of a long text they may be otherwise
                raise RefusedError("attention_odd")
            sites = {kind: _bare(kind, weights[kind]) for kind in wiring.heads}
        streams = wiring.streams if "residual" in wanted else ()
        residuals = {stack: _stacked(probe, "residual", stack) for stack in streams}
        logits = logits_of(found)
        return Pass(None if logits is None else _numbers(logits[0]), sites, residuals)

    def _site(self, kind: Kind, capture: Capture, wanted: frozenset[Record]) -> AttentionSite:
        """What was captured of a kind."""
        probe = capture.probe
        scaled = kind in self.wiring.scaled
        weights, mask = _stacked(probe, "weights", kind), probe.layers("mask", kind)
        masks = np.stack([one.expand(1, *weights.shape[1:])[0].cpu().numpy() for one in mask])
        same = (masks == masks[:1, :1]).all()
        sinks = [capture.sinks[at] for at in sorted(capture.sinks) if at[0] == kind]
        return AttentionSite(
            kind,
            weights,
            np.ascontiguousarray(masks[0, 0] if same else masks),
            _stacked(probe, "scores", kind),
            _stacked(probe, "queries", kind) if scaled else None,
            _stacked(probe, "keys", kind) if scaled else None,
            _stacked(probe, "outputs", kind) if "outputs" in wanted else None,
            self._shares(kind, probe),
            forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
            sinks=_numbers(torch.stack([one[0].cpu() for one in sinks])) if sinks else None,
        )

    def _shares(self, kind: Kind, probe: Probe) -> Floats | None:
        """(layer, head, query) where W^O of all layers is known."""
        projections = self.wiring.projections.get(kind)
        if projections is None:
            return None
        layers = zip(projections, probe.layers("outputs", kind), strict=True)
        found: Floats = _numbers(
            torch.stack([shares(x.float(), by.weight.float())[0].cpu() for by, x in layers])
        )
        return found


def _stacked(probe: Probe, record: Record, site: Site) -> Floats:
    # Layers may be on several devices.
    found: Floats = torch.stack([x[0].float().cpu() for x in probe.layers(record, site)]).numpy()
    return found


def _numbers(x: Tensor | None) -> Any:
    return None if x is None else x.float().cpu().numpy()


def _bare(kind: Kind, weights: Tensor) -> AttentionSite:
    """What there is where only weights are told: a decoder looks at nothing that comes later."""
    _, _, rows, columns = weights.shape
    allowed: Bools = np.ones((rows, columns), np.bool_)
    return AttentionSite(
        kind, weights.float().cpu().numpy(), np.tril(allowed) if kind == "decoder_self" else allowed
    )
