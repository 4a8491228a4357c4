"""A Hugging Face model as something that answers ids, whatever its architecture is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.families.hub.capture import Capture, captured
from core.families.hub.wiring import TOLD, Form, call, logits_of, weights_of, wire
from core.families.opened import Pass
from core.families.recorded import attention_site, mask_of, stacked
from core.probe import Probe
from core.reasons import RefusedError
from core.trace import AttentionSite, Kind


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

    @property
    def window(self) -> int | None:
        """Tokens that layers with a window look at, itself and before it; None names none."""
        named = (getattr(self.config, name, None) for name in ("window_size", "sliding_window"))
        return next((size for size in named if isinstance(size, int) and size > 0), None)

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
            probe = Probe(wanted | {"outputs"}, probe.edits, probe.first)
        told = {} if wiring.probed else {"output_attentions": True}
        with captured(self.capture(probe)) as capture:
            found = call(self.model, self.form, source, target, **told)
        if wiring.probed:
            sites = {kind: self._site(kind, capture, "outputs" in wanted) for kind in wiring.heads}
        else:
            weights = weights_of(found, self.form)
            if not wiring.heads.keys() <= weights.keys():  # of a long text they may be otherwise
                raise RefusedError("attention_odd")
            sites = {kind: self._bare(kind, weights[kind]) for kind in wiring.heads}
        streams = wiring.streams if "residual" in wanted else ()
        residuals = {stack: stacked(probe.layers("residual", stack)) for stack in streams}
        logits = logits_of(found)
        numbers = None if logits is None else logits[0].float().cpu().numpy()
        return Pass(numbers, sites, residuals)

    def _site(self, kind: Kind, capture: Capture, outputs: bool) -> AttentionSite:
        """What was captured of a kind."""
        wiring = self.wiring
        projections = wiring.projections.get(kind)
        return attention_site(
            kind,
            capture.probe,
            None if projections is None else [one.weight for one in projections],
            outputs=outputs,
            scaled=kind in wiring.scaled,
            sinks=_sinks(kind, capture),
        )

    def _bare(self, kind: Kind, weights: Tensor) -> AttentionSite:
        """What there is where only weights are told.

        A decoder looks at nothing that comes later, nor, in layers with a window, at what lies
        before it: those are the layers without any weight there.
        """
        told = weights.float().cpu()
        rows, columns = told.shape[2:]
        masks = [torch.ones(rows, columns, dtype=torch.bool)] * len(told)
        if kind == "decoder_self" or self.wiring.causal:
            behind = torch.arange(rows)[:, None] - torch.arange(columns)
            far = behind >= (self.window or rows)
            masks = [(behind >= 0) & (~far | layer[:, far].any()) for layer in told]
        return AttentionSite(kind, told.numpy(), mask_of(masks, told.shape))


def _sinks(kind: Kind, capture: Capture) -> list[Tensor]:
    """(1, head, query) of each layer; nothing flows into a sink where others of a kind have one."""
    found = [capture.sinks.get((kind, layer)) for layer in range(capture.calls[kind])]
    some = next((sink for sink in found if sink is not None), None)
    return [] if some is None else [torch.zeros_like(some) if x is None else x for x in found]
