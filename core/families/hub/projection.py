"""W^O of each attention of a Hugging Face model: found by what it computes, not by its name.

During one pass every function of torch is watched. That which takes in what our attention function
answered, heads side by side, and gives its product with a matrix, is W^O; where another one does,
too, or none, nothing is said of what heads add.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from core.probe import Probe, Site

TOLERANCE: Final = 1e-4
"""How far numbers in float32 may be from the same computed in another way; of numbers beyond 1, of
the largest: T5 has logits of hundreds, whose last digits are further apart than that."""
_HALF_TOLERANCE: Final = 5e-2
"""The same in half precision, whose bfloat16 tells numbers apart by 0.4 %, at each operation."""

Place = tuple[Site, int]


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """What an attention writes by.

    Attributes:
        weight: W^O, (d_model, head * d_v): the model's own.
        straight: what it gives is added to something as it is; else something stands between, such
            as another norm.
    """

    weight: Tensor
    straight: bool


@dataclass(slots=True, eq=False)
class _Written:
    """A product of what an attention answered."""

    weight: Tensor
    product: Tensor
    added: bool = False


class Watch(TorchFunctionMode):
    """Sees what becomes of the heads' outputs that a probe records, while a pass goes on within.

    Args:
        probe: of the pass; it records outputs.
    """

    def __init__(self, probe: Probe) -> None:
        super().__init__()
        self._probe = probe
        self._written: dict[Place, list[_Written]] = {}

    def projections(self) -> Mapping[Place, Projection]:
        """Those that are proven."""
        return {
            place: Projection(written[0].weight, written[0].added)
            for place, written in self._written.items()
            if len(written) == 1
        }

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        given = kwargs or {}
        result = func(*args, **given)
        if isinstance(result, Tensor):
            inputs = [x for x in (*args, *given.values()) if isinstance(x, Tensor)]
            self._multiplied(inputs, result)
            self._added(inputs, result)
        return result

    def _multiplied(self, inputs: Sequence[Tensor], result: Tensor) -> None:
        matrices = [x for x in inputs if x.dim() == 2]
        if len(inputs) < 2 or not matrices:
            return
        for (record, kind, layer), mixed in self._probe.found.items():
            if record != "outputs":
                continue
            given = mixed.transpose(1, 2).flatten(2)
            if any(_same(x, given) for x in inputs):
                weight = _factor(matrices, inputs, given, result)
                if weight is not None:
                    own = self._written.setdefault((kind, layer), [])
                    own.append(_Written(weight, result))

    def _added(self, inputs: Sequence[Tensor], result: Tensor) -> None:
        for written in (one for own in self._written.values() for one in own):
            if written.added or len(inputs) != 2:
                continue
            one, other = inputs
            if _same(one, written.product) or _same(other, written.product):
                written.added = one.shape == other.shape and _close(result, one + other)


def _factor(
    matrices: Sequence[Tensor], inputs: Sequence[Tensor], given: Tensor, result: Tensor
) -> Tensor | None:
    """(d_out, d_in) by which the result is the product of what was given, a bias added or none."""
    for matrix in matrices:
        for weight in (matrix, matrix.mT):
            if weight.shape[1] != given.shape[-1] or _same(matrix, given):
                continue
            product = given @ weight.mT
            if result.numel() != product.numel():
                continue
            found = result.reshape(product.shape)
            biases = [x for x in inputs if x.shape == weight.shape[:1]]
            if any(_close(found, wanted) for wanted in (product, *(product + b for b in biases))):
                return weight
    return None


def _same(x: Tensor, y: Tensor) -> bool:
    """Whether one is the other, whatever its rows are called."""
    rows = x.numel() == y.numel() and x.shape[-1:] == y.shape[-1:]
    return rows and bool(torch.equal(x.reshape(y.shape), y))


def tolerance(dtype: torch.dtype) -> float:
    """How far numbers may be apart that ought to be the same."""
    return TOLERANCE if dtype == torch.float32 else _HALF_TOLERANCE


def _close(x: Tensor, y: Tensor) -> bool:
    far = float((x - y).abs().max()) if x.shape == y.shape else float("inf")
    return far <= tolerance(y.dtype) * max(1.0, float(y.abs().max()))
