"""The two languages of the app."""

from __future__ import annotations

from typing import Final, Literal

Language = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ko")

# Each language named in itself: who looks for it reads it.
NAMES: Final[dict[Language, str]] = {"en": "English", "ko": "한국어"}


def from_locale(locale: str | None) -> Language:
    """The language for a browser's locale (BCP 47): Korean for ko and ko-KR, else English."""
    primary = (locale or "").replace("_", "-").split("-", 1)[0].strip().lower()
    return "ko" if primary == "ko" else "en"
