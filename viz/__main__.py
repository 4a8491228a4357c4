"""`python -m viz`: what the app shows, from the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, get_args

import typer
from typer.exceptions import TyperException

from core.checkpoint.manifest import run_of
from core.cli.app import run
from core.errors import HeadlightError
from core.reasons import Reason, of_system
from core.trace import KINDS, STACKS, AttentionTrace, load_trace
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.request import VIEWS, form_of, refuse_unminded, wrong
from viz.export.states import (
    StatesChoice,
    Units,
    refuse_states_unminded,
    states_exported,
)
from viz.export.states_pair import states_pair_exported
from viz.inspector.options import Order
from viz.inspector.pack import pack
from viz.text.errors import worded
from viz.text.language import Language
from viz.text.refusals import because

TraceFile = Annotated[Path, typer.Argument(metavar="TRACE.npz", help="A trace file of any origin.")]
OutFile = Annotated[
    Path,
    typer.Option("--out", help="The file to write: .png, .svg, .pdf, .csv, .json, .npz, .html."),
]
InLanguage = Annotated[
    Language, typer.Option("--language", help="Of the words, refusals included.")
]
app = typer.Typer(name="python -m viz", add_completion=False, pretty_exceptions_enable=False)


def _choices(known: Sequence[str]) -> str:
    return f"<{'|'.join(known)}>"


@app.callback()
def _overview() -> None:
    """What the app shows, from the command line."""


@app.command()
def export(
    file: TraceFile,
    out: OutFile,
    view: Annotated[
        str,
        typer.Option(
            "--view",
            metavar=_choices(VIEWS),
            help="One head, its lines or stages, all heads, or the next token.",
        ),
    ] = "head",
    kind: Annotated[
        str,
        typer.Option("--kind", metavar=_choices(KINDS), help="Of attention; cross if left out."),
    ] = "",
    layer: Annotated[str, typer.Option("--layer", metavar="<int>", help="Counted from 1.")] = "",
    head: Annotated[str, typer.Option("--head", metavar="<int>", help="Counted from 1.")] = "",
    step: Annotated[
        str,
        typer.Option(
            "--step",
            metavar="<int>",
            help="Of the decoder, counted from 1; its row is the last and stands out.",
        ),
    ] = "",
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
    zoom: Annotated[
        str, typer.Option("--zoom", help="Only these queries and keys, counted: 101-160.33-92.")
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
    compact: Annotated[
        bool,
        typer.Option(
            "--compact", help="Of a page: this head and those kept exact, others in 8 bits."
        ),
    ] = False,
    language: InLanguage = "en",
) -> None:
    """Write a view of a trace as a figure, as numbers, or as one page that stays alive.

    Figures and the page are drawn as the options say, which are spelled as in
    an address of the app. CSV and JSON hold every number of the view, between
    pieces unless --words is given; NPZ holds the whole trace.
    """
    with _said_in(language, file="TRACE.npz"):
        # Every text is read as those of an address are: one set of rules, in either language.
        form = form_of(out.name)
        asked = {
            "kind": kind,
            "layer": layer,
            "head": head,
            "step": step,
            "other": other,
            "words": _switch(words),
            "stretch": _switch(stretch),
            "order": order,
            "top": top,
            "kept": kept,
            "trim": trim,
            "threshold": threshold,
            "pinned": pinned,
            "held": held,
            "zoom": zoom,
            "temperature": temperature,
            "top_k": top_k,
            "top_p": top_p,
        }
        texts = {**asked, "view": view, "compact": _switch(compact)}
        choice = Choice.read(texts, form)
        if beside is None and other:
            raise wrong("other", other, because("beside_other"))
        if beside is not None and step:
            raise wrong("step", step, because("beside_step"))
        refuse_unminded(choice.view, form, asked, beside=beside is not None)
        if beside is not None:
            choice_of_both = PairChoice.read(texts, form)
            traces = (load_trace(file), load_trace(beside))
            if not kind:
                _check_attention(file, traces[0])
                _check_attention(beside, traces[1])
            _written(out, pair_exported(traces, choice_of_both, form, language=language))
            return
        packed = pack(load_trace(file), trace_id="file")
        if not (kind or view == "next"):
            _check_attention(file, packed.trace)
        taken = choice.fitted(packed.trace).kind
        refuse_unminded(choice.view, form, asked, kind=taken)
        _written(out, exported(packed, choice, form, language=language))


@app.command()
def states(
    file: TraceFile,
    out: OutFile,
    stack: Annotated[
        str,
        typer.Option("--stack", metavar=_choices(tuple(STACKS)), help="The first if left out."),
    ] = "",
    layer: Annotated[str, typer.Option("--layer", metavar="<int>", help="Counted from 1.")] = "",
    state: Annotated[
        str, typer.Option("--state", help="Or gate: hidden, cell, forget, ...; hidden if left out.")
    ] = "",
    units: Annotated[
        str,
        typer.Option(
            "--units",
            metavar=_choices(get_args(Units)),
            help="Of a figure: those that vary most, all in that order, or all as numbered.",
        ),
    ] = "",
    position: Annotated[
        str, typer.Option("--position", metavar="<int>", help="That a page opens on, from 1.")
    ] = "",
    unit: Annotated[
        str, typer.Option("--unit", metavar="<int>", help="That a page opens on, from 1.")
    ] = "",
    beside: Annotated[
        Path | None,
        typer.Option(
            "--beside", metavar="B.npz", help="A second trace: one state of both, what differs."
        ),
    ] = None,
    same_units: Annotated[
        bool,
        typer.Option(
            "--same-units", help="The two are of one run, though their models' names differ."
        ),
    ] = False,
    language: InLanguage = "en",
) -> None:
    """Write what recurrent layers carried over time as a figure, as numbers, or as a page.

    CSV and JSON hold every state and gate of the layer, of two traces the one
    state; NPZ and HTML hold all layers.
    """
    texts = {"stack": stack, "stack_layer": layer, "state": state, "units": units}
    texts |= {"position": position, "unit": unit}
    with _said_in(language, stack_layer="--layer", view="view"):
        form = form_of(out.name)
        if beside is None and same_units:
            raise wrong("same_units", "on", because("beside_other"))
        refuse_states_unminded(form, texts, beside=beside is not None)
        packed = pack(load_trace(file), trace_id="file")
        if beside is not None:
            packs = (packed, pack(load_trace(beside), trace_id="beside"))
            one, other = (run_of(pack.trace.model_id) for pack in packs)
            texts |= {"same_units": _switch(same_units or one == other)}  # of one run, too
            _written(out, states_pair_exported(packs, texts, form, language=language))
            return
        choice = StatesChoice.read(texts)
        _written(out, states_exported(packed, choice, form, language=language))


def _check_attention(file: Path, trace: AttentionTrace) -> None:
    """Refuses one of states alone, where nobody asked for a kind of attention."""
    if trace.states and not trace.sites:
        raise wrong("file", file.name, because("has_states"))


def _switch(on: bool) -> str:
    return "on" if on else ""


@contextmanager
def _said_in(language: Language, **called: str) -> Iterator[None]:
    """What is refused is said in the language that was asked for, and of options as they are typed.

    Args:
        called: names of an address that are no options, and what they are called here.
    """
    try:
        yield
    except HeadlightError as error:
        raise TyperException(worded(_of_option(error, called), language)) from error


def _of_option(error: HeadlightError, called: Mapping[str, str]) -> HeadlightError:
    match error.parameters:
        case {"name": str(name), "value": str() | int() as value, **rest}:
            if error.code == "parameter_invalid":
                reason = rest.get("reason")
                option = called.get(name, f"--{name.replace('_', '-')}")
                return wrong(option, value, reason if isinstance(reason, Reason) else None)
    return error


def _written(out: Path, body: bytes) -> None:
    try:
        out.write_bytes(body)
    except OSError as error:
        reason = of_system(error)
        raise HeadlightError("file_unwritable", path=str(out), reason=reason) from error
    typer.echo(f"{out} ({len(body):,} bytes)")


@app.command()
def desktop() -> None:
    """Open the app in a window of its own; closing it ends the server."""
    from viz.server.desktop import run as opened

    opened()


if __name__ == "__main__":
    run(app)
