"""Where attention is in a Hugging Face model, and that asking for it does not change the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.families.hub.attention import NAME, Call, Capture, captured
from core.model import Heads
from core.probe import UNPROBED, Probe
from core.reasons import RefusedError
from core.trace import KINDS, Kind

Form = Literal["encoder", "decoder", "encoder-decoder"]
"""Which stacks a model has: what reads, what writes, or both."""

APART: Final = 1e-4
"""How far logits may be from those of the model left alone, in float32; of logits beyond 1, of the
largest: T5 has some of hundreds, whose last digits are further apart than that."""
_SOURCE, _TARGET = 7, 4
"""Tokens of the passes that find out: a call tells by how many it has which attention it is."""
_NAMES: Final[Mapping[Form, Mapping[Kind, str]]] = {
    "encoder": {"encoder_self": "attentions"},
    "decoder": {"decoder_self": "attentions"},
    "encoder-decoder": {
        "encoder_self": "encoder_attentions",
        "decoder_self": "decoder_attentions",
        "cross": "cross_attentions",
    },
}


@dataclass(frozen=True, slots=True)
class Wiring:
    """What was found out.

    Attributes:
        heads: layers and heads by kind.
        kinds: which attention each module is, by its `id`; empty where the model attends in a way
            of its own, so that nothing but its weights can be had.
        scaled: kinds whose scores are q·k / sqrt(d_k), with what is added to them.
        apart: how far logits were from those of the model left alone (`APART`).
    """

    heads: Mapping[Kind, Heads]
    kinds: Mapping[int, Kind] = field(default_factory=dict)
    scaled: frozenset[Kind] = frozenset()
    apart: float = 0.0

    @property
    def probed(self) -> bool:
        """Whether a probe reaches into the model."""
        return bool(self.kinds)


def call(model: PreTrainedModel, form: Form, source: Tensor, target: Tensor, **more: Any) -> Any:
    """What transformers answers to (1, source) and (1, target) ids, as its form takes them."""
    if form == "decoder":
        return model(input_ids=target, use_cache=False, **more)
    more |= {"input_ids": source, "attention_mask": torch.ones_like(source)}
    if form == "encoder-decoder":
        more |= {"decoder_input_ids": target, "use_cache": False}
    return model(**more)


def logits_of(found: Any) -> Tensor | None:
    """(1, row, column), or (1, column); None of a model that says nothing."""
    logits: Tensor | None = getattr(found, "logits", None)
    if logits is None:  # of one that was pretrained on two tasks
        logits = getattr(found, "prediction_logits", None)
    return logits


def weights_of(found: Any, form: Form) -> Mapping[Kind, Tensor]:
    """What transformers itself tells, (layer, head, query, key)."""
    told = {kind: getattr(found, name, None) or () for kind, name in _NAMES[form].items()}
    return {
        kind: torch.cat(tuple(layers))
        for kind, layers in told.items()
        if len(layers) and all(isinstance(layer, Tensor) for layer in layers)
    }


@torch.inference_mode()
def wire(model: PreTrainedModel, form: Form) -> Wiring:
    """Finds it out by passes over ids that mean nothing, and leaves the model as it is then used.

    One pass goes through the model as it was loaded, one through our function: their answers must
    be the same. Where it does not take our function, or answers otherwise through it, it is left
    with transformers' own, which tells weights alone.

    Raises:
        RefusedError: attention_none, or heads_uneven for layers that differ.
    """
    size = int(model.config.get_text_config().vocab_size)
    source, target = (
        torch.arange(length, device=model.device)[None] % size for length in (_SOURCE, _TARGET)
    )

    def answer() -> Tensor:
        found = call(model, form, source, target)
        logits = logits_of(found)
        return (found.last_hidden_state if logits is None else logits).float()

    alone, own = answer(), str(model.config._attn_implementation)
    apart = 0.0
    try:
        model.set_attn_implementation(NAME)
    except (ValueError, KeyError):  # it attends in a way of its own, and says so
        return _told(model, form, source, target, apart)
    calls: list[Call] = []
    with captured(Capture(UNPROBED, {}, seen=calls)):
        apart = float((answer() - alone).abs().max() / alone.abs().max().clamp(min=1))
    if not calls or apart > APART:
        model.set_attn_implementation(own)
        return _told(model, form, source, target, apart)
    kinds = {id(one.module): _kind(form, one) for one in calls}
    probe = Probe(frozenset({"weights"}))
    with captured(Capture(probe, kinds)):
        answer()
    heads = {
        kind: _heads(kind, [one.shape[1] for one in probe.layers("weights", kind)])
        for kind in KINDS
        if kind in kinds.values()
    }
    bent = {kinds[id(one.module)] for one in calls if not one.scaled}
    return Wiring(heads, kinds, frozenset(heads.keys() - bent), apart)


def _told(
    model: PreTrainedModel, form: Form, source: Tensor, target: Tensor, apart: float
) -> Wiring:
    """The wiring of a model that no probe reaches into."""
    model.set_attn_implementation("eager")
    told = weights_of(call(model, form, source, target, output_attentions=True), form)
    if not told:
        raise RefusedError("attention_none")
    return Wiring({kind: Heads(*of.shape[:2]) for kind, of in told.items()}, apart=apart)


def _kind(form: Form, one: Call) -> Kind:
    if form != "encoder-decoder":
        return "encoder_self" if form == "encoder" else "decoder_self"
    if one.queries != one.keys:
        return "cross"
    return "encoder_self" if one.queries == _SOURCE else "decoder_self"


def _heads(kind: Kind, widths: list[int]) -> Heads:
    if len(set(widths)) != 1:
        raise RefusedError("heads_uneven", kind=kind)
    return Heads(len(widths), widths[0])
