"""`evaluate`, `calibrate`, `verify`: how good a model is, when it guesses, if it is whole."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.options import Beam, Device, Json, Model, named_fault, open_model, open_writer
from core.cli.progress import progress
from core.errors import wrong
from core.families.hub.folder import is_hub
from core.families.hub.trial import tried
from core.reasons import because

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model import ModelCard
    from core.studies.acceptance import Acceptance
    from core.studies.evaluation import Evaluation
    from core.text.corpora import Pair


Data = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="FILE.tsv",
        help="Pairs of source and reference: TSV, JSONL, Parquet, a folder, or a dataset's id.",
    ),
]
Accept = Annotated[
    str | None,
    typer.Option(
        "--accept",
        metavar="FILE.tsv",
        help="Instead of --data: texts, each with all translations that are accepted, by kind.",
    ),
]
Accepts = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        metavar="FILE.tsv",
        help="Instead of --data: such a list, as of `evaluate`, or several.",
    ),
]


def evaluate(
    data: Data = None,
    accept: Accept = None,
    model: Model = None,
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="SOURCE,TARGET", help="Names of the two columns."),
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which split of a dataset.")] = None,
    beam: Beam = 1,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """Score a model on pairs: BLEU and chrF, exact match, loss; or by what is accepted of it."""
    _one_of(data, accept)
    if accept is not None:
        for option, value in (("--columns", columns), ("--split", split)):
            if value is not None:
                raise wrong(option, value, because("of_data"))
    opened = open_model(model, device) if accept is None else open_writer(model, device)
    from core.studies.acceptance import judge
    from core.studies.evaluation import evaluate as measure
    from core.text.accepted import read_list

    facts = {"model_id": opened.card.folder.resolve().name, "beam": beam}
    if data is not None:
        pairs = pairs_of(data, opened.card, columns=_names(columns), split=split)
        with named_fault("--data", data), progress() as done:
            scores = measure(opened, pairs, beam=beam, done=done)
        numbers = {k: v for k, v in dataclasses.asdict(scores).items() if k != "outputs"}
        told, lines = {**facts, "data": data, **numbers}, _lines(scores)
    elif accept is not None:
        rows = read_list(accept)
        with named_fault("--accept", accept), progress() as done:
            judged = judge(opened, rows, beam=beam, done=done)
        told, lines = {**facts, "accept": accept, **_told(judged)}, _table(judged)
    typer.echo(json.dumps(told, ensure_ascii=False) if as_json else "\n".join(lines))


def calibrate(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help="A checkpoint folder of ours.")],
    data: Data = None,
    accept: Accepts = None,
    device: Device = None,
) -> None:
    """Find how sure a model is where it is right, and keep it in its folder: less is a guess.

    The pairs, or the texts, are to be some that it was not trained on.
    """
    from core.checkpoint.calibration import Calibration
    from core.checkpoint.folder import seal
    from core.checkpoint.manifest import CALIBRATION, read_manifest
    from core.studies.acceptance import certainties
    from core.text.accepted import Asked, read_list

    lists = accept or []
    _one_of(data, next(iter(lists), None))
    read_manifest(folder)
    model = open_writer(folder, device)
    if data is not None:
        rows = tuple(Asked(*pair[:1], pair[1:], "") for pair in pairs_of(data, model.card))
    else:
        rows = tuple(row for path in lists for row in read_list(path))
    option, named = ("--accept", " ".join(lists)) if data is None else ("--data", data)
    with named_fault(option, named), progress() as done:
        found = certainties(model, rows, done=done)
    if not any(one.right for one in found):
        raise wrong(option, named, because("calibrated_none"))
    made = Calibration.of(found)
    partial = folder / f".{CALIBRATION}.partial"
    partial.write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")
    partial.replace(folder / CALIBRATION)
    seal(folder)
    typer.echo(
        f"a guess below {made.sure_from:.3f} nats a token of the least sure"
        f"{_weighing(made.frequency_weight)}: "
        f"{made.marked_wrong:.0%} of "
        f"{made.wrong:,} wrong outputs, {made.marked_right:.0%} of {made.right:,} right ones; "
        f"AUC {f'{made.auc:.3f}' if made.wrong else 'unknown: nothing was wrong'}"
    )


def _weighing(weight: float) -> str:
    return f" and {weight} of the logarithm of what training showed" if weight else ""


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


def _one_of(data: str | None, accept: str | None) -> None:
    if (data is None) == (accept is None):
        raise wrong("--data", data or "", because("data_or_list"))


def _names(columns: str | None) -> tuple[str, str] | None:
    if columns is None:
        return None
    source, comma, target = (name.strip() for name in columns.partition(","))
    if not (source and comma and target):
        raise wrong("--columns", columns, because("columns_two"))
    return source, target


def _lines(scores: Evaluation) -> list[str]:
    loss = "none fitted" if scores.loss is None else f"{scores.loss:.4f} nats a token"
    too_long = f", {scores.too_long} of them too long" if scores.too_long else ""
    lines = [f"pairs  {scores.pairs:,}{too_long}"]
    if scores.bleu is not None:
        lines.append(f"BLEU   {scores.bleu:.2f}  {scores.bleu_signature}")
    if scores.chrf is not None:
        lines.append(f"chrF   {scores.chrf:.2f}  {scores.chrf_signature}")
    if scores.exact is not None:
        lines.append(f"exact  {scores.exact:.2%}")
    return [*lines, f"loss   {loss} over {scores.tokens:,} tokens"]


def _told(judged: Acceptance) -> dict[str, object]:
    return {
        **dataclasses.asdict(judged.all),
        "kinds": {kind: dataclasses.asdict(share) for kind, share in judged.kinds.items()},
        "refused": [
            {
                "kind": one.asked.kind,
                "source": one.asked.source,
                "output": one.output,
                "accepted": one.asked.accepted,
            }
            for one in judged.refused
        ],
    }


def _table(judged: Acceptance) -> list[str]:
    """A row a kind, all of them, then what was not accepted, with one that would have been."""
    shares = {**judged.kinds, "all": judged.all}
    wide = max(map(len, shares))
    rows = [
        f"{kind:<{wide}}  {share.accepted:>4} of {share.rows:>4}  "
        f"{share.accepted / max(share.rows, 1):.1%}"
        for kind, share in shares.items()
    ]
    wrong = [
        f"{one.asked.kind}: {one.asked.source} -> {one.output} ({one.asked.accepted[0]})"
        for one in judged.refused
    ]
    return [*rows, *(["", "not accepted:", *wrong] if wrong else [])]
