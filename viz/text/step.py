"""The words of the page where one walks through the decoder."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class StepText(Table):
    """The target that is forced on the decoder, and what the lifted mask leaks."""

    target = Row("Target", "목표 문장")
    target_placeholder = Row(
        "Make it write this (empty: freely)",
        "쓰게 할 문장 (비워 두면 스스로 써요)",
    )
    target_help = Row(
        "Teacher forcing: the decoder reads your words, not its own, and you see how likely "
        "it found each of them. Its free translation stays beside it.",
        "교사 강요(teacher forcing): 디코더가 자기가 쓴 말 대신 이 문장을 읽고, 단어마다 얼마나 "
        "그럴듯하게 여겼는지 보여 줘요. 스스로 쓴 번역은 옆에 남아요.",
    )
    lift = Row("Lift the causal mask", "인과 마스크 풀기")
    lift_help = Row(
        "Each step may then look at the tokens after it, the answer included. "
        "Training like that would teach copying, not translating.",
        "단계마다 뒤에 올 토큰, 곧 정답까지 볼 수 있게 돼요. "
        "이렇게 훈련하면 번역이 아니라 베끼기를 배워요.",
    )
    free = Row("Free-running", "스스로 쓴 것")
    forced = Row("Your target", "목표 문장")
    causal = Row("With the mask", "마스크 있음")
    lifted = Row("Mask lifted", "마스크 풀림")
    here = Row("Your target: “{target}”", "목표 문장: “{target}”")
    free_again = Row("Back to the free translation", "스스로 쓴 번역으로 돌아가기")
    target_elsewhere = Row(
        "Your target is not shown here; it stays on Step.",
        "목표 문장은 여기에 나오지 않고 단계별 화면에 그대로 있어요.",
    )
    mask_elsewhere = Row(
        "The lifted mask is not shown here; it stays on Step.",
        "마스크를 푼 결과는 여기에 나오지 않고 단계별 화면에 그대로 있어요.",
    )
    both_elsewhere = Row(
        "Your target and the lifted mask are not shown here; they stay on Step.",
        "목표 문장과 마스크를 푼 결과는 여기에 나오지 않고 단계별 화면에 그대로 있어요.",
    )
    show = Row("Show it there", "단계별 화면에서 보기")
    leak = Row(
        "Right answer, mean over {steps} steps: **{masked}** with the mask, **{lifted}** without "
        "({change}). Log-probability of the whole target: {log_masked} and {log_lifted} nats. "
        "{future} of the decoder's self-attention went to later tokens.",
        "정답 확률, {steps}단계 평균: 마스크가 있으면 **{masked}**, 풀면 **{lifted}** ({change}). "
        "목표 문장 전체의 로그 확률: {log_masked}, 풀면 {log_lifted}(단위: 내트). "
        "디코더 셀프 어텐션의 {future}가 뒤쪽 토큰으로 갔어요.",
    )
    leak_none = Row(
        "This model does not say how likely its tokens were: the leak has no number.",
        "이 모델은 토큰 확률을 알려 주지 않아 정보가 얼마나 새는지 숫자로 나타낼 수 없어요.",
    )
    leak_why = Row(
        "This model was trained with the mask, so it may not know how to use what leaks: "
        "the right answer can also become less likely.",
        "이 모델은 마스크를 쓰고 훈련해서 새는 정보를 쓸 줄 모를 수 있어요. "
        "정답 확률이 오히려 낮아지기도 해요.",
    )
    leak_table = Row("Every step", "단계마다")
    column_step = Row("Step", "단계")
    column_token = Row("Right answer", "정답")
    column_masked = Row("With the mask", "마스크 있음")
    column_lifted = Row("Mask lifted", "마스크 풀림")
    column_change = Row("Change", "바뀐 양")
    column_future = Row("Attention to later tokens", "뒤쪽 토큰을 본 비율")
    points = Row("{change} points", "{change}\u00a0%p")
    no_target = Row(
        "This model cannot be made to write a target, and no mask of it can be lifted.",
        "이 모델에는 목표 문장을 쓰게 할 수 없고, 마스크를 풀 수도 없어요.",
    )
    mask_fixed = Row(
        "This model's causal mask cannot be lifted here.",
        "이 모델의 인과 마스크는 여기서 풀 수 없어요.",
    )
    no_mask = Row(
        "This model has no causal mask that could be lifted.",
        "이 모델에는 풀 수 있는 인과 마스크가 없어요.",
    )


TEXT: Final = in_languages(StepText)
EN, KO = TEXT["en"], TEXT["ko"]
