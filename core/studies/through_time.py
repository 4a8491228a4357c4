"""How what a recurrent layer carries depends on what it carried before: gradients through time.

|d h_t / d h_0| is the norm of a product of t Jacobians, one a step (Pascanu et al. 2013): where
they shrink what they are applied to, the past is forgotten, and no gradient reaches it; where they
stretch it, gradients explode.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from core.nn.fast.recurrent import carried
from core.nn.recurrent import LSTM, RecurrentLayer

SYMBOLS = 8
"""That the task of `Recall` is made of."""


def carried_norms(layer: RecurrentLayer, x: Tensor) -> Tensor:
    """Largest singular value of d carried_t / d carried_0, with all that is carried as one vector.

    Args:
        x: (sample, step, d_input), of the layer's dtype.

    Returns:
        (sample, step): how much the direction that grows most has grown after each step.
    """
    names = layer.CARRIED

    def step(before: Tensor, of_input: Tensor) -> Tensor:
        states = dict(zip(names, before.chunk(len(names), dim=-1), strict=True))
        after = layer.step(of_input, layer.from_hidden(states["hidden"]), states)
        return torch.cat([after[name] for name in names], dim=-1)

    jacobian: Callable[[Tensor, Tensor], Tensor] = torch.func.vmap(torch.func.jacrev(step))
    with torch.no_grad():
        entering = layer.from_input(x)
        state = x.new_zeros(len(x), len(names) * layer.d_hidden)
        product = torch.eye(state.shape[1], dtype=x.dtype, device=x.device).expand(len(x), -1, -1)
        norms = []
        for t in range(x.shape[1]):
            product = jacobian(state, entering[:, t]) @ product
            state = step(state, entering[:, t])
            norms.append(torch.linalg.matrix_norm(product, ord=2))
    return torch.stack(norms, dim=1)


def set_radius(layer: RecurrentLayer, radius: float) -> None:
    """Scale W_hh of an RNN so that its largest eigenvalue has this absolute value."""
    weight = layer.from_hidden.weight
    with torch.no_grad():
        now = torch.linalg.eigvals(weight.double()).abs().max()
        weight.mul_(radius / now)


def set_hold(layer: RecurrentLayer, bias: float) -> None:
    """Let an LSTM's forget gate or a GRU's update gate start by keeping what is carried.

    Args:
        bias: added to the sum of the forget gate, or taken from that of the update gate
            (Jozefowicz et al. 2015 recommend 1 or 2 for an LSTM).
    """
    gate = layer.GATES.index("forget" if "forget" in layer.GATES else "update")
    rows = slice(gate * layer.d_hidden, (gate + 1) * layer.d_hidden)
    with torch.no_grad():
        layer.from_input.bias[rows] += bias if "forget" in layer.GATES else -bias


def kept_cell(units: int, steps: int, forget: float) -> Tensor:
    """What is left of an LSTM's cell that lets nothing in: f_t is `forget`, i_t is 0 at each step.

    Args:
        forget: above 0; 1.0 by a bias so large that its sigmoid is 1 in float32.

    Returns:
        (step,): the mean of c_t / c_0 over its units, whatever is read on the way.
    """
    generator = torch.Generator().manual_seed(0)
    layer = LSTM(units, units)
    bias = 100.0 if forget >= 1 else math.log(forget / (1 - forget))
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.from_input.bias[:units] = -200.0
        layer.from_input.bias[units : 2 * units] = bias
        x = torch.randn(1, steps, units, generator=generator)
        cell = 1 + torch.rand(1, units, generator=generator)
        states = layer(x, {"hidden": torch.zeros_like(cell), "cell": cell})
    kept: Tensor = (states["cell"][0] / cell).mean(-1)
    return kept


class Recall(nn.Module):
    """A task that needs the past: say the first of many symbols after the last."""

    def __init__(self, layer: RecurrentLayer) -> None:
        super().__init__()
        self.layer = layer
        self.said = nn.Linear(layer.d_hidden, SYMBOLS)

    def forward(self, symbols: Tensor) -> Tensor:
        """(batch, step) symbols -> (batch, symbol) logits of the first."""
        lengths = torch.full((len(symbols),), symbols.shape[1])
        hidden, _ = carried(self.layer, one_hot(symbols, self.said.weight), lengths)
        logits: Tensor = self.said(hidden[:, -1])
        return logits


def one_hot(symbols: Tensor, like: Tensor) -> Tensor:
    """(batch, step) symbols -> (batch, step, symbol) of the dtype of `like`."""
    return nn.functional.one_hot(symbols, SYMBOLS).to(like)
