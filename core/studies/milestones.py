"""What the milestones of one run must share before their maps can be compared."""

from __future__ import annotations

from typing import NamedTuple

from core.errors import HeadlightError
from core.model import Inspectable, TraceRequest


class SharedTarget(NamedTuple):
    """What every milestone is made to write; `cut` where that is only the beginning."""

    text: str
    cut: bool


def shared_target(last: Inspectable, source: str, longest: int) -> SharedTarget:
    """The translation by the last milestone, for all milestones to read.

    A decoder's map depends on the tokens that it reads. Left free, every milestone would read
    other ones, and no two maps would have the same rows.

    Args:
        last: the last milestone.
        longest: tokens that the target may have, the end token included; at least 8.

    Returns:
        An empty text where it ends at once.

    Raises:
        HeadlightError: as `Inspectable.trace`.
    """
    free = last.trace(TraceRequest(source))
    text = str(free.meta.get("target_text", "")).strip()
    length = len(free.written) + (not free.meta.get("finished", True))
    cut = text and length > longest
    while text and length > longest:
        # A part of a text may be spelled in more tokens than its share: count again.
        text = text[: len(text) * (longest - 1) // length].strip()
        length = _length(last, source, text) if text else 0
    return SharedTarget(text, bool(cut))


def _length(model: Inspectable, source: str, target: str) -> int:
    try:
        return len(model.trace(TraceRequest(source, target)).written)
    except HeadlightError as error:
        if error.code != "target_too_long":
            raise
        return int(str(error.parameters["length"]))
