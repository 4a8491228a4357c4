"""Which word can change which output: the receptive fields of layers, measured by their gradients.

A convolution sees as far as its kernel reaches, and a stack of them adds up (Dumoulin and Visin
2016); what is recurrent has read all that came before; self-attention looks at all there is, in one
layer (Vaswani et al. 2017, table 1: maximum path lengths).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import torch
from torch import Tensor, nn

from core.model import Done, untold
from core.nn.attention import MultiHeadAttention
from core.nn.masks import causal_mask
from core.nn.recurrent import LSTM, RNN, RecurrentLayer

SENTENCE: Final = "어제 카페 갔었어 거기 사람 많더라"
"""The notes' own."""

_HEADS: Final = 4


@dataclass(frozen=True, slots=True)
class ReceptiveOptions:
    """What the study is asked for.

    Attributes:
        words: of the sentence, two or more; each is a random vector, since no layer was trained.
        kernels: of the convolutions, each odd, so that a word stands in the middle of what is seen.
        depths: layers of each stack.
        width: of every vector, a multiple of 4.
        seeds: starts of each stack.
    """

    words: tuple[str, ...] = tuple(SENTENCE.split())
    kernels: tuple[int, ...] = (3, 5)
    depths: tuple[int, ...] = (1, 2)
    width: int = 16
    seeds: int = 3


@dataclass(frozen=True, slots=True)
class Field:
    """What one stack of layers sees.

    Attributes:
        layer: "convolution", "rnn", "lstm", "attention" or "causal attention".
        kernel: of a convolution, 0 of all else.
        depth: layers.
        norms: (output, input): |d y_t / d x_s|, the largest singular value, a median over the
            seeds. Exactly 0 where word s can change nothing at word t.
        share: of all pairs of words that are not 0, of any seed.
        farthest: words between an output and the farthest input that changes it.
    """

    layer: str
    kernel: int
    depth: int
    norms: tuple[tuple[float, ...], ...]
    share: float
    farthest: int


@dataclass(frozen=True, slots=True)
class Receptive:
    """What was found, stack by stack."""

    fields: tuple[Field, ...]


def receptive(options: ReceptiveOptions, done: Done = untold) -> Receptive:
    """Measure every stack on the sentence.

    Args:
        done: called with (finished, all) stacks.

    Raises:
        ValueError: fewer than two words, an even kernel, or a width that is no multiple of 4.
    """
    even = any(kernel % 2 == 0 for kernel in options.kernels)
    if len(options.words) < 2 or even or options.width % _HEADS:
        raise ValueError("two words or more, odd kernels, and a width that is a multiple of 4")
    stacks = list(_stacks(options))
    fields = []
    for number, (layer, kernel, depth, build) in enumerate(stacks, start=1):
        fields.append(_field(layer, kernel, depth, build, options))
        done(number, len(stacks))
    return Receptive(tuple(fields))


Build = Callable[[], Callable[[Tensor], Tensor]]


def _stacks(options: ReceptiveOptions) -> Iterator[tuple[str, int, int, Build]]:
    """Each stack by its name, kernel and depth, and what builds a layer of it."""
    width = options.width
    for depth in options.depths:
        for kernel in options.kernels:
            yield "convolution", kernel, depth, partial(_convolution, width, kernel)
        yield "rnn", 0, depth, lambda: _recurrent(RNN(width, width))
        yield "lstm", 0, depth, lambda: _recurrent(LSTM(width, width))
        yield "causal attention", 0, depth, lambda: _attention(width, causal=True)
        yield "attention", 0, depth, lambda: _attention(width, causal=False)


def _field(layer: str, kernel: int, depth: int, build: Build, options: ReceptiveOptions) -> Field:
    count, every = len(options.words), []
    for seed in range(options.seeds):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            stack = [build() for _ in range(depth)]
            x = torch.randn(count, options.width)
        every.append(_norms(stack, x))
    norms = torch.stack(every).quantile(0.5, dim=0)
    reached = (torch.stack(every) > 0).any(0)
    far = [abs(t - s) for t, s in reached.nonzero().tolist()]
    return Field(
        layer,
        kernel,
        depth,
        tuple(tuple(map(float, row)) for row in norms.tolist()),
        float(reached.double().mean()),
        max(far),
    )


def _norms(stack: Sequence[Callable[[Tensor], Tensor]], x: Tensor) -> Tensor:
    """(output, input) of |d y_t / d x_s|, x (word, width); the norm is taken in float64."""

    def forward(x: Tensor) -> Tensor:
        for layer in stack:
            x = layer(x)
        return x

    jacobian: Tensor = torch.autograd.functional.jacobian(forward, x)  # type: ignore[no-untyped-call]
    pairs = jacobian.permute(0, 2, 1, 3).double()  # (output, input, width, width)
    norms: Tensor = torch.linalg.matrix_norm(pairs, ord=2)
    return norms


def _convolution(width: int, kernel: int) -> Callable[[Tensor], Tensor]:
    layer = nn.Conv1d(width, width, kernel, padding=kernel // 2)
    return lambda x: torch.tanh(layer(x.T[None])[0].T)


def _recurrent(layer: RecurrentLayer) -> Callable[[Tensor], Tensor]:
    return lambda x: layer(x[None])["hidden"][0]


def _attention(width: int, *, causal: bool) -> Callable[[Tensor], Tensor]:
    layer = MultiHeadAttention(width, _HEADS, width // _HEADS, width // _HEADS)

    def forward(x: Tensor) -> Tensor:
        rows = x[None]
        allowed = causal_mask(len(x)) if causal else torch.ones(1, 1, 1, len(x), dtype=torch.bool)
        # As each layer of a Transformer does, it adds to what it reads.
        looked: Tensor = layer(
            layer.project_queries(rows), layer.project_keys_values(rows), allowed
        )
        return x + looked[0]

    return forward
