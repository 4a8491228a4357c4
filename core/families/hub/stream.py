"""The residual stream of a Hugging Face model: what each layer reads, and what the last one leaves.

Which modules are the layers is found by what they do: their calls pass one tensor on, each reads
what the one before it has left. transformers tells of the stream, too (`output_hidden_states`), but
the last of what it tells has been through the final norm, and nothing of it can be edited. So each
layer has two hooks, as transformers' own capture has (`utils/output_capturing.py`): they look for
the capture of this pass and, where there is none, do nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from core.families.hub.capture import Capture, Layer, Stream, current
from core.trace import Stack

_NAME: Final = "hidden_states"
"""What transformers' layers call the stream, where it does not come first."""


class Hooks:
    """Those of all modules that may be layers: elements of lists that are in no other list."""

    def __init__(self, model: nn.Module) -> None:
        self._handles = {
            id(module): (
                module.register_forward_pre_hook(_enter, with_kwargs=True),
                module.register_forward_hook(_leave, with_kwargs=True),
            )
            for module in _listed(model)
        }

    def keep(self, modules: Mapping[int, Stack]) -> None:
        """Removes those of all others."""
        for own in self._handles.keys() - modules.keys():
            handles: tuple[RemovableHandle, ...] = self._handles.pop(own)
            for handle in handles:
                handle.remove()


def streams_of(
    calls: Sequence[Layer], stacks: Mapping[int, Stack], layers: Mapping[Stack, int]
) -> tuple[Mapping[Stack, Stream], Mapping[int, Stack]]:
    """The stacks whose stream was found, and of which of them each module is a layer.

    Args:
        calls: of all that may be a layer, during one pass.
        stacks: by how many positions of the pass were theirs.
        layers: how many each stack has, by its attention.
    """
    streams: dict[Stack, Stream] = {}
    modules: dict[int, Stack] = {}
    for positions, stack in stacks.items():
        own = [one for one in calls if one.read.shape[:2] == (1, positions)]
        shapes = {x.shape for one in own for x in (one.read, one.left)}
        passed = all(torch.equal(one.left, after.read) for one, after in pairwise(own))
        if own and len(own) == layers.get(stack) and len(shapes) == 1 and passed:
            streams[stack] = Stream(len(own), own[0].read.shape[2])
            modules |= {id(one.module): stack for one in own}
    return streams, modules


def _listed(module: nn.Module) -> Iterator[nn.Module]:
    """Elements of the outermost lists."""
    if isinstance(module, nn.ModuleList):
        yield from module
        return
    for child in module.children():
        yield from _listed(child)


def _enter(module: nn.Module, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Before a layer: the stream that it goes on with."""
    capture, x = current(), _read(args, named)
    if capture is None or x is None or (stack := capture.stacks.get(id(module))) is None:
        return None
    layer = capture.calls[stack]
    capture.calls[stack] += 1
    edited = _shown(capture, stack, layer, x)
    if edited is x:
        return None
    return ((edited, *args[1:]), named) if args else (args, {**named, _NAME: edited})


def _leave(module: nn.Module, args: tuple[Any, ...], named: dict[str, Any], left: Any) -> Any:
    """After a layer: of the last, what goes on from there."""
    capture, x = current(), _first(left)
    if capture is None or x is None:
        return None
    if capture.layers is not None and (read := _read(args, named)) is not None:
        capture.layers.append(Layer(module, read, x))
    stack = capture.stacks.get(id(module))
    if stack is None or capture.calls[stack] < capture.streams[stack].layers:
        return None
    edited = _shown(capture, stack, capture.calls[stack], x)
    if edited is x:
        return None
    return (edited, *left[1:]) if isinstance(left, tuple) else edited


def _shown(capture: Capture, stack: Stack, layer: int, x: Tensor) -> Tensor:
    return capture.probe.at(stack, layer, capture.rows(x.shape[1]))("residual", x)


def _read(args: tuple[Any, ...], named: dict[str, Any]) -> Tensor | None:
    return _stream(args[0] if args else named.get(_NAME))


def _first(left: Any) -> Tensor | None:
    return _stream(left[0] if isinstance(left, tuple) and left else left)


def _stream(x: Any) -> Tensor | None:
    """(batch, position, d_model), or no stream."""
    return x if isinstance(x, Tensor) and x.dim() == 3 and x.is_floating_point() else None
