"""The study of gradients through time: RNN, LSTM and GRU, at their start and trained.

What the notes say: an RNN's gradient vanishes where W_hh is below 1 and explodes where it is above;
clipping bounds what explodes; an LSTM's cell keeps what its gates let it keep.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from core.model import Done, untold
from core.nn.recurrent import CELLS, CellName
from core.studies.through_time import (
    SYMBOLS,
    Recall,
    carried_norms,
    kept_cell,
    one_hot,
    set_hold,
    set_radius,
)

_SAMPLES, _BATCH, _TESTED, _RATE = 16, 64, 512, 3e-3


@dataclass(frozen=True, slots=True)
class GradientOptions:
    """What the study is asked for.

    Attributes:
        units: of each layer.
        length: symbols of a sequence.
        radii: largest |eigenvalue| of W_hh that an RNN starts with, each a layer of its own.
        hold: bias by which the gates of a second LSTM and GRU start by keeping what they carry.
        updates: of the training on the task.
        clip: largest norm of a gradient in the trainings that clip.
        seeds: each a start and a training of its own.
    """

    units: int = 32
    length: int = 30
    radii: tuple[float, ...] = (0.5, 1.0, 1.5)
    hold: float = 3.0
    updates: int = 600
    clip: float = 1.0
    seeds: int = 3


@dataclass(frozen=True, slots=True)
class Curve:
    """One layer at one moment.

    Attributes:
        cell: "rnn", "lstm" or "gru".
        radius: that it started with, of an RNN.
        hold: the bias that its gates started with, of an LSTM or GRU.
        clip: of its training: None at the start, 0 where nothing was clipped.
        norms: |d h_t / d h_0| for t = 1, 2, ..., of an LSTM h and c together: the median over
            seeds and sequences.
        low, high: its quartiles.
        recalled: share of first symbols that it says after the last, by seed; none at the start.
        largest: norm of the largest gradient of its training before clipping, by seed.
    """

    cell: CellName
    radius: float | None
    hold: float | None
    clip: float | None
    norms: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    recalled: tuple[float, ...] = ()
    largest: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class GradientStudy:
    """What was found.

    Attributes:
        curves: every layer, at its start, trained without clipping, and with it.
        kept: what is left of an LSTM's cell after each step where i = 0, by its forget gate.
        chance: share of first symbols that a guess gets right.
    """

    curves: tuple[Curve, ...]
    kept: dict[str, tuple[float, ...]]
    chance: float = 1 / SYMBOLS


@dataclass(frozen=True, slots=True)
class _Start:
    """A layer before it has learnt anything."""

    cell: CellName
    radius: float | None = None
    hold: float | None = None

    def task(self, units: int) -> Recall:
        task = Recall(CELLS[self.cell](SYMBOLS, units))
        if self.radius is not None:
            set_radius(task.layer, self.radius)
        if self.hold:
            set_hold(task.layer, self.hold)
        return task


def gradients(options: GradientOptions, done: Done = untold) -> GradientStudy:
    """Measure every layer.

    Args:
        done: called with (finished, all) layers.
    """
    starts = [_Start("rnn", radius) for radius in options.radii]
    starts += [_Start(cell, hold=bias) for cell in ("lstm", "gru") for bias in (0.0, options.hold)]
    wanted = [(start, clip) for clip in (None, 0.0, options.clip) for start in starts]
    curves = []
    for finished, (start, clip) in enumerate(wanted):
        curves.append(_curve(options, start, clip))
        done(finished + 1, len(wanted))
    kept = {
        str(forget): tuple(kept_cell(options.units, 4 * options.length, forget).tolist())
        for forget in (1.0, 0.9, 0.5)
    }
    return GradientStudy(tuple(curves), kept)


def _curve(options: GradientOptions, start: _Start, clip: float | None) -> Curve:
    norms, recalled, largest = [], [], []
    for seed in range(options.seeds):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            task = start.task(options.units)
            if clip is not None:
                largest.append(_train(task, options, clip))
                recalled.append(_recalled(task, options.length))
            symbols = torch.randint(SYMBOLS, (_SAMPLES, options.length))
            layer = task.layer.double()
            norms.append(carried_norms(layer, one_hot(symbols, layer.from_input.weight)))
    every = torch.cat(norms)
    quartiles = torch.quantile(every, every.new_tensor([0.25, 0.5, 0.75]), dim=0).tolist()
    low, middle, high = map(tuple, quartiles)
    parts = tuple(recalled), tuple(largest)
    return Curve(start.cell, start.radius, start.hold, clip, middle, low, high, *parts)


def _train(task: Recall, options: GradientOptions, clip: float) -> float:
    """Train on the task; the largest norm that a gradient had before it was clipped."""
    optimizer = torch.optim.Adam(task.parameters(), lr=_RATE)
    largest = 0.0
    for _ in range(options.updates):
        symbols = torch.randint(SYMBOLS, (_BATCH, options.length))
        loss = nn.functional.cross_entropy(task(symbols), symbols[:, 0])
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        norm = nn.utils.clip_grad_norm_(task.parameters(), clip or float("inf"))
        largest = max(largest, float(norm))
        optimizer.step()
    return largest


@torch.inference_mode()
def _recalled(task: Recall, length: int) -> float:
    symbols = torch.randint(SYMBOLS, (_TESTED, length))
    return float((task(symbols).argmax(-1) == symbols[:, 0]).double().mean())
