"""Numbers within the paths of our routes."""

from __future__ import annotations

from typing import Final

from starlette.convertors import Convertor, register_url_convertor

BEYOND: Final = 10**9
"""What a longer number is taken for: more than there is of anything."""


class Count(Convertor[int]):
    """A whole number, as `{layer:count}`: Python refuses to read one of thousands of digits."""

    regex = "[0-9]+"

    def convert(self, value: str) -> int:
        return int(value) if len(value) < len(str(BEYOND)) else BEYOND

    def to_string(self, value: int) -> str:
        return str(value)


def register() -> None:
    """Makes `count` known to routes that are built from now on."""
    register_url_convertor("count", Count())
