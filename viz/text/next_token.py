"""The words of the inspector's next-token panel, beside `viz.text.inspector`."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class NextTokenText(Table):
    """Temperature, top-k and top-p, and going on from another token."""

    told = Row("What it says at this token", "이 토큰에서 하는 말")
    told_next = Row("What comes after this token", "이 토큰 다음에 올 것")
    told_previous = Row("What comes before this token", "이 토큰 앞에 올 것")
    told_near = Row("What stands near this token", "이 토큰 근처에 있을 것")
    told_here = Row("What stands in this place", "이 자리에 있을 것")
    told_text = Row("What it says of the whole text", "글 전체를 두고 하는 말")
    told_at = Row("What it says at {token}", "{token} 토큰에서 하는 말")
    told_at_next = Row("What comes after {token}", "{token} 다음에 올 것")
    told_at_previous = Row("What comes before {token}", "{token} 앞에 올 것")
    told_at_near = Row("What stands near {token}", "{token} 근처에 있을 것")
    told_at_here = Row("What stands in the place of {token}", "{token} 자리에 있을 것")
    told_at_text = Row("What it says of the whole text", "글 전체를 두고 하는 말")
    shape = Row(
        "These bars by temperature, top-k, top-p", "온도, top-k, top-p로 이 막대만 바꿔 보기"
    )
    shape_temperature = Row("temperature", "온도")
    shape_top_k = Row("top-k", "top-k")
    shape_top_p = Row("top-p", "top-p")
    shape_all = Row("all", "전체")
    shape_cut = Row("cut", "제외")
    shape_left = Row(
        "{kept} of {all} tokens are left; their probabilities sum to 1 again.",
        "토큰 {all}개 중 {kept}개가 남았고, 그 확률의 합을 다시 1로 맞췄어요.",
    )
    shape_loading = Row(
        "Shown as they are: the exact logits are on their way.",
        "바꾸지 않은 확률이에요. 정확한 로짓을 받는 중이에요.",
    )
    shape_failed = Row(
        "Shown as they are: the exact logits did not arrive. Choose the step again.",
        "바꾸지 않은 확률이에요. 정확한 로짓을 받지 못했으니 단계를 다시 고르세요.",
    )
    shape_reset = Row("as the model has it", "모델 그대로")
    branch_pick = Row(
        "Go on from {token} instead ({p})", "이 자리에 {token} 토큰을 쓰고 이어 가기 ({p})"
    )
    branch_here = Row("{token} is what stands here ({p})", "여기 놓인 토큰은 {token} ({p})")
    branch_hint = Row(
        "Choose another token and the model goes on from it.",
        "다른 토큰을 고르면 모델이 거기서 이어 써요.",
    )


TEXT: Final = in_languages(NextTokenText)
