"""A Transformer's weights as a safetensors file, checked against the sizes it must have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from core.manifest import MEBIBYTE, WEIGHTS, Manifest, invalid, read_file, reason_of
from core.nn.transformer import Transformer, TransformerConfig

_FLOATS: Final = (torch.float16, torch.bfloat16, torch.float32)


def write_weights(path: Path, model: Transformer, *, half: bool = False) -> None:
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


def read_weights(folder: Path, manifest: Manifest, config: TransformerConfig) -> Transformer:
    """The model of a checkpoint folder in float32 on the CPU.

    Nothing is allocated before the file's size fits what `config` implies.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    with torch.device("meta"):
        model = Transformer(config)
    expected = model.state_dict()
    count = sum(tensor.numel() for tensor in expected.values())
    entry = manifest.files.get(WEIGHTS)
    if entry is not None and not 2 * count <= entry.bytes <= 4 * count + MEBIBYTE:
        reason = f"{entry.bytes:,} bytes cannot be the {count:,} parameters of config.json"
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


def _fault(expected: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> str | None:
    """What is wrong with the tensors of a file, if anything."""
    if lacking := sorted(expected.keys() - found.keys()):
        return f"{lacking[0]} is missing"
    if surplus := sorted(found.keys() - expected.keys()):
        return f"{surplus[0]} does not belong to this model"
    for name, tensor in found.items():
        if tensor.shape != expected[name].shape:
            return f"{name} is {tuple(tensor.shape)}, not {tuple(expected[name].shape)}"
        if tensor.dtype not in _FLOATS:
            return f"{name} is {tensor.dtype}, not a float of 16 or 32 bits"
        if not tensor.isfinite().all():
            return f"{name} holds values that are not finite"
    return None
