"""`evaluate` and `verify`: whether a model is good, and whether its folder is whole."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core import registry
from core.cli.options import Device, Json, Model, named_fault
from core.cli.threads import wait_passively
from core.errors import HeadlightError
from core.families.hub.folder import is_hub
from core.families.hub.trial import tried
from core.reasons import because

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model import ModelCard
    from core.studies.evaluation import Evaluation
    from core.text.corpora import Pair


def evaluate(
    data: Annotated[
        str,
        typer.Option(
            "--data",
            metavar="FILE.tsv",
            help="Pairs of source and reference: TSV, JSONL, Parquet, a folder, or a dataset's id.",
        ),
    ],
    model: Model = None,
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="SOURCE,TARGET", help="Names of the two columns."),
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which split of a dataset.")] = None,
    beam: Annotated[
        int, typer.Option("--beam", min=1, max=16, help="Width of the beam; 1 is greedy.")
    ] = 1,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """Score a model on pairs: BLEU and chrF, exact match, loss."""
    wait_passively()
    folder = registry.find_folder(registry.default_model_id() if model is None else model)
    from rich.console import Console
    from rich.progress import Progress

    from core.device import best_device
    from core.studies.evaluation import evaluate as score

    opened = registry.load(folder, best_device(device))
    pairs = pairs_of(data, opened.card, columns=_names(columns), split=split)
    console = Console(stderr=True)
    with (
        named_fault("--data", data),
        Progress(console=console, transient=True, disable=_quiet()) as progress,
    ):
        task = progress.add_task("Translating", total=len(pairs))
        scores = score(
            opened,
            pairs,
            beam=beam,
            done=lambda finished, _: progress.update(task, completed=finished),
        )
    facts = {"model_id": folder.resolve().name, "data": data, "beam": beam}
    if as_json:
        numbers = {k: v for k, v in dataclasses.asdict(scores).items() if k != "outputs"}
        typer.echo(json.dumps({**facts, **numbers}, ensure_ascii=False))
    else:
        _print_scores(scores)


def pairs_of(
    data: str,
    card: ModelCard,
    *,
    columns: tuple[str, str] | None = None,
    split: str | None = None,
) -> Sequence[Pair]:
    """The pairs of a source, in a model's languages; rows that are none are told on stderr."""
    from core.text.corpora import read_pairs
    from core.text.sources import Source

    languages = (card.source_language, card.target_language)
    reading = read_pairs(Source(data, columns=columns, languages=languages, split=split))
    for row in reading.bad_rows:
        print(f"{data} {row}", file=sys.stderr)
    if reading.bad:
        print(f"{reading.bad:,} of {reading.rows:,} rows are no pair", file=sys.stderr)
    return reading.pairs


def verify(
    folder: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A checkpoint or Hugging Face folder, or a GGUF file."),
    ],
    seal: Annotated[
        bool,
        typer.Option("--seal", help="First bind the card, recipe and first trace as they are now."),
    ] = False,
) -> None:
    """Check a checkpoint folder, and say what is wrong with it."""
    if is_hub(folder) and not seal:
        claim = tried(folder)
        typer.echo(
            f"{folder} opens: {claim.architecture or claim.kind}, {claim.parameters:,} parameters "
            f"in {len(claim.files)} files of {claim.bytes:,} bytes"
        )
        return
    from core.checkpoint import folder as checkpoint
    from core.checkpoint.manifest import read_manifest
    from core.checkpoint.verify import verify as inspect

    if seal:
        checkpoint.seal(folder)
    findings = inspect(folder)
    serious = [finding for finding in findings if finding.serious]
    for finding in findings:
        if not finding.serious:
            typer.echo(f"note: {finding.message}")
    if serious:
        for finding in serious:
            print(f"error: {finding.message}", file=sys.stderr)
        raise typer.Exit(2)
    manifest = read_manifest(folder)
    typer.echo(f"{folder} is whole: {len(manifest.files)} files, step {manifest.step:,}")


def _names(columns: str | None) -> tuple[str, str] | None:
    if columns is None:
        return None
    source, comma, target = (name.strip() for name in columns.partition(","))
    if not (source and comma and target):
        reason = because("columns_two")
        raise HeadlightError("parameter_invalid", name="--columns", value=columns, reason=reason)
    return source, target


def _quiet() -> bool:
    return not sys.stderr.isatty()


def _print_scores(scores: Evaluation) -> None:
    loss = "none fitted" if scores.loss is None else f"{scores.loss:.4f} nats a token"
    too_long = f", {scores.too_long} of them too long" if scores.too_long else ""
    typer.echo(f"pairs  {scores.pairs:,}{too_long}")
    if scores.bleu is not None:
        typer.echo(f"BLEU   {scores.bleu:.2f}  {scores.bleu_signature}")
    if scores.chrf is not None:
        typer.echo(f"chrF   {scores.chrf:.2f}  {scores.chrf_signature}")
    if scores.exact is not None:
        typer.echo(f"exact  {scores.exact:.2%}")
    typer.echo(f"loss   {loss} over {scores.tokens:,} tokens")
