"""One gap of a text for paper, and what each model would write there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.trace import Token
from viz.export.paper.notes import fitting, noted
from viz.export.paper.style import LEADING, MUTED, POINT, Words, label, legible, shortened
from viz.figures.theme import PALETTES
from viz.inspector.gaps import Filled
from viz.text.numbers import percent
from viz.text.tokens import named, visible

_SHOWN: Final = 6  # candidates of a model
_BLANK: Final = "____"
_NEAR: Final = 40  # tokens on either side of a gap that are shown with it
_TITLE: Final = 11.0  # points
_PART: Final = re.compile("(.+) ([0-9]+)/[0-9]+", re.DOTALL)  # of a letter (`core.text.utf8`)


def one_gap(models: Sequence[Filled], gap: int, words: Words) -> Figure:
    """Bars of the likeliest tokens, a column a model, beneath the text with its gap.

    Args:
        models: one or more; all read the same tokens.
        gap: counted from 0 among the tokens between start and end.
    """
    tokens = models[0].tokens[1:-1]
    figure = Figure(figsize=(2.9 * len(models) + 0.6, 2.7), layout="constrained")
    all_axes = figure.subplots(1, len(models), squeeze=False, sharex=True)[0]
    for axes, filled in zip(all_axes, models, strict=True):
        _bars(axes, filled, gap, words)
    all_axes[0].set_xlim(0, max(max(filled.next[gap]["p"]) for filled in models) * 1.35)
    lines = fitting(_around(tokens, gap, words), figure, _TITLE, fontweight=600)
    figure.set_figheight(figure.get_figheight() + (len(lines) - 1) * _TITLE * LEADING * POINT)
    figure.suptitle("\n".join(lines), fontweight=600, fontsize=_TITLE)
    noted(figure, [words["gaps_stands"].format(token=label(tokens[gap], words))])
    return figure


def _around(tokens: Sequence[Token], gap: int, words: Words) -> str:
    """The text with its gap, of a long one what is near it."""
    first, beyond = max(0, gap - _NEAR), min(len(tokens), gap + _NEAR + 1)
    parts = [joined(tokens[first:gap], words), _BLANK, joined(tokens[gap + 1 : beyond], words)]
    for side, token, other in ((1, gap, gap - 1), (2, gap + 1, gap)):
        if first <= other and token < beyond and not _joins(tokens[token], tokens[other]):
            parts.insert(2 * side - 1, " ")
    return ("… " if first else "") + "".join(parts) + (" …" if beyond < len(tokens) else "")


def joined(tokens: Sequence[Token], words: Words) -> str:
    """Their text: pieces of one word stand together, and parts of one letter are that letter."""
    text = ""
    for at, token in enumerate(tokens):
        part = _PART.fullmatch(token.text)
        name = legible(visible(named(token, words)))
        if part is not None:
            name = legible(part[1]) if part[2] == "1" or not at else ""
        joins = at > 0 and _joins(token, tokens[at - 1])
        text += " " * (at > 0 and not joins) + name
    return text


def _joins(token: Token, before: Token) -> bool:
    return token.word >= 0 and token.word == before.word


def _named(text: str, special: str | None, words: Words, *, joint: bool) -> str:
    """A candidate as an axis shows it."""
    if special is not None:
        return label(Token(special, text), words)
    return label(Token(text, text, word=0), words, joint=joint)


def _bars(axes: Axes, filled: Filled, gap: int, words: Words) -> None:
    told = filled.next[gap]
    rows = list(range(min(_SHOWN, len(told["p"]))))
    if told["chosen"] >= _SHOWN:  # what stands there is shown, however unlikely
        rows[-1] = told["chosen"]
    shares = [told["p"][row] for row in rows]
    names = [
        _named(told["texts"][row], told["specials"][row], words, joint=told["joins"][row])
        for row in rows
    ]
    chosen, other = PALETTES["light"].accent, PALETTES["light"].series_soft
    places = range(len(rows))
    colours = [chosen if row == told["chosen"] else other for row in rows]
    axes.barh(places, shares, color=colours)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for place, share in zip(places, shares, strict=True):
        axes.annotate(
            percent(share), (share, place), (4, 0),
            textcoords="offset points", va="center", color=MUTED, fontsize=8,
        )  # fmt: skip
    sees = words[f"gaps_{filled.context}"].partition(":")[0]
    axes.set_title(
        f"{sees} ({shortened(legible(visible(filled.model_id)))})", fontsize=9, loc="left"
    )
