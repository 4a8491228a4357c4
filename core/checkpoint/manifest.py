"""What binds a checkpoint folder: size and digest of each of its files, written last.

Nothing here knows torch, so a stored trace can be checked and drawn before any model loads.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.errors import HeadlightError, unusable
from core.reasons import RefusedError, because, reason_of
from core.text.tokenizer import TOKENIZERS

MANIFEST: Final = "manifest.json"
CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
CARD: Final = "README.md"
RECIPE: Final = "recipe.toml"
FIRST_TRACE: Final = "first-look.npz"
FAMILIARITY: Final = "familiarity.safetensors"
CALIBRATION: Final = "calibration.json"
MILESTONES: Final = "milestones"
"""The folder in which a run keeps whole checkpoints of its way, one a step."""

Storage = Literal["float32", "float16", "int8"]
"""How weights are stored. "int8" is half the size of float16: matrices are whole numbers from -127
to 127, and each row has a float32 that they are multiplied by; all else is float16."""

MEBIBYTE: Final = 1024 * 1024
# The most that is ever read of a file, whatever its manifest claims.
LIMITS: Final = {
    MANIFEST: MEBIBYTE,
    CONFIG: MEBIBYTE,
    CARD: MEBIBYTE,
    RECIPE: MEBIBYTE,
    CALIBRATION: MEBIBYTE,
    FIRST_TRACE: 64 * MEBIBYTE,
    FAMILIARITY: 256 * MEBIBYTE,
    "tokenizer.model": 64 * MEBIBYTE,
    "tokenizer.json": 64 * MEBIBYTE,
    "marian.json": 128 * MEBIBYTE,
    WEIGHTS: 64 * 1024 * MEBIBYTE,
}
_CHUNK: Final = 4 * MEBIBYTE


class Entry(BaseModel):
    """One bound file: its SHA-256 in hex and its size in bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Annotated[int, Field(ge=0)]


class Manifest(BaseModel):
    """The bound files of one checkpoint.

    Attributes:
        step: updates of the weights before they were saved.
        seed: of the training run.
        files: by name; only names that a checkpoint folder can hold.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    step: Annotated[int, Field(ge=0)]
    seed: Annotated[int, Field(ge=0)]
    files: dict[str, Entry]

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        for name, entry in self.files.items():
            if name not in LIMITS or name == MANIFEST:
                raise RefusedError("file_foreign", file=repr(name))
            if entry.bytes > LIMITS[name]:
                raise RefusedError("file_limit", file=name, limit=LIMITS[name])
        return self

    @property
    def digest(self) -> str:
        """Identity of what computes a trace: weights, configuration and tokenizer."""
        bound = [CONFIG, WEIGHTS, *TOKENIZERS.values()]
        lines = [f"{name} {self.files[name].sha256}" for name in bound if name in self.files]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def serialise(self) -> bytes:
        """The one way in which this manifest is written, byte for byte.

        A manifest cannot hold its own digest; that only this spelling is accepted, and
        `seal` closes it, makes a flipped bit in it as visible as in any other file.
        """
        body = self.model_dump(mode="json")
        body["files"] = dict(sorted(body["files"].items()))
        seal = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        return (json.dumps({**body, "seal": seal}, indent=2) + "\n").encode()


def name_of(folder: Path) -> str:
    """What a checkpoint is called: RUN@STEP if a run keeps it of its way, else as its folder."""
    path = folder.resolve()
    if path.parent.name == MILESTONES and path.name.isdecimal():
        return f"{path.parents[1].name}@{int(path.name)}"
    return path.name


def run_of(name: str) -> str:
    """The run of a checkpoint that is called RUN@STEP, else the name as it is."""
    return name.partition("@")[0]


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder, checked against its own seal.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_invalid or checkpoint_altered.
    """
    raw = read_bounded(folder, MANIFEST)
    try:
        values = json.loads(raw)
        if isinstance(values, dict):
            values.pop("seal", None)
        manifest = Manifest.model_validate(values)
    except (ValueError, RecursionError) as error:
        raise unusable(folder, MANIFEST, reason_of(error)) from error
    if manifest.serialise() != raw:
        raise HeadlightError("checkpoint_altered", path=str(folder), file=MANIFEST)
    return manifest


def make_entry(folder: Path, name: str) -> Entry:
    """Size and digest of a file as it stands."""
    digest, size = hashlib.sha256(), 0
    with _open(folder, name) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return Entry(sha256=digest.hexdigest(), bytes=size)


def check_file(folder: Path, manifest: Manifest, name: str) -> None:
    """That a bound file is what the manifest says, without keeping its bytes.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_altered, or checkpoint_invalid for a
            link that leads out of the folder.
    """
    expected = _expected(folder, manifest, name)
    if _size(folder, name) != expected.bytes or make_entry(folder, name) != expected:
        raise HeadlightError("checkpoint_altered", path=str(folder), file=name)


def read_file(folder: Path, manifest: Manifest, name: str) -> bytes:
    """The bytes of a bound file; the very bytes that were checked.

    Raises:
        HeadlightError: as `check_file`.
    """
    expected = _expected(folder, manifest, name)
    if _size(folder, name) != expected.bytes:
        raise HeadlightError("checkpoint_altered", path=str(folder), file=name)
    raw = read_bounded(folder, name)
    if hashlib.sha256(raw).hexdigest() != expected.sha256:
        raise HeadlightError("checkpoint_altered", path=str(folder), file=name)
    return raw


def read_bounded(folder: Path, name: str) -> bytes:
    """The bytes of a file of the folder, when it is a regular file of a sensible size."""
    size = _size(folder, name)
    if size > LIMITS[name]:
        raise unusable(folder, name, because("file_large", limit=LIMITS[name]))
    with _open(folder, name) as file:
        return file.read(size)


def sync(paths: Iterable[Path]) -> None:
    """Have files, or the entries of folders, on disk before going on."""
    for path in paths:
        if path.is_dir() and os.name == "nt":
            continue  # Windows cannot open a folder
        descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _expected(folder: Path, manifest: Manifest, name: str) -> Entry:
    if name not in manifest.files:
        raise HeadlightError("checkpoint_missing", path=str(folder), file=name)
    return manifest.files[name]


def _size(folder: Path, name: str) -> int:
    path = folder / name
    try:
        status = path.stat()
        inside = path.resolve().is_relative_to(folder.resolve())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise HeadlightError("checkpoint_missing", path=str(folder), file=name) from error
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL in a name
        raise unusable(folder, name, reason_of(error)) from error
    if not inside:
        raise unusable(folder, name, because("link_out"))
    if not stat.S_ISREG(status.st_mode):
        raise unusable(folder, name, because("file_none"))
    return status.st_size


@contextmanager
def _open(folder: Path, name: str) -> Iterator[BinaryIO]:
    """A file for reading; what the operating system refuses becomes one of our errors."""
    try:
        with (folder / name).open("rb") as file:
            yield file
    except OSError as error:
        raise unusable(folder, name, reason_of(error)) from error
