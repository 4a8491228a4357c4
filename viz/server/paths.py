"""Parts of the paths of our routes: numbers, and what may be meant as the name of a page."""

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


class Word(Convertor[str]):
    """What people may type for a page, `{name:word}`: no file, and nothing of Streamlit's own.

    Nor what is only to be sent to, which tells whoever reads it so.
    """

    regex = "(?!snapshot$)[^/._][^/.]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


def register() -> None:
    """Makes `count` and `word` known to routes that are built from now on."""
    register_url_convertor("count", Count())
    register_url_convertor("word", Word())
