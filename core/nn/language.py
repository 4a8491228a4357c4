"""Language models of one stack of Transformer layers: what a word is likely to be among others.

They differ by what each token may look at. Forward: itself and those before it, to foretell the
next (Radford et al. 2018). Backward: itself and those after it, to foretell the one before. Masked:
all, to foretell some that are hidden (BERT, Devlin et al. 2019).
"""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal, Self

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from core.nn.fast import functional as fast
from core.nn.layers import EncoderLayer, Norm, add_positions, initialise
from core.nn.masks import causal_mask, padding_mask
from core.nn.modules import Dropout, Linear
from core.nn.network import Label, Network, Sizes, check_labels
from core.nn.relative import Positions, RelativePositions, check_rotary
from core.probe import UNPROBED, Probe
from core.reasons import RefusedError
from core.text.tasks import Labelling, Predicting, Task
from core.text.tokenizer import UNKNOWN_ID

Objective = Literal["forward", "backward", "masked"]

HIDDEN_ID: Final = UNKNOWN_ID
"""What stands for a token that is hidden: one that is not known."""

_OFFSETS: Final[dict[Objective, int]] = {"forward": 1, "backward": -1, "masked": 0}


class LanguageConfig(Sizes):
    """Sizes in the names of the Transformer's, bounded so that nothing absurd is ever built.

    Attributes:
        vocab_size: entries of input and output, which are tied.
        objective: what is foretold of what.
        labels: two or more, for one that gives a text a label at its end, and foretells nothing.
        layers: N.
        d_k, d_v: width of one head; d_model / heads, which must be whole.
        positions: how it is told where tokens stand (`core.nn.relative`).
    """

    vocab_size: Annotated[int, Field(ge=2, le=1_000_000)]
    objective: Objective = "forward"
    labels: Annotated[tuple[Label, ...], Field(max_length=1000)] = ()
    layers: Annotated[int, Field(ge=1, le=64)] = 4
    d_model: Annotated[int, Field(ge=2, le=8192, multiple_of=2)] = 128
    d_ff: Annotated[int, Field(ge=1, le=65_536)] = 512
    heads: Annotated[int, Field(ge=1, le=128)] = 4
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    attention_dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    norm: Norm = "pre"
    positions: Positions = "sinusoidal"
    max_length: Annotated[int, Field(ge=3, le=8192)] = 512
    pad_id: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.d_model % self.heads:
            raise ValueError(f"{self.heads} heads do not divide d_model {self.d_model}")
        if self.labels:
            check_labels(self.labels)
        if self.labels and self.objective == "backward":
            raise RefusedError("labels_backward")
        check_rotary(self)
        return self

    @property
    def d_k(self) -> int:
        """Width of a query and of a key, per head."""
        return self.d_model // self.heads

    @property
    def d_v(self) -> int:
        """Width of a value, per head."""
        return self.d_model // self.heads

    @property
    def task(self) -> Task:
        if self.labels:
            return Labelling(self.labels, framed=True)
        return Predicting(_OFFSETS[self.objective])


class Language(Network):
    """A stack over one embedding, which is the output, too."""

    config: LanguageConfig
    positions: Tensor | None

    def __init__(self, config: LanguageConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.embedding_dropout = Dropout(config.dropout)
        add_positions(self, config)
        self.relative = RelativePositions(config, both_ways=config.objective == "masked")
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()
        self.head = Linear(config.d_model, len(config.labels)) if config.labels else None
        initialise(self, self.embedding)

    def allowed(self, ids: Tensor) -> Tensor:
        """Who may look at whom among (batch, place) ids: bool, (batch, 1, place or 1, place)."""
        real = padding_mask(ids, self.config.pad_id)
        if self.config.objective == "masked":
            return real
        before = causal_mask(ids.shape[1], ids.device)
        return real & (before if self.config.objective == "forward" else before.mT)

    def places(self, ids: Tensor) -> Tensor:
        """Where each of (batch, place) ids stands: from the start, or, read backward, from the end.

        Counted from the start, a place would tell who reads backward how much is still to come.
        """
        from_start = torch.arange(ids.shape[1], device=ids.device).expand(ids.shape)
        if self.config.objective != "backward":
            return from_start
        last = (ids != self.config.pad_id).sum(1, keepdim=True) - 1
        return (last - from_start).clamp(min=0)

    def steps(self, ids: Tensor) -> Tensor:
        """(place,) one apart, in the order of reading: of tokens, distances alone count here."""
        from_start = torch.arange(ids.shape[1], device=ids.device)
        return -from_start if self.config.objective == "backward" else from_start

    def forward(self, ids: Tensor, probe: Probe = UNPROBED) -> Tensor:
        """(batch, place) ids, padding at the end of a row -> (batch, place, d_model).

        Raises:
            ValueError: more than max_length places.
        """
        if ids.shape[1] > self.config.max_length:
            raise ValueError(f"{ids.shape[1]} places, but at most {self.config.max_length}")
        rows, allowed = range(ids.shape[1]), self.allowed(ids)
        x = self.embedding(ids) * math.sqrt(self.config.d_model)
        if self.positions is not None:
            x = x + self.positions[self.places(ids)]
        x = self.embedding_dropout(x)
        told = self.relative(self.steps(ids))
        for index, layer in enumerate(self.layers):
            x = probe.at("encoder", index, rows)("residual", x)
            x = layer(x, allowed, probe.at("encoder_self", index, rows), told)
        x = probe.at("encoder", len(self.layers), rows)("residual", x)
        hidden: Tensor = self.norm(x)
        return hidden

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab) by the tied embedding, without bias.

        Of one that labels (..., label), by its head.
        """
        if self.head is not None:
            labelled: Tensor = self.head(hidden)
            return labelled
        return fast.linear(hidden, self.embedding.weight)
