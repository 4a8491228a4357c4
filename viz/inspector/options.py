"""How a trace is looked at beside the head and the step in view: each choice has one short text.

The same text stands in an address, travels between the browser and Python, and is an option of
`python -m viz export`. At its default a choice has none, so that short links stay short. The
browser's twin is web/options.js. Layers, heads, rows and columns count from 1 in the texts and
from 0 in here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from viz.inspector.spelling import (
    INDEX,
    NUMBER,
    SWITCH,
    Part,
    Spelling,
    decimal,
    one_of,
    pair,
    part,
)
from viz.text.refusals import because

Mode = Literal["matrix", "lines"]
Axis = Literal["query", "key"]
Order = Literal[
    "layer", "entropy", "distance", "diagonal", "previous", "next", "first", "special"
]  # fmt: skip
MOST_KEPT: Final = 7
"""Heads that are kept beside the chosen one: as many as there are colours for."""


@dataclass(frozen=True, slots=True)
class Options:
    """Choices that change a picture and not what it is a picture of.

    Attributes:
        pinned: (query, key) of a pinned cell of pieces, None for none.
        held: a pinned token: a whole query row or key column.
        zoom: the rows and columns of pieces in view, None for all.
        mode: the large head as a matrix or as lines.
        words: between words, not pieces.
        order: of the heads in the grid: the model's, or by a measured trait (`core.studies.heads`).
        top: how many of them, None for all.
        kept: (layer, head) of those whose lines are drawn beside the chosen one's.
        trim: share of each row's mass that is left out of the matrix.
        stretch: the scale ends at a head's own maximum.
        threshold: weights up to this are no lines.
        temperature, top_k, top_p: of the next token; 1, 0 and 1 change nothing.
        shaping: their sliders are in view.
        stages: Step shows the four whole matrices, not one row of them.
    """

    pinned: tuple[int, int] | None = None
    held: tuple[Axis, int] | None = None
    zoom: Part | None = None
    mode: Mode = "matrix"
    words: bool = False
    order: Order = "layer"
    top: int | None = None
    kept: tuple[tuple[int, int], ...] = ()
    trim: float = 0.0
    stretch: bool = False
    threshold: float = 0.06
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    shaping: bool = False
    stages: bool = False

    def unpinned(self) -> Options:
        """The same for another sentence, whose tokens are others."""
        return replace(self, pinned=None, held=None, zoom=None)


_HEAD: Final = pair(because("a_head"))
_LONGEST: Final = 100  # characters of a text
_AXIS: Final = one_of(get_args(Axis))


def _read_held(text: str) -> tuple[Axis, int]:
    axis, _, place = text.partition(".")
    return _AXIS.read(axis), INDEX.read(place)


def _read_kept(text: str) -> tuple[tuple[int, int], ...]:
    if len(text) > _LONGEST:
        raise ValueError(text)
    heads = tuple(dict.fromkeys(map(_HEAD.read, text.replace(",", " ").split(" "))))
    if len(heads) > MOST_KEPT:
        raise ValueError(text)
    return heads


SPELLINGS: Final[dict[str, Spelling[Any]]] = {
    "pinned": pair(because("a_cell")),
    "held": Spelling(
        _read_held, lambda held: f"{held[0]}.{INDEX.write(held[1])}", because("a_token")
    ),
    "zoom": part(because("a_part")),
    "mode": one_of(get_args(Mode)),
    "words": SWITCH,
    "order": one_of(get_args(Order)),
    "top": NUMBER,
    "kept": Spelling(
        _read_kept,
        lambda heads: " ".join(map(_HEAD.write, heads)),
        because("some_heads", most=MOST_KEPT),
    ),
    "trim": decimal(0, 0.5, 2),
    "stretch": SWITCH,
    "threshold": decimal(0, 0.5, 2),
    "temperature": decimal(0.1, 3, 1),
    "top_k": NUMBER,
    "top_p": decimal(0.05, 1, 2),
    "shaping": SWITCH,
    "stages": SWITCH,
}
"""How each choice is spelled, by its name."""
PLAIN: Final = Options()
OPTIONS: Final = tuple(field.name for field in fields(Options))
"""Names of all choices, as an address spells them."""


def change(options: Options, name: str, text: str) -> Options:
    """The same with one choice as spelled; "" stands for its default.

    Raises:
        ValueError: the text cannot be used.
    """
    value = SPELLINGS[name].read(text) if text else getattr(PLAIN, name)
    return replace(options, **{name: value})


def within(
    options: Options, shape: tuple[int, int], stacks: Collection[tuple[int, int]]
) -> Options:
    """The same without what there is not.

    Args:
        shape: rows and columns of the kind of attention in view.
        stacks: (layers, heads) of every kind that there is.
    """
    pinned, held = options.pinned, options.held
    if pinned is not None and not (pinned[0] < shape[0] and pinned[1] < shape[1]):
        pinned = None
    if held is not None and held[1] >= shape[0 if held[0] == "query" else 1]:
        held = None
    zoom = options.zoom and _inside(options.zoom, shape)
    kept = tuple(
        (layer, head)
        for layer, head in options.kept
        if any(layer < layers and head < heads for layers, heads in stacks)
    )
    return replace(options, pinned=pinned, held=held, zoom=zoom, kept=kept)


def _inside(zoom: Part, shape: tuple[int, int]) -> Part | None:
    """What there is of a part, None where that is nothing."""
    (top, bottom), (left, right) = zoom
    rows, columns = (top, min(bottom, shape[0])), (left, min(right, shape[1]))
    return (rows, columns) if top < rows[1] and left < columns[1] else None


def spell(options: Options) -> dict[str, str]:
    """The texts of all choices that are not at their default; `change` reads them back."""
    return {
        name: spelling.write(getattr(options, name))
        for name, spelling in SPELLINGS.items()
        if getattr(options, name) != getattr(PLAIN, name)
    }


def started(options: Options) -> dict[str, Any]:
    """What a component starts with: every choice by name, None for its default."""
    texts: Mapping[str, str] = spell(options)
    pinned = None if options.pinned is None else [at + 1 for at in options.pinned]
    return {**{name: texts.get(name) for name in OPTIONS}, "pinned": pinned}
