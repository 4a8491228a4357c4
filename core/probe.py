"""What a caller records and edits during one pass of a model: an argument, never a hook.

What can be looked at has a name (`Record`, or `Place` where it can be edited), a site (which
attention, or which stack of layers) and a layer, so that it is recorded and edited under one
address. A `Probe` gives each sub-layer a `Spot`; an `Edit` is one thing that it changes there.
Nothing here imports torch: requests, pages and trace files name edits without it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt
from pydantic import ConfigDict, TypeAdapter

from core.reasons import Reason, RefusedError
from core.trace.axes import AXES, STACKS, Axis, Kind, Stack

if TYPE_CHECKING:
    from torch import Size, Tensor

Place = Literal["scores", "mask", "weights", "outputs", "residual"]
"""What can be edited: scores q·k / sqrt(d_k) before the mask; the mask; weights after the softmax;
what each head mixed of its values, before W^O; the residual stream that a layer reads."""

Record = Literal["queries", "keys", "scores", "mask", "weights", "outputs", "residual"]
"""What can be recorded: the same, and what enters q·k."""

Site = Kind | Stack
How = Literal["set", "scale", "add"]
Value = float | tuple[float, ...] | tuple[tuple[float, ...], ...]

PLACES: Final[frozenset[Place]] = frozenset(get_args(Place))
RECORDS: Final[frozenset[Record]] = frozenset(get_args(Record))
OF_ATTENTION: Final[frozenset[Record]] = RECORDS - {"outputs", "residual"}
"""What every trace asks to be recorded; a family keeps what it has of it."""


def value_of(numbers: npt.ArrayLike) -> Value:
    """Numbers as an edit takes them.

    Args:
        numbers: (), (column,) or (row, column), such as what a trace recorded of another run.

    Raises:
        RefusedError: they have more axes.
    """
    array = np.asarray(numbers, np.float64)
    if array.ndim > 2:
        raise RefusedError("edit_numbers")
    if array.ndim == 2:
        return tuple(map(tuple, array.tolist()))
    return tuple(array.tolist()) if array.ndim else float(array)


def _flat(value: Value) -> list[float]:
    if not isinstance(value, tuple):
        return [value]
    return [number for row in value for number in (row if isinstance(row, tuple) else (row,))]


def _plain(value: Any) -> Any:
    """The same without numpy's numbers, which no file of ours spells."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value if type(value) in (int, float) else float(value)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change during a pass.

    b_O belongs to no head: without any head's output, a sub-layer still adds it.

    Attributes:
        place: what is changed.
        site: which attention; of "residual" the stack.
        how: the value is put in its place, multiplied, or added; a mask is only set.
        value: one number; or one for each of `columns`; or rows of such, one for each of `rows`
            (`value_of` makes it of an array). Of a mask 1 (may attend) or 0.
        layer: from 0; None: every one. Of "residual" the layer that reads the stream; their number
            is what the last of them leaves.
        head: from 0; None: every one. Of "residual" there is none.
        rows: positions of the queries, or of the stream, from 0; None: all.
        columns: positions of the keys; of "outputs" and "residual" numbers of a vector; None: all.

    Raises:
        RefusedError: the parts do not fit each other.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")  # a misspelt name is no default

    place: Place
    site: Site
    how: How = "set"
    value: Value = 0.0
    layer: int | None = None
    head: int | None = None
    rows: tuple[int, ...] | None = None
    columns: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        residual = self.place == "residual"
        if self.place not in PLACES or self.site not in (STACKS if residual else AXES):
            raise RefusedError("edit_site", place=self.place, site=self.site)
        if residual and self.head is not None:
            raise RefusedError("edit_headless")
        if self.how not in get_args(How):
            raise RefusedError("edit_how", how=self.how)
        numbers = _flat(self.value)
        if not all(isinstance(number, Real) for number in numbers):
            raise RefusedError("edit_numbers")
        if not all(map(math.isfinite, numbers)):
            raise RefusedError("edit_infinite")
        object.__setattr__(self, "value", _plain(self.value))
        if self.place == "mask" and (self.how != "set" or not set(numbers) <= {0.0, 1.0}):
            raise RefusedError("edit_mask")
        if self.place == "weights" and min(numbers, default=0.0) < 0:
            raise RefusedError("edit_weights")
        chosen = (*(self.rows or ()), *(self.columns or ()), self.layer or 0, self.head or 0)
        if min(chosen) < 0:
            raise RefusedError("edit_negative")
        if not self._even():
            raise RefusedError("edit_values")

    def _even(self) -> bool:
        """Whether there are as many numbers as places, where either is counted."""
        if not isinstance(self.value, tuple):
            return True
        if not self.value:
            return False
        rows = [row for row in self.value if isinstance(row, tuple)]
        if rows and (len(rows) < len(self.value) or len(rows) != len(self.rows or rows)):
            return False
        widths = {len(row) for row in rows} or {len(self.value)}
        return len(widths) == 1 and (self.columns is None or widths == {len(self.columns)})

    def rows_given(self) -> int | None:
        """For how many rows it has values of their own; None where all have the same."""
        value = self.value
        return len(value) if isinstance(value, tuple) and isinstance(value[0], tuple) else None

    def extent(self, lengths: Mapping[Axis, int], width: int) -> tuple[int, int]:
        """Rows and columns of what it changes.

        Args:
            lengths: tokens of each axis.
            width: numbers of a vector of "outputs" or "residual".
        """
        if self.site == "encoder" or self.site == "decoder":
            return lengths[STACKS[self.site]], width
        axes = AXES[self.site]
        return lengths[axes.query], width if self.place == "outputs" else lengths[axes.key]

    def placed(self) -> Edit:
        """The same with rows and columns named where it has values of their own for them.

        What is written token by token has not all of them yet, and goes on beyond them.
        """
        if not isinstance(self.value, tuple):
            return self
        given, (first, *_) = self.rows_given(), self.value
        rows, columns = self.rows, self.columns
        if rows is None and given is not None:
            rows = tuple(range(given))
        if columns is None:
            columns = tuple(range(len(first if isinstance(first, tuple) else self.value)))
        return replace(self, rows=rows, columns=columns)

    def meets(self, site: Site, layer: int) -> bool:
        """Whether it changes anything there."""
        return self.site == site and self.layer in (None, layer)

    def apply(self, x: Tensor, positions: Sequence[int], first: int = 0) -> Tensor:
        """A changed copy; of what `LIFTED_MASK` lifts, what comes after a row's own position.

        Args:
            x: (batch, head, row, column), or (batch, row, column) of a residual stream.
            positions: of each row in its sequence.
            first: the position of the first key.

        Raises:
            RefusedError: the value is of another width than x.
        """
        width = x.shape[-1]
        if self == LIFTED_MASK:
            return x | x.new_tensor(first + np.arange(width) > np.array(positions)[:, None])
        if self.place in ("outputs", "residual"):
            first = 0  # of a vector
        chosen, there = self.rows, range(first, first + width)
        rows = [at for at, one in enumerate(positions) if chosen is None or one in chosen]
        columns = there if self.columns is None else self.columns
        kept = [at for at, column in enumerate(columns) if column in there]
        if not rows or not kept:
            return x
        values = x.new_tensor(self.value)
        if values.dim() and values.shape[-1] != len(columns):
            raise RefusedError("edit_width", count=values.shape[-1], wanted=width)
        if values.dim() == 2:
            own = range(len(values)) if self.rows is None else self.rows
            if not {positions[at] for at in rows} <= set(own):
                raise RefusedError("edit_width", count=len(values), wanted=len(positions))
            values = values[[list(own).index(positions[at]) for at in rows]]
        if values.dim():
            values = values[..., kept]
        edited = x.clone()
        part = edited if self.head is None else edited[:, self.head : self.head + 1]
        cells = (..., [[row] for row in rows], [columns[at] - first for at in kept])
        if self.how == "scale":
            values = part[cells] * values
        elif self.how == "add":
            values = part[cells] + values
        part[cells] = values
        return edited


LIFTED_MASK: Final = Edit("mask", "decoder_self", value=1.0)
"""The decoder may look at what it has not written yet, and at what it might before: a window is no
part of what is lifted."""

_EDITS: Final = TypeAdapter(tuple[Edit, ...])


def edits_as_json(edits: Sequence[Edit]) -> str:
    """Edits as a trace file's meta holds them."""
    return _EDITS.dump_json(tuple(edits), exclude_defaults=True).decode()


def edits_of_json(text: str) -> tuple[Edit, ...]:
    """The same, read again.

    Raises:
        ValueError: it is no such text; pydantic says why.
    """
    return _EDITS.validate_json(text)


class MisfitError(RefusedError):
    """An edit does not fit what it meets during a pass.

    Attributes:
        edit: which of all.
    """

    def __init__(self, edit: Edit, reason: Reason) -> None:
        super().__init__(reason.code, **reason.parameters)
        self.edit = edit


class Spot(Protocol):
    """One site and layer of a pass, as a sub-layer sees it: hands back what goes on from there."""

    def __call__(self, record: Record, x: Tensor, shape: Size | None = None) -> Tensor:
        """Hand in x as it was computed; what comes back goes on.

        Args:
            shape: what x is broadcast to, where that is more.

        Raises:
            MisfitError: an edit's value is of another width than x.
        """
        ...


def untouched(record: Record, x: Tensor, shape: Size | None = None) -> Tensor:
    """The spot where nothing is recorded or edited."""
    return x


@dataclass(frozen=True, slots=True)
class Probe:
    """What is recorded and edited during one pass.

    Attributes:
        record: kept, as it is after all edits of it.
        edits: made one after another.
        first: the position, as edits count, of the first token that this pass reads.
        found: what was recorded, by record, site and layer.
    """

    record: frozenset[Record] = frozenset()
    edits: tuple[Edit, ...] = ()
    first: int = 0
    found: dict[tuple[Record, Site, int], Tensor] = field(default_factory=dict)

    def at(self, site: Site, layer: int, positions: Sequence[int]) -> Spot:
        """The spot of a site and layer.

        Args:
            layer: from 0.
            positions: in what this pass reads, of the rows that it computes.
        """
        edits = [edit for edit in self.edits if edit.meets(site, layer)]
        if not edits and not self.record:
            return untouched

        def spot(record: Record, x: Tensor, shape: Size | None = None) -> Tensor:
            for edit in edits:
                if edit.place == record:
                    x = x if shape is None else x.expand(shape)
                    # Beams of one source ask as one row: the same positions again for each.
                    times = x.shape[-2] // max(1, len(positions))
                    rows = [self.first + at for at in positions] * times
                    try:
                        x = edit.apply(x, rows, self.first)
                    except RefusedError as error:
                        raise MisfitError(edit, error.reason) from error
            if record in self.record:
                self.found[record, site, layer] = x
            return x

        return spot

    def layers(self, record: Record, site: Site) -> list[Tensor]:
        """What was recorded of a site, layer by layer."""
        layers = sorted(layer for what, at, layer in self.found if (what, at) == (record, site))
        return [self.found[record, site, layer] for layer in layers]


UNPROBED: Final = Probe()
"""Records and edits nothing."""
