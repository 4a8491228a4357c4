"""How long an output may become."""

from __future__ import annotations

from typing import Final

BEYOND_SOURCE: Final = 50


def output_limit(source_length: int, max_target: int) -> int:
    """Input length plus 50 (Section 6.1), within what the model can write.

    Args:
        source_length: tokens, end token included.
        max_target: tokens, end token included.
    """
    return min(max_target, source_length + BEYOND_SOURCE)
