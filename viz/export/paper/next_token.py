"""The next-token distribution of a step as a figure for paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from core.trace import AttentionTrace, Floats, Token
from viz.export.paper.names import also_reads
from viz.export.paper.notes import noted
from viz.export.paper.style import LINE, MUTED, Words, label, mentioned
from viz.figures.theme import PALETTES
from viz.inspector.options import PLAIN, Options
from viz.inspector.pack import special_tokens
from viz.text.numbers import percent

_LEAST: Final = float(np.finfo(np.float64).tiny)  # what is left is not cut, however little it is
_MOST: Final = 8  # tokens
_ROWS: Final = 6  # that a figure has room for at least, title and notes beside them


def shaped(logits: Floats, options: Options) -> tuple[npt.NDArray[np.float64], int]:
    """What temperature, top-k and top-p make of a row of logits: the twin of web/data/sampling.js.

    Args:
        logits: (vocab,) of one step.

    Returns:
        Probabilities, 0 for a token that is cut, and how many are left.
    """
    order = np.argsort(-logits, kind="stable")  # of equal ones the smaller id first
    most = min(options.top_k or order.size, order.size)
    values = logits.astype(np.float64)[order[:most]]
    odds = np.exp((values - values[0]) / options.temperature)
    kept = most
    if options.top_p < 1:
        enough = options.top_p * odds.sum()
        kept = min(most, int(np.searchsorted(odds.cumsum(), enough, side="left")) + 1)
    out = np.zeros(logits.size)  # in float32 little odds would be 0, as if they were cut
    out[order[:kept]] = odds[:kept] / odds[:kept].sum()
    return out, kept


def next_tokens(
    trace: AttentionTrace,
    step: int,
    names: Mapping[int, str],
    joins: Collection[int],
    options: Options,
    words: Words,
    said: str,
) -> Figure:
    """The likeliest next tokens at a decoder step, the written one marked, and what is left.

    Of a model that writes nothing: what it says at a token of its source.

    Args:
        step: counted from 0; a token of the source where the trace writes nothing.
        names: of vocabulary rows, as far as they are known.
        joins: rows that would go on with the word before them, which a dash says.
        options: `temperature`, `top_k` and `top_p` are of use here.
    """
    assert trace.logits is not None
    odds, left = shaped(trace.logits[step], options)
    likeliest = np.argsort(-trace.logits[step], kind="stable")[:_MOST].tolist()
    writes = trace.logits_axis == "written"
    written = trace.written[step] if writes else Token("", "")
    if 0 <= written.id < odds.size and written.id not in likeliest:
        likeliest[-1] = written.id
    marked = {row: Token(name, name, row, 0) for row, name in names.items()}
    marked |= special_tokens(trace) | {written.id: written}
    called = {row: label(token, words, joint=row in joins) for row, token in marked.items()}
    shown = [called.get(row, f"#{row}") for row in likeliest]
    shares = [float(odds[row]) for row in likeliest]
    chosen, other = PALETTES["light"].accent, PALETTES["light"].series_soft
    colours = [chosen if row == written.id else other for row in likeliest]
    others = left - sum(share > 0 for share in shares)
    if others > 0:
        shown.append(words["next_rest"].format(count=f"{others:,}"))
        shares.append(max(_LEAST, 1 - sum(shares)))
        colours.append(LINE)
    figure = Figure(figsize=(4.6, 0.24 * max(len(shown), _ROWS) + 0.9), layout="constrained")
    axes = figure.subplots()
    places = range(len(shown))
    axes.barh(places, shares, color=colours)
    axes.set_yticks(places, shown)
    axes.invert_yaxis()
    axes.set_xlim(0, max(shares) * 1.18)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if others > 0:
        axes.get_yticklabels()[-1].set_color(MUTED)  # which is no token
    for place, share in enumerate(shares):
        axes.annotate(
            percent(share) if share else words["shape_cut"], (share, place), (4, 0),
            textcoords="offset points", va="center", color=MUTED, fontsize=8,
        )  # fmt: skip
    if writes:
        title = words["next_title"].format(step=step + 1)
        row = words["cell_writes"].format(token=mentioned(label(written, words)))
        row = also_reads(row, [label(trace.target[step], words)], 0, words)
    else:
        title = words.get(f"told_{trace.meta.get('foretells')}", words["told"])
        whole = trace.meta.get("foretells") == "text"
        reads = mentioned(label(trace.source[step], words))
        row = "" if whole else words["cell_reads"].format(token=reads)
    figure.suptitle(title, fontweight=600, fontsize=11)
    noted(figure, [row, *_shape(options, left, odds.size, words), said])
    return figure


def _shape(options: Options, left: int, size: int, words: Words) -> list[str]:
    """How the distribution was reshaped; nothing where it is the model's."""
    plain = (PLAIN.temperature, PLAIN.top_k, PLAIN.top_p)
    if (options.temperature, options.top_k, options.top_p) == plain:
        return []
    top_k = str(options.top_k) if options.top_k else words["shape_all"]
    parts = (
        f"{words['shape_temperature']} {options.temperature:.1f}",
        f"{words['shape_top_k']} {top_k}",
        f"{words['shape_top_p']} {options.top_p:.2f}",
    )
    counts = {"kept": f"{left:,}", "all": f"{size:,}"}
    return [" · ".join(parts), words["shape_left"].format(**counts)]
