"""Where attention is in a Hugging Face model, and that asking for it does not change the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.families.hub.attention import NAME
from core.families.hub.capture import Call, Capture, Layer, Stream, captured
from core.families.hub.projection import Projection, Watch, tolerance
from core.families.hub.stream import Hooks, streams_of
from core.families.recorded import stacks_of
from core.model import Heads
from core.probe import UNPROBED, Probe
from core.reasons import RefusedError
from core.trace import KINDS, Kind, Stack

Form = Literal["encoder", "decoder", "encoder-decoder"]
"""Which stacks a model has: what reads, what writes, or both."""

_SOURCE, _TARGET = 7, 4
"""Tokens of the passes that find out: a call tells by how many it has which attention it is."""
_SUM: Final = 1e-2  # that rows may be off in half precision
TOLD: Final[Mapping[Form, Mapping[Kind, str]]] = {
    "encoder": {"encoder_self": "attentions"},
    "decoder": {"decoder_self": "attentions"},
    "encoder-decoder": {
        "encoder_self": "encoder_attentions",
        "decoder_self": "decoder_attentions",
        "cross": "cross_attentions",
    },
}
"""The kinds of attention of each form, by what transformers calls them."""
_STACKS: Final[Mapping[Form, Mapping[int, Stack]]] = {
    "encoder": {_SOURCE: "encoder"},
    "decoder": {_TARGET: "decoder"},
    "encoder-decoder": {_SOURCE: "encoder", _TARGET: "decoder"},
}
"""By how many tokens of those passes are theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class Wiring:
    """What was found out.

    Attributes:
        heads: layers and heads by kind.
        kinds: which attention each module is, by its `id`; empty where the model attends in a way
            of its own, so that nothing but its weights can be had.
        scaled: kinds whose scores are q·k / sqrt(d_k), with what is added to them.
        biased: whether what was learned of distances is added to any scores, as in T5.
        added: whether anything else is, in a mask that does more than forbid, as in Doge.
        sunk: whether a part of any rows flows into a sink, as in gpt-oss.
        causal: whether what reads a text looks at nothing that comes later in it: it is made of
            a decoder's layers.
        widths: d_v by kind.
        projections: of each kind W^O in each layer, where all of them were found.
        streams: the stacks whose residual stream was found.
        stacks: of which of those each module is a layer, by its `id`.
        apart: how far logits were from those of the model left alone (`tolerance`).
    """

    heads: Mapping[Kind, Heads]
    kinds: Mapping[int, Kind] = field(default_factory=dict)
    scaled: frozenset[Kind] = frozenset()
    biased: bool = False
    added: bool = False
    sunk: bool = False
    causal: bool = False
    widths: Mapping[Kind, int] = field(default_factory=dict)
    projections: Mapping[Kind, Sequence[Projection]] = field(default_factory=dict)
    streams: Mapping[Stack, Stream] = field(default_factory=dict)
    stacks: Mapping[int, Stack] = field(default_factory=dict)
    apart: float = 0.0

    @property
    def probed(self) -> bool:
        """Whether a probe reaches into its attention."""
        return bool(self.kinds)


def call(model: PreTrainedModel, form: Form, source: Tensor, target: Tensor, **more: Any) -> Any:
    """What transformers answers to (1, source) and (1, target) ids, as its form takes them."""
    if form == "decoder":
        return model(input_ids=target, use_cache=False, **more)
    more |= {"input_ids": source, "attention_mask": torch.ones_like(source)}
    if form == "encoder-decoder":
        more |= {"decoder_input_ids": target, "use_cache": False}
    return model(**more)


def device_of(model: PreTrainedModel) -> torch.device:
    """Where ids go; of weights that wait elsewhere none is there between two passes."""
    there = (weight.device for weight in model.parameters() if not weight.is_meta)
    return next(there, torch.device("cpu"))


def logits_of(found: Any) -> Tensor | None:
    """(1, row, column), or (1, column); None of a model that says nothing."""
    logits: Tensor | None = getattr(found, "logits", None)
    if logits is None:  # of one that was pretrained on two tasks
        logits = getattr(found, "prediction_logits", None)
    return logits


def weights_of(found: Any, form: Form) -> Mapping[Kind, Tensor]:
    """What transformers tells, (layer, head, query, key), of kinds whose layers are alike."""
    told = {kind: getattr(found, name, None) or () for kind, name in TOLD[form].items()}
    return {
        kind: torch.cat(tuple(layers))
        for kind, layers in told.items()
        if layers
        and all(isinstance(layer, Tensor) for layer in layers)
        and len({layer.shape for layer in layers}) == 1
    }


@torch.inference_mode()
def wire(model: PreTrainedModel, form: Form) -> Wiring:
    """Finds it out by passes over ids that mean nothing, and leaves the model as it is then used.

    One pass goes through the model as it was loaded, one through our function: their answers must
    be the same. Where it does not take our function, or answers otherwise through it, it is left
    with transformers' own, which tells weights alone.

    Raises:
        RefusedError: heads_uneven for layers that differ, or as `_told`.
    """
    source, target = idle_ids(model)

    def answer() -> Tensor:
        return answer_of(call(model, form, source, target))

    alone, own = answer(), str(model.config._attn_implementation)
    hooks, layers = Hooks(model), list[Layer]()
    apart = 0.0
    try:
        model.set_attn_implementation(NAME)
    except (ValueError, KeyError):  # it attends in a way of its own, and says so
        wiring = _told(model, form, (source, target), alone, layers)
    else:
        calls: list[Call] = []
        with captured(Capture(UNPROBED, seen=calls, layers=layers)):
            apart = apart_from(answer(), alone)
        if calls and _one_a_layer(model, calls) and apart <= tolerance(model.dtype):
            wiring = _probed(form, calls, answer)
            if any(weight.is_meta for weight in model.parameters()):
                wiring = replace(wiring, projections={})  # they come to the GPU and go again
        else:
            model.set_attn_implementation(own)
            layers.clear()
            wiring = _told(model, form, (source, target), alone, layers)
    counts = {stack: of.layers for stack, of in stacks_of(wiring.heads).items()}
    streams, stacks = streams_of(layers, _STACKS[form], counts)
    hooks.keep(stacks)
    return replace(wiring, streams=streams, stacks=stacks, apart=apart)


def _one_a_layer(model: PreTrainedModel, calls: Sequence[Call]) -> bool:
    """Whether each call is a layer; ALBERT's are calls of one module, DiffLlama's attend twice."""
    layers = getattr(model.config.get_text_config(), "num_hidden_layers", None)
    return len({id(one.module) for one in calls}) == len(calls) or len(calls) == layers


def _probed(form: Form, calls: Sequence[Call], answer: Callable[[], Tensor]) -> Wiring:
    """The wiring of a model that attends by our function, by one more pass of it."""
    kinds = {id(one.module): _kind(form, one) for one in calls}
    probe = Probe(frozenset({"weights", "outputs"}))
    with captured(Capture(probe, kinds)), Watch(probe) as watch:
        answer()
    heads = {
        kind: _heads(kind, [one.shape[1] for one in probe.layers("weights", kind)])
        for kind in KINDS
        if kind in kinds.values()
    }
    bent = {kinds[id(one.module)] for one in calls if not one.scaled}
    found = watch.projections()
    projections = {
        kind: [found[kind, layer] for layer in range(of.layers)]
        for kind, of in heads.items()
        if all((kind, layer) in found for layer in range(of.layers))
    }
    widths = {kind: probe.layers("outputs", kind)[0].shape[3] for kind in heads}
    return Wiring(
        heads,
        kinds,
        scaled=frozenset(heads.keys() - bent),
        biased=any(one.biased for one in calls),
        added=any(one.added for one in calls),
        sunk=any(one.sunk for one in calls),
        causal=_causal(probe.layers("weights", "encoder_self")),
        widths=widths,
        projections=projections,
    )


def _told(
    model: PreTrainedModel,
    form: Form,
    ids: tuple[Tensor, Tensor],
    alone: Tensor,
    layers: list[Layer],
) -> Wiring:
    """The wiring of a model that no probe reaches into, with what its layers were seen to do.

    Raises:
        RefusedError: attention_none, or what is wrong with the attention that it tells.
    """
    model.set_attn_implementation("eager")
    for config in (model.config, model.config.get_text_config()):
        config._attn_implementation = "eager"  # some are not set, and ask it as they attend
    with captured(Capture(UNPROBED, layers=layers)):
        found = call(model, form, *ids, output_attentions=True)
    if not any(getattr(found, name, None) for name in TOLD[form].values()):
        raise RefusedError("attention_none")
    apart = apart_from(answer_of(found), alone)
    if apart > tolerance(model.dtype):
        raise RefusedError("attention_other", apart=f"{apart:.1e}")
    lengths: Mapping[Kind, tuple[int, int]] = {
        "encoder_self": (_SOURCE, _SOURCE),
        "decoder_self": (_TARGET, _TARGET),
        "cross": (_TARGET, _SOURCE),
    }
    told = {kind: of for kind, of in weights_of(found, form).items() if _rows(of, lengths[kind])}
    if not told:
        raise RefusedError("attention_odd")
    if "decoder_self" in told and told["decoder_self"].triu(1).any():
        raise RefusedError("attention_ahead")
    heads = {kind: Heads(*of.shape[:2]) for kind, of in told.items()}
    return Wiring(heads, causal=_causal([*told.get("encoder_self", ())]))


def _causal(layers: Sequence[Tensor]) -> bool:
    """Whether there are weights (..., query, key), and none on what comes later."""
    return bool(layers) and not any(weights.triu(1).any() for weights in layers)


def _rows(weights: Tensor, lengths: tuple[int, int]) -> bool:
    """Whether they are of each token on each other: some tell windows, or no weights yet."""
    if weights.dim() != 4 or weights.shape[2:] != lengths:
        return False
    sums = weights.float().sum(-1)
    return bool((weights >= 0).all() and torch.allclose(sums, torch.ones_like(sums), atol=_SUM))


def idle_ids(model: PreTrainedModel) -> tuple[Tensor, Tensor]:
    """(1, source) and (1, target) ids that mean nothing; none is padding, which has no place."""
    config = model.config.get_text_config()
    padding, size = getattr(config, "pad_token_id", None), int(config.vocab_size)
    known = [id for id in range(min(size, _SOURCE + 1)) if id != padding]
    ids = torch.tensor([[known[at % len(known)] for at in range(_SOURCE)]], device=device_of(model))
    return ids, ids[:, :_TARGET]


def answer_of(found: Any) -> Tensor:
    """Logits, or what a body without a head ends by."""
    logits = logits_of(found)
    return (found.last_hidden_state if logits is None else logits).float()


def apart_from(answer: Tensor, alone: Tensor) -> float:
    """The largest difference, as a part of the largest number where that is above 1."""
    return float((answer - alone).abs().max() / alone.abs().max().clamp(min=1))


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
