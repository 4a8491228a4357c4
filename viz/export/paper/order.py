"""The order of a figure's heads by what was measured of them: the twin of web/views/order.js."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.studies.heads import head_traits
from core.studies.words import words_of
from core.trace import AttentionTrace, Kind
from viz.export.paper.style import Words
from viz.inspector.options import Options
from viz.text.numbers import whole_percent


def ranked(
    trace: AttentionTrace, kind: Kind, options: Options, words: Words
) -> tuple[list[tuple[int, int]] | None, str]:
    """(layer, head) in the order of the grid, and what it says of them; None and "" by layer.

    It is measured between the model's own tokens; where words are shown, that is said.

    Raises:
        KeyError: the order is none that this kind can be measured by.
    """
    if options.order == "layer":
        return None, ""
    values = np.array(head_traits(trace.sites[kind], trace.keys(kind))[options.order])
    heads = most_first(values, options.top)
    most, least = (_said(kind, options.order, values[at], words) for at in (heads[0], heads[-1]))
    read = options.order == "diagonal" and kind == "decoder_self"
    trait = words["trait_diagonal_read" if read else f"trait_{options.order}"]
    note = words["order_note"].format(trait=trait, most=most, least=least)
    measured = f" {words['units_measured']}" if options.words and _has_pieces(trace) else ""
    return heads, note + measured


def most_first(values: npt.NDArray[np.floating], top: int | None) -> list[tuple[int, int]]:
    """Places (layer, head) of values (layer, head) from the largest on; ties stay in place."""
    order = np.argsort(-values.reshape(-1), kind="stable")[:top]
    return [divmod(int(at), values.shape[1]) for at in order]


def _has_pieces(trace: AttentionTrace) -> bool:
    """There is a word of more than one piece, so words differ (web/views/units.js)."""
    axes = (trace.source, trace.target, trace.written)
    return any(len(words_of(tokens)) < len(tokens) for tokens in axes)


def _said(kind: Kind, trait: str, value: float, words: Words) -> str:
    """A measured value with its unit; between two sequences a distance is a share of them."""
    if trait == "entropy":
        return words["unit_bits"].format(value=f"{value:.2f}")
    if trait == "distance" and kind != "cross":
        return words["unit_tokens"].format(value=f"{value:.1f}")
    return whole_percent(value)
