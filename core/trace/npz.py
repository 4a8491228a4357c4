"""Reading `.npz` files of strangers: every size is checked before anything is allocated.

`numpy.load` trusts what a file declares: a few hundred bytes can claim terabytes, or unpack
to them. Here only expected names are read, never a pickle, and never more than a limit; and
what an array declares to be is known before any of it is unpacked.
"""

from __future__ import annotations

import math
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from core.reasons import RefusedError

_MOST_MEMBERS: Final = 256
_HEADER: Final = 10_000  # bytes of one array's own description
_LENGTHS: Final = {(1, 0): struct.Struct("<H"), (2, 0): struct.Struct("<I")}  # of that, by version
_DESCRIBED: Final = re.compile(
    r"""\{ (?: '(?: descr':'(?P<descr> [<>|=]?[?a-zA-Z][\w\[\]]*) '
              | fortran_order':(?P<turned> True|False)
              | shape':\((?P<shape> (?:[0-9]+,)*[0-9]*) \) ) ,? )* \}""",
    re.VERBOSE,
)
_BLOCK: Final = 2**20  # bytes unpacked at once
_LARGEST_TURNED: Final = 32 * 2**20  # bytes of an array whose rows do not come one by one
_ECHOED: Final = 100  # characters of a library's complaint, which may quote the file
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_END: Final = struct.Struct("<4s4H2LH")  # "end of central directory" of the ZIP format
_END_SIGNATURE: Final = b"PK\x05\x06"
_LOCATOR: Final = 20  # bytes of its 64-bit extension, which such small files never need
_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_TAIL: Final = _END.size + 2**16 + _LOCATOR

_MALFORMED: Final = (ValueError, NotImplementedError, RuntimeError, OverflowError, MemoryError)

Array = npt.NDArray[Any]
RowCheck = Callable[[int, Array], None]
"""Is shown rows as they are unpacked: the number of the first one, and (row, last axis)."""


class NpzError(RefusedError):
    """The file is malformed, cut short, too large, or holds what is not plain data."""


@dataclass(frozen=True, slots=True)
class Member:
    """An array of a file, as it declares itself; not yet unpacked.

    Attributes:
        name: without ".npy".
        shape, dtype: of the array.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    _turned: bool
    _archive: zipfile.ZipFile
    _entry: zipfile.ZipInfo

    @property
    def nbytes(self) -> int:
        """Bytes once unpacked."""
        return math.prod(self.shape) * self.dtype.itemsize

    def read(self, check: RowCheck | None = None) -> Array:
        """Unpacks the array; read-only.

        Args:
            check: raises what it likes as soon as it dislikes a row, and nothing more is
                unpacked. Small arrays that lie column by column are not shown to it.

        Raises:
            NpzError: the data is damaged, cut short, or no plain data.
        """
        if self._turned and check is not None and self.nbytes > _LARGEST_TURNED:
            raise NpzError("array_turned", array=self.name)
        raw = np.empty(self.nbytes, np.uint8)  # reserved; memory as it is filled
        row = self.dtype.itemsize * (self.shape[-1] if self.shape else 1)
        step = max(1, _BLOCK // max(1, row)) * max(1, row)
        with _complaints():
            stream = self._archive.open(self._entry)
            _described(stream, self.name)
        with stream:
            for start in range(0, raw.size, step):
                part = raw[start : start + step]
                with _complaints():
                    read = stream.read(part.size)
                if len(read) != part.size:
                    raise NpzError("array_short", array=self.name)
                part[:] = np.frombuffer(read, np.uint8)
                if check is not None and not self._turned:
                    check(start // row, part.view(self.dtype).reshape(-1, self.shape[-1]))
            with _complaints():
                stream.read(1)  # the end, and with it the checksum
        return self._array(raw)

    def _array(self, raw: npt.NDArray[np.uint8]) -> Array:
        raw.flags.writeable = False
        flat = raw.view(self.dtype)
        if self.dtype == np.bool_:
            flat = raw != 0  # a byte of 2 is no bool that numpy could negate
        if self.dtype.kind == "U":
            points = raw.view(np.dtype(np.uint32).newbyteorder(self.dtype.byteorder))
            if points.max(initial=0) > sys.maxunicode:
                raise NpzError("array_characters", array=self.name)
        shape = self.shape
        return flat.reshape(shape[::-1]).T if self._turned else flat.reshape(shape)


def declared(file: BinaryIO, names: Set[str], limit: int) -> dict[str, Member]:
    """The arrays of `names` that the file has, each to be read by itself.

    Args:
        file: seekable; to be kept open until all is read.
        limit: the most bytes of the file, and of all arrays once unpacked.

    Raises:
        NpzError: with a reason for people.
    """
    size = file.seek(0, 2)
    if size > limit:
        raise NpzError("file_large", limit=limit)
    _check_directory(file, size)
    with _complaints():
        archive = zipfile.ZipFile(file)
        entries = _entries(archive, names, limit)
        return {name: _member(archive, name, entry) for name, entry in entries.items()}


@contextmanager
def _complaints() -> Iterator[None]:
    """What the libraries find wrong with a file becomes a reason for people."""
    try:
        yield
    except NpzError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise NpzError("npz_none") from error
    except _MALFORMED as error:
        told = str(error)
        told = told if len(told) <= _ECHOED else told[:_ECHOED] + "…"
        raise NpzError("npz_malformed", said=told) from error


def _check_directory(file: BinaryIO, size: int) -> None:
    """Refuse a table of contents that would be large in memory; `zipfile` reads it whole."""
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    # Where zipfile looks: at the very end, or, with a comment behind, at the last signature.
    start = len(tail) - _END.size
    if not (tail[-_END.size :].startswith(_END_SIGNATURE) and tail.endswith(b"\0\0")):
        start = tail.rfind(_END_SIGNATURE)
    if start < 0 or len(tail) - start < _END.size:
        raise NpzError("npz_none")
    fields = _END.unpack_from(tail, start)
    count, directory = fields[4], fields[5]
    large = tail[max(0, start - _LOCATOR) : start].startswith(_LOCATOR_SIGNATURE)
    if large or count > _MOST_MEMBERS or directory > _MOST_MEMBERS * 1024:
        raise NpzError("arrays_many", limit=_MOST_MEMBERS)


def _entries(archive: zipfile.ZipFile, names: Set[str], limit: int) -> dict[str, zipfile.ZipInfo]:
    entries = archive.infolist()
    if len(entries) > _MOST_MEMBERS:
        raise NpzError("arrays_many", limit=_MOST_MEMBERS)
    wanted: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.filename.removesuffix(".npy")
        if name not in names:
            continue
        if name in wanted:
            raise NpzError("array_twice", array=name)
        if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
            raise NpzError("array_packed", array=name)
        wanted[name] = entry
    total = sum(entry.file_size for entry in wanted.values())
    if total > limit:
        raise NpzError("arrays_large", size=total, limit=limit)
    return wanted


def _member(archive: zipfile.ZipFile, name: str, entry: zipfile.ZipInfo) -> Member:
    with archive.open(entry) as stream:
        shape, turned, dtype = _described(stream, name)
        start = stream.tell()
    if dtype.hasobject or dtype.names is not None or dtype.subdtype is not None:
        raise NpzError("array_objects", array=name)
    # The header may lie, the declared size cannot be exceeded by what is unpacked.
    size = math.prod(shape) * dtype.itemsize
    if dtype.itemsize < 1 or min(shape, default=0) < 0 or size > entry.file_size - start:
        raise NpzError("array_shorter", array=name)
    if size < entry.file_size - start:
        raise NpzError("array_longer", array=name)
    return Member(name, shape, dtype, turned, archive, entry)


def _described(stream: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether columns come first, dtype; the stream is then at the first number.

    numpy reads the same with Python's own parser, which CPython 3.11 breaks off in two threads.
    """
    length = _LENGTHS.get(np.lib.format.read_magic(stream))
    if length is None:
        raise NpzError("array_version", array=name)
    (size,) = length.unpack(_exactly(stream, length.size))
    if size > _HEADER:
        raise ValueError(f"the header of {name} is of {size} bytes")
    said = _exactly(stream, size).decode("latin-1")
    found = _DESCRIBED.fullmatch("".join(said.split()))
    if found is None or None in found.groups():
        raise ValueError(f"{name} is not described as an array")
    descr, turned, shape = found.groups()
    try:
        dtype = np.dtype(descr)
    except TypeError as error:
        raise ValueError(f"{name} is of no type") from error
    return tuple(int(length) for length in shape.split(",") if length), turned == "True", dtype


def _exactly(stream: IO[bytes], count: int) -> bytes:
    raw = stream.read(count)
    if len(raw) != count:
        raise EOFError
    return raw
