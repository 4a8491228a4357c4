"""A Hugging Face model that writes token by token, each step reading only what is new.

Where its cache cannot be had, or answers otherwise than one pass does, each step reads all.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import MoEModelOutput

from core.families.hub.capture import captured
from core.families.hub.network import HubNetwork
from core.families.hub.wiring import answer_of, apart_from, call, idle_ids
from core.probe import UNPROBED, Probe


@dataclass(frozen=True, slots=True)
class HubState:
    """What is carried from step to step; a value, as its cache is copied before it grows.

    Attributes:
        cache: keys and values of what was read; None where each step reads all.
        read: tokens that were.
        ids: (row, token) those tokens, where each step reads them again.
        prompt: what a decoder alone reads first, in the place of a start token.
        memory: (row, source, d_model) of an encoder.
        mask: (row, source), 1 where a source has a token.
    """

    cache: Any
    read: int = 0
    ids: Tensor | None = None
    prompt: Tensor | None = None
    memory: Tensor | None = None
    mask: Tensor | None = None

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> HubState:
        """As `core.decoding.stepper.State.select`: all that is carried, a row each."""
        at, cache = torch.tensor(rows), _copied(self.cache)
        if cache is not None:
            cache.reorder_cache(at)
        ids, memory, mask = (
            None if x is None else x[at.to(x.device)] for x in (self.ids, self.memory, self.mask)
        )
        return replace(self, cache=cache, ids=ids, memory=memory, mask=mask)


def mask_of(source: Tensor, pad: int) -> Tensor:
    """(row, token) 1 where a source has one; what is padding stands behind a source alone."""
    if len(source) == 1:
        return torch.ones_like(source)
    behind = (source == pad).long().flip(1).cumprod(1).flip(1)
    return 1 - behind


@dataclass(frozen=True, slots=True)
class HubStepper:
    """Satisfies `core.decoding.stepper.Stepper`.

    Attributes:
        network: with a decoder.
        probe: whose edits are made while it writes.
        pad: the id that stands for none.
        cached: whether a step reads only what is new.
    """

    network: HubNetwork
    probe: Probe
    pad: int
    cached: bool = True

    def start(self, source: Tensor) -> HubState:
        """Reads sources; of a decoder alone one, which it goes on from."""
        if self.network.form == "decoder":
            before = source[:, :-1]
            if not self.cached:
                return HubState(None, before.shape[1], before, source[:, -1:])
            cache = DynamicCache()
            if before.shape[1]:
                self._forward(before, cache, 0)
            return HubState(cache, before.shape[1], prompt=source[:, -1:])
        mask = mask_of(source, self.pad)
        encoder = self.network.model.get_encoder()
        with captured(self.network.capture(self.probe)):
            memory = encoder(input_ids=source, attention_mask=mask).last_hidden_state
        if not self.cached:
            return HubState(None, ids=source[:, :0], memory=memory, mask=mask)
        cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
        return HubState(cache, memory=memory, mask=mask)

    def step(self, reading: Tensor, state: HubState) -> tuple[Tensor, HubState]:
        """As `core.decoding.stepper.Stepper.step`."""
        if state.prompt is not None:
            reading = torch.cat([state.prompt.expand(len(reading), 1), reading[:, 1:]], 1)
        cache = _copied(state.cache)
        more: dict[str, Any] = {}
        if state.memory is not None:
            more = {
                # Of experts or not: one without is read as well, one with is asked which they were.
                "encoder_outputs": MoEModelOutput(last_hidden_state=state.memory),
                "attention_mask": state.mask,
            }
        ids, new, read = state.ids, reading.shape[1], state.read + reading.shape[1]
        if ids is None:
            logits = self._forward(reading, cache, state.read, **more)
        else:
            ids = torch.cat([ids.expand(len(reading), -1), reading], 1)
            logits = self._forward(ids, None, 0, **more)[:, -new:]
        return logits.float(), replace(state, cache=cache, ids=ids, read=read, prompt=None)

    def _forward(self, reading: Tensor, cache: Any, before: int, **more: Any) -> Tensor:
        name = "decoder_input_ids" if more else "input_ids"
        positions = range(before, before + reading.shape[1])
        kept = {"use_cache": False}
        if cache is not None:
            kept = {"use_cache": True, "past_key_values": cache}
        with captured(self.network.capture(self.probe, positions)):
            found = self.network.model(**{name: reading}, **kept, **more)
        logits: Tensor = found.logits
        return logits


@torch.inference_mode()
def cache_apart(network: HubNetwork) -> float:
    """How far logits by a cache are from those of one pass, as `apart_from` has it.

    Infinitely far where its layers cannot go on from such a cache.
    """
    source, target = idle_ids(network.model)
    whole = answer_of(call(network.model, network.form, source, target))
    stepper = HubStepper(network, UNPROBED, pad=-1)
    try:
        if network.form == "decoder":
            state = stepper.start(target[:, :2])
            reading = target[:, 1:]
        else:
            state = stepper.start(source)
            reading = target
        parts = []
        for at in range(reading.shape[1]):
            logits, state = stepper.step(reading[:, at : at + 1], state)
            parts.append(logits)
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception:  # of any kind: it is their code that does not know what to do
        return math.inf
    found = torch.cat(parts, 1)
    return apart_from(found, whole[:, -found.shape[1] :])


def _copied(cache: Any) -> Any:
    """A cache that grows by itself; tensors are shared until then."""
    if cache is None:
        return None
    if isinstance(cache, EncoderDecoderCache):
        own = EncoderDecoderCache(
            _copied(cache.self_attention_cache), _copied(cache.cross_attention_cache)
        )
        own.is_updated = dict(cache.is_updated)
        return own
    own = copy.copy(cache)
    own.layers = [copy.copy(layer) for layer in cache.layers]
    return own
