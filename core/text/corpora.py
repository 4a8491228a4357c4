"""Sentence pairs from TSV files, and a split that never moves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import HeadlightError
from core.text.tokenizer import clean


class Pair(NamedTuple):
    """A sentence and its translation, both in NFC."""

    source: str
    target: str


class Split(NamedTuple):
    """Pairs to train on, and pairs that training never sees."""

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]


def read_pairs(path: Path, *, reverse: bool = False) -> tuple[Pair, ...]:
    """The first two columns of a TSV file whose first line names its columns.

    Args:
        path: UTF-8 text; columns after the second are ignored.
        reverse: take the second column as the source.

    Raises:
        HeadlightError: file_missing, file_unreadable (not UTF-8), or data_invalid for a line
            without two columns.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise HeadlightError("file_unreadable", path=str(path), reason=str(error)) from error
    pairs: list[Pair] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        columns = [clean(column).strip() for column in line.split("\t")]
        if len(columns) < 2 or not columns[0] or not columns[1]:
            reason = "two columns with text are needed"
            raise HeadlightError("data_invalid", path=str(path), line=number, reason=reason)
        pairs.append(Pair(columns[1], columns[0]) if reverse else Pair(columns[0], columns[1]))
    return tuple(pairs)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """A TSV file that `read_pairs` reads."""
    lines = ["source\ttarget", *(f"{pair.source}\t{pair.target}" for pair in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def split_by_hash(pairs: Sequence[Pair], share: float) -> Split:
    """Hold out a share of the sources, chosen by the digest of their text alone.

    The choice does not depend on order, on a seed or on other pairs, so it is the same
    whenever and by whomever it is made. A pair that repeats a held-out source or target
    is in neither part: it would teach the answer.

    Args:
        share: 0 to 1.
    """
    chosen = [_fraction(pair.source) < share for pair in pairs]
    held_out = tuple(pair for pair, out in zip(pairs, chosen, strict=True) if out)
    sources = {_key(pair.source) for pair in held_out}
    targets = {_key(pair.target) for pair in held_out}
    train = tuple(
        pair
        for pair in pairs
        if _key(pair.source) not in sources and _key(pair.target) not in targets
    )
    return Split(train, held_out)


def _key(text: str) -> str:
    """Text as far as it matters for calling two sentences the same."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _fraction(text: str) -> float:
    # Salted, because others may have set lines of the same source aside by a plain digest.
    digest = hashlib.sha256(f"headlight split: {_key(text)}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
