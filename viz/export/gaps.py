"""What language models would write in the gaps of a text: a figure of one gap, all as numbers, or a
page that stays alive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from viz.export.one import printable
from viz.export.paper.gaps import joined, one_gap
from viz.export.paper.style import paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, asked, wrong
from viz.inspector.gaps import Filled, gaps_data
from viz.inspector.offline import page
from viz.inspector.spelling import NUMBER
from viz.text.gaps import TEXT
from viz.text.language import Language
from viz.text.paper import figure_words
from viz.text.refusals import because


def gaps_exported(
    models: Sequence[Filled], texts: Mapping[str, str], form: Format, *, language: Language
) -> bytes:
    """The bytes of a file: of csv, json and html all gaps, of a figure the one that is asked for.

    Args:
        models: one or more; all read the same tokens.
        texts: as an address has them: `gap`, counted from 1 among the tokens between start and end.

    Raises:
        HeadlightError: parameter_invalid for a gap that is not there, and for npz.
    """
    within = models[0].tokens[1:-1]
    gap = asked("gap", texts, NUMBER, 1)
    if not 1 <= gap <= len(within):
        raise wrong("gap", gap, because("has_to", most=len(within)))
    if form == "npz":
        raise wrong("out", form, because("gaps_form"))
    if form == "csv":
        return table(_rows(models))
    if form == "json":
        return told_as_json(_told(models))
    words = figure_words(language, TEXT)
    if form == "html":
        selection = {"gap": str(gap)}
        data = gaps_data(models, language=language, text=words, selection=selection)
        sheets, title = ("style.css", "gaps/style.css"), joined(within, words)
        return page("gaps/main.js", sheets, data, {}, title=title, language=language).encode()
    with paper():
        figure = one_gap(models, gap - 1, words)
        printable("gaps", figure)
        return printed(figure, form)


def gaps_file_name(texts: Mapping[str, str], form: Format) -> str:
    """What a file is called, in ASCII: headlight-gap3.svg, or headlight-gaps.csv of all."""
    if form in ("csv", "json", "html"):
        return f"headlight-gaps.{form}"
    return f"headlight-gap{asked('gap', texts, NUMBER, 1)}.{form}"


def _rows(models: Sequence[Filled]) -> Iterator[dict[str, object]]:
    """One line a candidate of each gap and model, the likeliest first."""
    for filled in models:
        for place, told in enumerate(filled.next):
            here: dict[str, object] = {
                "model": filled.model_id,
                "sees": filled.context,
                "gap": place + 1,
                "stands": filled.tokens[place + 1].text,
            }
            for one in _candidates(told):
                yield here | one | {"stands_here": int(one["stands_here"])}


def _told(models: Sequence[Filled]) -> dict[str, Any]:
    """The same for a program."""
    return {
        "view": "gaps",
        "tokens": [token.text for token in models[0].tokens[1:-1]],
        "models": [
            {
                "model_id": filled.model_id,
                "sees": filled.context,
                "gaps": [list(_candidates(told)) for told in filled.next],
            }
            for filled in models
        ],
    }


def _candidates(told: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Of a gap, the likeliest first. Two may read the same: their ids differ."""
    columns = (told["ids"], told["texts"], told["p"])
    for at, (id, text, share) in enumerate(zip(*columns, strict=True)):
        stands = at == told["chosen"]
        yield {"token": text, "probability": share, "id": id, "stands_here": stands}
