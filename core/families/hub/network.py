"""A Hugging Face model as something that answers ids, whatever its architecture is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.families.hub.attention import Capture, captured
from core.families.hub.wiring import Form, call, logits_of, weights_of, wire
from core.probe import Probe, Record
from core.trace import AttentionSite, Bools, Floats, Kind


@dataclass(frozen=True, slots=True)
class Read:
    """What one pass gave.

    Attributes:
        logits: (row, column), or (column,) of a model that says one thing of a text; None of one
            that says nothing.
        sites: the kinds of attention that it has.
    """

    logits: Floats | None
    sites: Mapping[Kind, AttentionSite] = field(default_factory=dict)


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

    def capture(self, probe: Probe, positions: Sequence[int] | None = None) -> Capture:
        """Of one pass, whose decoder rows are at these positions."""
        return Capture(probe, self.wiring.kinds, positions)

    def read(self, source: Tensor, target: Tensor, probe: Probe) -> Read:
        """One pass of (1, source) and (1, target) ids, of which its form takes its own."""
        wiring = self.wiring
        if not wiring.probed:
            found = call(self.model, self.form, source, target, output_attentions=True)
            told = weights_of(found, self.form)
            return Read(
                _numbers(logits_of(found)), {kind: _bare(kind, of) for kind, of in told.items()}
            )
        with captured(self.capture(probe)) as capture:
            found = call(self.model, self.form, source, target)
        sites = {kind: self._site(kind, capture) for kind in wiring.heads}
        return Read(_numbers(logits_of(found)), sites)

    def _site(self, kind: Kind, capture: Capture) -> AttentionSite:
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
            _stacked(probe, "outputs", kind) if "outputs" in probe.record else None,
            forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
            sinks=_numbers(torch.stack([one[0] for one in sinks])) if sinks else None,
        )


def _stacked(probe: Probe, record: Record, kind: Kind) -> Floats:
    found: Floats = torch.stack([x[0].float() for x in probe.layers(record, kind)]).cpu().numpy()
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
