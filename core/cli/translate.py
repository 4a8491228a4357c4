"""`models`, `translate`, `trace`: what models do with one sentence after another."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from core import registry
from core.cli.options import (
    Device,
    Json,
    Message,
    Model,
    Sample,
    Temperature,
    TopP,
    open_model,
    open_writer,
    sampling_of,
)
from core.errors import HeadlightError, invalid_line, reading, wrong
from core.model import TEMPERATURE, TOP_P
from core.outputs import Generation
from core.reasons import because, reason_of

if TYPE_CHECKING:
    from core.model import Inspectable, Sampling
    from core.probe import Edit, Record
    from core.trace import AttentionTrace

_LONGEST_LINE = 1_000_000  # characters read at once; every model refuses far shorter ones
_NOTHING: Final = Generation("", (), (), finished=True)
"""What is made of a line without a text."""


def models(as_json: Json = False) -> None:
    """List the model ids that can be opened."""
    for entry in registry.entries():
        if as_json:
            line = {
                "id": entry.model_id,
                "source_language": entry.source_language,
                "target_language": entry.target_language,
                "folder": str(entry.folder),
                "family": entry.family,
            }
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            typer.echo(entry.model_id)


def translate(
    text: Annotated[
        list[str] | None, typer.Argument(help="Sentences; lines from stdin where there is none.")
    ] = None,
    model: Model = None,
    beam: Annotated[int, typer.Option("--beam", help="Width of the beam; 1 is greedy.")] = 1,
    sample: Sample = None,
    temperature: Temperature = TEMPERATURE,
    top_p: TopP = TOP_P,
    message: Message = False,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """Write what the model makes of each sentence, one line each."""
    sampling = sampling_of(sample, temperature, top_p)
    opened = open_writer(model, device, message=message)
    if text:
        for sentence in text:
            _translate(opened, sentence, beam, sampling, as_json, message=message)
        return
    for number, line in enumerate(_lines(), start=1):
        if not line.strip():  # so that line n of the output belongs to line n of the input
            _tell(opened, line, _NOTHING, as_json)
            continue
        try:
            _translate(opened, line, beam, sampling, as_json, message=message)
        except HeadlightError as error:
            reason = because("other", said=str(error).rstrip("."))
            raise invalid_line("stdin", number, reason) from error


def trace(
    source: Annotated[str, typer.Option("--source", help="The sentence to look at.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.npz", help="Where to save it.")],
    target: Annotated[
        str | None, typer.Option("--target", help="Teacher-forced on this; free-running without.")
    ] = None,
    model: Model = None,
    lift_mask: Annotated[
        bool, typer.Option("--lift-mask", help="Let the decoder look at later tokens.")
    ] = False,
    edits: Annotated[
        Path | None,
        typer.Option("--edits", metavar="FILE.json", help="What to change during the pass."),
    ] = None,
    record: Annotated[
        list[str] | None, typer.Option("--record", help="Also outputs, or residual; repeatable.")
    ] = None,
    sample: Sample = None,
    temperature: Temperature = TEMPERATURE,
    top_p: TopP = TOP_P,
    message: Message = False,
    device: Device = None,
) -> None:
    """Save one trace: every head of every layer, scores, masks, weights and logits.

    Of recurrent layers their states and gates as well.
    """
    from core.families.refusing import unsupported
    from core.model import TraceRequest
    from core.probe import LIFTED_MASK
    from core.trace import save_trace

    made = (() if edits is None else _edits(edits)) + ((LIFTED_MASK,) if lift_mask else ())
    request = TraceRequest(
        source,
        target,
        made,
        record=_records(record or ()),
        sampling=sampling_of(sample, temperature, top_p),
        message=message,
    )
    opened = open_model(model, device, message=message)
    if lift_mask and not opened.card.lifts_mask:
        raise unsupported(opened.card, because("lifting"))
    found = opened.trace(request)
    save_trace(out, found)
    tokens = f"{len(found.source)} source and {len(found.target)} target tokens"
    typer.echo(f"{out}: {', '.join([tokens, *_held(found)])}")


def _held(trace: AttentionTrace) -> Iterator[str]:
    """Kinds of attention by layers and heads, stacks of states by layers and units."""
    for kind, site in trace.sites.items():
        yield f"{kind} {site.layers}x{site.heads}"
    for stack, parts in trace.states.items():
        layers, _, units = next(iter(parts.values())).shape
        yield f"{stack} states {layers}x{units}"


def _edits(path: Path) -> tuple[Edit, ...]:
    """Edits of a JSON list, as a trace file's meta holds them."""
    from core.probe import edits_of_json

    try:
        with reading(path):
            return edits_of_json(path.read_text("utf-8-sig"))
    except ValueError as error:
        raise wrong("--edits", str(path), reason_of(error)) from error


def _records(names: Sequence[str]) -> tuple[Record, ...]:
    """What is recorded beside what every trace holds."""
    from core.probe import OF_ATTENTION, RECORDS

    for name in names:
        if name not in RECORDS - OF_ATTENTION:
            known = ", ".join(sorted(RECORDS - OF_ATTENTION))
            raise wrong("--record", name, because("one_of", known=known))
    return tuple(record for record in sorted(RECORDS) if record in names)


def _translate(
    model: Inspectable,
    sentence: str,
    beam: int,
    sampling: Sampling | None,
    as_json: bool,
    *,
    message: bool,
) -> None:
    found = model.generate(sentence, beam=beam, sampling=sampling, message=message)
    measured = model.card.sure_from is not None and sampling is None and beam == 1  # greedily
    _tell(model, sentence, found, as_json, measured=measured)


def _tell(
    model: Inspectable, sentence: str, found: Generation, as_json: bool, *, measured: bool = False
) -> None:
    if not as_json:
        typer.echo(found.text)
        return
    words = model.familiarity(sentence) if sentence.strip() else ()
    line = {
        "source": sentence.rstrip("\n"),
        "text": found.text,
        "tokens": [{"piece": t.piece, "text": t.text, "id": t.id} for t in found.tokens],
        "log_probability": found.log_probability,
        "finished": found.finished,
        "guess": model.card.guesses(found.certainty, words) if measured else None,
        "familiarity": [asdict(word) for word in words],
        "model_id": model.card.model_id,
    }
    typer.echo(json.dumps(line, ensure_ascii=False))


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        print("Type a sentence a line; Ctrl-D ends.", file=sys.stderr)
    while line := sys.stdin.readline(_LONGEST_LINE):
        yield line
