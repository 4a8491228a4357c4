"""What is wrong with a checkpoint folder, all of it rather than the first thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.checkpoint.folder import read_calibration, read_config, read_familiarity, read_tokenizer
from core.checkpoint.manifest import (
    CALIBRATION,
    CARD,
    CONFIG,
    FAMILIARITY,
    FIRST_TRACE,
    LIMITS,
    MANIFEST,
    WEIGHTS,
    Manifest,
    check_file,
    read_manifest,
)
from core.checkpoint.weights import read_weights
from core.errors import HeadlightError, unusable
from core.family import find
from core.reasons import because
from core.text.tokenizer import TOKENIZERS
from core.trace import load_trace

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        file: of the folder.
        message: one English sentence.
        serious: True when the folder cannot be loaded, or would show something false.
    """

    file: str
    message: str
    serious: bool


def verify(folder: Path) -> list[Finding]:
    """Check a folder as `core.checkpoint.folder.load` would, without stopping at the first fault.

    Returns:
        Serious findings first; empty for a whole checkpoint.
    """
    errors: list[HeadlightError] = []
    notes: list[Finding] = []
    manifest = _attempt(errors, lambda: read_manifest(folder))
    if manifest is not None:
        names = dict.fromkeys((*manifest.files, CONFIG, WEIGHTS))  # every checkpoint has the two
        sound = {name for name in names if _sound(errors, folder, manifest, name)}
        if CONFIG in sound:
            _check_contents(errors, folder, manifest, sound)
        notes = _notes(folder, manifest)
    serious = [
        Finding(str(error.parameters.get("file", folder)), str(error), True) for error in errors
    ]
    return serious + notes


def _check_contents(
    errors: list[HeadlightError], folder: Path, manifest: Manifest, sound: set[str]
) -> None:
    config = _attempt(errors, lambda: read_config(folder, manifest))
    if config is None:
        return
    if WEIGHTS in sound:
        build = find(config.family).network
        _attempt(errors, lambda: read_weights(folder, manifest, build, config.model))
    tokenizer_file = TOKENIZERS[config.tokenizer]
    if tokenizer_file in sound or tokenizer_file not in manifest.files:
        _attempt(errors, lambda: read_tokenizer(folder, manifest, config))
    if FAMILIARITY in sound:
        _attempt(errors, lambda: read_familiarity(folder, manifest, config))
    if CALIBRATION in sound:
        _attempt(errors, lambda: read_calibration(folder, manifest))
    if FIRST_TRACE in sound:
        _attempt(errors, lambda: _check_first_trace(folder, manifest))


def _check_first_trace(folder: Path, manifest: Manifest) -> None:
    """That the stored trace is one, and is of this very model."""
    trace = load_trace(folder / FIRST_TRACE)
    if trace.meta.get("checkpoint") != manifest.digest:
        raise unusable(folder, FIRST_TRACE, because("trace_foreign"))


def _notes(folder: Path, manifest: Manifest) -> list[Finding]:
    """What a folder may lack, and should not."""
    notes: list[Finding] = []
    if not (folder / CARD).exists():
        notes.append(Finding(CARD, f"{folder} has no {CARD}: nobody can tell what it is", False))
    for name in sorted(LIMITS.keys() - manifest.files.keys() - {MANIFEST}):
        if (folder / name).exists():
            message = f"{name} in {folder} is not bound by the manifest, so it is not used"
            notes.append(Finding(name, message, False))
    return notes


def _sound(errors: list[HeadlightError], folder: Path, manifest: Manifest, name: str) -> bool:
    before = len(errors)
    _attempt(errors, lambda: check_file(folder, manifest, name))
    return len(errors) == before


def _attempt(errors: list[HeadlightError], check: Callable[[], _T]) -> _T | None:
    try:
        return check()
    except HeadlightError as error:
        errors.append(error)
        return None
