"""What is chosen on the Positions page, and how an address spells it. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from viz.inspector.spelling import INTEGER, Spelling, listed, one_of

Picture = Literal["heatmap", "waves", "dots", "rotation", "norm", "schemes"]
PICTURES: Final[tuple[Picture, ...]] = get_args(Picture)

MAX_LENGTH: Final = 2048
MIN_WIDTH: Final = 4
MAX_WIDTH: Final = 1024
MAX_DIMENSIONS: Final = 8
PRESETS: Final = (64, 512)
HEADS: Final = 8
"""Of ALiBi, as of `core.studies.schemes`, which needs torch."""

_SPELLINGS: Final[dict[str, Spelling[Any]]] = {
    "picture": one_of(PICTURES),
    "length": INTEGER,
    "width": INTEGER,
    "position": INTEGER,
    "offset": INTEGER,
    "dimensions": listed(INTEGER),
    "slope": INTEGER,
}
NAMES: Final = tuple(_SPELLINGS)
"""The parameters of an address, in the order in which they are read."""


@dataclass(frozen=True, slots=True)
class PositionsState:
    """What is chosen; always usable, see `fitted`.

    Attributes:
        picture: which of the six.
        length: positions in the table, 1 to 2,048.
        width: d_model, even, 4 to 1,024.
        position: p, 0 to length - 1.
        offset: k, -2,047 to 2,047.
        dimensions: columns drawn as curves, ascending; empty for `automatic`.
        slope: which of ALiBi's, by its head, 1 to 8.
    """

    picture: Picture = "heatmap"
    length: int = 128
    width: int = 64
    position: int = 10
    offset: int = 5
    dimensions: tuple[int, ...] = ()
    slope: int = 4

    @property
    def shown_dimensions(self) -> tuple[int, ...]:
        """What was chosen, else a choice from the shortest wave to a long one."""
        return self.dimensions or automatic(self.width)


def automatic(width: int) -> tuple[int, ...]:
    """Up to five dimensions of a width, even, from 4: a sine, its cosine, ever longer waves."""
    even = {part - part % 2 for part in (width // 8, width // 4, width // 2)}
    return tuple(sorted({0, 1} | even))


def fitted(state: PositionsState) -> PositionsState:
    """The nearest state that can be drawn: numbers into range, the width even."""
    length = _within(state.length, 1, MAX_LENGTH)
    width = _within(state.width, MIN_WIDTH, MAX_WIDTH)
    width -= width % 2
    dimensions = sorted({d for d in state.dimensions if 0 <= d < width})
    return replace(
        state,
        length=length,
        width=width,
        position=_within(state.position, 0, length - 1),
        offset=_within(state.offset, 1 - MAX_LENGTH, MAX_LENGTH - 1),
        dimensions=tuple(dimensions[:MAX_DIMENSIONS]),
        slope=_within(state.slope, 1, HEADS),
    )


def parse(query: Mapping[str, str]) -> tuple[PositionsState, tuple[str, ...]]:
    """The state that an address asks for.

    Args:
        query: parameters by name; unknown ones are passed over.

    Returns:
        The state, and the names of the parameters that could not be used as they stand;
        in their place stands the default, or the nearest value that fits.
    """
    state, refused = PositionsState(), []
    for name in NAMES:
        if name not in query:
            continue
        try:
            state = replace(state, **{name: _SPELLINGS[name].read(query[name])})
        except ValueError:
            refused.append(name)
    usable = fitted(state)
    # What was not asked for simply follows, as p does when the table is shorter than p.
    asked = [name for name in NAMES if name in query and name not in refused]
    refused += [name for name in asked if getattr(state, name) != getattr(usable, name)]
    return usable, tuple(refused)


def spell(state: PositionsState) -> dict[str, str]:
    """The parameters of a state; `parse` reads them back."""
    return {name: spelling.write(getattr(state, name)) for name, spelling in _SPELLINGS.items()}


def _within(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)
