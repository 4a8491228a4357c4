"""The words that only figures for paper have, beside those of the inspector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class PaperText:
    """Short enough to stand beside a scale."""

    scale_each: str


EN: Final = PaperText(scale_each="each head's\nlargest")

KO: Final = PaperText(scale_each="헤드마다\n가장 큰 값")

TEXT: Final[dict[Language, PaperText]] = {"en": EN, "ko": KO}
