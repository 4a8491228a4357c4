"""`study` of layers, as they start and as a small task trains them: nothing is opened."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Final

import typer

from core.cli.options import Json
from core.cli.studied import as_line, progress
from core.errors import wrong
from core.reasons import because

if TYPE_CHECKING:
    from core.studies.gradients import GradientStudy

MOST_WORDS: Final = 64
_LARGEST: Final = 8192  # a matrix of as many rows and columns takes 256 MB


def gradients(
    units: Annotated[int, typer.Option(min=2, max=512, help="Units of each layer.")] = 32,
    length: Annotated[int, typer.Option(min=2, max=500, help="Symbols of a sequence.")] = 30,
    radius: Annotated[
        list[float] | None,
        typer.Option(
            min=0,
            max=100,
            help="Largest |eigenvalue| of W_hh of an RNN; may be given several times.",
        ),
    ] = None,
    hold: Annotated[
        float,
        typer.Option(
            min=-100, max=100, help="Bias by which a second LSTM and GRU start by keeping."
        ),
    ] = 3,
    updates: Annotated[int, typer.Option(min=0, max=100_000, help="Of each training.")] = 600,
    clip: Annotated[
        float, typer.Option(min=1e-6, max=1e6, help="Largest norm of a clipped gradient.")
    ] = 1,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Starts of each layer.")] = 3,
    as_json: Json = False,
) -> None:
    """|d h_t / d h_0| of RNN, LSTM and GRU, at their start and trained to recall a symbol."""
    from core.studies.gradients import GradientOptions
    from core.studies.gradients import gradients as measure

    options = GradientOptions(units, length, hold=hold, updates=updates, clip=clip, seeds=seeds)
    if radius:
        options = dataclasses.replace(options, radii=tuple(radius))
    with progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(as_line("gradients", dataclasses.asdict(options), found))
    else:
        _print_gradients(found)


def receptive(
    sentence: Annotated[
        str | None, typer.Option("--sentence", help="Its words are what is read; the notes' own.")
    ] = None,
    kernel: Annotated[
        list[int] | None, typer.Option(min=1, max=99, help="Of a convolution; several times.")
    ] = None,
    depth: Annotated[
        list[int] | None, typer.Option(min=1, max=16, help="Layers of a stack; several times.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Starts of each stack.")] = 3,
    as_json: Json = False,
) -> None:
    """Which word can change which output: convolution, recurrence and self-attention."""
    from core.studies.receptive import ReceptiveOptions
    from core.studies.receptive import receptive as measure

    options = ReceptiveOptions(seeds=seeds)
    if sentence is not None:
        options = dataclasses.replace(options, words=tuple(sentence.split()))
        if not 2 <= len(options.words) <= MOST_WORDS:
            raise wrong("--sentence", len(options.words), because("range", low=2, high=MOST_WORDS))
    for value in kernel or ():
        if value % 2 == 0:
            raise wrong("--kernel", value, because("odd"))
    if kernel:
        options = dataclasses.replace(options, kernels=tuple(kernel))
    if depth:
        options = dataclasses.replace(options, depths=tuple(depth))
    with progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(as_line("receptive", dataclasses.asdict(options), found))
        return
    for field in found.fields:
        name = field.layer + (f" of {field.kernel}" if field.kernel else "")
        last = " ".join(f"{norm:.2g}" for norm in field.norms[-1])
        typer.echo(f"{name:<20}{field.depth:>2} deep  sees {field.share:.0%}  last word: {last}")


def complexity(
    length: Annotated[
        list[int] | None,
        typer.Option("--length", min=2, max=_LARGEST, help="n; three or more, rising."),
    ] = None,
    width: Annotated[
        list[int] | None,
        typer.Option("--width", min=2, max=_LARGEST, help="d; three or more, rising."),
    ] = None,
    kernel: Annotated[int, typer.Option(min=3, max=99, help="k of a convolution, odd.")] = 3,
    window: Annotated[
        int, typer.Option(min=2, max=_LARGEST, help="r of restricted self-attention.")
    ] = 32,
    megabytes: Annotated[
        int,
        typer.Option(
            min=1, help="What a pass may keep; a length at which a layer keeps more is skipped."
        ),
    ] = 1024,
    as_json: Json = False,
) -> None:
    """Table 1: cost, sequential operations and paths of layers, with fitted exponents."""
    from core.studies.complexity import ComplexityOptions
    from core.studies.complexity import complexity as measure

    options = ComplexityOptions(kernel=kernel, window=window, most_bytes=megabytes * 2**20)
    options = dataclasses.replace(
        options,
        lengths=tuple(length or options.lengths),
        widths=tuple(width or options.widths),
    )
    for name, sizes in (("--length", options.lengths), ("--width", options.widths)):
        if len(sizes) < 3 or any(one >= other for one, other in pairwise(sizes)):
            raise wrong(name, " ".join(map(str, sizes)), because("three_rising"))
    if kernel % 2 == 0:
        raise wrong("--kernel", kernel, because("odd"))
    with progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(as_line("complexity", dataclasses.asdict(options), found))
        return
    for growth in found.growths:
        grown = "-" if growth.exponent is None else f"{growth.exponent:.2f} ± {growth.error:.2f}"
        printed = "" if growth.printed is None else f"printed {growth.printed}"
        what = f"{growth.quantity} by {growth.axis}"
        typer.echo(f"{growth.layer:<14}{what:<18}{grown:>14}  {printed}")
    for layer, n, kept in found.skipped:
        typer.echo(f"{layer} at n = {n} was skipped: it would keep {kept / 2**20:,.0f} MB")


def _print_gradients(found: GradientStudy) -> None:
    typer.echo(f"{'layer':<10}{'trained':<14}{'t = 1':>10}{'middle':>10}{'end':>10}  recalled")
    for curve in found.curves:
        start = curve.radius or curve.hold
        name = curve.cell + (f" {start:g}" if start else "")
        how = "no" if curve.clip is None else f"clipped to {curve.clip:g}" if curve.clip else "yes"
        norms = (curve.norms[0], curve.norms[len(curve.norms) // 2], curve.norms[-1])
        recalled = " ".join(f"{share:.0%}" for share in curve.recalled)
        row = "".join(f"{norm:>10.2g}" for norm in norms)
        typer.echo(f"{name:<10}{how:<14}{row}  {recalled}")
    for forget, kept in found.kept.items():
        typer.echo(f"LSTM, i = 0, f = {forget}: {kept[-1]:.3g} of the cell after {len(kept)} steps")
