"""What Hugging Face models have in common, whatever they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import torch
from torch import Tensor

from core.families.hub.claim import CARD
from core.families.hub.examples import examples_of
from core.families.hub.folder import FAMILY, UNSHOWN
from core.families.hub.loading import HubFolder
from core.families.hub.projection import tolerance
from core.families.hub.score import score_of
from core.families.hub.wiring import Form, device_of
from core.families.opened import Opened, by_part
from core.families.recorded import stacks_of
from core.model import Capabilities, Heads, ModelCard
from core.outputs import Likelihood
from core.probe import OF_ATTENTION, Place, Record, Site
from core.reasons import Reason, because
from core.trace import Floats, Kind, Token

LONGEST: Final = 1024
"""Tokens that are read at most, however many the model could: nothing draws more."""
_UNSEEN: Final[Mapping[Kind, Reason]] = {
    "encoder_self": because("unseen_encoder_self"),
    "decoder_self": because("unseen_decoder_self"),
    "cross": because("unseen_cross"),
}
_EDITED: Final = frozenset[Place](("scores", "mask", "weights", "outputs"))
_RECORDED: Final = frozenset[Record](OF_ATTENTION | {"outputs"})


class HubModel(Opened):
    """What those have in common that came as a Hugging Face folder."""

    def __init__(self, opened: HubFolder) -> None:
        self._opened = opened
        self._network = opened.network
        self._config = opened.network.config
        closing = opened.generation.eos_token_id
        several = closing if isinstance(closing, list) else [closing]
        ends = opened.tokenizer.ends(
            self.start_id(),
            tuple(int(id) for id in several if id is not None),
            self._config.pad_token_id,
        )
        super().__init__(opened.tokenizer, device_of(opened.network.model), ends)

    def start_id(self) -> int | None:
        """What a decoder reads first, where it has such."""
        return None

    def kinds(self) -> Mapping[Kind, Heads]:
        return self._network.wiring.heads

    def capabilities(self) -> Capabilities:
        """As far as its wiring lets it."""
        wiring = self._network.wiring
        edits = _EDITED if wiring.probed else frozenset[Place]()
        records = _RECORDED if wiring.probed else frozenset[Record]()
        if wiring.streams.keys() == stacks_of(self.kinds()).keys():
            edits, records = edits | {"residual"}, records | {"residual"}
        return replace(super().capabilities(), edits=edits, records=records)

    def facts(self) -> Mapping[str, str]:
        wiring = self._network.wiring
        bias = "relative" if wiring.biased else "added" if wiring.added else ""
        score = score_of(self._network.model, wiring.kinds) or ""
        told = {"bias": bias, "score": score}
        return {**super().facts(), **{name: said for name, said in told.items() if said}}

    def products(self) -> int:
        return int(self._config.hidden_size) ** 2 * 4

    @property
    def digest(self) -> str:
        return self._opened.digest

    def vectors(self) -> Floats:
        embedding = self._network.model.get_input_embeddings()
        found: Floats = _there(embedding).detach().float().cpu().numpy()
        return found

    @cached_property
    def _tokens(self) -> tuple[Token, ...]:
        """Of every row of the embedding; some models have more of them than their tokenizer."""
        return tuple(self._tokenizer.tokens([id])[0] for id in range(self._card.vocabulary))

    def reach(self) -> Mapping[Site, tuple[Heads, int]]:
        wiring = self._network.wiring
        found: dict[Site, tuple[Heads, int]] = {
            stack: (Heads(of.layers, 1), of.width) for stack, of in wiring.streams.items()
        }
        found |= {kind: (wiring.heads[kind], width) for kind, width in wiring.widths.items()}
        return found

    def longest(self) -> int:
        """Tokens that a side may have."""
        limits = [LONGEST]
        for name in ("max_position_embeddings", "n_positions", "max_source_positions"):
            found = getattr(self._config, name, None)
            if isinstance(found, int) and found > 0:
                limits.append(found - self._opened.first_place)
        return min(limits)

    def describe(self) -> ModelCard:
        opened, config = self._opened, self._config
        card = opened.folder / CARD
        heads = self.kinds()
        sizes: dict[str, str | int | float] = {"architecture": opened.architecture}
        sizes |= {"d_model": int(config.hidden_size)}
        names: Mapping[Kind, str] = {
            "encoder_self": "encoder_layers",
            "decoder_self": "decoder_layers",
        }
        idle, _ = self._network.idle
        sizes |= {name: heads[kind].layers + idle for kind, name in names.items() if kind in heads}
        widths = {of.heads for of in heads.values()}
        if len(widths) == 1:  # else each attention's own are listed alone
            sizes |= {"heads": widths.pop()}
        longest = self.longest()
        return ModelCard(
            model_id=opened.name,
            family=FAMILY,
            kinds=heads,
            capabilities=self.capabilities(),
            source_language="",
            target_language="",
            sizes=sizes,
            parameters=self._parameters(),
            vocabulary=opened.rows,
            max_source=longest,
            max_target=longest,
            device=self._device.type,
            examples=examples_of(opened.tokenizer, self._config, opened.head),
            text=card.read_text("utf-8", "replace")[:100_000] if card.is_file() else "",
            folder=opened.folder,
            answers=self.answers,
            labels=self.labels,
            notes=tuple(self.notes()),
        )

    def _parameters(self) -> Mapping[str, int]:
        """By part; whatever stands outside its body is its output."""
        model, form = self._network.model, self._network.form
        output, embedding = model.get_output_embeddings(), model.get_input_embeddings()
        tied = output is not None and output.weight is embedding.weight
        body = "" if model.base_model is model else f"{model.base_model_prefix}."

        def part(name: str) -> str:
            found = _part(name, form) if name.startswith(body) else "output"
            return "input" if found == "embedding" and not tied else found

        return by_part(model, part)

    def notes(self) -> Iterator[Reason]:
        """What its weights were, and what its wiring says of what is shown."""
        opened, wiring = self._opened, self._network.wiring
        if self._hides:
            yield because("head_unseen", name=opened.architecture)
        if opened.quantized:
            yield because("weights_quantized", kinds=", ".join(opened.quantized))
        if opened.half:
            yield because("weights_half", kind=opened.half)
        if opened.template == "other":
            yield because("template_other")
        if wiring.causal:
            yield because("reads_causally")
        apart = f"{wiring.apart:.1e}"
        if wiring.probed:
            yield because("answers_same", apart=apart)
            if wiring.scaled != wiring.heads.keys():
                yield because("scores_bent")
            if wiring.sunk:
                yield because("rows_sunk")
            if wiring.projections.keys() != wiring.heads.keys():
                yield because("shares_none")
            if not all(one.straight for of in wiring.projections.values() for one in of):
                yield because("shares_between")
        elif wiring.apart > tolerance(self._network.model.dtype):
            yield because("answers_apart", apart=apart)
        else:
            yield because("attends_itself")
        if "residual" not in self.capabilities().records:
            yield because("residual_none")
        yield from (_UNSEEN[kind] for kind in self._network.unseen)
        idle, layers = self._network.idle
        if idle:
            yield because("layers_idle", idle=idle, layers=layers)

    @property
    def _hides(self) -> bool:
        """Whether it came with a head whose answers are not shown."""
        name, head = self._opened.architecture, self._opened.head
        headed = bool(name) and (not name.endswith("Model") or name.endswith("LMHeadModel"))
        return headed and (not head or (head == "writes" and name.endswith(UNSHOWN)))

    @torch.inference_mode()
    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> tuple[Likelihood | None, ...]:
        """As `Inspectable.likelihoods`, one pair after another."""
        return tuple(self.likelihood(*pair) for pair in pairs)

    def likelihood(self, source: str, target: str) -> Likelihood | None:
        """Of one pair: none of a model that writes nothing."""
        return None


def _part(name: str, form: Form) -> str:
    """Which part a parameter belongs to, by what such are called in transformers."""
    writes = form == "decoder" or (form == "encoder-decoder" and ".decoder." in f".{name}")
    stack = "decoder" if writes else "encoder"
    own = {"self": f"{stack}_self"}
    for part, words in _WORDS.items():
        if any(word in name.lower() for word in words):
            return own.get(part, part)
    return f"{stack}_feed_forward"


_WORDS: Final = {
    "norms": ("norm", "ln_", ".ln"),
    "positions": ("position", "wpe", "relative_attention"),
    "embedding": ("embed", "wte", "shared"),
    "mixers": ("mamba", "linear_attn", ".conv.conv", ".conv.in_", ".conv.out_"),
    "cross": ("crossattention", "encoder_attn", "encdecattention"),
    "self": ("attn", "attention"),
    "output": ("lm_head", "cls.", "pooler"),
}
"""In this order: the norm of an attention is a norm."""


def _there(embedding: Any) -> Tensor:
    """Its weights, which accelerate may keep in the machine's memory until a pass comes to them."""
    weight: Tensor = embedding.weight
    if weight.is_meta:
        hook = embedding._hf_hook
        maps = (getattr(one, "weights_map", None) for one in getattr(hook, "hooks", (hook,)))
        weight = next(known for known in maps if known is not None)["weight"]
    return weight
