"""Layers of table 1 of "Attention Is All You Need", and what is counted of one pass through them.

Each maps (1, n, d) to (1, n, d) and has what the table counts and no more: attention is equation 1
of x itself, without the maps around it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.flop_counter import FlopCounterMode

from core.nn.attention import attend
from core.nn.recurrent import RNN, States

Layer = Callable[[Tensor], Tensor]
Build = Callable[[int], Layer]
"""Builds a layer of a width."""


def builders(kernel: int, window: int) -> Mapping[str, Build]:
    """The layers of table 1, by name.

    Args:
        kernel: k of the convolution, odd.
        window: r of the restricted self-attention: a query looks at that many keys, itself the
            last.
    """
    return {
        "attention": lambda width: _attention,
        "fused": lambda width: _fused,
        "recurrent": lambda width: _recurrent(RNN(width, width)),
        "convolution": partial(_convolution, kernel),
        "restricted": lambda width: partial(restricted_attention, window=window),
    }


def _attention(x: Tensor) -> Tensor:
    """Step by step, as the equation stands."""
    q, allowed = x[:, None], torch.ones(1, 1, 1, x.shape[1], dtype=torch.bool)
    return attend(q, q, q, allowed, spot=lambda record, x, shape=None: x)[:, 0]


def _fused(x: Tensor) -> Tensor:
    """The same in one kernel, which keeps no scores (Dao et al. 2022)."""
    q = x[:, None]
    return F.scaled_dot_product_attention(q, q, q)[:, 0]


def _recurrent(layer: RNN) -> Layer:
    return lambda x: layer(x)["hidden"]


def _convolution(kernel: int, width: int) -> Layer:
    """Of a token and those beside it, as many to either side."""
    weight = _alike(kernel, width)
    return lambda x: F.conv1d(x.mT, weight.to(x.dtype), padding=kernel // 2).mT


def _dilated(kernel: int, width: int, dilation: int) -> Layer:
    """Of a token and those before it, `dilation` apart (van den Oord et al. 2016)."""
    weight, room = _alike(kernel, width), dilation * (kernel - 1)
    return lambda x: F.conv1d(F.pad(x.mT, (room, 0)), weight.to(x.dtype), dilation=dilation).mT


def _alike(kernel: int, width: int) -> Tensor:
    # So that no way through them adds up to nothing by chance.
    return torch.full((width, width, kernel), 1 / (kernel * width), requires_grad=True)


def restricted_attention(x: Tensor, window: int) -> Tensor:
    """Equation 1 where a query of (1, n, d) sees itself and the window - 1 keys before it."""
    keys = F.pad(x[0], (0, 0, window - 1, 0)).unfold(0, window, 1)  # (n, d, window)
    scores = (x[0, :, None] / math.sqrt(x.shape[2]) @ keys)[:, 0]  # (n, window)
    places = torch.arange(len(scores))[:, None] - torch.arange(window - 1, -1, -1)
    weights = scores.masked_fill(places < 0, -math.inf).softmax(-1)
    return (keys @ weights[:, :, None])[None, :, :, 0]


def products(layer: Layer, x: Tensor) -> int:
    """Multiplications of a pass, each with its addition."""
    counter = FlopCounterMode(display=False)
    with torch.inference_mode():
        layer(x)  # where ways are tried at first use, that is none of the pass
        with counter:
            layer(x)
    return int(counter.get_total_flops()) // 2


def kept_bytes(layer: Layer, x: Tensor) -> int:
    """What a pass keeps for its gradient, each tensor once, x among them and no weights."""
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        y = layer(x.requires_grad_())
    nodes = _depths(y.grad_fn)
    weights = {
        node.variable.untyped_storage().data_ptr()
        for node in nodes
        if getattr(node, "variable", x) is not x
    }
    return sum(size for place, size in kept.items() if place not in weights)


def chain(layer: Layer, x: Tensor) -> int:
    """Operations that wait for each other: the longest way through the graph of a pass."""
    last = layer(x.requires_grad_()).grad_fn
    return _depths(last)[last]


def _depths(last: Any) -> dict[Any, int]:
    """Of every node of a graph, how many wait for each other up to it."""
    depths: dict[Any, int] = {}
    waiting = [last]
    while waiting:  # no recursion: a recurrent graph is deeper than Python's stack
        node = waiting[-1]
        before = [one for one, _ in node.next_functions if one is not None]
        unknown = [one for one in before if one not in depths]
        if unknown:
            waiting += unknown
            continue
        depths[waiting.pop()] = 1 + max((depths[one] for one in before), default=0)
    return depths


PATHS: Final = ("attention", "recurrent", "convolution", "dilated", "restricted")
"""Layers of which there is a way from any token to any other, in a stack that is deep enough."""


def path(name: str, length: int, kernel: int, window: int, width: int = 4) -> tuple[int, int]:
    """How far the last output is from the first input, in a stack just deep enough.

    Args:
        name: of `PATHS`; "dilated": convolutions, each `kernel` times as wide as the one before.

    Returns:
        Layers of the stack, and operations on the shortest way from that output to that input.
    """
    inputs = [torch.rand(1, 1, width, dtype=torch.float64) for _ in range(length)]
    first = inputs[0].requires_grad_()
    if name == "recurrent":
        return 1, _shortest(_one_by_one(RNN(width, width).double(), inputs), first)
    x, depth = torch.cat(inputs, 1), 0
    build = builders(kernel, window).get(name)  # of "dilated" each layer is another
    heard = torch.zeros_like(x)
    heard[:, -1] = 1
    while not heard[:, 0].any():
        layer = build(width) if build else _dilated(kernel, width, kernel**depth)
        x, depth, heard = layer(x), depth + 1, _hears(layer, heard)
    return depth, _shortest(x, first)


def _hears(layer: Layer, outputs: Tensor) -> Tensor:
    """What some outputs (1, n, d) of a layer hear of its inputs: 1 or 0, as they are marked.

    Layer by layer: through a deep stack one slope would be too small for any float.
    """
    x = torch.rand_like(outputs).requires_grad_()
    (slope,) = torch.autograd.grad(layer(x), x, outputs)
    return (slope != 0).to(slope.dtype)


def _one_by_one(layer: RNN, inputs: Sequence[Tensor]) -> Tensor:
    """The last state. Read at once, all inputs would go through W_xh in one operation."""
    before: States | None = None
    for x in inputs:
        before = {"hidden": layer(x, before)["hidden"][:, -1]}
    assert before is not None
    return before["hidden"]


def _shortest(output: Tensor, leaf: Tensor) -> int:
    last: Any = output.grad_fn
    seen, waiting = {last}, deque([(last, 1)])
    while waiting:
        node, steps = waiting.popleft()
        if getattr(node, "variable", None) is leaf:
            return steps
        for one, _ in node.next_functions:
            if one is not None and one not in seen:
                seen.add(one)
                waiting.append((one, steps + 1))
    raise AssertionError("the output depends on the leaf")
