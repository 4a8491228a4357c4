"""What a probe recorded of attention, as a trace has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from core.model import Heads
from core.nn.attention import shares
from core.probe import Edit, Probe
from core.trace import AttentionSite, Bools, Floats, Kind, Stack


def attention_site(
    kind: Kind,
    probe: Probe,
    projections: Sequence[Tensor] | None,
    *,
    outputs: bool,
    scaled: bool = True,
    sinks: Sequence[Tensor] = (),
) -> AttentionSite:
    """What was recorded of a kind.

    Args:
        projections: W^O of each layer, where the probe recorded the heads' outputs, too; None
            where they are not known.
        outputs: those are kept.
        scaled: scores are q·k / sqrt(d_k), so that queries and keys are kept.
        sinks: (1, head, query) what of each row flows into no key, of each layer.
    """
    weights = stacked(probe.layers("weights", kind))
    added = None
    if projections is not None:
        layers = zip(probe.layers("outputs", kind), projections, strict=True)
        added = stacked([shares(mixed.float(), weight.float()) for mixed, weight in layers])
    return AttentionSite(
        kind,
        weights,
        mask_of(probe.layers("mask", kind), weights.shape),
        stacked(probe.layers("scores", kind)),
        stacked(probe.layers("queries", kind)) if scaled else None,
        stacked(probe.layers("keys", kind)) if scaled else None,
        stacked(probe.layers("outputs", kind)) if outputs else None,
        added,
        forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
        sinks=_kept(stacked(sinks), kind, probe.edits) if sinks else None,
    )


def stacks_of(heads: Mapping[Kind, Heads]) -> Mapping[Stack, Heads]:
    """The stacks that self-attention is in, each of whose layers has one."""
    selves: dict[Stack, Kind] = {"encoder": "encoder_self", "decoder": "decoder_self"}
    return {stack: heads[kind] for stack, kind in selves.items() if kind in heads}


def stacked(layers: Sequence[Tensor]) -> Floats:
    """What was recorded of the one sentence, layers first; they may be on several devices."""
    found: Floats = torch.stack([x[0].float().cpu() for x in layers]).numpy()
    return found


def _kept(sinks: Floats, kind: Kind, edits: Sequence[Edit]) -> Floats:
    """(layer, head, query) of rows whose weights are a softmax's: of others nothing flows there."""
    for edit in edits:
        if edit.place == "weights" and edit.site == kind:
            of = (slice(None) if at is None else at for at in (edit.layer, edit.head))
            sinks[*of, slice(None) if edit.rows is None else list(edit.rows)] = 0
    return sinks


def mask_of(layers: Sequence[Tensor], shape: tuple[int, ...]) -> Bools:
    """(query, key) where all heads of all layers have the same mask, else of each its own.

    Args:
        layers: of each what is broadcast to (1, head, query, key).
        shape: (layer, head, query, key).
    """
    masks = np.stack([mask.expand(1, *shape[1:])[0].cpu().numpy() for mask in layers])
    same = (masks == masks[:1, :1]).all()
    return np.ascontiguousarray(masks[0, 0] if same else masks)
