"""What a GGUF file says of itself, checked before anything of it is built.

The format is ggml's, as its docs/gguf.md has it. Knows neither torch nor
numpy; what reads its numbers later reads no place but those that were found to lie within the file.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from core.families.hub.claim import CARD, Claim, check_number, invalid, named_faults, size_of
from core.reasons import RefusedError

SUFFIX: Final = ".gguf"
ARCHITECTURE: Final = "general.architecture"
TOKENS: Final = "tokenizer.ggml.tokens"
_ENDS: Final = tuple(f"tokenizer.ggml.{name}_token_id" for name in ("bos", "eos", "unknown",
    "padding"))  # fmt: skip
_DIVISORS: Final = (".head_count", ".head_count_kv", ".dimension_count")

Value = bool | int | float | str
Values = Value | tuple[Value, ...]

READ: Final = frozenset(("gemma2", "gemma3", "gpt2", "llama", "nemotron", "phi3", "qwen2", "qwen3",
    "stablelm", "starcoder2", "t5"))  # fmt: skip
"""Architectures that the tests have seen compute what the folder of the same model does: there are
more that transformers reads, not all of them rightly."""

_MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)  # the first counted in 32 bits, and is found nowhere any more
_MOST: Final = 32 * 2**20  # bytes of a header: vocabularies of 256,000 tokens take some 8 MB
_SETTINGS, _TENSORS = 4096, 2**16
_NAME: Final = 1024  # bytes
_AXES: Final = 4
_FAR: Final = 2**48
_ALIGNED: Final = 2**16
_CARD: Final = 4 * 2**20
_TEXT, _ARRAY = 8, 9
_NUMBERS: Final = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q",
    11: "q", 12: "d"}  # fmt: skip
_KINDS: Final = {0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22), 7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210), 16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74),
    18: ("IQ3_XXS", 256, 98), 19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18),
    21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82), 23: ("IQ4_XS", 256, 136),
    29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66),
    39: ("MXFP4", 32, 17)}  # fmt: skip
"""How numbers are stored: a name, how many make a block, and the bytes of a block."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Where a tensor is in its file.

    Attributes:
        shape: rows first, as torch has it.
        kind: how its numbers are stored, such as Q4_1.
        begin: its first byte in the file.
        bytes: how many it has.
    """

    shape: tuple[int, ...]
    kind: str
    begin: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the weights.

    Attributes:
        path: of the file.
        settings: sizes, vocabulary and whatever else, by their keys.
        tensors: where each is, by its name.
    """

    path: Path
    settings: Mapping[str, Values]
    tensors: Mapping[str, Stored]

    @property
    def architecture(self) -> str:
        """As ggml calls it."""
        return str(self.settings[ARCHITECTURE])

    @property
    def parameters(self) -> int:
        """Numbers that its tensors hold."""
        return sum(math.prod(tensor.shape) for tensor in self.tensors.values())

    @property
    def quantized(self) -> tuple[str, ...]:
        """How weights are stored that are no floats, what holds most of them first."""
        counts: Counter[str] = Counter()
        for tensor in self.tensors.values():
            counts[tensor.kind] += math.prod(tensor.shape)
        return tuple(kind for kind, _ in counts.most_common() if kind not in ("F32", "F16", "BF16"))


def claimed_of(path: Path, *, card: bool) -> Claim:
    """What a GGUF file declares.

    Args:
        card: what stands beside it tells of it, too.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid with the reason.
    """
    folder, name = path.parent, path.name
    files = {name: size_of(folder, name)}
    if card and (folder / CARD).exists():
        files[CARD] = size_of(folder, CARD)
        if files[CARD] > _CARD:
            raise invalid(folder, CARD, RefusedError("file_large", limit=_CARD))
    with named_faults(folder, name), path.open("rb") as file:
        header = _read(path, file, files[name])
        _check(header)
    kind = header.architecture
    return Claim(folder, "", kind, header.parameters, files, header)


class _Reader:
    """Numbers and texts of a header, none of them from behind its end.

    Raises:
        RefusedError: header_long where it would end there.
    """

    def __init__(self, file: BinaryIO, end: int) -> None:
        self._file = file
        self._end = end
        self.at = 0

    def take(self, count: int) -> bytes:
        self.at += count
        if self.at > self._end:
            raise RefusedError("header_long")
        raw = self._file.read(count)
        if len(raw) != count:  # it was cut while it was read
            raise RefusedError("header_long")
        return raw

    def count(self, size: int = 8) -> int:
        return int.from_bytes(self.take(size), "little")

    def text(self, most: int = _MOST) -> str:
        length = self.count()
        if length > most:
            raise RefusedError("header_long")
        try:
            return self.take(length).decode()
        except UnicodeDecodeError as error:
            raise RefusedError("utf_8") from error

    def value(self, kind: int) -> Values:
        if kind == _TEXT:
            return self.text()
        if kind != _ARRAY:
            return self._numbers(kind, 1)[0]
        kind, count = self.count(4), self.count()
        if kind != _TEXT:
            return self._numbers(kind, count)
        if 8 * count > self._end - self.at:
            raise RefusedError("header_long")
        return tuple([self.text() for _ in range(count)])

    def _numbers(self, kind: int, count: int) -> tuple[Value, ...]:
        if kind not in _NUMBERS:  # an array of arrays, or nothing that there is
            raise RefusedError("gguf_kind", kind=kind)
        form = _NUMBERS[kind]
        raw = self.take(count * struct.calcsize(form))
        return struct.unpack(f"<{count}{form}", raw)


def _read(path: Path, file: BinaryIO, size: int) -> Header:
    """A header, whose tensors lie within the file, one behind the other."""
    reader = _Reader(file, min(size, _MOST))
    if size < len(_MAGIC) or reader.take(len(_MAGIC)) != _MAGIC:
        raise RefusedError("gguf_none")
    version = reader.count(4)
    if version not in _VERSIONS:  # 3 << 24 of a machine that has the high bytes first
        raise RefusedError("gguf_version", version=version)
    tensors, count = reader.count(), reader.count()
    if tensors > _TENSORS or count > _SETTINGS:
        raise RefusedError("gguf_counts", tensors=tensors, settings=count)
    settings: dict[str, Values] = {}
    for _ in range(count):
        name = reader.text(_NAME)
        if name in settings:
            raise RefusedError("gguf_twice", name=name[:60])
        settings[name] = reader.value(reader.count(4))
    aligned = settings.get("general.alignment", 32)
    if type(aligned) is not int or not 0 < aligned <= _ALIGNED or aligned & (aligned - 1):
        raise RefusedError("gguf_alignment", found=str(aligned)[:20], limit=_ALIGNED)
    stored = _tensors(reader, tensors)
    begin = end = at = _up(reader.at, aligned)
    found: dict[str, Stored] = {}
    for name, (shape, kind, length, offset) in sorted(stored.items(), key=lambda one: one[1][3]):
        if begin + offset != at:
            raise RefusedError("tensor_lies", tensor=name[:60])
        found[name] = Stored(shape, kind, at, length)
        end = at + length
        at = _up(end, aligned)
    if end > size:
        raise RefusedError("gguf_cut", found=size, wanted=end)
    if size > at:
        raise RefusedError("tensors_apart")
    return Header(path, settings, found)


def _tensors(reader: _Reader, count: int) -> dict[str, tuple[tuple[int, ...], str, int, int]]:
    """Shape, kind, bytes and offset of each, as they are told."""
    told: dict[str, tuple[tuple[int, ...], str, int, int]] = {}
    for _ in range(count):
        name = reader.text(_NAME)
        if name in told:
            raise RefusedError("gguf_twice", name=name[:60])
        axes = reader.count(4)
        shape = tuple(reader.count() for _ in range(axes)) if 0 < axes <= _AXES else (0,)
        number, offset = reader.count(4), reader.count()
        if number not in _KINDS:
            raise RefusedError("gguf_stored", tensor=name[:60], kind=number)
        kind, block, size = _KINDS[number]
        whole = all(0 < width < _FAR for width in shape) and shape[0] % block == 0
        if not whole or math.prod(shape) >= _FAR:
            raise RefusedError("tensor_lies", tensor=name[:60])
        told[name] = shape[::-1], kind, math.prod(shape) // block * size, offset
    return told


def _check(header: Header) -> None:
    """That it is a model by itself, and of sizes that some model could have."""
    settings = header.settings
    if not isinstance(settings.get(ARCHITECTURE), str):
        raise RefusedError("gguf_nameless")
    if header.architecture not in READ:
        raise RefusedError("architecture_unknown", name=header.architecture[:60])
    if settings.get("split.count", 1) not in (0, 1):
        raise RefusedError("gguf_split")
    for name, value in settings.items():
        if name.startswith(f"{header.architecture}."):
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, int | float) and not isinstance(one, bool):
                    check_number(name, one)
                    if name.endswith(_DIVISORS) and one < 1:
                        raise RefusedError("gguf_setting", name=name, value=one)
    tokens = settings.get(TOKENS)
    if not isinstance(tokens, tuple) or {type(one) for one in tokens} != {str}:
        raise RefusedError("gguf_tokens")
    for name in _ENDS:
        id = settings.get(name, 0)
        if type(id) is not int or not 0 <= id < len(tokens):
            raise RefusedError("gguf_setting", name=name, value=str(id)[:40])


def _up(at: int, aligned: int) -> int:
    return -(-at // aligned) * aligned
