"""The command line put together; an error is one line on stderr, and exit code 2."""

from __future__ import annotations

import io
import os
import sys

import typer
from typer.exceptions import TyperException

from core import settings
from core.cli import assess, average, convert, download, pairs, study, train, translate
from core.cli.options import INTERRUPTED
from core.errors import HeadlightError, unwritable

ERROR: int = 2

app = typer.Typer(
    name="python -m core",
    help="Headlight: see what every attention head of a real Transformer looks at.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("models")(translate.models)
app.command("translate")(translate.translate)
app.command("trace")(translate.trace)
app.command("train")(train.train)
app.command("evaluate")(assess.evaluate)
app.command("calibrate")(assess.calibrate)
app.command("verify")(assess.verify)
app.command("back-translate")(pairs.back_translate)
app.command("distill")(pairs.distill)
app.command("average")(average.average)
app.command("convert")(convert.convert)
app.command("download")(download.download)
app.add_typer(study.studies, name="study")


@app.callback(invoke_without_command=True)
def _overview(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    elif context.invoked_subcommand != "train":  # for whose large batches it was not measured
        # Decided before torch is imported: idle OpenMP threads sleep instead of spinning, unless
        # the environment says else. Small models give each thread microseconds of work: on a busy
        # machine, spinning doubled the processor time of `evaluate` (5.8 s against 2.9 s for 100
        # words).
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main(arguments: list[str] | None = None) -> None:
    """As `run`, of our own commands."""
    run(app, arguments)


def run(commands: typer.Typer, arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0, 2 for an error that is named, 130 for Ctrl-C.

    Args:
        commands: to choose from.
        arguments: None takes the process's own.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Sentences go through pipes on any machine: UTF-8 whatever its locale says.
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")
    try:
        settings.current()  # a wrong one is refused before anything begins
        code = commands(arguments, standalone_mode=False)
    except HeadlightError as error:
        code = _complain(str(error))
    except OSError as error:  # what no command words by itself: mostly an output that is full
        code = _complain(str(unwritable(error.filename or "the output", error)))
    except TyperException as error:
        code = _complain(error.format_message())
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str) -> int:
    print("error:", *message.split(), file=sys.stderr)
    return ERROR
