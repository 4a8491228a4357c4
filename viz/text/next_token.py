"""The words of the inspector's next-token panel, beside `viz.text.inspector`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class NextTokenText:
    """Temperature, top-k and top-p, and going on from another token."""

    shape: str
    shape_temperature: str
    shape_top_k: str
    shape_top_p: str
    shape_all: str
    shape_cut: str
    shape_left: str
    shape_loading: str
    shape_failed: str
    shape_reset: str
    branch_pick: str
    branch_here: str
    branch_hint: str


EN: Final = NextTokenText(
    shape="Temperature, top-k, top-p",
    shape_temperature="temperature",
    shape_top_k="top-k",
    shape_top_p="top-p",
    shape_all="all",
    shape_cut="cut",
    shape_left="{kept} of {all} tokens are left; their probabilities sum to 1 again.",
    shape_loading="Shown as they are: the exact logits are on their way.",
    shape_failed="Shown as they are: the exact logits did not arrive. Choose the step again.",
    shape_reset="as the model has it",
    branch_pick="Go on from {token} instead ({p})",
    branch_here="{token} is what stands here ({p})",
    branch_hint="Choose another token and the model goes on from it.",
)

KO: Final = NextTokenText(
    shape="온도, top-k, top-p",
    shape_temperature="온도",
    shape_top_k="top-k",
    shape_top_p="top-p",
    shape_all="전체",
    shape_cut="제외",
    shape_left="토큰 {all}개 중 {kept}개가 남았고, 그 확률의 합을 다시 1로 맞췄습니다.",
    shape_loading="바꾸지 않은 확률입니다. 정확한 로짓을 받는 중입니다.",
    shape_failed="바꾸지 않은 확률입니다. 정확한 로짓을 받지 못했으니 단계를 다시 고르세요.",
    shape_reset="모델 그대로",
    branch_pick="이 자리에 {token} 토큰을 쓰고 이어 가기 ({p})",
    branch_here="여기 놓인 토큰은 {token} ({p})",
    branch_hint="다른 토큰을 고르면 모델이 거기서 이어 씁니다.",
)

TEXT: Final[dict[Language, NextTokenText]] = {"en": EN, "ko": KO}
