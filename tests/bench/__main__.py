"""`python -m tests.bench`: the peers side by side, as a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console

from core.cli.memory import keep_freed_memory
from tests.bench import capture, changes, decoding, hub, inspector, looking, soak, training
from tests.bench.report import Machine, Row, as_json, table
from tests.bench.workload import SIZES


class Section(StrEnum):
    """What can be measured; training last, since what it sets stays set.

    A soak takes as long as it is told to, and is part of nothing else.
    """

    INSPECTOR = "inspector"
    CHANGES = "changes"
    LOOKING = "looking"
    HUB = "hub"
    DECODING = "decoding"
    CAPTURE = "capture"
    TRAINING = "training"
    SOAK = "soak"


EVERYTHING = tuple(section for section in Section if section is not Section.SOAK)

Sections = Annotated[
    list[Section] | None, typer.Argument(help="What to measure; everything but a soak if left out.")
]
Sizes = Annotated[
    list[str] | None,
    typer.Option("--size", help=f"One of {', '.join(SIZES)}; may be given several times."),
]


def bench(
    sections: Sections = None,
    sizes: Sizes = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Rounds that are counted; more of them, less noise.")
    ] = None,
    length: Annotated[
        int, typer.Option(min=2, max=100, help="Median tokens of a source sentence.")
    ] = 14,
    visitors: Annotated[int, typer.Option(min=1, max=200, help="Of a soak, at any time.")] = 20,
    minutes: Annotated[float, typer.Option(min=0.2, help="That a soak takes.")] = 20.0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write everything to this file.")
    ] = None,
) -> None:
    """Time ours and the peers on this machine: CPU seconds of one thread, interleaved rounds.

    A ratio says how often a contender does the work while the first one of its block does it
    once: the median over the rounds, and its quartiles. The inspector is timed as people wait
    for it, in a browser, beside BertViz; changes are what a key in it costs; looking is what
    visitors of the whole app wait for, quiet and beside a training. Hub is a GPT-2 as a Hugging
    Face folder, beside transformers alone, TransformerLens and nnsight, which are installed into
    a venv for that. A soak serves visitors for minutes, and tells what becomes of the server's
    memory.
    """
    unknown = set(sizes or ()) - SIZES.keys()
    if unknown:
        raise typer.BadParameter(f"{unknown.pop()} is none of {', '.join(SIZES)}")
    torch.set_num_threads(1)
    machine = Machine.here()
    console = Console()
    console.print(
        f"{machine.cpu}, {machine.cores} cores, load {machine.load}\n"
        f"Python {machine.python}, torch {machine.torch}, transformers {machine.transformers}",
        highlight=False,
    )
    found: list[Row] = []
    looks: list[inspector.Opened] = []
    changed: list[changes.Changed] = []
    waited: list[looking.Wait] = []
    lookers: list[hub.Looker] = []
    soaked: list[soak.Soaked] = []
    for section in [section for section in Section if section in (sections or EVERYTHING)]:
        if section is Section.INSPECTOR:
            with console.status(section):
                looks = list(inspector.measure())
            console.print(inspector.table(looks))
            continue
        if section is Section.CHANGES:
            with console.status(section):
                changed = list(changes.measure())
            console.print(changes.table(changed))
            continue
        if section is Section.LOOKING:
            with console.status(section):
                waited = list(looking.measure())
            console.print(looking.table(waited))
            continue
        if section is Section.HUB:
            with console.status(section):
                lookers = hub.measure(rounds)
            console.print(hub.table(lookers))
            continue
        if section is Section.SOAK:
            with console.status(section):
                soaked = [soak.soak(visitors, minutes)]
            console.print(soak.table(soaked[0]))
            continue
        own: list[Row] = []
        with console.status(section) as status:
            for row in _measure(section, sizes or list(SIZES), length, rounds):
                own.append(row)
                status.update(f"{section}: {row.work} is done")
        console.print(table(section, own))
        if section is Section.DECODING:
            console.print(f"few rows, {decoding.ways()}", highlight=False)
        if section is Section.TRAINING:
            for name in sizes or SIZES:
                console.print(training.taken(SIZES[name], length), highlight=False)
        found += own
    console.print(f"load {Machine.here().load} at the end", highlight=False)
    if json_file is not None:
        told = {**as_json(machine, found), "inspector": [inspector.told(look) for look in looks]}
        told |= {"changes": [asdict(row) for row in changed]}
        told |= {"looking": [asdict(row) for row in waited]}
        told |= {"hub": [asdict(one) for one in lookers]}
        told |= {"soak": [asdict(one) for one in soaked]}
        json_file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _measure(section: Section, names: list[str], length: int, rounds: int | None) -> Iterator[Row]:
    sizes = [SIZES[name] for name in names]
    if section is Section.TRAINING:
        keep_freed_memory()  # as our trainer does; here for everybody
        for size, dropout in product(sizes, training.DROPOUTS):
            yield from training.measure(size, dropout, length, rounds)
    elif section is Section.DECODING:
        for size, batch, beam in product(sizes, decoding.BATCHES, decoding.BEAMS):
            yield from decoding.measure(size, batch, beam, length, rounds)
    else:
        for size, tokens in product(sizes, capture.LENGTHS):
            yield from capture.measure(size, tokens, rounds)


if __name__ == "__main__":
    typer.run(bench)
