"""`study`: what the notes say of models, measured here."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core import registry
from core.cli.assess import pairs_of
from core.cli.options import Device, Json, Model, named_fault
from core.cli.threads import wait_passively
from core.errors import HeadlightError
from core.reasons import because

if TYPE_CHECKING:
    from core.studies.gradients import GradientStudy

MOST_WORDS: Final = 64

studies = typer.Typer(help="Measure what is said of models: each study prints what it found.")


@studies.callback()
def _several() -> None:
    """One command a study, also as long as there is one alone."""


@studies.command("gradients")
def gradients(
    units: Annotated[int, typer.Option(min=2, max=512, help="Units of each layer.")] = 32,
    length: Annotated[int, typer.Option(min=2, max=500, help="Symbols of a sequence.")] = 30,
    radius: Annotated[
        list[float] | None,
        typer.Option(help="Largest |eigenvalue| of W_hh of an RNN; may be given several times."),
    ] = None,
    hold: Annotated[
        float, typer.Option(help="Bias by which a second LSTM and GRU start by keeping.")
    ] = 3,
    updates: Annotated[int, typer.Option(min=0, max=100_000, help="Of each training.")] = 600,
    clip: Annotated[float, typer.Option(min=1e-6, help="Largest norm of a clipped gradient.")] = 1,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Starts of each layer.")] = 3,
    as_json: Json = False,
) -> None:
    """|d h_t / d h_0| of RNN, LSTM and GRU, at their start and trained to recall a symbol."""
    wait_passively()
    from core.studies.gradients import GradientOptions
    from core.studies.gradients import gradients as measure

    options = GradientOptions(units, length, hold=hold, updates=updates, clip=clip, seeds=seeds)
    if radius:
        options = dataclasses.replace(options, radii=tuple(radius))
    with _progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(_json("gradients", dataclasses.asdict(options), found))
    else:
        _print_gradients(found)


@studies.command("exposure")
def exposure(
    data: Annotated[
        str,
        typer.Option("--data", metavar="FILE.tsv", help="Pairs, as evaluate takes them."),
    ],
    model: Model = None,
    share: Annotated[
        list[float] | None,
        typer.Option(min=0, max=1, help="Of tokens read that are the model's own; several times."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of which tokens are its own.")] = 0,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """What a model loses by reading its own words: from teacher forcing to free running."""
    wait_passively()
    folder = registry.find_folder(registry.default_model_id() if model is None else model)
    from core.device import best_device
    from core.families.refusing import unsupported
    from core.families.translator import Translator
    from core.studies.exposure import SHARES
    from core.studies.exposure import exposure as measure

    opened = registry.load(folder, best_device(device))
    if not isinstance(opened, Translator):
        raise unsupported(opened.card, because("forcing"))
    pairs = pairs_of(data, opened.card)
    with _progress() as done, named_fault("--data", data):
        found = measure(opened, pairs, tuple(share or SHARES), seed=seed, done=done)
    if as_json:
        options = {"model": opened.card.model_id, "data": Path(data).name, "seed": seed}
        typer.echo(_json("exposure", options, found))
        return
    typer.echo(f"{found.pairs:,} pairs, {found.tokens:,} tokens")
    for point in found.points:
        typer.echo(f"{point.share:>6.0%} own  loss {point.loss:.4f}  right {point.right:.2%}")


@studies.command("bottleneck")
def bottleneck(
    model: Annotated[
        list[str], typer.Option("--model", metavar="ID", help="An id or a folder; several times.")
    ],
    data: Annotated[
        list[str],
        typer.Option("--data", metavar="FILE.tsv", help="Pairs, as evaluate takes them."),
    ],
    as_json: Json = False,
    device: Device = None,
) -> None:
    """BLEU by the length of the source: what one vector can hold, and what attention restores."""
    wait_passively()
    folders = [registry.find_folder(one) for one in model]
    from core.device import best_device
    from core.families.refusing import unsupported
    from core.studies.bottleneck import bottleneck as measure

    opened = [registry.load(folder, best_device(device)) for folder in folders]
    for one in opened:
        if one.card.answers != "text":
            raise unsupported(one.card, because("writing"))
    pairs = [pair for path in data for pair in pairs_of(path, opened[0].card)]
    with _progress() as done:
        found = measure(opened, pairs, done=done)
    if as_json:
        options = {"data": [Path(path).name for path in data]}
        typer.echo(_json("bottleneck", options, found))
        return
    ends = [f"{group.least}-{group.most or ''} words" for group in found.groups]
    typer.echo(f"{'BLEU of':<24}" + "".join(f"{end:>12}" for end in [*ends, "all"]))
    typer.echo(f"{'pairs':<24}" + "".join(f"{group.pairs:>12,}" for group in found.groups))
    for curve in found.curves:
        values = [*curve.bleu, curve.all]
        told = "".join(f"{'-' if value is None else f'{value:.2f}':>12}" for value in values)
        typer.echo(f"{curve.model:<24}{told}")


@studies.command("extrapolation")
def extrapolation(
    model: Annotated[
        list[str], typer.Option("--model", metavar="ID", help="An id or a folder; several times.")
    ],
    data: Annotated[
        list[str],
        typer.Option("--data", metavar="FILE.tsv", help="Long texts, as evaluate takes pairs."),
    ],
    start: Annotated[
        list[int] | None,
        typer.Option(min=1, help="First place of a group, from 1; several times, rising."),
    ] = None,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """A language model's loss by place, where it was trained and beyond, and how far it looks."""
    wait_passively()
    folders = [registry.find_folder(one) for one in model]
    from core.device import best_device
    from core.families.language import LanguageModel
    from core.families.refusing import unsupported
    from core.studies.extrapolation import PLACES
    from core.studies.extrapolation import extrapolation as measure

    opened = []
    for folder in folders:
        one = registry.load(folder, best_device(device))
        if not isinstance(one, LanguageModel) or one.card.capabilities.gaps != "before":
            raise unsupported(one.card, because("predicting"))
        opened.append(one)
    starts = tuple(start or PLACES)
    if starts[0] != 1 or any(one >= other for one, other in pairwise(starts)):
        reason = because("rising")
        told = " ".join(map(str, starts))
        raise HeadlightError("parameter_invalid", name="--start", value=told, reason=reason)
    texts = [source for path in data for source, _ in pairs_of(path, opened[0].card)]
    with _progress() as done, named_fault("--data", data[0]):
        found = measure(opened, texts, starts=starts, done=done)
    if as_json:
        options = {"data": [Path(path).name for path in data]}
        typer.echo(_json("extrapolation", options, found))
        return
    ends = [*(place - 1 for place in found.places[1:]), found.longest]
    spans = [f"{place}-{end}" for place, end in zip(found.places, ends, strict=True)]
    typer.echo(f"{'nats at places':<32}" + "".join(f"{span:>10}" for span in spans))
    for curve in found.curves:
        told = "".join(f"{nats:>10.3f}" for nats in curve.nats)
        typer.echo(f"{f'{curve.model}, {curve.positions}':<32}{told}")


@studies.command("complexity")
def complexity(
    length: Annotated[
        list[int] | None, typer.Option("--length", min=2, help="n; three or more, rising.")
    ] = None,
    width: Annotated[
        list[int] | None, typer.Option("--width", min=2, help="d; three or more, rising.")
    ] = None,
    kernel: Annotated[int, typer.Option(min=1, max=99, help="k of a convolution, odd.")] = 3,
    window: Annotated[int, typer.Option(min=2, help="r of restricted self-attention.")] = 32,
    megabytes: Annotated[
        int, typer.Option(min=1, help="What a pass may keep; a layer that keeps more is skipped.")
    ] = 1024,
    as_json: Json = False,
) -> None:
    """Table 1: cost, sequential operations and paths of layers, with fitted exponents."""
    wait_passively()
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
            told = " ".join(map(str, sizes))
            raise HeadlightError(
                "parameter_invalid", name=name, value=told, reason=because("three_rising")
            )
    if kernel % 2 == 0:
        raise HeadlightError(
            "parameter_invalid", name="--kernel", value=kernel, reason=because("odd")
        )
    with _progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(_json("complexity", dataclasses.asdict(options), found))
        return
    for growth in found.growths:
        grown = "-" if growth.exponent is None else f"{growth.exponent:.2f} ± {growth.error:.2f}"
        printed = "" if growth.printed is None else f"printed {growth.printed:g}"
        what = f"{growth.quantity} by {growth.axis}"
        typer.echo(f"{growth.layer:<14}{what:<18}{grown:>14}  {printed}")
    for layer, n, kept in found.skipped:
        typer.echo(f"{layer} at n = {n} was skipped: it would keep {kept / 2**20:,.0f} MB")


@studies.command("receptive")
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
    wait_passively()
    from core.studies.receptive import ReceptiveOptions
    from core.studies.receptive import receptive as measure

    options = ReceptiveOptions(seeds=seeds)
    if sentence is not None:
        options = dataclasses.replace(options, words=tuple(sentence.split()))
        if not 2 <= len(options.words) <= MOST_WORDS:
            reason = because("range", low=2, high=MOST_WORDS)
            raise HeadlightError(
                "parameter_invalid", name="--sentence", value=len(options.words), reason=reason
            )
    for value in kernel or ():
        if value % 2 == 0:
            reason = because("odd")
            raise HeadlightError("parameter_invalid", name="--kernel", value=value, reason=reason)
    if kernel:
        options = dataclasses.replace(options, kernels=tuple(kernel))
    if depth:
        options = dataclasses.replace(options, depths=tuple(depth))
    with _progress() as done:
        found = measure(options, done)
    if as_json:
        typer.echo(_json("receptive", dataclasses.asdict(options), found))
        return
    for field in found.fields:
        name = field.layer + (f" of {field.kernel}" if field.kernel else "")
        last = " ".join(f"{norm:.2g}" for norm in field.norms[-1])
        typer.echo(f"{name:<20}{field.depth:>2} deep  sees {field.share:.0%}  last word: {last}")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress

    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as progress:
        task = progress.add_task("Measuring", total=None)
        yield lambda finished, all: progress.update(task, completed=finished, total=all)


def _json(name: str, options: Mapping[str, Any], found: Any) -> str:
    """One line; numbers as exact as they can be read off a figure."""
    told = {"study": name, "options": dict(options)} | dataclasses.asdict(found)
    return json.dumps(_short(told))


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_short(one) for one in value]
    return value


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
