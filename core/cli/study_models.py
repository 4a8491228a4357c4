"""`study` of models: what those that were trained do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final

import typer

from core import registry
from core.cli import drawn
from core.cli.assess import pairs_of
from core.cli.options import Device, Json, Model, named_fault, open_model
from core.cli.studied import as_line, progress
from core.errors import HeadlightError, reading, unreadable, wrong
from core.model import Inspectable, ModelCard
from core.reasons import Reason, because
from core.text.corpora import Pair

Models = Annotated[
    list[str], typer.Option("--model", metavar="ID", help="An id or a folder; several times.")
]
_ELSE: Final = "left out, the grammar draws such."


def exposure(
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="FILE.tsv", help=f"Pairs, as evaluate takes them; {_ELSE}"),
    ] = None,
    model: Model = None,
    share: Annotated[
        list[float] | None,
        typer.Option(min=0, max=1, help="Of tokens read that are the model's own; several times."),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**63 - 1, help="Of which tokens are its own.")
    ] = 0,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """What a model loses by reading its own words: from teacher forcing to free running."""
    opened = open_model(model, device)
    from core.families.own import OwnTranslator
    from core.studies.exposure import SHARES
    from core.studies.exposure import exposure as measure

    if not isinstance(opened, OwnTranslator):
        raise _refused(opened, because("forcing"))
    pairs = drawn.pairs(opened.card) if data is None else pairs_of(data, opened.card)
    with progress() as done, named_fault("--data", data or drawn.DRAWN):
        found = measure(opened, pairs, tuple(share or SHARES), seed=seed, done=done)
    if as_json:
        options = {"model": opened.card.model_id, "data": _named(data), "seed": seed}
        typer.echo(as_line("exposure", options, found))
        return
    typer.echo(f"{found.pairs:,} pairs, {found.tokens:,} tokens")
    for point in found.points:
        typer.echo(f"{point.share:>6.0%} own  loss {point.loss:.4f}  right {point.right:.2%}")


def bottleneck(
    model: Models,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", metavar="FILE.tsv", help=f"Pairs, as evaluate takes them; {_ELSE}"),
    ] = None,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """BLEU by the length of the source: what one vector can hold, and what attention restores."""
    from core.studies.bottleneck import bottleneck as measure

    opened = _opened(model, device, lambda card: card.answers == "text", because("writing"))
    _alike(opened)
    pairs = [pair for path in data or () for pair in pairs_of(path, opened[0].card)]
    with progress() as done:
        found = measure(opened, pairs if data else drawn.pairs(opened[0].card), done=done)
    if as_json:
        options = {"data": [_named(path) for path in data or (None,)]}
        typer.echo(as_line("bottleneck", options, found))
        return
    ends = [f"{group.least}-{group.most or ''} words" for group in found.groups]
    typer.echo(f"{'BLEU of':<24}" + "".join(f"{end:>12}" for end in [*ends, "all"]))
    typer.echo(f"{'pairs':<24}" + "".join(f"{group.pairs:>12,}" for group in found.groups))
    for curve in found.curves:
        values = [*curve.bleu, curve.all]
        told = "".join(f"{'-' if value is None else f'{value:.2f}':>12}" for value in values)
        typer.echo(f"{curve.model:<24}{told}")


def extrapolation(
    model: Models,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", metavar="FILE.tsv", help=f"Long texts, as evaluate takes pairs; {_ELSE}"
        ),
    ] = None,
    start: Annotated[
        list[int] | None,
        typer.Option(min=1, help="First place of a group, from 1; several times, rising."),
    ] = None,
    as_json: Json = False,
    device: Device = None,
) -> None:
    """A language model's loss by place, where it was trained and beyond, and how far it looks."""
    each = _each(model, device)
    from core.families.language import LanguageModel
    from core.studies.extrapolation import PLACES, check_reading
    from core.studies.extrapolation import extrapolation as measure

    opened = []
    for one in each:
        if not isinstance(one, LanguageModel) or one.card.capabilities.gaps != "before":
            raise _refused(one, because("predicting"))
        opened.append(one)
    _alike(opened)
    starts = tuple(start or PLACES)
    if starts[0] != 1 or any(one >= other for one, other in pairwise(starts)):
        raise wrong("--start", " ".join(map(str, starts)), because("rising"))
    for one in opened:
        with named_fault("--model", one.card.model_id):
            check_reading(one, starts[-1])
    texts = [source for path in data or () for source, _ in pairs_of(path, opened[0].card)]
    texts = texts if data else drawn.texts(opened[0].card)
    with progress() as done, named_fault("--data", ", ".join(data or (drawn.DRAWN,))):
        found = measure(opened, texts, starts=starts, done=done)
    if as_json:
        options = {"data": [_named(path) for path in data or (None,)]}
        typer.echo(as_line("extrapolation", options, found))
        return
    ends = [*(place - 1 for place in found.places[1:]), found.longest]
    spans = [f"{place}-{end}" for place, end in zip(found.places, ends, strict=True)]
    typer.echo(f"{'nats at places':<32}" + "".join(f"{span:>10}" for span in spans))
    for curve in found.curves:
        told = "".join(f"{nats:>10.3f}" for nats in curve.nats)
        typer.echo(f"{f'{curve.model}, {curve.positions}':<32}{told}")


def alignment(
    model: Models,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FILE.tsv", help=f"As core.grammar --into alignment writes; {_ELSE}"
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="Of its first column.")] = "ko",
    as_json: Json = False,
    device: Device = None,
) -> None:
    """Whether heads of cross-attention look at the words that a target word translates."""
    from core.studies.alignment import aligned_pairs
    from core.studies.alignment import alignment as measure

    def looks_across(card: ModelCard) -> bool:
        return "cross" in card.kinds and card.capabilities.forcing

    opened = _opened(model, device, looks_across, because("looking_across"))
    for one in opened:
        known = one.card.source_language, one.card.target_language
        if all(known) and language not in known:
            ends = dict(zip(("source", "target"), known, strict=True))
            reason = because("language_neither", model=one.card.model_id, **ends)
            raise wrong("--language", language, reason)
    with named_fault("--data", str(data or drawn.DRAWN)):
        pairs = aligned_pairs(drawn.links(language) if data is None else _lines(data))
        with progress() as done:
            found = measure(opened, pairs, done, language=language)
    if as_json:
        options = {"data": _named(data), "language": language}
        typer.echo(as_line("alignment", options, found))
        return
    typer.echo(f"{found.pairs:,} pairs, {found.links:,} links")
    for blind in found.blind:
        way = f", {blind.source} to {blind.target}" if blind.source else ""
        wrong_by = f"the diagonal {blind.diagonal:.1%}, by chance {blind.chance:.1%}"
        typer.echo(f"wrong by {wrong_by}{way}{_fitting(blind.pairs, found.pairs)}")
    for looks in found.models:
        for rows, name in ((looks.written, "write"), (looks.read, "read")):
            best, layer, head = min(
                (rate, layer, head)
                for layer, rates in enumerate(rows, start=1)
                for head, rate in enumerate(rates, start=1)
            )
            of = _fitting(looks.pairs, found.pairs)
            told = f"{best:.1%} (layer {layer}, head {head}){of}"
            typer.echo(f"{looks.model}, rows that {name}: {told}")


def transfer(
    data: Annotated[
        str | None,
        typer.Option(
            "--data", metavar="FILE.tsv", help=f"Texts and labels to teach, with --test; {_ELSE}"
        ),
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="FILE.tsv", help="Such that are never taught.")
    ] = None,
    model: Model = None,
    count: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Examples that are taught; several times. The last: all."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Draws of the examples.")] = 3,
    updates: Annotated[int, typer.Option(min=1, max=100_000, help="Of each training.")] = 400,
    chosen: Annotated[int, typer.Option(min=1, help="Examples to choose rates by.")] = 500,
    as_json: Json = False,
) -> None:
    """A language model's body under a head of labels, against the same from scratch."""
    opened = open_model("ko-masked" if model is None else model, "cpu")
    from core.families.language import LanguageModel
    from core.studies.transfer import TransferOptions
    from core.studies.transfer import transfer as measure

    if not isinstance(opened, LanguageModel) or opened.card.capabilities.gaps == "after":
        raise _refused(opened, because("labelling"))
    options = TransferOptions(seeds=seeds, updates=updates, chosen=chosen)
    if count:
        options = replace(options, counts=tuple(count))
    pairs, tested = _labelled(data, test, opened.card)
    body, tokenizer = opened.checkpoint.model, opened.checkpoint.tokenizer
    of = f"{data}, --test {test}" if data else drawn.DRAWN
    with progress() as done, named_fault("--data", of):
        found = measure(body, tokenizer, pairs, tested, options, done)
    if as_json:
        told = {"model": opened.card.model_id, "data": _named(data), "test": _named(test)}
        typer.echo(as_line("transfer", told | asdict(options), found))
        return
    typer.echo(f"{', '.join(found.labels)}: the commonest is {found.most:.1%} of the test")
    for number in dict.fromkeys(score.count for score in found.scores):
        for warm, name in ((True, "pretrained"), (False, "from scratch")):
            right = [s.right for s in found.scores if (s.count, s.pretrained) == (number, warm)]
            told_apart = " ".join(f"{share:.1%}" for share in right)
            typer.echo(f"{number:>8,} examples, {name:<13} {told_apart}")


def _each(names: Sequence[str], device: str | None) -> Iterator[Inspectable]:
    """Models by id or folder; that there are such is known before torch is waited for."""
    folders = [registry.find_folder(one) for one in names]
    return (open_model(folder, device) for folder in folders)


def _opened(
    names: Sequence[str], device: str | None, able: Callable[[ModelCard], bool], feature: Reason
) -> list[Inspectable]:
    """The same, each of which can do what the study asks.

    Raises:
        HeadlightError: as `open_model`; unsupported, for what one has not.
    """
    opened = list(_each(names, device))
    from core.families.refusing import unsupported

    for one in opened:
        if not able(one.card):
            raise unsupported(one.card, feature)
    return opened


def _alike(opened: Sequence[Inspectable]) -> None:
    """That all read, and write, the languages of the first one, whose pairs they are asked for.

    Raises:
        HeadlightError: parameter_invalid, naming one that does not.
    """
    first, *others = (model.card for model in opened)
    source, target = first.source_language, first.target_language
    for card in others:
        if (card.source_language, card.target_language) != (source, target):
            reason = because("languages_unlike", source=source, target=target)
            raise wrong("--model", card.model_id, reason)


def _refused(model: Inspectable, feature: Reason) -> HeadlightError:
    """Of a study that reads a checkpoint of our trainer's: that it is none, or has not that."""
    from core.families.own import OwnModel
    from core.families.refusing import unsupported

    if not isinstance(model, OwnModel):
        return wrong("--model", model.card.model_id, because("trained_elsewhere"))
    return unsupported(model.card, feature)


def _labelled(
    data: str | None, test: str | None, card: ModelCard
) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """What is taught and what is not: both of files, or both drawn."""
    if data is None and test is None:
        return drawn.labelled(card)
    if data is None or test is None:
        raise wrong("--data" if data is None else "--test", "", because("data_both"))
    return pairs_of(data, card), pairs_of(test, card)


def _named(data: str | Path | None) -> str:
    """A file's name; what is said of data that was drawn."""
    return drawn.DRAWN if data is None else Path(data).name


def _fitting(read: int, every: int) -> str:
    """Of how many pairs a rate is, where it is not of all."""
    return "" if read == every else f", of {read:,} of {every:,} pairs, which fit"


def _lines(path: Path) -> list[str]:
    try:
        with reading(path):
            return path.read_text("utf-8-sig").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise unreadable(path, because("utf_8")) from error
