"""One gap of a text for paper, and what each model would write there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.trace import Token
from viz.export.paper.notes import noted
from viz.export.paper.style import MUTED, Words, label, legible, shortened
from viz.figures.theme import PALETTES
from viz.inspector.gaps import Filled
from viz.text.numbers import percent
from viz.text.sentence import cut
from viz.text.tokens import visible

_SHOWN: Final = 6  # candidates of a model
_BLANK: Final = "____"


def one_gap(models: Sequence[Filled], gap: int, words: Words) -> Figure:
    """Bars of the likeliest tokens, a column a model, beneath the text with its gap.

    Args:
        models: one or more; all read the same tokens.
        gap: counted from 0 among the tokens between start and end.
    """
    tokens = models[0].tokens[1:-1]
    spelt = [label(token, words) for token in tokens]
    figure = Figure(figsize=(2.9 * len(models) + 0.6, 2.7), layout="constrained")
    all_axes = figure.subplots(1, len(models), squeeze=False, sharex=True)[0]
    for axes, filled in zip(all_axes, models, strict=True):
        _bars(axes, filled, gap, words)
    all_axes[0].set_xlim(0, max(max(filled.next[gap]["p"]) for filled in models) * 1.35)
    figure.suptitle(cut(_around(tokens, spelt, gap)), fontweight=600, fontsize=11)
    noted(figure, [words["gaps_stands"].format(token=spelt[gap])])
    return figure


def _around(tokens: Sequence[Token], spelt: Sequence[str], gap: int) -> str:
    """The text with its gap; what are pieces of one word stand together."""
    parts = []
    for at, (token, name) in enumerate(zip(tokens, spelt, strict=True)):
        joins = at > 0 and token.word >= 0 and token.word == tokens[at - 1].word
        parts += [" "] * (at > 0 and not joins) + [_BLANK if at == gap else name]
    return "".join(parts)


def _named(text: str, special: str | None, words: Words) -> str:
    """A candidate as an axis shows it."""
    if special is not None:
        return label(Token(special, text), words)
    return shortened(legible(visible(text)))


def _bars(axes: Axes, filled: Filled, gap: int, words: Words) -> None:
    told = filled.next[gap]
    rows = list(range(min(_SHOWN, len(told["p"]))))
    if told["chosen"] >= _SHOWN:  # what stands there is shown, however unlikely
        rows[-1] = told["chosen"]
    shares = [told["p"][row] for row in rows]
    names = [_named(told["texts"][row], told["specials"][row], words) for row in rows]
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
