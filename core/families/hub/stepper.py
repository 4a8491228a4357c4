"""A Hugging Face model that writes token by token, each step reading only what is new."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput

from core.families.hub.capture import captured
from core.families.hub.network import HubNetwork
from core.probe import Probe


@dataclass(frozen=True, slots=True)
class HubState:
    """What is carried from step to step; a value, as its cache is copied before it grows.

    Attributes:
        cache: keys and values of what was read.
        read: tokens that were.
        prompt: what a decoder alone reads first, in the place of a start token.
        memory: (row, source, d_model) of an encoder.
        mask: (row, source), 1 where a source has a token.
    """

    cache: Any
    read: int = 0
    prompt: Tensor | None = None
    memory: Tensor | None = None
    mask: Tensor | None = None

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> HubState:
        """As `core.decoding.stepper.State.select`: all that is carried, a row each."""
        at, cache = torch.tensor(rows), _copied(self.cache)
        cache.reorder_cache(at)
        memory, mask = (None if x is None else x[at.to(x.device)] for x in (self.memory, self.mask))
        return replace(self, cache=cache, memory=memory, mask=mask)


def mask_of(source: Tensor, pad: int) -> Tensor:
    """(row, token) 1 where a source has one; what is padding stands behind a source alone."""
    if len(source) == 1:
        return torch.ones_like(source)
    behind = (source == pad).long().flip(1).cumprod(1).flip(1)
    return 1 - behind


class HubStepper:
    """Satisfies `core.decoding.stepper.Stepper`.

    Args:
        network: with a decoder.
        probe: whose edits are made while it writes.
        pad: the id that stands for none.
    """

    def __init__(
        self,
        network: HubNetwork,
        probe: Probe,
        *,
        pad: int,
    ) -> None:
        self._network = network
        self._probe = probe
        self._pad = pad

    def start(self, source: Tensor) -> HubState:
        """Reads sources; of a decoder alone one, which it goes on from."""
        if self._network.form == "decoder":
            cache = DynamicCache()
            if source.shape[1] > 1:
                self._forward(source[:, :-1], cache, 0)
            return HubState(cache, source.shape[1] - 1, source[:, -1:])
        mask = mask_of(source, self._pad)
        encoder = self._network.model.get_encoder()
        with captured(self._network.capture(self._probe)):
            memory = encoder(input_ids=source, attention_mask=mask).last_hidden_state
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
                "encoder_outputs": BaseModelOutput(last_hidden_state=state.memory),
                "attention_mask": state.mask,
            }
        logits = self._forward(reading, cache, state.read, **more).float()
        read = state.read + reading.shape[1]
        return logits, replace(state, cache=cache, read=read, prompt=None)

    def _forward(self, reading: Tensor, cache: Any, before: int, **more: Any) -> Tensor:
        name = "decoder_input_ids" if more else "input_ids"
        positions = range(before, before + reading.shape[1])
        with captured(self._network.capture(self._probe, positions)):
            found = self._network.model(
                **{name: reading}, past_key_values=cache, use_cache=True, **more
            )
        logits: Tensor = found.logits
        return logits


def _copied(cache: Any) -> Any:
    """A cache that grows by itself; tensors are shared until then."""
    if isinstance(cache, EncoderDecoderCache):
        own = EncoderDecoderCache(
            _copied(cache.self_attention_cache), _copied(cache.cross_attention_cache)
        )
        own.is_updated = dict(cache.is_updated)
        return own
    own = copy.copy(cache)
    own.layers = [copy.copy(layer) for layer in cache.layers]
    return own
