"""BertViz's neuron view of one head: its query and key vectors, and what they come to.

BertViz's Python takes the vectors from its own copies of three models; its script takes them
from anyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any, Final

import numpy as np

from core.trace import AttentionSite, Floats

ELEMENTS: Final = 16_384
"""Of SVG, as many as the other views draw of a layer: 32 tokens a side of 64 numbers are 13,312,
open in half a second and answer in 80 ms; 100,000 take 3 s and 0.8 s."""

_ADDED: Final = 1e-3  # between a score and its product, beyond any rounding

# Only a browser knows how wide its letters are.
MEASURED: Final = """const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${TEXT_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
    const { left_text, right_text } = params.attention[0];
    const BOXWIDTH = Math.max(%s, ...[...left_text, ...right_text]
        .map((token) => Math.ceil(pen.measureText(token).width) + %s));"""
"""Room for the longest token: pixels that a side has at least, and those beside a token."""

PATCHES: Final = (
    ("const BOXWIDTH = TEXT_SIZE * 8;", MEASURED % ("TEXT_SIZE * 8", 40)),  # a sign is beside it
    # The picture is as high as its longer side, and is scrolled where it is wider than the page.
    (
        "config.initialTextLength * BOXHEIGHT",
        "Math.max(leftText.length, rightText.length) * BOXHEIGHT",
    ),
    (
        "function showCollapsed() {",
        """function widen(inner) {
            const width = `${2 * BOXWIDTH + inner}px`;
            d3.select(`#${config.rootDivId} #vis svg`).style("min-width", width);
        }

        function showCollapsed() {
            widen(ATTENTION_WIDTH + PADDING_WIDTH);""",
    ),
    (
        "function showExpanded() {",
        """function showExpanded() {
            widen(3 * MATRIX_WIDTH + BOXHEIGHT + 5.5 * PADDING_WIDTH);""",
    ),
)


def refused(site: AttentionSite, longest: int, words: Mapping[str, str]) -> str:
    """Why it is not drawn, "" where it is.

    Args:
        longest: tokens a side that any of BertViz's views takes.
    """
    if site.queries is None:
        scored = [] if site.scores is None else [words["neuron_scored"]]
        return " ".join([words["neuron_missing"], *scored])
    (rows, columns), width = site.shape, site.queries.shape[3]
    # Lines and frames are seven a weight; each number of queries, keys and products is one.
    elements = 7 * rows * columns + (rows + 2 * columns) * width
    if max(rows, columns) <= longest and elements <= ELEMENTS:
        return ""
    # The most n of which 7 n² + 3 n width are no more than ELEMENTS.
    fitting = (isqrt(9 * width**2 + 28 * ELEMENTS) - 3 * width) // 14
    return words["neuron_too_large"].format(
        rows=rows, columns=columns, width=width, elements=elements, limit=min(longest, fitting)
    )


def usage(site: AttentionSite, layer: int, words: Mapping[str, str], *, rescaled: bool) -> str:
    """How one reads it.

    Args:
        layer: in view, from 0.
        rescaled: the model divides q·k by no sqrt(d_k), and its queries are multiplied for that.
    """
    assert site.queries is not None
    assert site.keys is not None
    width = site.queries.shape[3]
    notes = [words["neuron"].format(width=width)]
    if rescaled:
        notes.append(words["neuron_rescaled"])
    if site.scores is not None:
        products = site.queries[layer] @ np.swapaxes(site.keys[layer], 1, 2) / np.sqrt(width)
        if np.abs(site.scores[layer] - products).max() > _ADDED:
            notes.append(words["neuron_added"])
    return " ".join(notes)


def told(site: AttentionSite, layer: int, head: int) -> dict[str, Any]:
    """What the script is told of one head, beside its tokens.

    Args:
        layer, head: from 0.
    """
    assert site.queries is not None
    assert site.keys is not None
    parts = {"attn": site.weights, "queries": site.queries, "keys": site.keys}
    return {name: [[_numbers(part[layer, head])]] for name, part in parts.items()}


def bidirectional(site: AttentionSite) -> bool:
    """False has the script hide what comes later: right of a decoder that may not look ahead."""
    causal = np.tri(site.shape[0], dtype=np.bool_)
    return site.kind != "decoder_self" or not np.array_equal(site.allowed, causal)


def _numbers(rows: Floats) -> list[list[float]]:
    """As float32 spells them: of six digits, dot products of 156 were 2e-4 off the model's."""
    return [[float(str(number)) for number in row] for row in rows]
