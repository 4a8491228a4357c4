"""`python -m viz`: what the app shows, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from core.cli.app import run
from core.errors import HeadlightError
from core.trace import Kind
from core.trace_file import load_trace
from viz.asked import View, form_of, looks_of, other_of, refuse_unminded, wrong
from viz.export import Choice, exported
from viz.export_pair import PairChoice, pair_exported
from viz.inspector.looks import Order
from viz.inspector.pack import pack
from viz.text.language import Language

app = typer.Typer(name="python -m viz", add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def _overview() -> None:
    """What the app shows, from the command line."""


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="TRACE.npz", help="A trace file of any origin.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="The file to write: .png, .svg, .pdf, .csv, .json, .npz, .html."
        ),
    ],
    view: Annotated[
        View,
        typer.Option("--view", help="One head, its lines or stages, all heads, or the next token."),
    ] = "head",
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="Of attention; cross if left out.")
    ] = None,
    layer: Annotated[int, typer.Option("--layer", help="Counted from 1.")] = 1,
    head: Annotated[int, typer.Option("--head", help="Counted from 1.")] = 1,
    step: Annotated[
        int | None,
        typer.Option(
            "--step",
            help="Of the decoder, counted from 1; its row is the last and stands out.",
        ),
    ] = None,
    words: Annotated[
        bool, typer.Option("--words", help="Between words: keys added, queries averaged.")
    ] = False,
    order: Annotated[
        str, typer.Option("--order", help=f"Of all heads: {', '.join(get_args(Order))}.")
    ] = "",
    top: Annotated[str, typer.Option("--top", help="How many heads of an order.")] = "",
    kept: Annotated[
        str,
        typer.Option("--kept", "--heads", help="Heads whose lines are drawn as well: 3.5,2.1."),
    ] = "",
    trim: Annotated[
        str, typer.Option("--trim", help="Share of each row to leave out of a matrix: 0.15.")
    ] = "",
    threshold: Annotated[
        str, typer.Option("--threshold", help="Weights up to this are no lines; 0.06.")
    ] = "",
    stretch: Annotated[
        bool, typer.Option("--stretch", help="The scale ends at a head's own largest weight.")
    ] = False,
    pinned: Annotated[str, typer.Option("--pinned", help="A cell to mark: query.key, 7.4.")] = "",
    held: Annotated[
        str, typer.Option("--held", help="A token to mark, alone in the lines: query.7 or key.4.")
    ] = "",
    temperature: Annotated[
        str, typer.Option("--temperature", help="Of the next token, 0.1 to 3.")
    ] = "",
    top_k: Annotated[
        str, typer.Option("--top-k", help="Next tokens that are left, the likeliest.")
    ] = "",
    top_p: Annotated[
        str, typer.Option("--top-p", help="Probability that the next tokens left reach, to 1.")
    ] = "",
    beside: Annotated[
        Path | None,
        typer.Option(
            "--beside",
            metavar="B.npz",
            help="A second trace: both heads and their difference, or that of all.",
        ),
    ] = None,
    other: Annotated[
        str, typer.Option("--other", help="Layer and head of the second trace, if others: 3.5.")
    ] = "",
    language: Annotated[Language, typer.Option("--language", help="Of the words.")] = "en",
) -> None:
    """Write a view of a trace as a figure, as numbers, or as one page that stays alive.

    Figures and the page are drawn as the options say, which are spelled as in
    an address of the app. CSV and JSON hold every number of the view, between
    pieces unless --words is given; NPZ holds the whole trace.
    """
    form = form_of(out.name)
    texts = {
        "words": "on" if words else "",
        "stretch": "on" if stretch else "",
        "order": order,
        "top": top,
        "kept": kept,
        "trim": trim,
        "threshold": threshold,
        "pinned": pinned,
        "held": held,
        "temperature": temperature,
        "top_k": top_k,
        "top_p": top_p,
    }
    looks = looks_of(texts)
    refuse_unminded(view, form, texts, beside=beside is not None)
    if beside is not None:
        if step is not None:
            raise wrong("step", step, "--beside draws two traces, whole")
        choice_of_both = PairChoice(view, kind, layer, head, other_of(other), looks)
        traces = (load_trace(file), load_trace(beside))
        _written(out, pair_exported(traces, choice_of_both, form, language=language))
        return
    if other:
        raise wrong("other", other, "there is no second trace without --beside")
    choice = Choice(view, kind, layer, head, step, looks)
    packed = pack(load_trace(file), trace_id="file")
    _written(out, exported(packed, choice, form, language=language))


def _written(out: Path, body: bytes) -> None:
    try:
        out.write_bytes(body)
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadlightError("file_unwritable", path=str(out), reason=reason) from error
    typer.echo(f"{out} ({len(body):,} bytes)")


@app.command()
def desktop() -> None:
    """Open the app in a window of its own; closing it ends the server."""
    from viz.desktop import run as opened

    opened()


if __name__ == "__main__":
    run(app)
