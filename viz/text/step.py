"""The words of the page where one walks through the decoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class StepText:
    """The target that is forced on the decoder, and what the lifted mask leaks."""

    target: str
    target_placeholder: str
    target_help: str
    lift: str
    lift_help: str
    free: str
    forced: str
    causal: str
    lifted: str
    here: str
    free_again: str
    target_elsewhere: str
    mask_elsewhere: str
    both_elsewhere: str
    show: str
    leak: str
    leak_none: str
    leak_why: str
    leak_table: str
    column_step: str
    column_token: str
    column_masked: str
    column_lifted: str
    column_change: str
    column_future: str
    points: str
    no_target: str
    no_mask: str


EN: Final = StepText(
    target="Target",
    target_placeholder="Make it write a target of yours (empty: it writes freely)",
    target_help=(
        "Teacher forcing: the decoder reads your words, not its own, and you see how likely "
        "it found each of them. Its free translation stays beside it."
    ),
    lift="Lift the causal mask",
    lift_help=(
        "Each step may then look at the tokens after it, the answer included. "
        "Training like that would teach copying, not translating."
    ),
    free="Free-running",
    forced="Your target",
    causal="With the mask",
    lifted="Mask lifted",
    here="Your target: “{target}”",
    free_again="Back to the free translation",
    target_elsewhere="Your target is not shown here; it stays on Step.",
    mask_elsewhere="The lifted mask is not shown here; it stays on Step.",
    both_elsewhere="Your target and the lifted mask are not shown here; they stay on Step.",
    show="Show it there",
    leak=(
        "Right answer, mean over {steps} steps: **{masked}** with the mask, **{lifted}** without "
        "({change}). Log-probability of the whole target: {log_masked} and {log_lifted}. "
        "{future} of the decoder's self-attention went to later tokens."
    ),
    leak_none="This model does not say how likely its tokens were: the leak has no number.",
    leak_why=(
        "This model was trained with the mask, so it may not know how to use what leaks: "
        "the right answer can also become less likely."
    ),
    leak_table="Every step",
    column_step="Step",
    column_token="Right answer",
    column_masked="With the mask",
    column_lifted="Mask lifted",
    column_change="Change",
    column_future="Attention to later tokens",
    points="{change} points",
    no_target="This model cannot be made to write a target, and has no mask to lift.",
    no_mask="This model has no causal mask that could be lifted.",
)

KO: Final = StepText(
    target="목표 문장",
    target_placeholder="디코더가 쓰게 할 문장 (비워 두면 스스로 씁니다)",
    target_help=(
        "교사 강요(teacher forcing): 디코더가 자기가 쓴 말 대신 이 문장을 읽고, "
        "낱말마다 얼마나 그럴듯하게 여겼는지 보여 줍니다. 스스로 쓴 번역은 옆에 남습니다."
    ),
    lift="인과 마스크 풀기",
    lift_help=(
        "단계마다 뒤에 올 토큰, 곧 정답까지 볼 수 있게 됩니다. "
        "이렇게 훈련하면 번역이 아니라 베끼기를 배웁니다."
    ),
    free="스스로 쓴 것",
    forced="목표 문장",
    causal="마스크 있음",
    lifted="마스크 풀림",
    here="목표 문장: “{target}”",
    free_again="스스로 쓴 번역으로 돌아가기",
    target_elsewhere="목표 문장은 여기에 나오지 않고 단계별에 그대로 있습니다.",
    mask_elsewhere="푼 마스크는 여기에 나오지 않고 단계별에 그대로 있습니다.",
    both_elsewhere="목표 문장과 푼 마스크는 여기에 나오지 않고 단계별에 그대로 있습니다.",
    show="단계별에서 보기",
    leak=(
        "정답 확률, {steps}단계 평균: 마스크가 있으면 **{masked}**, 풀면 **{lifted}** ({change}). "
        "목표 문장 전체의 로그 확률: {log_masked}, 풀면 {log_lifted}. "
        "디코더 셀프 어텐션의 {future}가 뒤쪽 토큰으로 갔습니다."
    ),
    leak_none="이 모델은 토큰 확률을 알려 주지 않아 새는 양을 숫자로 말할 수 없습니다.",
    leak_why=(
        "이 모델은 마스크를 쓰고 훈련했으므로 새는 정보를 쓸 줄 모를 수 있습니다. "
        "정답 확률이 도리어 낮아지기도 합니다."
    ),
    leak_table="단계마다",
    column_step="단계",
    column_token="정답",
    column_masked="마스크 있음",
    column_lifted="마스크 풀림",
    column_change="바뀐 양",
    column_future="뒤쪽 토큰을 본 비율",
    points="{change}%p",
    no_target="이 모델에는 목표 문장을 쓰게 할 수 없고, 풀 마스크도 없습니다.",
    no_mask="이 모델에는 풀 수 있는 인과 마스크가 없습니다.",
)

TEXT: Final[dict[Language, StepText]] = {"en": EN, "ko": KO}
