"""The words of recurrent states over time; holes are filled in by the browser."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class StatesText(Table):
    """Names of states and gates are followed by their symbols: "reset r"."""

    states_title = Row("States over time", "시간에 따른 상태")
    states_vectors = Row("Vectors of the tokens", "토큰의 벡터")
    states_stack = Row("Which layers", "어느 쪽 층")
    states_encoder = Row("Encoder", "인코더")
    states_decoder = Row("Decoder", "디코더")
    states_steps_encoder = Row("Token that the encoder reads", "인코더가 읽는 토큰")
    states_steps_decoder = Row("Token that the decoder reads", "디코더가 읽는 토큰")
    states_layer = Row("Layer", "층")
    states_name = Row("State or gate", "상태 또는 게이트")
    state_hidden = Row("hidden", "은닉")
    state_cell = Row("cell", "셀")
    state_vector = Row("vector", "벡터")
    state_input = Row("input", "입력")
    state_forget = Row("forget", "망각")
    state_candidate = Row("candidate", "후보")
    state_output = Row("output", "출력")
    state_reset = Row("reset", "리셋")
    state_update = Row("update", "업데이트")
    states_units = Row("Units:", "유닛:")
    states_units_most = Row("the {few} that vary most", "가장 많이 변하는 {few}개")
    states_units_varying = Row(
        "all {units}, by how much they vary", "{units}개 모두, 변화가 큰 순서"
    )
    states_units_model = Row("all {units}, as numbered", "{units}개 모두, 번호 순서")
    states_unit_axis = Row("unit", "유닛")
    states_heat = Row("Units down, tokens across", "세로는 유닛, 가로는 토큰")
    states_heat_note = Row(
        "A row is a unit, a column the step that reads its token. "
        "Click a cell, or use the arrow keys.",
        "행은 유닛, 열은 그 토큰을 읽는 단계예요. 칸을 누르거나 화살표 키를 써 보세요.",
    )
    states_still_note = Row(
        "A row is a unit, a column the vector of a token. Click a cell, or use the arrow keys.",
        "행은 유닛, 열은 토큰의 벡터예요. 칸을 누르거나 화살표 키를 써 보세요.",
    )
    states_told_note = Row(
        "Beneath the units: how likely it finds each answer after that token; the stronger the "
        "colour, the likelier.",
        "유닛 아래: 그 토큰까지 읽었을 때 각 답의 확률이에요. 진할수록 높아요.",
    )
    states_cell = Row("unit {unit}: {state} {value}", "유닛 {unit}: {state} {value}")
    states_step = Row(
        "Step {step} of {steps} reads {token}: unit {unit}",
        "{steps}단계 중 {step}단계에서 {token} 읽기: 유닛 {unit}",
    )
    states_note = Row(
        "A band has all the units of the picture. Gates and states are coloured up to ±1, "
        "products, which include their biases, up to the largest of their formula (at most "
        "{most} here). Click a band for another unit.",
        "띠마다 그림의 유닛이 모두 있어요. 게이트와 상태의 색은 ±1까지, 편향이 들어 있는 "
        "곱의 색은 그 수식에서 가장 큰 값까지예요(여기서는 최대 {most}). 띠를 누르면 다른 "
        "유닛을 볼 수 있어요.",
    )
    states_told = Row("What it says after this token", "이 토큰까지 읽고 하는 답")
    states_export = Row("This picture, its layer's numbers", "이 그림과 이 층의 숫자")
    states_export_pair = Row("This picture, its numbers", "이 그림과 숫자")
    states_next = Row("What is told at this step", "이 단계에서 하는 말")
    states_whole = Row("Everything", "전체")
    states_export_note = Row(
        "HTML is this view, alive, in one file: it opens without Headlight and offline.",
        "HTML은 이 화면을 직접 조작할 수 있게 담은 파일 하나예요. "
        "Headlight나 인터넷 없이도 열려요.",
    )
    # of two traces beside each other
    states_differ_most = Row("the {few} that differ most", "가장 많이 다른 {few}개")
    states_differ_all = Row(
        "all {units}, by how much they differ", "{units}개 모두, 차이가 큰 순서"
    )
    states_pair_reading = Row(
        "Unit {unit}, {state}, at {token}: A {first}, B {second}, B − A {change}",
        "{token} 자리, 유닛 {unit}, {state}: A {first}, B {second}, B − A {change}",
    )
    states_one_reading = Row(
        "{side}: unit {unit}, {state}, at {token}: {value}",
        "{side}: {token} 자리, 유닛 {unit}, {state} {value}",
    )
    states_none_first = Row("A has no recurrent layers.", "A에는 순환 층이 없어요.")
    states_none_second = Row("B has no recurrent layers.", "B에는 순환 층이 없어요.")
    states_not_here = Row(
        "No {state} in layer {layer} here.", "여기에는 {layer}층의 {state} 값이 없어요."
    )
    states_pair_note = Row(
        "Units down, tokens across. The difference is blank where only one of the two has the "
        "token. Click a cell, or use the arrow keys.",
        "세로는 유닛, 가로는 토큰이에요. 한쪽에만 있는 토큰의 차이는 비어 있어요. 칸을 누르거나 "
        "화살표 키를 써 보세요.",
    )
    states_alone = Row("a token that only one of the two has", "한쪽에만 있는 토큰")
    states_both = Row("Both", "둘 다")
    states_unlike_note = Row(
        "Units down, tokens across. Unit 1 of A has nothing to do with unit 1 of B: each is "
        "ordered by itself.",
        "세로는 유닛, 가로는 토큰이에요. A의 유닛 1과 B의 유닛 1은 서로 상관이 없어서 따로 "
        "정렬돼요.",
    )
    states_missing = Row(
        "These numbers could not be loaded. Choose them again.",
        "이 수를 불러오지 못했어요. 다시 선택해 주세요.",
    )


TEXT: Final = in_languages(StatesText)
EN, KO = TEXT["en"], TEXT["ko"]
