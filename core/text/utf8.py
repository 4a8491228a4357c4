"""Characters of the bytes that pieces stand for; a byte that is part of none is told as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

LOST: Final = "\ufffd"
"""What libraries put in the place of bytes that make no character."""
_BYTE: Final = re.compile(r"<0x([0-9A-F]{2})>")
_PARTED: Final = re.compile(
    r"(.) 1/2\1 2/2|(.) 1/3\2 2/3\2 3/3|(.) 1/4\3 2/4\3 3/4\3 4/4", re.DOTALL
)


def byte_of(piece: str) -> bytes | None:
    """The byte that a piece such as <0xEA> stands for, None where it is no such piece."""
    found = _BYTE.fullmatch(piece)
    return None if found is None else bytes([int(found[1], 16)])


def bytes_of(pieces: Sequence[str]) -> dict[int, int]:
    """The bytes that pieces of a vocabulary stand for, by their ids."""
    found = ((id, byte_of(piece)) for id, piece in enumerate(pieces))
    return {id: byte[0] for id, byte in found if byte is not None}


def spelled(raw: bytes) -> str:
    """Bytes as text: a syllable that was not finished is the bytes that are there, as <0xEA>."""
    return "".join(letter for letter, _ in _letters(raw))


def parts(pieces: Sequence[bytes]) -> list[str]:
    """What each piece spells: of a character that several share, which part, as in 뚫 1/3."""
    texts = [""] * len(pieces)
    owners = [at for at, piece in enumerate(pieces) for _ in piece]
    at = 0
    for letter, size in _letters(b"".join(pieces)):
        sharers = list(dict.fromkeys(owners[at : at + size]))
        for number, owner in enumerate(sharers, start=1):
            part = f" {number}/{len(sharers)}" if len(sharers) > 1 else ""
            texts[owner] += f"{letter}{part}"
        at += size
    return texts


def rejoined(text: str) -> str:
    """What `parts` told, side by side: a letter whose every part is there stands once."""
    return _PARTED.sub(lambda found: found[0][0], text)


def with_bytes(pieces: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The texts of pieces, some of which stand for a byte: a run of those is told by `parts`."""
    found: list[str] = []
    told = zip(map(byte_of, pieces), texts, strict=True)
    for is_text, group in groupby(told, key=lambda one: one[0] is None):
        run = list(group)
        found += [text for _, text in run] if is_text else parts([byte for byte, _ in run if byte])
    return found


def _letters(raw: bytes) -> list[tuple[str, int]]:
    """Each character, or a byte of none, with how many bytes it has."""
    found: list[tuple[str, int]] = []
    for letter in raw.decode(errors="surrogateescape"):  # which makes a surrogate of such a byte
        own = letter.encode(errors="surrogateescape")
        alone = "\udc80" <= letter <= "\udcff"
        found.append((f"<0x{own[0]:02X}>" if alone else letter, len(own)))
    return found
