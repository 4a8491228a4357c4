"""What stands below a figure: what is to be known of it, and what its hatches mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.text import Text

from viz.export.paper.style import EDGE, LEADING, LINE, MUTED, PAPER, POINT, faces, width_of
from viz.text.tokens import wide

_NOTE: Final = 8.0  # points of a note's letters
_EXPECTED: Final = 3  # lines that every figure has room for


def swatches(
    target: Axes | Figure, hatches: Sequence[tuple[str, str]], above: str | None = None
) -> None:
    """What hatches mean, below a matrix or a whole figure: (hatch, text) each.

    Args:
        above: lines over them.
    """
    if not hatches:
        return
    below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.02)}
    legend = target.legend(
        handles=[Patch(facecolor=PAPER, edgecolor=LINE, hatch=h, label=t) for h, t in hatches],
        **(below if isinstance(target, Axes) else {"loc": "outside lower center"}),
        ncols=len(hatches), frameon=False, fontsize=8, labelcolor=MUTED, handlelength=1.6,
        handleheight=1.1, title=above, title_fontproperties={"size": _NOTE},
    )  # fmt: skip
    legend.get_title().set(color=MUTED, linespacing=LEADING, multialignment="center")


def noted(figure: Figure, notes: Sequence[str], hatches: Sequence[tuple[str, str]] = ()) -> None:
    """Writes what is to be known of a figure below it, in lines that fit; many make it taller.

    Args:
        hatches: of all its matrices, and what they mean.
    """
    family = faces(*notes)
    lines = [
        line for note in notes if note for line in fitting(note, figure, _NOTE, fontfamily=family)
    ]
    more = max(0, len(lines) - _EXPECTED)
    figure.set_figheight(figure.get_figheight() + more * _NOTE * LEADING * POINT)
    if hatches:  # two things below a figure lie on each other: they are one
        swatches(figure, hatches, "\n".join(lines))
    elif lines:
        figure.supxlabel("\n".join(lines), fontsize=_NOTE, color=MUTED, linespacing=LEADING)


def fitting(note: str, figure: Figure, size: float, share: float = 1.0, **face: Any) -> list[str]:
    """Lines that are no wider than the figure, in the face that is here.

    Args:
        size: points of their letters.
        share: of the figure's width, that they have.
        face: of matplotlib's text.
    """
    width = share * figure.get_figwidth()
    room = width / POINT / size * 2  # letters of a line; Hangul takes two
    large = 8  # in small letters a measure is of whole dots of the screen, and print is finer
    text = Text(fontsize=large * size, **face)
    text.set_figure(figure)
    most = width - EDGE
    while True:
        lines = [part for line in _balanced(note, room) for part in _broken(line, room)]
        text.set_text("\n".join(lines))
        measured = width_of(text, figure) / large
        if measured <= most or room < 2:
            return lines
        room = min(room - 1, room * most / measured)


def _balanced(text: str, room: float) -> list[str]:
    """As few lines as there can be, as equally long as they can be: the last holds no odd word.

    Args:
        room: letters of a line; a word that is longer has its own.
    """
    words = text.split(" ")
    # Of the first words, any number of them: how many lines, their squares, the last one's start.
    best = [(0, 0, 0)]
    for end in range(1, len(words) + 1):
        ways, length = [], -1
        for start in reversed(range(end)):
            length += wide(words[start]) + 1
            if length > room and start < end - 1:
                break
            lines, squares, _ = best[start]
            ways.append((lines + 1, squares + length**2, start))
        best.append(min(ways))
    lines_, end = [], len(words)
    while end:
        start = best[end][2]
        lines_.append(" ".join(words[start:end]))
        end = start
    return lines_[::-1]


def _broken(line: str, room: float) -> list[str]:
    """A word that is longer than a line, in parts that fit; any other line as it is."""
    parts, taken = [""], 0.0
    for letter in line:
        if parts[-1] and taken + wide(letter) > room:
            parts.append("")
            taken = 0.0
        parts[-1] += letter
        taken += wide(letter)
    return parts
