"""Table 1 of "Attention Is All You Need", measured: what layers cost, and how long their paths are.

The table prints orders of growth. Here each is counted on the graph of a real pass, or timed, at
rising lengths n and widths d, and the exponents are fitted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean, median
from typing import Final, Literal

import torch
from torch import Tensor

from core.model import Done, untold
from core.studies.layers import PATHS, Build, Layer, builders, chain, kept_bytes, path, products

Quantity = Literal["products", "memory", "time", "sequential", "path"]
Axis = Literal["n", "d"]
Order = int | Literal["log_k n"]
"""An exponent; or what is no power."""

PRINTED: Final[Mapping[str, Mapping[tuple[Quantity, Axis], Order]]] = {
    "attention": {("products", "n"): 2, ("products", "d"): 1, ("sequential", "n"): 0,
                  ("path", "n"): 0},
    "recurrent": {("products", "n"): 1, ("products", "d"): 2, ("sequential", "n"): 1,
                  ("path", "n"): 1},
    "convolution": {("products", "n"): 1, ("products", "d"): 2, ("sequential", "n"): 0,
                    ("path", "n"): "log_k n"},
    "dilated": {("path", "n"): "log_k n"},
    "restricted": {("products", "n"): 1, ("products", "d"): 1, ("sequential", "n"): 0,
                   ("path", "n"): 1},
}  # fmt: skip
"""What the table prints. A convolution's path grows so where it is dilated, of which the paper's
text says it; of one whose kernel is contiguous the text says n/k, which the table leaves out."""

_SMALL: Final = 64  # tokens of which any layer keeps little
_GRAPHS: Final = 512  # tokens up to which operations are counted one by one
_FITTED: Final = 3  # points of a time: what a call costs by itself weighs less in the largest


@dataclass(frozen=True, slots=True)
class ComplexityOptions:
    """What the study is asked for.

    Attributes:
        lengths, widths: n and d, rising.
        width, length: d while n rises, and n while d does.
        kernel: k of the convolutions, odd.
        window: r of the restricted self-attention.
        repeats: passes that are timed; their median counts.
        most_bytes: what a pass may keep; a length at which a layer would keep more is passed over.
    """

    lengths: tuple[int, ...] = (128, 256, 512, 1024, 2048, 4096)
    widths: tuple[int, ...] = (64, 128, 256, 512, 1024)
    width: int = 64
    length: int = 512
    kernel: int = 3
    window: int = 32
    repeats: int = 7
    most_bytes: int = 2**30


@dataclass(frozen=True, slots=True)
class Growth:
    """How one quantity of one layer grows.

    Attributes:
        layer: of `core.studies.layers`.
        quantity: "products" are multiplications, "memory" bytes that a pass keeps for its
            gradient, "time" seconds of a pass without one, "sequential" operations that wait for
            each other, "path" operations between the last output and the first input.
        axis: what rises.
        at: its values.
        values: one at each; None where the layer was passed over.
        exponent: of the power of the axis that fits best, from all values, of a time from the
            largest three; error: its standard error. None where fewer than three are left.
        printed: the table's; None where it has none.
    """

    layer: str
    quantity: Quantity
    axis: Axis
    at: tuple[int, ...]
    values: tuple[float | None, ...]
    exponent: float | None
    error: float | None
    printed: Order | None


@dataclass(frozen=True, slots=True)
class Complexity:
    """What was found.

    Attributes:
        skipped: layers and lengths that would have kept more than was allowed, and how much, in
            bytes.
    """

    growths: tuple[Growth, ...]
    skipped: tuple[tuple[str, int, int], ...]


def complexity(options: ComplexityOptions, done: Done = untold) -> Complexity:
    """Count and time every layer.

    Args:
        done: called with (finished, all) steps.

    Raises:
        ValueError: fewer than three lengths or widths, or such that do not rise; a kernel that is
            even or 1; a window of 1.
    """
    for sizes in (options.lengths, options.widths):
        if len(sizes) < 3 or any(one >= other for one, other in pairwise(sizes)):
            raise ValueError("three lengths and widths or more, rising")
    if options.kernel % 2 == 0 or options.kernel < 3 or options.window < 2:
        raise ValueError("an odd kernel of 3 or more, and a window of 2 or more")
    built = builders(options.kernel, options.window)
    growths: list[Growth] = []
    skipped: list[tuple[str, int, int]] = []
    works: list[Callable[[], list[Growth]]] = []
    for name, build in built.items():
        works += [
            partial(_by_length, name, build, options, skipped),
            partial(_by_width, name, build, options),
        ]
    works += [partial(_paths, name, options) for name in PATHS]
    for number, work in enumerate(works, start=1):
        growths += work()
        done(number, len(works))
    return Complexity(tuple(growths), tuple(skipped))


def _by_length(
    name: str, build: Build, options: ComplexityOptions, skipped: list[tuple[str, int, int]]
) -> list[Growth]:
    """Products, memory, time and sequential operations at rising n; what is too large is noted."""
    found: dict[Quantity, list[float | None]] = {"products": [], "memory": [], "time": []}
    before, power = min(_SMALL, options.lengths[0]), 2.0  # nothing here grows faster
    kept = kept_bytes(build(options.width), torch.randn(1, before, options.width))
    for length in options.lengths:
        foreseen = int(kept * (length / before) ** power)
        if foreseen > options.most_bytes:
            skipped.append((name, length, foreseen))
            for values in found.values():
                values.append(None)
            continue
        now = _measure(build, length, options.width, options.repeats, found)
        if length > before:
            grown = math.log(now / kept) / math.log(length / before)
            power = math.ceil(grown - 0.05)  # what grows as n beside n² hides it at first
        kept, before = now, length
    growths = _grown(name, "n", options.lengths, found)
    short = tuple(length for length in options.lengths if length <= _GRAPHS) or options.lengths[:1]
    chains = [chain(build(options.width), torch.randn(1, n, options.width)) for n in short]
    return [*growths, _growth(name, "sequential", "n", short, chains)]


def _by_width(name: str, build: Build, options: ComplexityOptions) -> list[Growth]:
    found: dict[Quantity, list[float | None]] = {"products": [], "memory": [], "time": []}
    for width in options.widths:
        _measure(build, options.length, width, options.repeats, found)
    return _grown(name, "d", options.widths, found)


def _measure(
    build: Build,
    length: int,
    width: int,
    repeats: int,
    found: Mapping[Quantity, list[float | None]],
) -> int:
    """Adds one value of each; the bytes that were kept."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        layer, x = build(width), torch.randn(1, length, width)
    kept = kept_bytes(layer, x.clone())
    found["products"].append(products(layer, x) or None)  # of one kernel they are not counted
    found["memory"].append(kept)
    found["time"].append(_seconds(layer, x, repeats))
    return kept


def _seconds(layer: Layer, x: Tensor, repeats: int) -> float:
    """Of a pass without a gradient: the median."""
    times = []
    with torch.inference_mode():
        layer(x)
        for _ in range(repeats):
            start = time.perf_counter()
            layer(x)
            times.append(time.perf_counter() - start)
    return median(times)


def _paths(name: str, options: ComplexityOptions) -> list[Growth]:
    lengths = tuple(n for n in options.lengths if n <= _GRAPHS) or options.lengths[:1]
    steps = [path(name, n, options.kernel, options.window)[1] for n in lengths]
    return [_growth(name, "path", "n", lengths, steps)]


def _grown(
    name: str,
    axis: Axis,
    at: Sequence[int],
    found: Mapping[Quantity, Sequence[float | None]],
) -> list[Growth]:
    return [
        _growth(name, quantity, axis, at, values)
        for quantity, values in found.items()
        if any(value is not None for value in values)
    ]


def _growth(
    name: str, quantity: Quantity, axis: Axis, at: Sequence[int], values: Sequence[float | None]
) -> Growth:
    there = [(x, y) for x, y in zip(at, values, strict=True) if y is not None]
    exponent, error = fitted(there[-_FITTED:] if quantity == "time" else there)
    printed = PRINTED.get(name, {}).get((quantity, axis))
    return Growth(name, quantity, axis, tuple(at), tuple(values), exponent, error, printed)


def fitted(points: Sequence[tuple[float, float]]) -> tuple[float | None, float | None]:
    """The slope of log y against log x by least squares, and its standard error.

    Args:
        points: x and y, above 0. Of fewer than three nothing is fitted.
    """
    if len(points) < 3:
        return None, None
    xs, ys = ([math.log(point[axis]) for point in points] for axis in (0, 1))
    x, y = fmean(xs), fmean(ys)
    spread = sum((one - x) ** 2 for one in xs)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread
    rest = sum((b - y - slope * (a - x)) ** 2 for a, b in zip(xs, ys, strict=True))
    return slope, math.sqrt(rest / (len(points) - 2) / spread)
