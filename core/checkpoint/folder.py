"""A trained model as a folder: saved whole or not at all, loaded with no pickle anywhere."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import torch
from pydantic import ValidationError

from core.checkpoint.calibration import Calibration
from core.checkpoint.config import CheckpointConfig, config_of_json
from core.checkpoint.manifest import (
    CALIBRATION,
    CARD,
    CONFIG,
    FAMILIARITY,
    FIRST_TRACE,
    LIMITS,
    MANIFEST,
    RECIPE,
    WEIGHTS,
    Entry,
    Manifest,
    Storage,
    check_file,
    make_entry,
    read_file,
    read_manifest,
    sync,
)
from core.checkpoint.weights import read_weights, write_weights
from core.device import best_device
from core.errors import HeadlightError, unusable
from core.family import find
from core.nn.network import Network
from core.reasons import RefusedError, because, reason_of
from core.text.familiarity import Familiarity
from core.text.tokenizer import TOKENIZERS, Tokenizer, load_tokenizer

_EXTRAS: Final = (CARD, RECIPE, FIRST_TRACE, CALIBRATION)

M = TypeVar("M", bound=Network)


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint(Generic[M]):
    """An opened folder.

    Attributes:
        model: in eval mode, float32, on its device.
        familiarity: None where the folder has none.
        calibration: the same.
        card: text of README.md, "" where the folder has none.
    """

    folder: Path
    config: CheckpointConfig[Any]
    model: M
    tokenizer: Tokenizer
    familiarity: Familiarity | None
    calibration: Calibration | None
    manifest: Manifest
    card: str

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    @property
    def digest(self) -> str:
        """Identity of weights, configuration and tokenizer, in hex."""
        return self.manifest.digest


def save(
    folder: Path,
    config: CheckpointConfig[Any],
    model: Network,
    tokenizer: Tokenizer,
    *,
    step: int,
    seed: int,
    card: str | None = None,
    recipe: str | None = None,
    familiarity: Familiarity | None = None,
    storage: Storage = "float32",
) -> Manifest:
    """Write a checkpoint folder; whoever looks sees a whole one or none.

    All files are written and synced beside `folder` first, the manifest last. A new folder
    then appears by one rename. In a folder that exists, the old manifest goes first and the
    new one comes last, other files stay; a crash in between leaves a folder without a
    manifest, which nobody loads.

    Args:
        card: text of README.md; None keeps the one that `folder` has, if any. Its first trace and
            calibration stay where the model is the very same.
        recipe: text of recipe.toml.
        storage: smaller than float32, what is loaded then differs from `model`.

    Raises:
        ValueError: for a config that is not the model's or the tokenizer's, or a weight
            that is not finite as it would be stored.
        OSError: as the disk gives it.
    """
    if config.model != model.config or config.tokenizer != tokenizer.kind:
        raise ValueError("the configuration is not the model's and tokenizer's own")
    if tokenizer.size != config.model.vocab_size:
        raise ValueError(f"{tokenizer.size} pieces, but {config.model.vocab_size} embeddings")
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = folder.parent / f".{folder.name}.{secrets.token_hex(8)}.partial"
    staging.mkdir()
    try:
        write_weights(staging / WEIGHTS, model, storage)
        _write(staging / CONFIG, (config.model_dump_json(indent=2) + "\n").encode())
        tokenizer.save(staging)
        if familiarity is not None:
            familiarity.save(staging)
        if card is not None:
            _write(staging / CARD, card.encode())
        elif (folder / CARD).is_file():
            shutil.copyfile(folder / CARD, staging / CARD)
        if recipe is not None:
            _write(staging / RECIPE, recipe.encode())
        _keep_measured(folder, staging)
        names = sorted(path.name for path in staging.iterdir())
        sync([staging / name for name in names])
        files: dict[str, Entry] = {name: make_entry(staging, name) for name in names}
        manifest = Manifest(step=step, seed=seed, files=files)
        _write(staging / MANIFEST, manifest.serialise())
        _move(staging, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return manifest


def _keep_measured(folder: Path, staging: Path) -> None:
    """What was recorded and measured of the very same model stays with it."""
    try:
        before = read_manifest(folder).files
    except HeadlightError:
        return
    names = [path.name for path in staging.iterdir() if path.name not in _EXTRAS]
    same = {name: make_entry(staging, name) for name in names}
    if same != {name: entry for name, entry in before.items() if name not in _EXTRAS}:
        return
    for name in (FIRST_TRACE, CALIBRATION):
        if name in before and (folder / name).is_file():
            shutil.copyfile(folder / name, staging / name)


def seal(folder: Path) -> Manifest:
    """Bind the card, the recipe, the first trace and the calibration as they stand now.

    For after editing the card or storing one of the others. What computes must still be what
    the manifest says: a damaged weight cannot be sealed in.

    Raises:
        HeadlightError: as `load`.
    """
    manifest = read_manifest(folder)
    for name in manifest.files:
        if name not in _EXTRAS:
            check_file(folder, manifest, name)
    kept = {name: entry for name, entry in manifest.files.items() if name not in _EXTRAS}
    extras = {name: make_entry(folder, name) for name in _EXTRAS if (folder / name).exists()}
    sealed = Manifest(step=manifest.step, seed=manifest.seed, files={**kept, **extras})
    partial = folder / f".{MANIFEST}.partial"
    _write(partial, sealed.serialise())
    partial.replace(folder / MANIFEST)
    sync([folder])
    return sealed


def load(folder: Path, device: torch.device | None = None) -> Checkpoint[Any]:
    """Open a checkpoint folder after checking every byte of it.

    Args:
        device: None takes the best one here.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    manifest = read_manifest(folder)
    for name in (RECIPE, FIRST_TRACE):  # not read here, and still not to be trusted if altered
        if name in manifest.files:
            check_file(folder, manifest, name)
    config = read_config(folder, manifest)
    model = read_weights(folder, manifest, find(config.family).network, config.model)
    tokenizer = read_tokenizer(folder, manifest, config)
    familiarity = read_familiarity(folder, manifest, config)
    card = b"" if CARD not in manifest.files else read_file(folder, manifest, CARD)
    return Checkpoint(
        folder,
        config,
        model.to(device or best_device()).eval().requires_grad_(False),
        tokenizer,
        familiarity,
        read_calibration(folder, manifest),
        manifest,
        card.decode("utf-8", errors="replace"),
    )


def read_config(folder: Path, manifest: Manifest) -> CheckpointConfig[Any]:
    """`config.json`, digest and bounds checked.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    raw = read_file(folder, manifest, CONFIG)
    try:
        return config_of_json(raw)
    except (RefusedError, ValidationError) as error:
        raise unusable(folder, CONFIG, reason_of(error)) from error


def read_tokenizer(folder: Path, manifest: Manifest, config: CheckpointConfig[Any]) -> Tokenizer:
    """The tokenizer that `config.json` names, digest and size checked.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    name = TOKENIZERS[config.tokenizer]
    check_file(folder, manifest, name)
    tokenizer = load_tokenizer(config.tokenizer, folder)
    if tokenizer.size != config.model.vocab_size:
        reason = because("tokenizer_entries", count=tokenizer.size, wanted=config.model.vocab_size)
        raise unusable(folder, name, reason)
    return tokenizer


def read_familiarity(
    folder: Path, manifest: Manifest, config: CheckpointConfig[Any]
) -> Familiarity | None:
    """What training showed, digest and size checked; None where the folder has none.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    if FAMILIARITY not in manifest.files:
        return None
    check_file(folder, manifest, FAMILIARITY)
    familiarity = Familiarity.load(folder)
    if len(familiarity.pieces) != config.model.vocab_size:
        raise unusable(folder, FAMILIARITY, because("counts_foreign"))
    return familiarity


def read_calibration(folder: Path, manifest: Manifest) -> Calibration | None:
    """How sure it is where it is right, digest checked; None where the folder does not say.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered or checkpoint_invalid.
    """
    if CALIBRATION not in manifest.files:
        return None
    try:
        return Calibration.model_validate_json(read_file(folder, manifest, CALIBRATION))
    except ValidationError as error:
        raise unusable(folder, CALIBRATION, reason_of(error)) from error


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    sync([path])


def _move(staging: Path, folder: Path) -> None:
    """Put finished files where they belong, the manifest last."""
    sync([staging])
    if not folder.exists():
        staging.rename(folder)
    else:
        new = {path.name for path in staging.iterdir()}
        for name in (MANIFEST, *(name for name in LIMITS if name not in new)):
            (folder / name).unlink(missing_ok=True)
        sync([folder])
        for path in sorted(staging.iterdir(), key=lambda path: path.name == MANIFEST):
            path.replace(folder / path.name)
        sync([folder])
    sync([folder.parent])
