"""`download`: a model of the Hugging Face Hub into its cache, where Headlight lists it."""

from __future__ import annotations

import json
import threading
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

from core.cli.options import Json
from core.errors import HeadlightError, wrong
from core.reasons import because
from core.told import told_of

_SAYING: Final = threading.Lock()


def download(
    name: Annotated[str, typer.Argument(help="owner/name, or a link to its page.")],
    offer: Annotated[
        bool, typer.Option("--offer", help="Only say what it would take; fetch nothing.")
    ] = False,
    revision: Annotated[
        str | None, typer.Option("--revision", help="A version that was offered before.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch a model from the Hugging Face Hub: its safetensors, its tokenizer, and no code."""
    try:
        _download(name, offer, revision, as_json)
    except HeadlightError as error:
        if not as_json:
            raise
        _say(told_of(error))
        raise typer.Exit(2) from None


def _download(text: str, only_offer: bool, revision: str | None, as_json: bool) -> None:
    from core.families.hub.download import fetch, named, offered

    name = named(text)
    if name is None:
        raise wrong("NAME", text[:200], because("hub_name"))
    offer = offered(name, revision)
    if as_json:
        _say(
            {
                "name": offer.name,
                "revision": offer.revision,
                "files": len(offer.files),
                "bytes": offer.bytes,
                "parameters": offer.parameters,
            }
        )
    else:
        typer.echo(f"{offer.name}: {len(offer.files)} files, {offer.bytes / 1e6:,.1f} MB")
    if only_offer:
        return
    if as_json:
        folder = fetch(offer, lambda done: _say({"done": done}))
        _say({"folder": str(folder)})
        return
    columns = BarColumn(), DownloadColumn(), TransferSpeedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(offer.name, total=offer.bytes)
        folder = fetch(offer, lambda done: bar.update(task, completed=done))
    typer.echo(str(folder))


def _say(line: dict[str, Any]) -> None:
    with _SAYING:  # several threads fetch
        print(json.dumps(line, ensure_ascii=False), flush=True)
