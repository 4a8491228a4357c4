"""One layer of the encoder and of the decoder (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.modules import Dropout, Linear
from core.nn.positions import sinusoidal_table
from core.nn.relative import UNTOLD, AttentionSizes, Told
from core.probe import Spot, untouched

Norm = Literal["post", "pre"]
Activation = Literal["relu", "gelu", "silu"]

ACTIVATIONS: Final[Mapping[Activation, Callable[[Tensor], Tensor]]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "silu": F.silu,
}
"""max(0, x) as printed; x Φ(x), Φ being the normal distribution's (Hendrycks and Gimpel, 2016); and
x / (1 + e^-x) (Elfwing et al., 2017), which others call swish."""


class StackSizes(AttentionSizes, Protocol):
    """What stacks of layers are built of, in the paper's names."""

    @property
    def d_model(self) -> int: ...
    @property
    def d_ff(self) -> int: ...
    @property
    def d_v(self) -> int: ...
    @property
    def dropout(self) -> float: ...
    @property
    def attention_dropout(self) -> float: ...
    @property
    def norm(self) -> Norm: ...
    @property
    def max_length(self) -> int: ...


class AddNorm(nn.Module):
    """Residual connection, dropout and LayerNorm around one sub-layer.

    post-norm, as printed: `LayerNorm(x + dropout(sublayer(x)))`;
    pre-norm (an option that trains more easily): `x + dropout(sublayer(LayerNorm(x)))`.
    """

    def __init__(self, sizes: StackSizes) -> None:
        super().__init__()
        self.layer_norm = nn.LayerNorm(sizes.d_model)
        self.dropout = Dropout(sizes.dropout)
        self.pre = sizes.norm == "pre"

    def enter(self, x: Tensor) -> Tensor:
        """What the sub-layer reads of the residual stream x."""
        return self.layer_norm(x) if self.pre else x

    def leave(self, x: Tensor, y: Tensor) -> Tensor:
        """The residual stream x joined by the sub-layer's output y.

        Added in the type of y: under autocast bf16, like the matrix products, pre-norm as well.
        """
        total: Tensor = x.to(y.dtype) + self.dropout(y)
        return total if self.pre else self.layer_norm(total)


class FeedForward(nn.Module):
    """FFN(x) = f(x W_1 + b_1) W_2 + b_2, the same at each position.

    f is max(0, x) as printed (equation 2), or another activation.
    """

    def __init__(self, d_model: int, d_ff: int, activation: Activation = "relu") -> None:
        super().__init__()
        self.activation = activation
        self.inner = Linear(d_model, d_ff)
        self.outer = Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model) -> (..., d_model)."""
        y: Tensor = self.outer(ACTIVATIONS[self.activation](self.inner(x)))
        return y


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network."""

    def __init__(self, sizes: StackSizes, activation: Activation = "relu") -> None:
        super().__init__()
        self.self_attention = _attention(sizes)
        self.feed_forward = FeedForward(sizes.d_model, sizes.d_ff, activation)
        self.self_attention_norm = AddNorm(sizes)
        self.feed_forward_norm = AddNorm(sizes)

    def forward(
        self, x: Tensor, allowed: Tensor, spot: Spot = untouched, told: Told = UNTOLD
    ) -> Tensor:
        """The new residual stream, of the shape of x.

        Args:
            x: (batch, source, d_model).
            allowed: broadcastable to (batch, head, source, source).
            spot: of its self-attention.
            told: of where the tokens stand.
        """
        attention = self.self_attention
        y = self.self_attention_norm.enter(x)
        queries, own = attention.project_queries(y, told), attention.project_keys_values(y, told)
        y = attention(queries, own, allowed, spot, told)
        x = self.self_attention_norm.leave(x, y)
        y = self.feed_forward(self.feed_forward_norm.enter(x))
        return self.feed_forward_norm.leave(x, y)


class DecoderLayer(nn.Module):
    """Masked self-attention, attention over the encoder's output, then feed-forward."""

    def __init__(self, sizes: StackSizes, activation: Activation = "relu") -> None:
        super().__init__()
        self.self_attention = _attention(sizes)
        self.cross_attention = _attention(sizes)
        self.feed_forward = FeedForward(sizes.d_model, sizes.d_ff, activation)
        self.self_attention_norm = AddNorm(sizes)
        self.cross_attention_norm = AddNorm(sizes)
        self.feed_forward_norm = AddNorm(sizes)

    def forward(
        self,
        x: Tensor,
        past: KeysValues | None,
        memory: KeysValues,
        self_allowed: Tensor,
        cross_allowed: Tensor,
        self_spot: Spot = untouched,
        cross_spot: Spot = untouched,
        told: Told = UNTOLD,
    ) -> tuple[Tensor, KeysValues]:
        """One layer over new positions.

        Args:
            x: (batch, target, d_model).
            past: keys and values of earlier positions, None at the start.
            memory: this layer's keys and values of the encoder's output; of a smaller batch where
                several rows of x (beams) read one source: those rows stand side by side.
            self_allowed: bool, broadcastable to (batch, head, target, past + target).
            cross_allowed: bool, broadcastable to (source batch, head, its rows * target, source).
            self_spot, cross_spot: of the two attentions.
            told: of where the new positions stand among all.

        Returns:
            The new residual stream, and the keys and values including x's own.
        """
        y = self.self_attention_norm.enter(x)
        own = self.self_attention.project_keys_values(y, told)
        present = own if past is None else past.extend(own)
        queries = self.self_attention.project_queries(y, told)
        y = self.self_attention(queries, present, self_allowed, self_spot, told)
        x = self.self_attention_norm.leave(x, y)

        y = self.cross_attention_norm.enter(x)
        # (source batch, its rows * target, d_model): the beams of a source ask as one row.
        y = y.reshape(len(memory.keys), -1, y.shape[-1])
        queries = self.cross_attention.project_queries(y)
        y = self.cross_attention(queries, memory, cross_allowed, cross_spot)
        x = self.cross_attention_norm.leave(x, y.view(x.shape))

        y = self.feed_forward(self.feed_forward_norm.enter(x))
        return self.feed_forward_norm.leave(x, y), present


def add_positions(network: nn.Module, sizes: StackSizes) -> None:
    """Give a network `positions`, (max_length, d_model), or None where none are added.

    Sinusoids, or what is learned and starts as those.
    """
    if sizes.positions not in ("sinusoidal", "learned"):
        network.register_buffer("positions", None, persistent=False)
        return
    # From numpy: a torch factory would leave it on the meta device, where checkpoints are read.
    table = torch.from_numpy(sinusoidal_table(sizes.max_length, sizes.d_model)).float()
    if sizes.positions == "learned":
        network.register_parameter("positions", nn.Parameter(table))
    else:
        network.register_buffer("positions", table, persistent=False)


def initialise(network: nn.Module, embedding: nn.Embedding) -> None:
    """Fill the weights of a network of such layers.

    The paper prints no initialisation. Xavier for the projections, and d_model^-0.5 for the
    embedding, so that embeddings times sqrt(d_model) start at unit variance.
    """
    for module in network.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
    nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)


def _attention(sizes: StackSizes) -> MultiHeadAttention:
    return MultiHeadAttention(
        sizes.d_model, sizes.heads, sizes.d_k, sizes.d_v, sizes.attention_dropout
    )
