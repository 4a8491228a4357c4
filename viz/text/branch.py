"""What is said of a branch: another token than the model's own, and what followed from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class BranchText:
    """The line above a branched trace, and the name of its row of tokens."""

    branched: str
    given: str
    back: str
    start: str
    label: str


EN: Final = BranchText(
    branched="Branched at step {step}: “{token}” instead of “{own}”",
    given="Its first tokens were given ({count}): the model's own choices",
    back="back",
    start="back to the start",
    label="Branched",
)

KO: Final = BranchText(
    branched="{step}단계에서 갈라짐: “{own}” 대신 “{token}”",
    given="앞의 토큰 {count}개는 주어진 것이고, 모델 스스로 고른 것과 같습니다",
    back="돌아가기",
    start="처음으로",
    label="갈라진 것",
)

TEXT: Final[dict[Language, BranchText]] = {"en": EN, "ko": KO}
