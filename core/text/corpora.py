"""Sentence pairs from TSV files, and a split that never moves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from core.errors import HeadlightError
from core.text.tokenizer import clean

# First lines that name columns rather than being a pair: both cells must be among these.
# All are ASCII: "영어<TAB>English" is a pair.
_LANGUAGE_NAMES: Final = ("ko", "kor", "korean", "hangul", "en", "eng", "english")
_COLUMN_NAMES: Final = {"source", "target", "src", "tgt", "reference", *_LANGUAGE_NAMES}


class Pair(NamedTuple):
    """A sentence and its translation, both in NFC."""

    source: str
    target: str


class Split(NamedTuple):
    """Pairs to train on, and pairs that training never sees."""

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]


def read_pairs(path: Path, *, reverse: bool = False) -> tuple[Pair, ...]:
    """The first two columns of a TSV file: source and target.

    UTF-8, one pair a line, no quoting, further columns are ignored, blank lines skipped.
    A first line such as `korean<TAB>english`, both cells names of columns, is a header.

    Args:
        reverse: take the second column as the source.

    Raises:
        HeadlightError: file_missing, file_unreadable, or data_invalid with the line.
    """
    pairs: list[Pair] = []
    for number, line in enumerate(_read_text(path).split("\n"), start=1):
        cells = [clean(cell).strip() for cell in line.split("\t")[:2]]
        if not any(cells) or (number == 1 and _names_columns(cells)):
            continue
        if len(cells) < 2 or not all(cells):
            reason = "two columns with text are needed, with a tab between them"
            raise HeadlightError("data_invalid", path=str(path), line=number, reason=reason)
        pairs.append(Pair(cells[1], cells[0]) if reverse else Pair(cells[0], cells[1]))
    if not pairs:
        raise HeadlightError("data_invalid", path=str(path), line=1, reason="there is no pair")
    return tuple(pairs)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """A TSV file that `read_pairs` reads."""
    lines = ["source\ttarget", *(f"{pair.source}\t{pair.target}" for pair in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def text_key(text: str) -> str:
    """Text as far as it matters for calling two sentences the same: its letters and digits."""
    return "".join(character for character in text.casefold() if character.isalnum())


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
    sources = {text_key(pair.source) for pair in held_out}
    targets = {text_key(pair.target) for pair in held_out}
    train = tuple(
        pair
        for pair in pairs
        if text_key(pair.source) not in sources and text_key(pair.target) not in targets
    )
    return Split(train, held_out)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except UnicodeDecodeError as error:
        reason = f"it is not UTF-8 text (byte {error.start})"
        raise HeadlightError("file_unreadable", path=str(path), reason=reason) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadlightError("file_unreadable", path=str(path), reason=reason) from error


def _names_columns(cells: Sequence[str]) -> bool:
    return len(cells) == 2 and all(cell.casefold() in _COLUMN_NAMES for cell in cells)


def _fraction(text: str) -> float:
    # Salted, because others may have set lines of the same source aside by a plain digest.
    digest = hashlib.sha256(f"headlight split: {text_key(text)}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
