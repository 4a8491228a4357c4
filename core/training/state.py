"""A run's state on disk: enough to go on as if it had never stopped, and no pickle."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from core.manifest import sync

_FILE: Final = "state.safetensors"


def save_state(folder: Path, step: int, model: nn.Module, optimizer: torch.optim.Adam) -> None:
    """Write weights, Adam's moments, random state and step; the old state stays until then."""
    tensors: dict[str, Tensor] = {"step": torch.tensor(step), "rng": torch.get_rng_state()}
    for name, parameter in model.named_parameters():
        tensors[f"weight.{name}"] = parameter.detach().cpu()
        for key, value in optimizer.state[parameter].items():
            tensors[f"{key}.{name}"] = value.detach().cpu()
    partial = folder / f"{_FILE}.partial"
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, partial)
    sync([partial])
    partial.replace(folder / _FILE)
    sync([folder])


def has_state(folder: Path) -> bool:
    """Whether there is something to go on from."""
    return (folder / _FILE).is_file()


def load_state(folder: Path, model: nn.Module, optimizer: torch.optim.Adam) -> int:
    """Restore what `save_state` wrote, random state last.

    Returns:
        The step after which the run goes on.

    Raises:
        ValueError: when the file is damaged, or is of a model of other sizes.
    """
    try:
        tensors = load_file(folder / _FILE)
    except SafetensorError as error:
        raise ValueError("the saved state is damaged") from error
    for name, parameter in model.named_parameters():
        saved = tensors.get(f"weight.{name}")
        if saved is None or saved.shape != parameter.shape:
            raise ValueError("the saved state is of a model of other sizes")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(tensors[f"weight.{name}"])
            optimizer.state[parameter] = {
                key: tensors[f"{key}.{name}"].to(parameter.device if key != "step" else "cpu")
                for key in ("step", "exp_avg", "exp_avg_sq")
                if f"{key}.{name}" in tensors
            }
    torch.set_rng_state(tensors["rng"])
    return int(tensors["step"])
