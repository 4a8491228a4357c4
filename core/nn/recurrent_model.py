"""One stack of recurrent layers: a text in, and a label, a label a token, or another text out.

h_t knows all that was read up to x_t. What is made of it is the task: after the last token one
label (many to one), at each token a label of its own (many to many, aligned) or the next token (a
language model), or, once the source was read, a text by the same weights (one to many, where the
source is a single word).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, Self

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from core.nn.fast import functional as fast
from core.nn.fast.recurrent import of_length
from core.nn.modules import Dropout, Linear
from core.nn.network import Label, Network, Sizes, check_labels
from core.nn.recurrent import CELLS, CellName, Read, States, rows_of, shared_by, through
from core.reasons import RefusedError
from core.text.tasks import Labelling, Predicting, Tagging, Task, Translating

Answers = Literal["text", "label", "labels", "next"]


class RecurrentConfig(Sizes):
    """As `Sizes`; of "text" the vocabulary is that of the output, too, which is tied.

    Attributes:
        answers: a text; one label, or one a word; or at each token the next one, as a language
            model does.
        labels: two or more, where there are such.
        cell: of every layer.
        d_model: width of embeddings, states, cells and gates.
        dropout: on embeddings, between layers, and before the output.
    """

    vocab_size: Annotated[int, Field(ge=2, le=1_000_000)]
    answers: Answers = "label"
    labels: Annotated[tuple[Label, ...], Field(max_length=1000)] = ()
    cell: CellName = "gru"
    layers: Annotated[int, Field(ge=1, le=16)] = 1
    d_model: Annotated[int, Field(ge=1, le=8192)] = 64
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    max_length: Annotated[int, Field(ge=2, le=8192)] = 512
    pad_id: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.answers in ("text", "next") and self.labels:
            raise RefusedError("labels_none")
        if self.answers in ("label", "labels"):
            check_labels(self.labels)
        return self

    @property
    def task(self) -> Task:
        if self.answers == "text":
            return Translating()
        if self.answers == "next":
            return Predicting(1)
        return Labelling(self.labels) if self.answers == "label" else Tagging(self.labels)


class RecurrentState(NamedTuple):
    """What decoding carries from step to step; a value, never stored on a module.

    Attributes:
        carried: of each layer, each (row, d_model).
        sources: how many were read; each has as many rows, side by side.
    """

    carried: tuple[States, ...]
    sources: int

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> RecurrentState:
        """As `core.decoding.stepper.State.select`."""
        at = torch.tensor(rows, device=self.carried[0]["hidden"].device)
        return RecurrentState(rows_of(self.carried, at), len(sources))


class Recurrent(Network):
    """An embedding, a stack of recurrent layers, and an output."""

    config: RecurrentConfig

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        width = config.d_model
        self.embedding = nn.Embedding(config.vocab_size, width)
        # As in the Transformer: embeddings times sqrt(d_model) start at unit variance.
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        self.dropout = Dropout(config.dropout)
        self.layers = nn.ModuleList(CELLS[config.cell](width, width) for _ in range(config.layers))
        if config.labels:
            self.output = Linear(width, len(config.labels))

    def embed(self, ids: Tensor) -> Tensor:
        """(batch, place) ids -> (batch, place, d_model).

        Raises:
            ValueError: more than max_length places.
        """
        if ids.shape[1] > self.config.max_length:
            raise ValueError(f"{ids.shape[1]} places, but at most {self.config.max_length}")
        embedded: Tensor = self.dropout(self.embedding(ids) * math.sqrt(self.config.d_model))
        return embedded

    def read(
        self, ids: Tensor, before: Sequence[States] | None, read: Read
    ) -> tuple[Tensor, tuple[States, ...]]:
        """The hidden states of the last layer, and what each layer carries at the end.

        Args:
            ids: (batch, place).
            before: what is carried into the first place, of each layer; zeros if None.
            read: how one layer reads.
        """
        x = self.embed(ids)
        return through(self.layers, x, before, read, self.dropout)

    def start(self, source: Tensor) -> RecurrentState:
        """Read (batch, source) ids, padding at the end of a row."""
        _, ends = self.read(source, None, of_length(self._lengths(source)))
        return RecurrentState(ends, len(source))

    def decode(self, target: Tensor, state: RecurrentState) -> tuple[Tensor, RecurrentState]:
        """Read (row, new) ids after `state`: (row, new, d_model), and the state after them.

        Padding may stand at the end of a target only, where nothing is read after it.
        """
        before = shared_by(state.carried, len(target), state.sources)
        lengths = torch.full((len(target),), target.shape[1])
        hidden, ends = self.read(target, before, of_length(lengths))
        return self.dropout(hidden), state._replace(carried=ends)

    def step(self, reading: Tensor, state: RecurrentState) -> tuple[Tensor, RecurrentState]:
        """As `core.decoding.stepper.Stepper.step`."""
        hidden, state = self.decode(reading, state)
        return self.unembed(hidden), state

    def forward(self, source: Tensor) -> Tensor:
        """(batch, source) ids, padding at the end of a row -> (batch, source, d_model)."""
        hidden, _ = self.read(source, None, of_length(self._lengths(source)))
        dropped: Tensor = self.dropout(hidden)
        return dropped

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., label), or (..., vocab) by the tied embedding."""
        if self.config.labels:
            logits: Tensor = self.output(hidden)
            return logits
        return fast.linear(hidden, self.embedding.weight)

    def _lengths(self, source: Tensor) -> Tensor:
        return (source != self.config.pad_id).sum(1).clamp(min=1).cpu()
