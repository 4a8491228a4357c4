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

from core.checkpoint.manifest import MEBIBYTE, WEIGHTS, Manifest, Storage, read_file
from core.errors import unusable
from core.nn.network import Network, Sizes
from core.reasons import Reason, because, reason_of

_FLOATS: Final = (torch.float16, torch.bfloat16, torch.float32)
_SCALE: Final = ":scale"  # behind the name of a matrix that is stored as whole numbers
_MOST: Final = 127


def write_weights(path: Path, model: Network, storage: Storage = "float32") -> None:
    """Each parameter once; the tied embedding has one name.

    Raises:
        ValueError: when a value would not be finite in that precision.
    """
    tensors: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        tensors |= _stored(name, tensor.detach().to("cpu", torch.float32), storage)
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise ValueError(f"{name} holds values that are not finite in {storage}")
    path.write_bytes(save(tensors))  # save_file would keep it from other users


def _stored(name: str, tensor: Tensor, storage: Storage) -> dict[str, Tensor]:
    """What a file holds of a float32 tensor, by name."""
    if storage == "int8" and tensor.dim() == 2:
        scale = tensor.abs().amax(dim=1) / _MOST
        whole = (tensor / scale.clamp_min(torch.finfo(torch.float32).tiny)[:, None]).round()
        return {name: whole.to(torch.int8), name + _SCALE: scale}
    dtype = torch.float32 if storage == "float32" else torch.float16
    return {name: tensor.to(dtype).contiguous()}


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
    if entry is not None and not count <= entry.bytes <= 4 * count + MEBIBYTE:
        reason = because("weights_size", size=entry.bytes, count=count)
        raise unusable(folder, WEIGHTS, reason)
    try:
        tensors = load(read_file(folder, manifest, WEIGHTS))
    except (SafetensorError, ValueError, KeyError) as error:
        raise unusable(folder, WEIGHTS, reason_of(error)) from error
    scales = {
        name: tensors.pop(name + _SCALE)
        for name in expected
        if name in tensors and tensors[name].dtype == torch.int8 and name + _SCALE in tensors
    }
    fault = _fault(expected, tensors, scales)
    if fault is not None:
        raise unusable(folder, WEIGHTS, fault)
    single = {name: tensor.to(torch.float32) for name, tensor in tensors.items()}
    for name, scale in scales.items():
        single[name] *= scale.to(torch.float32)[:, None]
    for name, tensor in single.items():
        if not tensor.isfinite().all():
            raise unusable(folder, WEIGHTS, because("tensor_infinite", tensor=name))
    model.load_state_dict(single, strict=True, assign=True)
    return model


def _fault(
    expected: Mapping[str, Tensor], tensors: Mapping[str, Tensor], scales: Mapping[str, Tensor]
) -> Reason | None:
    """What is wrong with the tensors of a file, if anything but their values."""
    if lacking := sorted(expected.keys() - tensors.keys()):
        return because("array_missing", array=lacking[0])
    if surplus := sorted(tensors.keys() - expected.keys()):
        return because("tensor_surplus", tensor=surplus[0])
    for name, tensor in tensors.items():
        if tensor.shape != expected[name].shape:
            return _misshapen(name, tensor, expected[name].shape)
        if tensor.dtype == torch.int8 and tensor.dim() == 2:
            if name not in scales:
                return because("array_missing", array=name + _SCALE)
        elif tensor.dtype not in _FLOATS:
            return because("tensor_type", tensor=name, dtype=str(tensor.dtype))
    for name, scale in scales.items():
        if scale.shape != tensors[name].shape[:1]:
            return _misshapen(name + _SCALE, scale, tensors[name].shape[:1])
        if scale.dtype not in _FLOATS:
            return because("tensor_type", tensor=name + _SCALE, dtype=str(scale.dtype))
    return None


def _misshapen(name: str, tensor: Tensor, shape: torch.Size) -> Reason:
    return because(
        "tensor_shape", tensor=name, found=str(tuple(tensor.shape)), wanted=str(tuple(shape))
    )
