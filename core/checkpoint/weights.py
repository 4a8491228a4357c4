"""A network's weights as a safetensors file, checked against the sizes it must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.checkpoint.manifest import MEBIBYTE, WEIGHTS, Manifest, invalid, read_file
from core.nn.network import Network, Sizes
from core.reasons import Reason, because, reason_of

_FLOATS: Final = (torch.float16, torch.bfloat16, torch.float32)


def write_weights(path: Path, model: Network, *, half: bool = False) -> None:
    """Each parameter once, in float16 or float32; the tied embedding has one name.

    Raises:
        ValueError: when a value would not be finite in that precision.
    """
    dtype = torch.float16 if half else torch.float32
    tensors = {
        name: tensor.detach().to("cpu", dtype).contiguous()
        for name, tensor in model.state_dict().items()
    }
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise ValueError(f"{name} holds values that are not finite in {dtype}")
    path.write_bytes(save(tensors))  # save_file would keep it from other users


class _Unfilled(TorchFunctionMode):
    """Tensors without values are not initialised: for that, torch imports its compiler (1.2 s)."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        given = kwargs or {}
        return given["tensor"] if func is nn.init.normal_ else func(*args, **given)


def read_weights(
    folder: Path, manifest: Manifest, build: Callable[[Any], Network], sizes: Sizes
) -> Network:
    """The model of a checkpoint folder in float32 on the CPU.

    Nothing is allocated before the file's size fits what the sizes imply.

    Args:
        build: the network of its sizes.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    with torch.device("meta"), _Unfilled():
        model = build(sizes)
    expected = model.state_dict()
    count = sum(tensor.numel() for tensor in expected.values())
    entry = manifest.files.get(WEIGHTS)
    if entry is not None and not 2 * count <= entry.bytes <= 4 * count + MEBIBYTE:
        reason = because("weights_size", size=entry.bytes, count=count)
        raise invalid(folder, WEIGHTS, reason)
    try:
        tensors = load(read_file(folder, manifest, WEIGHTS))
    except (SafetensorError, ValueError, KeyError) as error:
        raise invalid(folder, WEIGHTS, reason_of(error)) from error
    fault = _fault(expected, tensors)
    if fault is not None:
        raise invalid(folder, WEIGHTS, fault)
    single = {name: tensor.to(torch.float32) for name, tensor in tensors.items()}
    model.load_state_dict(single, strict=True, assign=True)
    return model


def _fault(expected: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> Reason | None:
    """What is wrong with the tensors of a file, if anything."""
    if lacking := sorted(expected.keys() - tensors.keys()):
        return because("array_missing", array=lacking[0])
    if surplus := sorted(tensors.keys() - expected.keys()):
        return because("tensor_surplus", tensor=surplus[0])
    for name, tensor in tensors.items():
        if tensor.shape != expected[name].shape:
            found, wanted = str(tuple(tensor.shape)), str(tuple(expected[name].shape))
            return because("tensor_shape", tensor=name, found=found, wanted=wanted)
        if tensor.dtype not in _FLOATS:
            return because("tensor_type", tensor=name, dtype=str(tensor.dtype))
        if not tensor.isfinite().all():
            return because("tensor_infinite", tensor=name)
    return None
