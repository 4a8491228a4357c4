"""The words of the page where two traces lie beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class CompareText:
    """What the page asks for and says."""

    sentence: str
    model: str
    milestone: str
    untrained: str
    forced: str
    forced_help: str
    nothing_written: str


EN: Final = CompareText(
    sentence="The sentence of B",
    model="The model of B",
    milestone="{run} after update {step}",
    untrained="{run} untrained",
    forced="Write what A wrote",
    forced_help="B is made to write what A wrote, so that each row of one has its like in the "
    "other.",
    nothing_written="A wrote nothing that B could be made to write.",
)

KO: Final = CompareText(
    sentence="B의 문장",
    model="B의 모델",
    milestone="{run}, 갱신 {step}회 뒤",
    untrained="{run}, 훈련 전",
    forced="A가 쓴 대로 쓰기",
    forced_help="B도 A가 쓴 것을 그대로 쓰게 하여, 두 쪽의 행이 서로 맞습니다.",
    nothing_written="A가 쓴 것이 없어 B에게 쓰게 할 수 없습니다.",
)

TEXT: Final[dict[Language, CompareText]] = {"en": EN, "ko": KO}
