"""The words around BertViz's own views."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class BertVizText(Table):
    """Every text of the page; `{name}` is filled in."""

    title = Row("BertViz", "BertViz")
    intro = Row(
        "BertViz's own views of this trace, offline. Left looks, right is looked at.",
        "이 기록을 인터넷 없이 BertViz 화면으로 볼 수 있어요. "
        "왼쪽이 보는 쪽, 오른쪽이 보이는 쪽이에요.",
    )
    views = Row("View", "화면")
    view_head = Row("Head view", "헤드 보기")
    view_model = Row("Model view", "모델 보기")
    view_neuron = Row("Neuron view", "뉴런 보기")
    kinds = Row("Kind of attention", "어텐션 종류")
    layer = Row("Layer", "층")
    head = Row("Head", "헤드")
    sides = Row(
        "In a decoder, the left side names what each row writes, the right side what was read.",
        "디코더에서 왼쪽은 각 행이 쓰는 토큰, 오른쪽은 이미 읽은 토큰이에요.",
    )
    heads = Row(
        "Each square is a head: press it to switch its lines off or on. Double-click or double-tap "
        "it, or press Shift + Enter, for only this head; again, for all.",
        "네모 하나가 헤드 하나예요. 누르면 그 선을 끄거나 켜요. 두 번 클릭하거나 두 번 "
        "탭하거나 Shift + Enter를 누르면 그 헤드만 보이고, 다시 하면 모두 보여요.",
    )
    too_long = Row(
        "BertViz draws every weight as a line of its own: {rows} × {columns} tokens and {heads} "
        "heads are {lines:,} lines a layer, and a browser stands still. It is shown up to "
        "{limit} tokens a side. Inspect draws it.",
        "BertViz는 가중치마다 선을 하나씩 그려요. 토큰 {rows} × {columns}개와 헤드 {heads}개면 "
        "한 층에 선이 {lines:,}개라 브라우저가 멈춰요. 그래서 한쪽에 토큰 {limit}개까지만 그려요. "
        "이 문장은 살펴보기에서 볼 수 있어요.",
    )
    layers_cut = Row(
        "Layers {first} to {last} of {layers}: more of them would take BertViz seconds to open.",
        "층 {layers}개 가운데 {first}~{last}층: 더 많으면 BertViz를 여는 데 몇 초가 걸려요.",
    )
    colours = Row(
        "BertViz has ten colours: heads 1 and 11 share one.",
        "BertViz의 색은 열 가지라, 헤드 1과 11은 색이 같아요.",
    )
    neuron = Row(
        "Press a token on the left to see its query, every key and what they come to; − beside it "
        "goes back. Blue is positive, orange negative, stronger is larger. The score q ∙ k is "
        "divided by √{width}.",
        "왼쪽 토큰을 누르면 그 쿼리와 모든 키, 그리고 둘을 곱한 값이 보여요. 옆의 −를 누르면 "
        "돌아가요. 파랑은 양수, 주황은 음수이고, 진할수록 커요. 점수 q ∙ k는 √{width} 값으로 "
        "나눈 결과예요.",
    )
    neuron_added = Row(
        "This model, or an edit, adds to the scores before the softmax (as ALiBi does for the "
        "distance); q ∙ k is without that.",
        "이 모델이나 편집은 소프트맥스 앞에서 점수에 값을 더해요(거리를 반영하는 ALiBi처럼). "
        "q ∙ k에는 그 값이 들어 있지 않아요.",
    )
    neuron_rescaled = Row(
        "This model does not divide by that: each query is drawn multiplied so that the score is "
        "its own.",
        "이 모델은 그렇게 나누지 않아요. 그래서 점수가 모델의 값과 같아지도록 쿼리에 수를 곱해 "
        "그렸어요.",
    )
    neuron_missing = Row(
        "The neuron view draws query and key vectors, and this trace has none: its model does not "
        "expose them, or it was saved without them.",
        "뉴런 보기는 쿼리와 키 벡터를 그리는데, 이 기록에는 벡터가 없어요. 모델이 벡터를 보여 "
        "주지 않거나, 기록이 벡터 없이 저장됐어요.",
    )
    neuron_scored = Row(
        "Step shows its scores, number by number.",
        "점수는 단계별 화면에서 숫자 하나하나 볼 수 있어요.",
    )
    neuron_too_large = Row(
        "BertViz draws every number of a vector as a box of its own: {rows} × {columns} tokens of "
        "{width} numbers are {elements:,} boxes and lines, too slow to point at. The neuron "
        "view is shown up to {limit} tokens a side. Inspect draws it.",
        "BertViz는 벡터의 숫자마다 상자를 하나씩 그려요. 토큰 {rows} × {columns}개에 숫자가 "
        "{width}개씩이면 상자와 선이 {elements:,}개라 가리켜도 반응이 느려요. 그래서 뉴런 "
        "보기는 한쪽에 토큰 {limit}개까지만 그려요. 이 문장은 살펴보기에서 볼 수 있어요.",
    )
    nothing = Row("This trace has no attention to draw.", "이 기록에는 그릴 어텐션이 없어요.")
    missing = Row(
        "This trace is no longer here. Go back to Inspect and open BertViz again.",
        "이 기록은 더 이상 여기에 없어요. 살펴보기로 돌아가 BertViz를 다시 여세요.",
    )


TEXT: Final = in_languages(BertVizText)
