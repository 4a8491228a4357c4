"""A beam search as a tree for paper: a column a step, a row a hypothesis."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from core.outputs import SearchTree
from viz.export.paper.notes import noted
from viz.export.paper.style import INK, LINE, MUTED, POINT, Words, label, legible
from viz.figures.theme import PALETTES
from viz.inspector.beam import Row, rows_of
from viz.text.tokens import by_letters, spelt, wide

_ROW: Final = 19.0  # points from one row to the next
_LETTER: Final = 5.4  # points; Hangul takes two
_SMALL: Final = 4.4  # of what is written at the end of a row
_GAP: Final = 11.0  # points between columns
_BAR: Final = 2.2  # points that a probability is tall
_HEADER: Final = 15.0  # points over the first row, for the steps


def beam_tree(tree: SearchTree, words: Words, said: str) -> Figure:
    """Every hypothesis, what it shares with one above written once, and where it ended.

    Args:
        said: what was searched for, and by whom.
    """
    rows = rows_of(tree)
    names = _names(tree, words)
    fates = [_fate(tree, row, words) for row in rows]
    edges = _edges(rows, names)
    end = edges[-1] + _GAP
    size = (end + _SMALL * max(map(wide, fates), default=0), _HEADER + _ROW * len(rows))
    figure = Figure(
        figsize=(max(size[0] * POINT + 0.4, 6.0), size[1] * POINT + 1.4), layout="constrained"
    )
    axes = figure.subplots()
    # In points from the upper left corner, so that a letter is as wide as it was reckoned.
    axes.set(xlim=(0, max(size[0], (6.0 - 0.4) / POINT)), ylim=(size[1], 0), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    for step, (left, right) in enumerate(pairwise(edges)):
        axes.text(
            (left + right - _GAP) / 2, _HEADER / 2, str(step + 1), ha="center", va="center",
            fontsize=7, color=MUTED,
        )  # fmt: skip
    shown_by: dict[int, int] = {}  # node: the row that shows it
    for number, (row, fate) in enumerate(zip(rows, fates, strict=True)):
        answer = row.rank >= 0
        shown_by |= dict.fromkeys(row.path[row.start :], number)
        middle = _HEADER + _ROW * (number + 0.5)
        if row.start:
            above = _HEADER + _ROW * (shown_by[row.path[row.start - 1]] + 0.5)
            _turn(axes, edges[row.start] - _GAP / 2, above, middle)
        for column, place in enumerate(row.path[row.start :], row.start):
            left, right = edges[column], edges[column + 1] - _GAP
            _token(axes, left, middle, names[place], answer=answer)
            _bar(axes, left, right, middle, exp(tree.nodes[place].gain))
        axes.text(
            end, middle, fate, va="center", fontsize=8, color=INK if answer else MUTED,
            fontweight=600 if answer else 400,
        )  # fmt: skip
    title = words["beam_list"].format(beam=tree.beam)
    figure.suptitle(title, fontweight=600, fontsize=11)
    noted(figure, [legible(spelt(said)), words["beam_note"].format(beam=tree.beam)])
    return figure


def _names(tree: SearchTree, words: Words) -> list[str]:
    """All tokens; a dash joins a piece to the word before it, unless letters are spelt."""
    dashes = not by_letters([node.token for node in tree.nodes])
    names = []
    for token, parent in ((node.token, node.parent) for node in tree.nodes):
        follows = parent >= 0 and not token.special and token.word == tree.nodes[parent].token.word
        names.append(label(token, words, joint=dashes and follows))
    return names


def _edges(rows: tuple[Row, ...], names: list[str]) -> list[float]:
    """Where each column starts, in points, and where the last one ends."""
    widths = [0.0] * max((len(row.path) for row in rows), default=0)
    for row in rows:
        for column, place in enumerate(row.path):
            widths[column] = max(widths[column], wide(names[place]) * _LETTER, 16.0)
    edges = [0.0]
    for width in widths:
        edges.append(edges[-1] + width + _GAP)
    return edges


def _token(axes: Axes, left: float, middle: float, name: str, *, answer: bool) -> None:
    axes.text(
        left, middle - 1, name, va="center", fontsize=9, color=INK if answer else MUTED,
        fontweight=600 if answer else 400,
    )  # fmt: skip


def _bar(axes: Axes, left: float, right: float, middle: float, share: float) -> None:
    """A probability, on the width of its column."""
    top = middle + _ROW * 0.5 - _BAR - 1.5
    for reach, colour in ((1.0, LINE), (share, PALETTES["light"].accent)):
        axes.add_patch(
            Rectangle((left, top), (right - left) * reach, _BAR, facecolor=colour, linewidth=0)
        )


def _turn(axes: Axes, at: float, above: float, middle: float) -> None:
    """From the row that it has its beginning from, down to its own."""
    axes.plot(
        [at, at, at + _GAP * 0.4], [above, middle - 1, middle - 1], color=LINE, linewidth=0.8,
        zorder=0.5,
    )  # fmt: skip


def _fate(tree: SearchTree, row: Row, words: Words) -> str:
    """Where a hypothesis ended up, as the inspector says it."""
    node = tree.nodes[row.path[-1]]
    if node.fate == "left":
        return words["beam_left"].format(step=len(row.path) + 1)
    ended = "beam_answer" if row.rank >= 0 else "beam_beyond"
    name = ended if node.fate == "ended" else "beam_stopped"
    score = f"{node.score:.3f}".replace("-", "−")
    return words[name].format(rank=row.rank + 1, beam=tree.beam, score=score)
