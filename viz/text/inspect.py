"""The words of the page where one looks at every head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class InspectText:
    """The sentence, its translation, and what to expect of them."""

    source: str
    placeholder: str
    examples: str
    strange: str
    strange_many: str
    cut_off: str
    looking: str


EN: Final = InspectText(
    source="Sentence",
    placeholder="Type a sentence, Enter to look",
    examples="Examples",
    strange="The model hardly knows: {words} — its output for this word is a guess.",
    strange_many="The model hardly knows: {words} — its output for these words is a guess.",
    cut_off="The model reached its length limit before it ended the sentence.",
    looking="Looking…",
)

KO: Final = InspectText(
    source="문장",
    placeholder="문장을 입력하고 Enter를 누르세요",
    examples="예문",
    strange="모델이 거의 본 적 없는 말: {words} — 이 말의 출력은 짐작입니다.",
    strange_many="모델이 거의 본 적 없는 말: {words} — 이 말들의 출력은 짐작입니다.",
    cut_off="문장을 끝내기 전에 모델의 길이 한도에 닿았습니다.",
    looking="보는 중…",
)

TEXT: Final[dict[Language, InspectText]] = {"en": EN, "ko": KO}
