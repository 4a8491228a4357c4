"""The words that only figures for paper have, beside those of the inspector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class PaperText:
    """Short enough to stand beside a scale."""

    scale_each: str
    # the heads that changed
    changed_note: str
    pooled_changes: str
    stretch_changes: str


EN: Final = PaperText(
    scale_each="each head's\nlargest",
    changed_note="Over each: how much of its attention lies elsewhere in B.",
    pooled_changes="Each point of a small picture is the largest change beneath it.",
    stretch_changes="Each head is coloured up to its own largest change.",
)

KO: Final = PaperText(
    scale_each="헤드마다\n가장 큰 값",
    changed_note="그림 위의 수는 B에서 다른 곳에 있는 어텐션의 몫입니다.",
    pooled_changes="작은 그림의 한 점은 그 아래 변화 중 가장 큰 것입니다.",
    stretch_changes="헤드마다 자기의 가장 큰 변화까지 색을 맞췄습니다.",
)

TEXT: Final[dict[Language, PaperText]] = {"en": EN, "ko": KO}
