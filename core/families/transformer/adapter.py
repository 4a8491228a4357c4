"""Our Transformer as something that can be looked into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from core.decoding.stepper import Stepper
from core.families.opened import Pass
from core.families.translator import Translator
from core.model import Capabilities, Heads
from core.nn.attention import MultiHeadAttention
from core.nn.transformer import DecoderState, Transformer
from core.probe import OF_ATTENTION, PLACES, RECORDS, Edit, Probe, Record, Site
from core.reasons import RefusedError
from core.trace import KINDS, STACKS, AttentionSite, Axis, Bools, Floats, Kind


class TransformerModel(Translator[Transformer]):
    """Satisfies `core.model.Inspectable`."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        decoder = Heads(sizes.decoder_layers, sizes.heads)
        encoder = Heads(sizes.encoder_layers, sizes.heads)
        return {"encoder_self": encoder, "decoder_self": decoder, "cross": decoder}

    def capabilities(self) -> Capabilities:
        return Capabilities(
            search=True,
            forcing=True,
            branching=True,
            familiarity=self._checkpoint.familiarity is not None,
            edits=PLACES,
            records=RECORDS,
        )

    def parameters(self) -> Mapping[str, int]:
        return parameters_by_part(self._network)

    def products(self) -> int:
        return self._network.config.d_model * self._network.config.d_ff

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[DecoderState]:
        return _Edited(self._network, edits) if edits else self._network

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        wanted, probe = probe.record, Probe(probe.record | {"outputs"}, probe.edits)
        logits: Tensor = self._network(source, target, probe)
        streams = STACKS if "residual" in wanted else ()
        return Pass(
            logits[0].cpu().numpy(),
            {kind: self._site(kind, probe, "outputs" in wanted) for kind in KINDS},
            {stack: _stacked("residual", stack, probe) for stack in streams},
        )

    def check_edit(self, edit: Edit, source: int, target: int | None) -> None:
        sizes = self._network.config
        encodes = edit.site in ("encoder", "encoder_self")
        layers = sizes.encoder_layers if encodes else sizes.decoder_layers
        layers += edit.place == "residual"
        if (edit.layer or 0) >= layers or (edit.head or 0) >= sizes.heads:
            raise RefusedError("edit_layer", layers=layers, heads=sizes.heads)
        if target is None:
            return
        lengths: dict[Axis, int] = {"source": source, "read": target, "written": target}
        width = sizes.d_v if edit.place == "outputs" else sizes.d_model
        rows, columns = edit.extent(lengths, width)
        given = edit.rows_given()
        if given not in (None, rows) and edit.rows is None:
            raise RefusedError("edit_width", count=given, wanted=rows)
        if max(edit.rows or (0,)) >= rows or max(edit.columns or (0,)) >= columns:
            raise RefusedError("edit_reach", rows=rows, columns=columns)

    def _site(self, kind: Kind, probe: Probe, outputs: bool) -> AttentionSite:
        """What was recorded of a kind; the heads' outputs too, where they are asked for."""
        parts = {record: _stacked(record, kind, probe) for record in OF_ATTENTION - {"mask"}}
        mixed = probe.layers("outputs", kind)
        layers = zip(self._attentions(kind), mixed, strict=True)
        shares = torch.stack([attention.shares(x)[0] for attention, x in layers])
        return AttentionSite(
            kind,
            parts["weights"],
            _mask(probe.layers("mask", kind), parts["weights"].shape),
            parts["scores"],
            parts["queries"],
            parts["keys"],
            _stacked("outputs", kind, probe) if outputs else None,
            shares.cpu().numpy(),
            forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
        )

    def _attentions(self, kind: Kind) -> Iterator[MultiHeadAttention]:
        """The attention of a kind in each layer."""
        network = self._network
        name = "cross_attention" if kind == "cross" else "self_attention"
        for layer in network.encoder if kind == "encoder_self" else network.decoder:
            attention = getattr(layer, name)
            assert isinstance(attention, MultiHeadAttention)
            yield attention


class _Edited:
    """The network as it writes under edits: a `Stepper`."""

    def __init__(self, network: Transformer, edits: tuple[Edit, ...]) -> None:
        self._network = network
        self._probe = Probe(edits=edits)

    def start(self, source: Tensor) -> DecoderState:
        return self._network.start(source, self._probe)

    def step(self, reading: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        return self._network.step(reading, state, self._probe)


def _stacked(record: Record, site: Site, probe: Probe) -> Floats:
    """What was recorded of the one sentence, layers first."""
    return torch.stack([x[0] for x in probe.layers(record, site)]).cpu().numpy()


def _mask(layers: Sequence[Tensor], shape: tuple[int, ...]) -> Bools:
    """(query, key) where all heads of all layers have the same mask, else of each its own."""
    masks = np.stack([mask.expand(1, *shape[1:])[0].cpu().numpy() for mask in layers])
    same = (masks == masks[:1, :1]).all()
    return np.ascontiguousarray(masks[0, 0] if same else masks)


def parameters_by_part(model: Transformer) -> Mapping[str, int]:
    """How many parameters each part has; the values add up to the whole.

    Parts: embedding (also the output, tied), positions where learned, attention of each
    kind, feed_forward of both stacks, norms.
    """
    parts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = _part(name)
        parts[part] = parts.get(part, 0) + parameter.numel()
    return parts


def _part(name: str) -> str:
    if name.startswith(("embedding.", "positions")):
        return name.split(".")[0]
    if "_norm." in name:
        return "norms"
    if ".feed_forward." in name:
        return f"{name.split('.')[0]}_feed_forward"
    if ".cross_attention." in name:
        return "cross"
    return f"{name.split('.')[0]}_self"
