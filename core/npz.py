"""Reading `.npz` files of strangers: every size is checked before anything is allocated.

`numpy.load` trusts what a file declares: a few hundred bytes can claim terabytes, or unpack
to them. Here only expected names are read, never a pickle, and never more than a limit.
"""

from __future__ import annotations

import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Set
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

_MOST_MEMBERS: Final = 256
_HEADER: Final = 10_000  # bytes of one array's own description
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_END: Final = struct.Struct("<4s4H2LH")  # "end of central directory" of the ZIP format
_END_SIGNATURE: Final = b"PK\x05\x06"
_LOCATOR: Final = 20  # bytes of its 64-bit extension, which such small files never need
_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_TAIL: Final = _END.size + 2**16 + _LOCATOR

Array = npt.NDArray[Any]


class NpzError(ValueError):
    """The file is malformed, cut short, too large, or holds what is not plain data."""


def read_arrays(file: BinaryIO, names: Set[str], limit: int) -> dict[str, Array]:
    """The arrays of `names` that the file has; others are left unread.

    Args:
        file: seekable.
        limit: the most bytes of the file, and of all arrays once unpacked.

    Raises:
        NpzError: with a reason for people.
    """
    size = file.seek(0, 2)
    if size > limit:
        raise NpzError(f"it is larger than {limit:,} bytes")
    _check_directory(file, size)
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, names, limit)
            return {name: _read(archive, member) for name, member in members.items()}
    except NpzError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise NpzError("it is no .npz file, or was cut short") from error
    except (ValueError, NotImplementedError, RuntimeError, OverflowError) as error:
        raise NpzError(f"it is malformed ({error})") from error


def _check_directory(file: BinaryIO, size: int) -> None:
    """Refuse a table of contents that would be large in memory; `zipfile` reads it whole."""
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    # Where zipfile looks: at the very end, or, with a comment behind, at the last signature.
    start = len(tail) - _END.size
    if not (tail[-_END.size :].startswith(_END_SIGNATURE) and tail.endswith(b"\0\0")):
        start = tail.rfind(_END_SIGNATURE)
    if start < 0 or len(tail) - start < _END.size:
        raise NpzError("it is no .npz file, or was cut short")
    fields = _END.unpack_from(tail, start)
    count, directory = fields[4], fields[5]
    large = tail[max(0, start - _LOCATOR) : start].startswith(_LOCATOR_SIGNATURE)
    if large or count > _MOST_MEMBERS or directory > _MOST_MEMBERS * 1024:
        raise NpzError(f"it holds more than {_MOST_MEMBERS} arrays")


def _members(archive: zipfile.ZipFile, names: Set[str], limit: int) -> dict[str, zipfile.ZipInfo]:
    members = archive.infolist()
    if len(members) > _MOST_MEMBERS:
        raise NpzError(f"it holds more than {_MOST_MEMBERS} arrays")
    wanted: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name not in names:
            continue
        if name in wanted:
            raise NpzError(f"{name} is there twice")
        if member.flag_bits & _ENCRYPTED or member.compress_type not in _METHODS:
            raise NpzError(f"{name} is packed in an unknown way")
        wanted[name] = member
    total = sum(member.file_size for member in wanted.values())
    if total > limit:
        raise NpzError(f"its arrays unpack to {total:,} bytes, more than {limit:,}")
    return wanted


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    name = member.filename.removesuffix(".npy")
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            header = np.lib.format.read_array_header_1_0(stream, max_header_size=_HEADER)
        elif version == (2, 0):
            header = np.lib.format.read_array_header_2_0(stream, max_header_size=_HEADER)
        else:
            raise NpzError(f"{name} is in an unknown version of the format")
        shape, fortran, dtype = header
        if dtype.hasobject or dtype.names is not None or dtype.subdtype is not None:
            raise NpzError(f"{name} holds Python objects, not plain numbers")
        # The header may lie, the declared size cannot be exceeded by what is unpacked.
        size = math.prod(shape) * dtype.itemsize
        if dtype.itemsize < 1 or min(shape, default=0) < 0 or size > member.file_size:
            raise NpzError(f"{name} declares more than it holds")
        raw = stream.read(size + 1)  # one more, so that the end and its checksum are reached
    if len(raw) != size:
        raise NpzError(f"{name} is cut short, or longer than it declares")
    flat = np.frombuffer(raw, dtype)
    if dtype == np.bool_:
        flat = flat.view(np.uint8) != 0  # a byte of 2 is no bool that numpy could negate
    if dtype.kind == "U":
        points = np.frombuffer(raw, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        if points.max(initial=0) > sys.maxunicode:
            raise NpzError(f"{name} holds what is no character")
    return flat.reshape(shape[::-1]).T if fortran else flat.reshape(shape)
