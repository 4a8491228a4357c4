"""The words of the page on gaps; what begins with `gaps_` is used in the browser."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class GapsText(Table):
    """A text with a gap, and the models that fill it."""

    sentence = Row("Sentence", "문장")
    placeholder = Row("Type a sentence in Korean", "한국어 문장을 입력하세요")
    none = Row(
        'There is no language model here. A recipe of the family "language" trains one in '
        "minutes; docs/training.md says how.",
        '여기에는 언어 모델이 없어요. family가 "language"인 레시피로 몇 분이면 훈련할 수 있어요. '
        "방법은 docs/training.md에 있어요.",
    )
    others = Row(
        "Not shown, since they cut the sentence into other tokens: {models}.",
        "문장을 다른 토큰으로 나누어서 보여 주지 않는 모델: {models}.",
    )
    other_language = Row(
        "These models read {read}, and the sentence looks like {written}: what they fill in says "
        "little. Type one in {read}.",
        "여기 모델들은 {read}를 읽는데, 이 문장은 {written} 같아요. 채운 말에 별 뜻이 없으니 "
        "{read}로 입력해 보세요.",
    )
    too_long = Row(
        "The sentence is {length} tokens long; these models read at most {limit}. Shorten it.",
        "문장이 토큰 {length}개예요. 여기 모델들은 {limit}개까지만 읽으니 줄여 주세요.",
    )
    gaps_choose = Row(
        "Click a token: it becomes a gap, and each model says what it would write there.",
        "토큰을 누르면 빈칸이 되고, 모델마다 그 자리에 무엇을 쓸지 보여 줘요.",
    )
    gaps_tokens = Row("Token that becomes a gap", "빈칸이 될 토큰")
    gaps_before = Row("Forward: looks at what stands before", "순방향: 앞에 있는 것만 봐요")
    gaps_after = Row("Backward: looks at what stands after", "역방향: 뒤에 있는 것만 봐요")
    gaps_both = Row("Masked: looks at both sides", "마스크: 양쪽을 모두 봐요")
    # for who does not see which tokens are hatched
    gaps_looks = Row("Looks at: {tokens}", "보는 토큰: {tokens}")
    gaps_gap = Row("the gap", "빈칸")
    gaps_fills = Row("It would write", "이 자리에 쓸 말")
    gaps_mask = Row(
        "The pictures are the models' masks: a row is a token, its coloured columns are those that "
        "it may look at. The row that foretells is outlined; an amber column is the hidden gap.",
        "그림은 모델의 마스크예요. 행은 토큰, 색칠된 열은 그 토큰이 볼 수 있는 토큰이에요. "
        "예측하는 행에 테두리가 있고, 호박색 열은 가려진 빈칸이에요.",
    )
    gaps_stands = Row("{token} is what stands there.", "그 자리에 있던 말: {token}")
    gaps_one = Row("This gap", "이 빈칸")
    gaps_all = Row("All gaps", "모든 빈칸")
    gaps_said = Row("{model}: {token}, {p}", "{model}: {token}, {p}")


TEXT: Final = in_languages(GapsText)
