"""The words of the page on neighbours."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class NeighboursText(Table):
    """A token of a sentence, and those that a model reads as nearly the same."""

    sentence = Row("Sentence", "문장")
    placeholder = Row("Type a sentence", "문장을 입력하세요")
    looking = Row("Opening…", "여는 중…")
    csv = Row("Numbers as CSV", "숫자를 CSV로")
    token = Row("Token", "토큰")
    intro = Row(
        "The {width} numbers that {model} reads for each token, as one arrow: tokens whose arrows "
        "point the same way are its neighbours.",
        "{model} 모델이 토큰마다 읽는 숫자 {width}개를 화살표 하나로 보면, 방향이 비슷한 토큰이 "
        "서로 이웃이에요.",
    )
    skipgram = Row(
        "They were trained for this alone: to tell what stands near a token.",
        "이 벡터는 오직 토큰 주위에 무엇이 있는지 맞히도록 훈련했어요.",
    )
    other = Row(
        "They were trained on the way to something else. {model} is a skip-gram, trained for this "
        "alone: choose it above.",
        "이 벡터는 다른 일을 배우면서 함께 훈련됐어요. {model} 모델은 이것만 훈련한 "
        "스킵그램이니 위에서 골라 보세요.",
    )
    cosine = Row("cosine of the angle", "각도의 코사인")
    bars = Row("Nearest to {token}", "{token}의 이웃")
    bars_alt = Row(
        "The tokens nearest to {token}: {neighbours}", "{token}에 가까운 토큰: {neighbours}"
    )
    map_alt = Row(
        "A map of the sentence's tokens and their neighbours", "문장의 토큰과 이웃을 그린 지도"
    )
    kept = Row(
        "The map is the plane that tells these {count} tokens apart best; it shows {share} of "
        "their differences. Lines lead to the nearest; others may lie nearer here than they are. "
        "Point at a dot or tap it for its name.",
        "이 지도는 토큰 {count}개를 가장 잘 구별하는 평면이고, 차이의 {share}를 보여 줘요. "
        "선은 가장 가까운 토큰으로 이어져요. 다른 토큰은 실제보다 가까워 보일 수 있어요. 점을 "
        "가리키거나 누르면 이름이 나와요.",
    )
    first = Row(
        "Of this text the first {count} tokens are shown.",
        "이 글 앞부분의 토큰 {count}개만 보여요.",
    )
    none = Row(
        "No token here has neighbours: the sentence holds none that the model knows by a name.",
        "이 문장에는 모델이 아는 토큰이 없어서 이웃을 찾을 수 없어요.",
    )


TEXT: Final = in_languages(NeighboursText)
EN, KO = TEXT["en"], TEXT["ko"]
