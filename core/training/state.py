"""A run's state on disk: enough to go on as if it had never stopped, and no pickle.

Order of batches and dropout are pure functions of the recipe's seed and the step, so no
random state is part of it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import torch
from pydantic import BaseModel, ConfigDict, Field
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from core.checkpoint.manifest import sync
from core.errors import HeadlightError
from core.reasons import RefusedError
from core.training.precision import Precision

_TENSORS: Final = "state.safetensors"
_POSITION: Final = "state.json"
_PARTIAL: Final = ".partial"
_MOMENTS: Final = ("step", "exp_avg", "exp_avg_sq")


class Position(BaseModel):
    """How far a run is.

    Attributes:
        step: updates made.
        data: digest of the training examples in ids.
        lowest: mean validation loss of the best step so far, in nats a token.
        waited: validations since then.
        precision: of the matrix products, which a run keeps however fast the other one is where
            it goes on; None in states from before recipes could leave it open.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: Annotated[int, Field(ge=0)] = 0
    data: str
    lowest: float | None = None
    waited: Annotated[int, Field(ge=0)] = 0
    precision: Precision | None = None


class _Sealed(BaseModel):
    """`state.json`, written last: the position, and the digest of the tensors beside it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    position: Position
    sha256: str


def save_state(
    work: Path,
    position: Position,
    model: nn.Module,
    optimizer: torch.optim.Adam,
    *,
    keep: int,
    every: int,
) -> None:
    """Write weights, Adam's moments and position as one more folder; the old ones stay until then.

    Args:
        work: the folder of the states.
        keep: regular states that stay; of all the newest two do, since a damaged newest one must
            leave another.
        every: steps from one regular state to the next; a run is stopped with others in between.

    Raises:
        OSError: as the disk gives it; nothing of the new state is left then.
    """
    folder = work / f"state-{position.step:08d}"
    partial = folder.with_name(folder.name + _PARTIAL)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir()
        data = save(_tensors(model, optimizer))
        (partial / _TENSORS).write_bytes(data)
        sealed = _Sealed(position=position, sha256=hashlib.sha256(data).hexdigest())
        (partial / _POSITION).write_text(sealed.model_dump_json(), encoding="utf-8")
        sync([partial / _TENSORS, partial / _POSITION, partial])
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
        sync([work])
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    for old in {*_folders(work)[2:]} - {*_regular(work, every)[:keep]}:
        shutil.rmtree(old)


def has_state(work: Path) -> bool:
    """Whether there is something to go on from."""
    return bool(_folders(work))


def load_state(
    work: Path, model: nn.Module, optimizer: torch.optim.Adam
) -> tuple[Position | None, tuple[Path, ...]]:
    """Restore the newest state that is whole.

    Returns:
        Where the run goes on, None where nothing was saved; and the damaged states before it.

    Raises:
        HeadlightError: run_damaged when states were saved and none is whole.
        ValueError: when the state is of a model of other sizes.
    """
    damaged: list[Path] = []
    for folder in _folders(work):
        try:
            position, tensors = _read(folder)
        except (OSError, ValueError, SafetensorError):
            damaged.append(folder)
            continue
        _restore(tensors, model, optimizer)
        return position, tuple(damaged)
    if damaged:
        raise HeadlightError("run_damaged", path=str(work))
    return None, ()


@torch.no_grad()
def average_weights(work: Path, model: nn.Module, count: int, every: int) -> None:
    """Give the model the mean of the newest `count` states' weights (Section 6.1).

    They are those of a run that was never stopped: the last and regular ones.

    Args:
        every: as `save_state`.

    Raises:
        HeadlightError: state_damaged when one of them is.
    """
    states = []
    for folder in _regular(work, every)[:count]:
        try:
            states.append(_read(folder)[1])
        except (OSError, ValueError, SafetensorError) as error:
            raise HeadlightError("state_damaged", path=str(folder)) from error
    for name, parameter in model.named_parameters():
        weights = torch.stack([tensors[f"weight.{name}"].double() for tensors in states])
        parameter.copy_(weights.mean(dim=0))


def _folders(work: Path) -> list[Path]:
    """Newest first; what a crash left half-written is not among them."""
    found: Iterable[Path] = work.glob("state-*")
    return sorted((path for path in found if path.suffix != _PARTIAL), reverse=True)


def _regular(work: Path, every: int) -> list[Path]:
    """The newest, and those before it that are not of a stop in between."""
    newest, *older = _folders(work)
    steps = {folder: int(folder.name.removeprefix("state-")) for folder in older}
    return [newest, *(folder for folder, step in steps.items() if step % every == 0)]


def _tensors(model: nn.Module, optimizer: torch.optim.Adam) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        tensors[f"weight.{name}"] = parameter
        for key in _MOMENTS:
            if key in optimizer.state[parameter]:
                tensors[f"{key}.{name}"] = optimizer.state[parameter][key]
    tensors |= {f"counted.{name}": tensor for name, tensor in _counted(model).items()}
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _counted(model: nn.Module) -> dict[str, Tensor]:
    """What a checkpoint holds and no gradient moves, as what a skip-gram has seen."""
    weights = dict(model.named_parameters())
    return {name: tensor for name, tensor in model.state_dict().items() if name not in weights}


def _read(folder: Path) -> tuple[Position, dict[str, Tensor]]:
    data = (folder / _TENSORS).read_bytes()
    sealed = _Sealed.model_validate_json((folder / _POSITION).read_bytes())
    if hashlib.sha256(data).hexdigest() != sealed.sha256:
        raise ValueError(f"{folder}: {_TENSORS} is damaged")
    return sealed.position, load(data)


@torch.no_grad()
def _restore(tensors: dict[str, Tensor], model: nn.Module, optimizer: torch.optim.Adam) -> None:
    for name, parameter in model.named_parameters():
        saved = tensors.get(f"weight.{name}")
        if saved is None or saved.shape != parameter.shape:
            raise RefusedError("run_sizes")
        parameter.copy_(saved)
        optimizer.state[parameter] = {
            key: tensors[f"{key}.{name}"].to(parameter.device)
            for key in _MOMENTS
            if f"{key}.{name}" in tensors
        }
    for name, tensor in _counted(model).items():
        saved = tensors.get(f"counted.{name}")
        if saved is None or saved.shape != tensor.shape:
            raise RefusedError("run_sizes")
        tensor.copy_(saved)  # it shares its storage with the model's
