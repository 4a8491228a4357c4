"""What a model claims by its files, before anything of it is built; and what may be believed."""

from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import HeadlightError, unusable
from core.families.hub.template import Chat
from core.reasons import RefusedError, reason_of

if TYPE_CHECKING:
    from core.families.hub.gguf_header import Header

CARD: Final = "README.md"
_COUNTS: Final = re.compile("layer|head|block")
_WIDTHS: Final = re.compile(
    "size|dim|embd|inner|ffn|ff$|model|vocab|d_kv|rank|(embedding|forward|key|value)_length"
)
_MOST_LAYERS: Final = 1024
_MOST_EXPERTS: Final = 65_536  # Doge has 16,384
_WIDEST: Final = 4 * 2**20
_PLACES: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Claim:
    """What its files declare.

    Attributes:
        folder: where its files lie.
        architecture: of its config.json, "" where that has none.
        kind: `model_type`, the name of its configuration; of a GGUF file its architecture.
        parameters: numbers that its weights hold.
        files: what is read of it, with its size in bytes.
        header: that of a GGUF file.
        template: what a trial found that it puts around a message.
    """

    folder: Path
    architecture: str
    kind: str
    parameters: int
    files: Mapping[str, int]
    header: Header | None = None
    template: Chat = None

    @property
    def bytes(self) -> int:
        """Of all its files."""
        return sum(self.files.values())

    @property
    def opened_bytes(self) -> int:
        """That its weights take in float32."""
        return 4 * self.parameters

    @property
    def least_bytes(self) -> int:
        """That its weights take at least: of a folder in half precision."""
        return self.opened_bytes if self.header else self.opened_bytes // 2

    @property
    def weights(self) -> str:
        """The file that its weights are in, or the first of them."""
        return next(name for name in self.files if name.endswith((".safetensors", ".gguf")))


def free_bytes() -> int | None:
    """What memory is free on this machine, where that can be known."""
    try:
        told = Path("/proc/meminfo").read_text("ascii")
        found = re.search(r"MemAvailable:\s+(\d+) kB", told)
        return int(found[1]) * 1024 if found else None
    except OSError:
        return None


def check_memory(claim: Claim, free: int | None) -> None:
    """That a model fits into what is free, in half precision if need be.

    Raises:
        HeadlightError: checkpoint_invalid with both numbers.
    """
    if free is not None and claim.least_bytes > free:
        needed, left = (size / 2**30 for size in (claim.least_bytes, free))
        reason = RefusedError("memory_short", needed=f"{needed:.1f}", free=f"{left:.1f}")
        raise invalid(claim.folder, claim.weights, reason)


def check_number(place: str, number: float) -> None:
    """That a number of a configuration is one that some model could have.

    Args:
        place: what it is called there, which tells what it counts.

    Raises:
        RefusedError: config_absurd.
    """
    most = _MOST_LAYERS if _COUNTS.search(place) else math.inf
    most = min(most, _MOST_EXPERTS) if "expert" in place else most
    places = "position" in place or "context" in place
    most = _WIDEST if _WIDTHS.search(place) else _PLACES if places else most
    if not math.isfinite(number) or abs(number) > most:
        raise RefusedError("config_absurd", place=place[:60])


def size_of(folder: Path, name: str) -> int:
    """Bytes of a regular file that is the folder's own, or lies in the cache that it is part of.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid.
    """
    with named_faults(folder, name):
        found = (folder / name).resolve(strict=True)
        kind = os.stat(found)
        if not found.is_relative_to(folder.resolve()) and not _in_cache(folder, found):
            raise RefusedError("link_out")
        if not stat.S_ISREG(kind.st_mode):
            raise RefusedError("file_none")
        return kind.st_size


def _in_cache(folder: Path, found: Path) -> bool:
    """Whether a file is a blob of the hub's cache, whose snapshots are links to such."""
    snapshots = folder.resolve().parent
    return snapshots.name == "snapshots" and found.parent == snapshots.parent / "blobs"


def invalid(folder: Path, name: str, error: Exception) -> HeadlightError:
    """What is wrong with a file of a folder, by whoever found it."""
    return unusable(folder, name, reason_of(error))


@contextmanager
def named_faults(folder: Path, name: str) -> Iterator[None]:
    """What is wrong with a file of a folder, or why it is not given, as an error that names it.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid.
    """
    try:
        yield
    except FileNotFoundError as error:
        raise HeadlightError("checkpoint_missing", path=str(folder), file=name) from error
    except (OSError, RefusedError) as error:
        raise invalid(folder, name, error) from error
