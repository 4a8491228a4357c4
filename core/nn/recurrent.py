"""Recurrent layers, step by step as their formulas stand: RNN, LSTM and GRU.

A layer reads x_1, ..., x_n one after the other and carries a hidden state h_t along, an LSTM a cell
state c_t beside it, by the same weights at every step. Below, W_xh and W_hh are cut into one block
for each gate, in the order of `GATES`; each has its own bias, as in `torch.nn`.

Every gate of every step is returned, and what entered its sum, so that one can follow a step on
paper. `core.nn.fast.recurrent` computes what is carried alone, in one call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, Literal

import torch
from torch import Tensor, nn

from core.nn.modules import Linear

CellName = Literal["rnn", "lstm", "gru"]
States = Mapping[str, Tensor]
"""States and gates by their names."""


class RecurrentLayer(nn.Module):
    """What the three have in common: the way through time.

    Attributes:
        GATES: blocks of W_xh and W_hh; what a step computes of them comes under these names.
        CARRIED: states that go from step to step.

    Args:
        d_input: width of x_t.
        d_hidden: width of h_t, of c_t and of every gate.
    """

    GATES: ClassVar[tuple[str, ...]]
    CARRIED: ClassVar[tuple[str, ...]] = ("hidden",)

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__()
        self.d_hidden = d_hidden
        self.from_input = Linear(d_input, len(self.GATES) * d_hidden)
        self.from_hidden = Linear(d_hidden, len(self.GATES) * d_hidden)
        limit = 1 / math.sqrt(d_hidden)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -limit, limit)

    def forward(self, x: Tensor, before: States | None = None) -> dict[str, Tensor]:
        """Every state and gate of every step, each (batch, step, d_hidden).

        Beside them what they were made of: `GATE_x` and `GATE_h`, W_xh x_t and W_hh h_{t-1} with
        their biases, and `before_STATE`, what was carried into the step.

        Args:
            x: (batch, step, d_input).
            before: what is carried into the first step, each (batch, d_hidden); zeros if None.
        """
        entering = self.from_input(x)
        carried = self.begin(x) if before is None else before
        steps = []
        for t in range(x.shape[1]):
            x_t, h_t = entering[:, t], self.from_hidden(carried["hidden"])
            states = self.step(x_t, h_t, carried) | self._made_of(x_t, h_t, carried)
            carried = {name: states[name] for name in self.CARRIED}
            steps.append(states)
        return {name: torch.stack([states[name] for states in steps], 1) for name in steps[0]}

    def begin(self, x: Tensor) -> States:
        """What is carried before anything was read: zeros."""
        zeros = x.new_zeros(len(x), self.d_hidden)
        return dict.fromkeys(self.CARRIED, zeros)

    def _made_of(self, of_input: Tensor, of_hidden: Tensor, carried: States) -> dict[str, Tensor]:
        parts = {f"before_{name}": carried[name] for name in self.CARRIED}
        for letter, sums in (("x", of_input), ("h", of_hidden)):
            each = sums.chunk(len(self.GATES), dim=-1)
            parts |= {f"{gate}_{letter}": part for gate, part in zip(self.GATES, each, strict=True)}
        return parts

    def step(self, of_input: Tensor, of_hidden: Tensor, carried: States) -> dict[str, Tensor]:
        """One step.

        Args:
            of_input: W_xh x_t + b_xh, (batch, gates * d_hidden).
            of_hidden: W_hh h_{t-1} + b_hh, the same.
            carried: of the step before, each (batch, d_hidden).

        Returns:
            The states and gates of this step, each (batch, d_hidden).
        """
        raise NotImplementedError


class RNN(RecurrentLayer):
    """h_t = tanh(W_xh x_t + W_hh h_{t-1} + b) (Elman 1990)."""

    GATES = ("hidden",)

    def step(self, of_input: Tensor, of_hidden: Tensor, carried: States) -> dict[str, Tensor]:
        return {"hidden": torch.tanh(of_input + of_hidden)}


class LSTM(RecurrentLayer):
    """Long short-term memory (Hochreiter and Schmidhuber 1997; Gers et al. 2000).

    Of sums of the form W_x x_t + W_h h_{t-1} + b, one a gate:
    i_t, f_t, o_t = sigmoid: how much of the input enters, of the past stays, of the cell is shown;
    g_t = tanh: what would enter;
    c_t = f_t * c_{t-1} + i_t * g_t;
    h_t = o_t * tanh(c_t).
    """

    GATES = ("input", "forget", "candidate", "output")
    CARRIED = ("hidden", "cell")

    def step(self, of_input: Tensor, of_hidden: Tensor, carried: States) -> dict[str, Tensor]:
        sums = (of_input + of_hidden).chunk(4, dim=-1)
        enters, stays, shown = (torch.sigmoid(sums[at]) for at in (0, 1, 3))
        candidate = torch.tanh(sums[2])
        cell = stays * carried["cell"] + enters * candidate
        return {
            "input": enters,
            "forget": stays,
            "candidate": candidate,
            "output": shown,
            "cell": cell,
            "hidden": shown * torch.tanh(cell),
        }


class GRU(RecurrentLayer):
    """Gated recurrent unit (Cho et al. 2014), its update gate as in Chung et al. 2014.

    r_t = sigmoid(W_xr x_t + W_hr h_{t-1} + b): how much of the past the candidate sees;
    z_t = sigmoid(W_xz x_t + W_hz h_{t-1} + b): how much of the candidate enters;
    n_t = tanh(W_xn x_t + b_xn + r_t * (W_hn h_{t-1} + b_hn));
    h_t = (1 - z_t) * h_{t-1} + z_t * n_t.

    `torch.nn.GRU` calls 1 - z_t its update gate: the same with the other sign before its sum.
    """

    GATES = ("reset", "update", "candidate")

    def step(self, of_input: Tensor, of_hidden: Tensor, carried: States) -> dict[str, Tensor]:
        hidden = carried["hidden"]
        enters, stays = of_input.chunk(3, dim=-1), of_hidden.chunk(3, dim=-1)
        reset, update = (torch.sigmoid(enters[at] + stays[at]) for at in (0, 1))
        candidate = torch.tanh(enters[2] + reset * stays[2])
        return {
            "reset": reset,
            "update": update,
            "candidate": candidate,
            "hidden": (1 - update) * hidden + update * candidate,
        }


Read = Callable[[RecurrentLayer, Tensor, States], tuple[Tensor, States]]
"""How one layer reads x (batch, place, d_input) after what is carried into its first place: the
hidden states of all places, and what is carried out of the last."""


def through(
    stack: nn.ModuleList,
    x: Tensor,
    before: Sequence[States] | None,
    read: Read,
    between: nn.Module,
) -> tuple[Tensor, tuple[States, ...]]:
    """A stack's way through time: each layer reads the hidden states of the one below.

    Args:
        x: (batch, place, d_model).
        before: what is carried into the first place, of each layer; zeros if None.
        read: how one layer reads.
        between: dropout between two layers.

    Returns:
        Hidden states of the last layer, and what each carries at the end.
    """
    ends = []
    for index, layer in enumerate(stack):
        assert isinstance(layer, RecurrentLayer)
        start = layer.begin(x) if before is None else before[index]
        x, end = read(layer, between(x) if index else x, start)
        ends.append(end)
    return x, tuple(ends)


def rows_of(carried: Sequence[States], rows: Tensor) -> tuple[States, ...]:
    """What each layer carries for some rows, by their places (row,) int64."""
    return tuple(
        {name: values.index_select(0, rows) for name, values in layer.items()} for layer in carried
    )


def shared_by(carried: Sequence[States], rows: int, sources: int) -> tuple[States, ...]:
    """What each layer carries, for so many rows: those of one source stand side by side.

    Args:
        carried: of as many rows, or of one a source, as where decoding begins.
    """
    here = carried[0]["hidden"]
    if len(here) == rows:
        return tuple(carried)
    each = torch.arange(sources, device=here.device).repeat_interleave(rows // sources)
    return rows_of(carried, each)


CELLS: Final[Mapping[CellName, type[RecurrentLayer]]] = {"rnn": RNN, "lstm": LSTM, "gru": GRU}
