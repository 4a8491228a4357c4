"""One head, or several beside each other, as lines between tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.path import Path as Curve

from core.trace import Bools, Floats
from viz.export.paper.linenames import LEGEND, Layout, fit, layout_of, name_sides
from viz.export.paper.notes import noted
from viz.export.paper.shown import NOTHING, Place, Shown, zoomed
from viz.export.paper.strongest import Budget, budget, strongest
from viz.export.paper.style import INK, PAPER, SEVERAL, Words, title
from viz.figures.theme import KIND_HUES
from viz.inspector.options import Options
from viz.text.numbers import whole_percent

_BESIDE: Final = 2.0  # points between the lines of two heads
_QUIET: Final = (0.75, 0.26)  # how full lines are that do not stand out, and beside those that do
_FULL: Final = 12.0  # pixels between lines so that they are as wide as can be
_PIXEL: Final = 0.6  # points of a pixel on the screen, where names are as much larger


def lines(
    shown: Shown,
    heads: Sequence[tuple[int, int]],
    chosen: tuple[int, int],
    options: Options,
    words: Words,
    said: str = "",
) -> Figure:
    """Lines from the tokens that look to those that are looked at.

    Args:
        heads: (layer, head) counted from 0, in the order of their numbers; several are told
            apart by colours and numbers.
        chosen: the one of them that the figure is called by.
        options: `threshold`, `held` and, where no step is in view, `pinned` are of use here; how
            much mass they hide is printed: of rows in view, what lies out of view as well.
    """
    layout, held = layout_of(shown, len(heads), words), shown.held(options)
    focus = _from(_focus(shown, options, held), layout.rows.start, layout.columns.start)
    figure = Figure(figsize=(5.2, layout.inches), layout="constrained")
    axes = figure.subplots()
    axes.axis("off")
    fit(axes, layout, name_sides(axes, shown, layout, focus, words))
    drawn = _curves(axes, shown, heads, layout, options, focus)
    if len(heads) > 1:
        _numbered(axes, heads, [one.hidden for one in drawn], layout, words)
    more = [words["lines_held"]] if held != NOTHING else []
    ranged = zoomed(shown, words)
    more += [words["lines_zoomed"]] if ranged else []
    more += [words["lines_each"]] if len(heads) > 1 else []
    name = words[f"kind_{shown.kind}"] if len(heads) > 1 else title(words, shown.kind, *chosen)
    figure.suptitle(name, fontweight=600, fontsize=11)
    summed = words["units_summed"] if shown.words else ""
    note = _note(drawn, options.threshold, _room(layout, held, len(heads)), words)
    noted(figure, [" · ".join([note, *more]), ranged, summed, said])
    return figure


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Of one head: how many lines of how many there are, and the mass that no line shows.

    Attributes:
        count, of: lines that are drawn, and those above the threshold.
        left_out, whole: a mass of weights, of rows in view.
    """

    count: int
    of: int
    left_out: float
    whole: float

    @property
    def hidden(self) -> str:
        """The share that no line shows; of nothing, nothing is hidden."""
        return whole_percent(self.left_out / self.whole if self.whole > 0 else 0.0)


def _room(layout: Layout, held: Place, heads: int) -> Budget:
    return budget(layout.between if held == NOTHING else 0, heads)


def _curves(
    axes: Axes,
    shown: Shown,
    heads: Sequence[tuple[int, int]],
    layout: Layout,
    options: Options,
    focus: Place,
) -> list[_Drawn]:
    """The lines of every head, side by side."""
    held, live = shown.held(options), len(layout.right)
    room = _room(layout, held, len(heads))
    pitch = layout.gap * budget(layout.between, 1).stretch / _PIXEL
    spoken = focus[0] if focus[0] in range(live) else None
    drawn = []
    for at, (layer, which) in enumerate(heads):
        weights = _only(shown.weights(layer, which), held)[layout.rows]
        seen = weights[:, layout.columns]
        over, of = strongest(seen, options.threshold, room, first=layout.rows.start, whole=spoken)
        lookers, places = np.nonzero(over)
        aside = (at - (len(heads) - 1) / 2) * _BESIDE / layout.gap
        ends = (layout.left[places] + aside, layout.right[lookers] + aside)
        strong = None if focus == NOTHING else (lookers == focus[0]) | (places == focus[1])
        colour = SEVERAL[at] if len(heads) > 1 else KIND_HUES[shown.kind]
        axes.add_collection(_lines(*ends, seen[over], colour, strong, pitch), autolim=False)
        beside = np.delete(weights, layout.columns, axis=1)
        left_out = sum(float(part.sum(dtype=np.float64)) for part in (seen[~over], beside))
        whole = float(weights.sum(dtype=np.float64))
        drawn.append(_Drawn(int(over.sum()), of, left_out, whole))
    return drawn


def _focus(shown: Shown, options: Options, held: Place) -> Place:
    """What stands out: the pinned token, else the row of the step or else of the pinned cell."""
    if held != NOTHING:
        return held
    if shown.stepped:
        return shown.live - 1, None
    pinned = options.pinned and shown.cell(*options.pinned)
    return (pinned[0], None) if pinned else NOTHING


def _from(place: Place, top: int, left: int) -> Place:
    """The same counted from the first row and column in view."""
    row, column = place
    return None if row is None else row - top, None if column is None else column - left


def _only(weights: Floats, held: Place) -> Floats:
    """The weights of one row or column alone, or all of them."""
    row, column = held
    if held == NOTHING:
        return weights
    out = np.zeros_like(weights)
    place = (slice(None) if row is None else row, slice(None) if column is None else column)
    out[place] = weights[place]
    return out


def _note(drawn: Sequence[_Drawn], threshold: float, room: Budget, words: Words) -> str:
    """How many lines there are of how many, and what they hide."""
    count, of = sum(one.count for one in drawn), sum(one.of for one in drawn)
    all_heads = _Drawn(
        count, of, sum(one.left_out for one in drawn), sum(one.whole for one in drawn)
    )
    capped = "lines_capped" if room.stretch == 1 else "lines_shared"
    return words["lines_note" if count == of else capped].format(
        threshold=f"{threshold:.2f}",
        count=count,
        all=of,
        rows=room.stretch,
        hidden=all_heads.hidden,
    )


def _numbered(
    axes: Axes,
    heads: Sequence[tuple[int, int]],
    hidden: Sequence[str],
    layout: Layout,
    words: Words,
) -> None:
    """Which number and colour is which head, and how much of each is hidden."""
    top, spacing = layout.tall - 0.5, LEGEND / layout.gap
    for at, ((layer, which), share) in enumerate(zip(heads, hidden, strict=True)):
        x, y = (-0.5, 0.55)[at % 2], top + (at // 2 + 0.5) * spacing
        named = words["head_short"].format(layer=layer + 1, head=which + 1)
        said = words["overlay_hidden"].format(hidden=share)
        axes.text(
            x, y, str(at + 1), ha="center", va="center", fontsize=7, fontweight=600, color=PAPER,
            bbox={"facecolor": SEVERAL[at], "edgecolor": "none", "boxstyle": "round,pad=0.25"},
        )  # fmt: skip
        axes.text(x + 0.06, y, f"{named}  {said}", va="center", fontsize=7.5, color=INK)


def _lines(
    left: Floats,
    right: Floats,
    weights: Floats,
    colour: str,
    strong: Bools | None,
    pitch: float,
) -> PathCollection:
    """A curve from each place on the left to one on the right, wide and full by its weight.

    As web/views/curves.js has it, where it draws those in bands of equal width.

    Args:
        strong: (line,), those that stand out from the others and lie over them; None where all
            are alike.
        pitch: pixels between what has lines of its own.
    """
    codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
    across = np.array([0, 0.5, 0.5, 1.0])
    heights = np.stack([left, left, right, right], axis=1)
    out = np.zeros(len(weights), np.bool_) if strong is None else strong
    full = np.minimum(weights, 1)
    thin = min(1.0, pitch / _FULL)
    quiet = (_QUIET[0] if strong is None else _QUIET[1] * thin) * (0.25 + 0.75 * full)
    alphas = np.where(out, 0.35 + 0.65 * full, quiet)
    widths = _PIXEL * np.where(out, 1 + 5 * weights * thin, 0.6 + 4.4 * weights * thin)
    order = np.argsort(out, kind="stable")
    return PathCollection(
        [Curve(np.stack([across, own], axis=1), codes) for own in heights[order]],
        facecolors="none", linewidths=widths[order], capstyle="round",
        edgecolors=[to_rgba(colour, float(alpha)) for alpha in alphas[order]],
    )  # fmt: skip
