"""The encoder-decoder Transformer of "Attention Is All You Need" (Vaswani et al., 2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, NamedTuple, Self

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from core.nn.attention import KeysValues
from core.nn.fast import functional as fast
from core.nn.fast import packed
from core.nn.layers import (
    Activation,
    DecoderLayer,
    EncoderLayer,
    Norm,
    add_positions,
    initialise,
)
from core.nn.masks import causal_mask, padding_mask
from core.nn.modules import Dropout
from core.nn.network import Network, Sizes
from core.nn.relative import Positions, RelativePositions, check_rotary
from core.probe import UNPROBED, Probe


class TransformerConfig(Sizes):
    """Sizes in the paper's names (Table 3), bounded so that nothing absurd is ever built.

    Attributes:
        vocab_size: entries shared by source, target and output (three-way tied).
        encoder_layers, decoder_layers: N of each stack.
        d_model: width of the residual stream.
        d_ff: inner width of the feed-forward network.
        heads: h.
        d_k, d_v: width of one head; d_model / heads where left out, which must then be whole
            (`model_validate` fills them in).
        dropout: P_drop, on sub-layer outputs and on the sums of embeddings and positions.
        attention_dropout: on attention weights; the paper has none.
        norm: "post" as printed, or "pre".
        positions: "sinusoidal" as printed, "learned" ones that start as those (Table 3, E), or
            what came after it, in self-attention alone (`core.nn.relative`).
        activation: within the feed-forward networks; "relu" as printed.
        output_bias: whether each entry has a number of its own, added to its logit; the paper
            prints none.
        max_length: tokens a side; also the size of a learned position table.
        pad_id: the token that nobody may attend to.
        never_written: ids that decoding passes over, however likely they are.
    """

    vocab_size: Annotated[int, Field(ge=2, le=1_000_000)]
    encoder_layers: Annotated[int, Field(ge=1, le=64)] = 6
    decoder_layers: Annotated[int, Field(ge=1, le=64)] = 6
    d_model: Annotated[int, Field(ge=2, le=8192, multiple_of=2)] = 512
    d_ff: Annotated[int, Field(ge=1, le=65_536)] = 2048
    heads: Annotated[int, Field(ge=1, le=128)] = 8
    d_k: Annotated[int, Field(ge=1, le=8192)]
    d_v: Annotated[int, Field(ge=1, le=8192)]
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    attention_dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    norm: Norm = "post"
    positions: Positions = "sinusoidal"
    activation: Activation = "relu"
    output_bias: bool = False
    max_length: Annotated[int, Field(ge=2, le=8192)] = 512
    pad_id: Annotated[int, Field(ge=0)] = 0
    never_written: Annotated[tuple[int, ...], Field(max_length=64)] = ()

    @model_validator(mode="before")
    @classmethod
    def _default_head_width(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        d_model, heads = values.get("d_model", 512), values.get("heads", 8)
        if isinstance(d_model, int) and isinstance(heads, int) and heads > 0:
            if d_model % heads and not {"d_k", "d_v"} <= values.keys():
                raise ValueError(f"{heads} heads do not divide d_model {d_model}: name d_k and d_v")
            return {"d_k": d_model // heads, "d_v": d_model // heads, **values}
        return values

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not all(0 <= id < self.vocab_size for id in self.never_written):
            raise ValueError("never_written goes beyond the vocabulary")
        check_rotary(self)
        return self

    @classmethod
    def base(cls, vocab_size: int) -> TransformerConfig:
        """The base model (Table 3): 63,082,496 parameters at 37,000 entries; printed, 65e6."""
        return cls.model_validate({"vocab_size": vocab_size})

    @classmethod
    def big(cls, vocab_size: int) -> TransformerConfig:
        """The big model (Table 3): 214,245,376 parameters at 37,000 entries; printed, 213e6."""
        sizes = {"d_model": 1024, "d_ff": 4096, "heads": 16, "dropout": 0.3}
        return cls.model_validate({"vocab_size": vocab_size, **sizes})


class DecoderState(NamedTuple):
    """What decoding carries from step to step; a value, never stored on a module.

    Attributes:
        memory: each layer's keys and values of the encoder's output, computed once.
        source_allowed: (batch, 1, 1, source) bool.
        past: each layer's keys and values of positions already read; () at the start.
    """

    memory: tuple[KeysValues, ...]
    source_allowed: Tensor
    past: tuple[KeysValues, ...] = ()

    @property
    def length(self) -> int:
        return self.past[0].keys.shape[2] if self.past else 0

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> DecoderState:
        """The state where `sources[i]` becomes source i, and `rows[j]` row j.

        Beams share the memory of their source, which is never repeated; what stays as it is is
        not copied.

        Args:
            sources: of the memory.
            rows: of what was read so far, each source's rows side by side.
        """
        state, device = self, self.source_allowed.device
        if list(sources) != list(range(len(self.source_allowed))):
            index = torch.tensor(sources, device=device)
            allowed = self.source_allowed.index_select(0, index)
            memory = tuple(pair.select(index) for pair in self.memory)
            state = state._replace(memory=memory, source_allowed=allowed)
        if self.past and list(rows) != list(range(len(self.past[0].keys))):
            index = torch.tensor(rows, device=device)
            state = state._replace(past=tuple(pair.select(index) for pair in self.past))
        return state


class Transformer(Network):
    """Encoder and decoder stacks over one embedding, tied three ways (Section 3.4)."""

    config: TransformerConfig
    positions: Tensor | None
    output_bias: nn.Parameter | None

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.embedding_dropout = Dropout(config.dropout)
        add_positions(self, config)
        self.encoder_relative = RelativePositions(config, both_ways=True)
        self.decoder_relative = RelativePositions(config, both_ways=False)
        f = config.activation
        self.encoder = nn.ModuleList(EncoderLayer(config, f) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config, f) for _ in range(config.decoder_layers))
        # Post-norm ends every layer normalised; pre-norm leaves the last sum raw.
        pre = config.norm == "pre"
        self.encoder_norm = nn.LayerNorm(config.d_model) if pre else nn.Identity()
        self.decoder_norm = nn.LayerNorm(config.d_model) if pre else nn.Identity()
        bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        self.register_parameter("output_bias", bias)
        initialise(self, self.embedding)

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Embeddings times sqrt(d_model) plus positions from `start` on (Sections 3.4, 3.5).

        Args:
            ids: (batch, length) token ids.

        Returns:
            (batch, length, d_model).

        Raises:
            ValueError: when start + length goes beyond max_length.
        """
        x = self.embedding(ids) * math.sqrt(self.config.d_model)
        positions = self.positions_of(ids, start)
        embedded: Tensor = self.embedding_dropout(x if positions is None else x + positions)
        return embedded

    def positions_of(self, ids: Tensor, start: int = 0) -> Tensor | None:
        """(length, d_model) positions of (batch, length) ids from `start`; None: none are added.

        Raises:
            ValueError: when start + length goes beyond max_length.
        """
        end = start + ids.shape[1]
        if end > self.config.max_length:
            raise ValueError(f"{end} positions, but at most {self.config.max_length}")
        return None if self.positions is None else self.positions[start:end]

    def encode(self, source: Tensor, source_allowed: Tensor, probe: Probe = UNPROBED) -> Tensor:
        """source (batch, source) ids -> (batch, source, d_model)."""
        positions = range(source.shape[1])
        x = self.embed(source)
        told = self.encoder_relative(torch.arange(source.shape[1], device=source.device))
        for index, layer in enumerate(self.encoder):
            x = probe.at("encoder", index, positions)("residual", x)
            x = layer(x, source_allowed, probe.at("encoder_self", index, positions), told)
        x = probe.at("encoder", len(self.encoder), positions)("residual", x)
        encoded: Tensor = self.encoder_norm(x)
        return encoded

    def start(self, source: Tensor, probe: Probe = UNPROBED) -> DecoderState:
        """Encode source (batch, source) ids; each decoder layer's keys and values of it, once."""
        source_allowed = padding_mask(source, self.config.pad_id)
        if probe is UNPROBED and packed.serves(source_allowed):
            # In training, or with padding: the same numbers, and nothing spent on padding.
            return DecoderState(packed.start(self, source, source_allowed), source_allowed)
        encoded = self.encode(source, source_allowed, probe)
        readers = [layer.cross_attention for layer in self.decoder_layers()]
        memory = tuple(reader.project_keys_values(encoded) for reader in readers)
        return DecoderState(memory, source_allowed)

    def decode(
        self,
        target: Tensor,
        state: DecoderState,
        probe: Probe = UNPROBED,
    ) -> tuple[Tensor, DecoderState]:
        """Read target positions after `state`.

        Padding may stand at the end of a target only: the causal mask hides it from every
        real position, so it needs no mask of its own. Where a probe lifts that mask, a target
        must have none.

        Args:
            target: (batch, new) ids; more rows than sources, if each source has as many, side
                by side: beams share their source's memory.

        Returns:
            (batch, new, d_model) hidden states, and the state for the positions that follow.
        """
        length, layers = state.length, self.decoder_layers()
        positions = range(length, length + target.shape[1])
        allowed = causal_mask(target.shape[1], target.device, past=length)
        x = self.embed(target, length)
        told = self.decoder_relative(torch.arange(positions.stop, device=target.device), length)
        present: list[KeysValues] = []
        for index, layer in enumerate(layers):
            x = probe.at("decoder", index, positions)("residual", x)
            x, extended = layer(
                x,
                state.past[index] if state.past else None,
                state.memory[index],
                allowed,
                state.source_allowed,
                probe.at("decoder_self", index, positions),
                probe.at("cross", index, positions),
                told,
            )
            present.append(extended)
        x = probe.at("decoder", len(layers), positions)("residual", x)
        return self.decoder_norm(x), state._replace(past=tuple(present))

    def step(
        self, target: Tensor, state: DecoderState, probe: Probe = UNPROBED
    ) -> tuple[Tensor, DecoderState]:
        """Logits (batch, new, vocab) of what comes after each of (batch, new) target ids.

        Args:
            state: what was read before them.
        """
        hidden, state = self.decode(target, state, probe)
        return self.unembed(hidden), state

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab) by the tied embedding."""
        return fast.linear(hidden, self.embedding.weight, self.output_bias)

    def forward(self, source: Tensor, target: Tensor, probe: Probe = UNPROBED) -> Tensor:
        """Teacher-forced pass: (batch, source), (batch, target) ids -> (batch, target, vocab).

        A run trains by `core.families.transformer.objective`, which computes less.
        """
        hidden, _ = self.decode(target, self.start(source, probe), probe)
        return self.unembed(hidden)

    def decoder_layers(self) -> list[DecoderLayer]:
        """`self.decoder`, typed: a `ModuleList` forgets what it holds."""
        return [layer for layer in self.decoder if isinstance(layer, DecoderLayer)]
