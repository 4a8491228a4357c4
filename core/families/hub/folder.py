"""What a Hugging Face folder says of itself, checked before anything of it is built.

Knows neither torch nor transformers: a folder is refused by what its files declare.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.checkpoint.manifest import MANIFEST
from core.errors import HeadlightError
from core.reasons import RefusedError, of_system

FAMILY: Final = "hub"
CONFIG: Final = "config.json"
WEIGHTS: Final = "model.safetensors"
INDEX: Final = "model.safetensors.index.json"
ADAPTER: Final = "adapter_config.json"
PICKLED: Final = (
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
    "tf_model.h5",
    "flax_model.msgpack",
)
TEXTS: Final = (CONFIG, INDEX, "generation_config.json", "tokenizer_config.json",
    "special_tokens_map.json", "added_tokens.json", "tokenizer.json", "vocab.json", "vocab.txt",
    "merges.txt", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model", "source.spm",
    "target.spm", "README.md")  # fmt: skip
_SMALL: Final = 4 * 2**20
_LIMITS: Final = {"tokenizer.json": 64 * 2**20, "vocab.json": 32 * 2**20, "merges.txt": 32 * 2**20,
    "vocab.txt": 32 * 2**20, INDEX: 16 * 2**20}  # fmt: skip
_MODELS: Final = (".model", ".spm")  # of SentencePiece
_PIECES: Final = 32 * 2**20
_AXES: Final = 8
_FAR: Final = 2**48
_HEADER: Final = 64 * 2**20
_DEEP: Final = 24  # brackets within brackets
_COUNTS: Final = re.compile("layer|head|block|expert")
_WIDTHS: Final = re.compile("size|dim|embd|inner|ffn|ff$|model|vocab|d_kv|rank")
_MOST_LAYERS: Final = 1024
_WIDEST: Final = 4 * 2**20
_PLACES: Final = 16 * 2**20
_BYTES: Final = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "I16": 2, "U16": 2,
    "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8}  # fmt: skip
_FLOATS: Final = ("F16", "BF16", "F32", "F64")


READERS: Final = frozenset((
    "albert", "bert", "camembert", "data2vec-text", "deberta", "deberta-v2", "distilbert",
    "electra", "ernie", "esm", "layoutlm", "longformer", "mobilebert", "modernbert", "mpnet",
    "nomic_bert", "roberta", "roformer", "squeezebert", "xlm-roberta", "xlm-roberta-xl", "xmod",
))  # fmt: skip
"""Kinds of models whose body alone writes nothing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What its files declare.

    Attributes:
        architecture: of its config.json, "" where that has none.
        kind: `model_type`, the name of its configuration.
        parameters: numbers that its weights hold.
        files: what is read of it, with its size in bytes.
    """

    folder: Path
    architecture: str
    kind: str
    parameters: int
    files: Mapping[str, int]

    @property
    def bytes(self) -> int:
        """Of all its files."""
        return sum(self.files.values())

    @property
    def opened_bytes(self) -> int:
        """That its weights take in float32."""
        return 4 * self.parameters


def called(folder: Path) -> str:
    """What a model is called by where it lies; a version in the hub's cache by the model's name."""
    if folder.parent.name == "snapshots":
        return folder.parent.parent.name.removeprefix("models--")
    return folder.name or folder.resolve().name


def is_hub(folder: Path) -> bool:
    """Whether it is a Hugging Face folder rather than one of ours; it may be a bad one."""
    try:
        return (folder / CONFIG).is_file() and not (folder / MANIFEST).exists()
    except OSError:
        return False


def weights_bytes(folder: Path) -> int:
    """Bytes of the files that its weights are in, as the disk tells, without reading them."""
    try:
        return sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    except OSError:
        return 0


def claimed(folder: Path) -> Claim:
    """What a folder declares.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid with the file and the reason.
    """
    config = _json(folder, CONFIG)
    there = (name for name in TEXTS if os.path.lexists(folder / name))
    files = {name: _size(folder, name) for name in there}
    if "model_type" not in config:
        raise _invalid(folder, CONFIG, RefusedError("hub_none"))
    for name in (CONFIG, "tokenizer_config.json"):
        if name in files and "auto_map" in _json(folder, name):
            raise _invalid(folder, name, RefusedError("own_code"))
    if "transformers_weights" in config:  # which are read in the place of those that are checked
        raise _invalid(folder, CONFIG, RefusedError("weights_elsewhere"))
    if (folder / ADAPTER).exists():
        raise _invalid(folder, ADAPTER, RefusedError("adapter"))
    if "quantization_config" in config:
        raise _invalid(folder, CONFIG, RefusedError("quantized"))
    for place, number in _numbers(config):
        most = _MOST_LAYERS if _COUNTS.search(place) else math.inf
        most = _WIDEST if _WIDTHS.search(place) else _PLACES if "position" in place else most
        if not math.isfinite(number) or abs(number) > most:
            raise _invalid(folder, CONFIG, RefusedError("config_absurd", place=place[:60]))
    shards = _shards(folder)
    files |= {name: _size(folder, name) for name in shards}
    parameters = sum(_parameters(folder, name) for name in shards)
    names = config.get("architectures") or [""]
    architecture = str(names[0])[:100] if isinstance(names, list) else ""
    return Claim(folder, architecture, str(config["model_type"])[:100], parameters, files)


def free_bytes() -> int | None:
    """What memory is free on this machine, where that can be known."""
    try:
        told = Path("/proc/meminfo").read_text("ascii")
        found = re.search(r"MemAvailable:\s+(\d+) kB", told)
        return int(found[1]) * 1024 if found else None
    except OSError:
        return None


def check_memory(claim: Claim, free: int | None) -> None:
    """That a model fits into what is free.

    Raises:
        HeadlightError: checkpoint_invalid with both numbers.
    """
    if free is not None and claim.opened_bytes > free:
        needed, left = (size / 2**30 for size in (claim.opened_bytes, free))
        reason = RefusedError("memory_short", needed=f"{needed:.1f}", free=f"{left:.1f}")
        raise _invalid(claim.folder, WEIGHTS, reason)


def _shards(folder: Path) -> tuple[str, ...]:
    """Names of the files that hold the weights."""
    if (folder / WEIGHTS).exists():
        return (WEIGHTS,)
    if not (folder / INDEX).exists():
        pickled = next((name for name in PICKLED if (folder / name).exists()), None)
        if pickled is not None:
            raise _invalid(folder, pickled, RefusedError("pickled"))
        raise HeadlightError("checkpoint_missing", path=str(folder), file=WEIGHTS)
    index = _json(folder, INDEX).get("weight_map")
    names = set(index.values()) if isinstance(index, dict) else set()
    if not names or not all(isinstance(name, str) for name in names):
        raise _invalid(folder, INDEX, RefusedError("index_none"))
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors") or "\\" in name:
            raise _invalid(folder, INDEX, RefusedError("index_out", name=str(name)[:60]))
    return tuple(sorted(names))


def _parameters(folder: Path, name: str) -> int:
    """Numbers of a file of tensors, after its header was found to fit its size."""
    size = _size(folder, name)
    try:
        with (folder / name).open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8).ljust(8, b"\0"))
            if length > min(_HEADER, size - 8):
                raise RefusedError("header_long")
            header = _parsed(file.read(length))
    except OSError as error:
        raise _refused(folder, name, error) from error
    except RefusedError as error:
        raise _invalid(folder, name, error) from error
    spans, count = [], 0
    for tensor, entry in header.items():
        if tensor == "__metadata__":
            continue
        try:
            begin, end = entry["data_offsets"]
            shape, kind = entry["shape"], entry["dtype"]
            # Before anything is multiplied: a text times a number is a long text.
            numbers = (begin, end, *shape) if len(shape) <= _AXES else (-1,)
            fits = all(type(n) is int and 0 <= n < _FAR for n in numbers)
            fits = fits and math.prod(shape) * _BYTES[kind] == end - begin
        except (TypeError, KeyError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise _invalid(folder, name, RefusedError("tensor_lies", tensor=str(tensor)[:60]))
        if kind in _FLOATS:
            count += math.prod(shape)
        spans.append((begin, end))
    at = 0
    for begin, end in sorted(spans):
        if begin != at:
            raise _invalid(folder, name, RefusedError("tensors_apart"))
        at = end
    if at != size - 8 - length:
        raise _invalid(folder, name, RefusedError("tensors_apart"))
    return count


def _json(folder: Path, name: str) -> dict[str, Any]:
    """A small JSON object of a folder.

    Raises:
        HeadlightError: checkpoint_missing or checkpoint_invalid.
    """
    _size(folder, name)
    try:
        return _parsed((folder / name).read_bytes())
    except OSError as error:
        raise _refused(folder, name, error) from error
    except RefusedError as error:
        raise _invalid(folder, name, error) from error


def _parsed(raw: bytes) -> dict[str, Any]:
    depth = 0
    for found in re.finditer(rb"[\[{\]}]", raw):
        depth += 1 if found[0] in b"[{" else -1
        if depth > _DEEP:
            raise RefusedError("json_deep")
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise RefusedError("json_none") from error
    if not isinstance(told, dict):
        raise RefusedError("json_none")
    return told


def _numbers(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Every number that stands under a name, which lists share."""
    if isinstance(value, dict):
        for name, own in value.items():
            yield from _numbers(own, str(name))
    elif isinstance(value, list):
        for own in value:
            yield from _numbers(own, place)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, float(value) if abs(value) < 2**64 else math.inf


def _size(folder: Path, name: str) -> int:
    """Bytes of a regular file that is the folder's own, or lies in the cache that it is part of.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid.
    """
    path = folder / name
    try:
        found = path.resolve(strict=True)
        kind = os.stat(found)
    except OSError as error:
        raise _refused(folder, name, error) from error
    if not found.is_relative_to(folder.resolve()) and not _in_cache(folder, found):
        raise _invalid(folder, name, RefusedError("link_out"))
    if not stat.S_ISREG(kind.st_mode):
        raise _invalid(folder, name, RefusedError("file_none"))
    small = name in TEXTS or path.suffix in _MODELS
    limit = _PIECES if path.suffix in _MODELS else _LIMITS.get(name, _SMALL)
    if small and kind.st_size > limit:
        raise _invalid(folder, name, RefusedError("file_large", limit=limit))
    return kind.st_size


def _in_cache(folder: Path, found: Path) -> bool:
    """Whether a file is a blob of the hub's cache, whose snapshots are links to such."""
    snapshots = folder.resolve().parent
    return snapshots.name == "snapshots" and found.parent == snapshots.parent / "blobs"


def _invalid(folder: Path, name: str, error: RefusedError) -> HeadlightError:
    return HeadlightError("checkpoint_invalid", path=str(folder), file=name, reason=error.reason)


def _refused(folder: Path, name: str, error: OSError) -> HeadlightError:
    if isinstance(error, FileNotFoundError):
        return HeadlightError("checkpoint_missing", path=str(folder), file=name)
    return HeadlightError(
        "checkpoint_invalid", path=str(folder), file=name, reason=of_system(error)
    )
