"""What a probe recorded of attention, as a trace has it; and which edits there is something for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from core.model import Heads
from core.nn.attention import shares
from core.nn.layers import LayerSizes
from core.nn.relative import Positions
from core.probe import Edit, Probe
from core.reasons import RefusedError
from core.trace import AttentionSite, Axis, Bools, Floats, Kind


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
        _mask(probe.layers("mask", kind), weights.shape),
        stacked(probe.layers("scores", kind)),
        stacked(probe.layers("queries", kind)) if scaled else None,
        stacked(probe.layers("keys", kind)) if scaled else None,
        stacked(probe.layers("outputs", kind)) if outputs else None,
        added,
        forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
        sinks=stacked(sinks) if sinks else None,
    )


def bias_facts(positions: Positions) -> Mapping[str, str]:
    """What is added to the scores of self-attention for where tokens stand, where anything is."""
    return {"bias": positions} if positions in ("alibi", "relative") else {}


def check_attention_edit(
    edit: Edit, sizes: LayerSizes, layers: int, source: int, target: int | None
) -> None:
    """That an edit meets a layer, a head, rows and columns that there are.

    Args:
        layers: of the stack that it is made in.
        source, target: tokens; None where it is not known yet what will be written.

    Raises:
        RefusedError: it does not.
    """
    width = sizes.d_v if edit.place == "outputs" else sizes.d_model
    check_reach(edit, Heads(layers, sizes.heads), width, source, target)


def check_reach(edit: Edit, of: Heads, width: int, source: int, target: int | None) -> None:
    """The same of any model.

    Args:
        of: the stack that it is made in.
        width: numbers of a vector of what it changes.
        source, target: tokens; None where it is not known yet what will be written.

    Raises:
        RefusedError: it does not.
    """
    layers = of.layers + (edit.place == "residual")
    if (edit.layer or 0) >= layers or (edit.head or 0) >= of.heads:
        raise RefusedError("edit_layer", layers=layers, heads=of.heads)
    if target is None:
        return
    lengths: dict[Axis, int] = {"source": source, "read": target, "written": target}
    rows, columns = edit.extent(lengths, width)
    given = edit.rows_given()
    if given not in (None, rows) and edit.rows is None:
        raise RefusedError("edit_width", count=given, wanted=rows)
    if max(edit.rows or (0,)) >= rows or max(edit.columns or (0,)) >= columns:
        raise RefusedError("edit_reach", rows=rows, columns=columns)


def stacked(layers: Sequence[Tensor]) -> Floats:
    """What was recorded of the one sentence, layers first; they may be on several devices."""
    found: Floats = torch.stack([x[0].float().cpu() for x in layers]).numpy()
    return found


def _mask(layers: Sequence[Tensor], shape: tuple[int, ...]) -> Bools:
    """(query, key) where all heads of all layers have the same mask, else of each its own."""
    masks = np.stack([mask.expand(1, *shape[1:])[0].cpu().numpy() for mask in layers])
    same = (masks == masks[:1, :1]).all()
    return np.ascontiguousarray(masks[0, 0] if same else masks)
