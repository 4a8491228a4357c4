"""Sequence to sequence by recurrent layers (Sutskever et al. 2014), with or without attention.

An encoder reads the source; what it carries at the end is where the decoder begins. Without
attention that is all the decoder knows of the source: the bottleneck. With it, each decoder state
s_t looks back at all encoder states h_1, ..., h_n (Bahdanau et al. 2015; Luong et al. 2015).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn

from core.nn.fast import functional as fast
from core.nn.fast.recurrent import of_length
from core.nn.modules import Dropout, Linear
from core.nn.network import Network, Sizes
from core.nn.recurrent import CELLS, CellName, States, rows_of, shared_by, through
from core.nn.softmax import masked_softmax

Score = Literal["none", "dot", "general", "additive"]


class Seq2SeqConfig(Sizes):
    """As `Sizes`, of which the vocabulary is shared by source, target and output (three-way tied).

    Attributes:
        cell: of every recurrent layer.
        attention: how a decoder state scores an encoder state; "none" is the bottleneck.
        layers: of the encoder, and of the decoder.
        d_model: width of embeddings, states, cells and gates.
        dropout: on embeddings, between layers, and before the output.
    """

    vocab_size: Annotated[int, Field(ge=2, le=1_000_000)]
    cell: CellName = "gru"
    attention: Score = "dot"
    layers: Annotated[int, Field(ge=1, le=16)] = 1
    d_model: Annotated[int, Field(ge=1, le=8192)] = 256
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    max_length: Annotated[int, Field(ge=2, le=8192)] = 512
    pad_id: Annotated[int, Field(ge=0)] = 0


class Alignment(nn.Module):
    """Attention of decoder states over encoder states: one head (Luong et al. 2015, 3.1).

    e_ti = s_t . h_i ("dot"), s_t . W h_i ("general"), or v . tanh(W_s s_t + W_h h_i) ("additive",
    Bahdanau et al. 2015); weights = softmax of e_t over the source; a_t = sum_i weights_ti h_i.
    """

    def __init__(self, d_model: int, score: Score) -> None:
        super().__init__()
        self.score = score
        if score in ("general", "additive"):
            self.of_encoder = nn.Linear(d_model, d_model, bias=False)
        if score == "additive":
            self.of_decoder = nn.Linear(d_model, d_model)
            self.energy = nn.Linear(d_model, 1, bias=False)

    def forward(self, s: Tensor, h: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores and weights (batch, 1, query, key), and a (batch, query, d_model).

        Args:
            s: (batch, query, d_model) decoder states.
            h: (batch, key, d_model) encoder states.
            allowed: (batch, 1, 1, key) bool.
        """
        scores = self._scores(s, h)[:, None]
        weights = masked_softmax(scores, allowed).to(h.dtype)
        return scores, weights, weights[:, 0] @ h

    def _scores(self, s: Tensor, h: Tensor) -> Tensor:
        if self.score == "additive":
            both = self.of_decoder(s)[:, :, None] + self.of_encoder(h)[:, None]
            energy: Tensor = self.energy(torch.tanh(both))[..., 0]
            return energy
        keys = self.of_encoder(h) if self.score == "general" else h
        return s @ keys.transpose(1, 2)


class Seq2SeqState(NamedTuple):
    """What decoding carries from step to step; a value, never stored on a module.

    Attributes:
        memory: (source, place, d_model) encoder states.
        allowed: (source, 1, 1, place) bool, True = a token.
        carried: of each decoder layer, each (row, d_model).
    """

    memory: Tensor
    allowed: Tensor
    carried: tuple[States, ...]

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> Seq2SeqState:
        """As `core.decoding.stepper.State.select`."""
        device = self.memory.device
        of_sources = torch.tensor(sources, device=device)
        of_rows = torch.tensor(rows, device=device)
        return Seq2SeqState(
            self.memory.index_select(0, of_sources),
            self.allowed.index_select(0, of_sources),
            rows_of(self.carried, of_rows),
        )


class Seq2Seq(Network):
    """Encoder and decoder stacks over one embedding, tied three ways."""

    config: Seq2SeqConfig

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        width, layers = config.d_model, range(config.layers)
        self.embedding = nn.Embedding(config.vocab_size, width)
        # As in the Transformer: embeddings times sqrt(d_model) start at unit variance.
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        self.dropout = Dropout(config.dropout)
        self.encoder = nn.ModuleList(CELLS[config.cell](width, width) for _ in layers)
        self.decoder = nn.ModuleList(CELLS[config.cell](width, width) for _ in layers)
        if config.attention != "none":
            self.alignment = Alignment(width, config.attention)
            self.joined = Linear(2 * width, width)

    def embed(self, ids: Tensor) -> Tensor:
        """(batch, place) ids -> (batch, place, d_model).

        Raises:
            ValueError: more than max_length places.
        """
        if ids.shape[1] > self.config.max_length:
            raise ValueError(f"{ids.shape[1]} places, but at most {self.config.max_length}")
        embedded: Tensor = self.dropout(self.embedding(ids) * math.sqrt(self.config.d_model))
        return embedded

    def start(self, source: Tensor) -> Seq2SeqState:
        """Read (batch, source) ids, padding at the end of a row."""
        real = source != self.config.pad_id
        lengths = real.sum(1).clamp(min=1).cpu()
        x = self.embed(source)
        memory, ends = through(self.encoder, x, None, of_length(lengths), self.dropout)
        return Seq2SeqState(memory, real[:, None, None], ends)

    def decode(self, target: Tensor, state: Seq2SeqState) -> tuple[Tensor, Seq2SeqState]:
        """Read (row, new) ids after `state`: (row, new, d_model), and the state after them.

        Padding may stand at the end of a target only, where nothing is read after it.
        """
        x, lengths = self.embed(target), torch.full((len(target),), target.shape[1])
        before = shared_by(state.carried, len(target), len(state.memory))
        s, ends = through(self.decoder, x, before, of_length(lengths), self.dropout)
        return self.look_back(s, state)[0], state._replace(carried=ends)

    def look_back(
        self, s: Tensor, state: Seq2SeqState
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """What is written by: s_t itself, or tanh(W [a_t; s_t]) with attention (Luong, 5).

        Args:
            s: (row, new, d_model) decoder states.

        Returns:
            (row, new, d_model); scores and weights (source, 1, its rows * new, place), or None.
        """
        if self.config.attention == "none":
            return self.dropout(s), None, None
        # The rows of a source ask as one, as they stand side by side.
        asking = s.reshape(len(state.memory), -1, s.shape[-1])
        scores, weights, a = self.alignment(asking, state.memory, state.allowed)
        joined = torch.tanh(self.joined(torch.cat((a.view(s.shape), s), dim=-1)))
        return self.dropout(joined), scores, weights

    def step(self, reading: Tensor, state: Seq2SeqState) -> tuple[Tensor, Seq2SeqState]:
        """As `core.decoding.stepper.Stepper.step`."""
        hidden, state = self.decode(reading, state)
        return self.unembed(hidden), state

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab) by the tied embedding, without bias."""
        return fast.linear(hidden, self.embedding.weight)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Teacher-forced pass: (batch, source), (batch, target) ids -> (batch, target, vocab)."""
        return self.unembed(self.decode(target, self.start(source))[0])
