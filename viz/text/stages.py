"""The words of Step's stages, and of the row that is told number by number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class StagesText:
    """As `viz.text.inspector.InspectorText`: `{name}` is filled in by the browser."""

    stage_scores: str
    stage_scores_note: str
    stage_mask: str
    stage_mask_note: str
    stage_mask_open: str
    stage_masked: str
    stage_masked_note: str
    stage_weights: str
    stage_weights_note: str
    stage_next: str
    stage_next_note: str
    scores_missing: str
    scores_loading: str
    scores_failed: str
    scores_absent: str
    numbers: str
    numbers_reads: str
    column_key: str
    column_score: str
    column_masked: str
    column_exp: str
    column_weight: str
    numbers_largest: str
    numbers_others: str
    numbers_sum: str
    numbers_hidden: str


EN: Final = StagesText(
    stage_scores="Raw scores",
    stage_scores_note="q·k / √d_k, every query with every key",
    stage_mask="Mask",
    stage_mask_note="hatched: this query may not look there",
    stage_mask_open="this mask forbids nothing here",
    stage_masked="Masked scores",
    stage_masked_note="forbidden scores become −∞",
    stage_weights="Softmax weights",
    stage_weights_note="each row sums to 1; printed beside it",
    stage_next="Next token",
    stage_next_note="what the whole model makes of it, after all heads and layers",
    scores_missing="This model does not expose its raw scores.",
    scores_loading="The exact scores are on their way.",
    scores_failed="The exact scores did not arrive. Choose the head again to retry.",
    scores_absent="The exact scores of this head are not in this file.",
    numbers="Row {step}, number by number: writes {written}",
    numbers_reads="reads {read}",
    column_key="key (is looked at)",
    column_score="score",
    column_masked="after the mask",
    column_exp="exp(score {shift})",
    column_weight="weight = exp / {sum}",
    numbers_largest="{largest} is the largest score of the row; "
    "subtracting it changes no weight and keeps exp in range.",
    numbers_others="{count} more",
    numbers_sum="sum",
    numbers_hidden="The numbers of this row need the exact scores.",
)

KO: Final = StagesText(
    stage_scores="원점수",
    stage_scores_note="q·k / √d_k, 모든 쿼리와 모든 키",
    stage_mask="마스크",
    stage_mask_note="빗금: 이 쿼리가 볼 수 없는 곳",
    stage_mask_open="여기서는 마스크가 막는 칸이 없습니다",
    stage_masked="마스크를 씌운 점수",
    stage_masked_note="금지된 점수는 −∞가 됩니다",
    stage_weights="소프트맥스 가중치",
    stage_weights_note="행마다 합은 1, 옆에 적었습니다",
    stage_next="다음 토큰",
    stage_next_note="모든 헤드와 층을 거쳐 모델 전체가 낸 결과",
    scores_missing="이 모델은 원점수를 보여 주지 않습니다.",
    scores_loading="정확한 점수를 받는 중입니다.",
    scores_failed="정확한 점수를 받지 못했습니다. 헤드를 다시 고르면 다시 받습니다.",
    scores_absent="이 헤드의 정확한 점수는 이 파일에 없습니다.",
    numbers="{step}번째 행의 숫자 하나하나: 쓰는 토큰 {written}",
    numbers_reads="읽는 토큰 {read}",
    column_key="키 (보이는 쪽)",
    column_score="점수",
    column_masked="마스크 뒤",
    column_exp="exp(점수 {shift})",
    column_weight="가중치 = exp / {sum}",
    numbers_largest="이 행의 가장 큰 점수는 {largest}입니다. "
    "이 값을 빼도 가중치는 그대로이고 exp가 넘치지 않습니다.",
    numbers_others="그 밖의 키 {count}개",
    numbers_sum="합",
    numbers_hidden="이 행의 숫자에는 정확한 점수가 필요합니다.",
)

TEXT: Final[dict[Language, StagesText]] = {"en": EN, "ko": KO}
