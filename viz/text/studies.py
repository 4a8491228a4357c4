"""The words of the page on studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viz.text.rows import Row, Table, in_languages


class StudiesText(Table):
    """Each study: its name, what it asks, its axes, and what one reads off it."""

    title = Row("Studies", "연구")
    choose = Row("Study", "연구")
    none = Row(
        "No study is kept here (docs/studies). Make one by the command below.",
        "여기에는 저장된 연구가 없어요(docs/studies). 아래 명령으로 만들 수 있어요.",
    )
    made = Row("Made by", "만든 명령")
    report = Row(
        "What study notes say of it, and where they differ, stands in docs/studies.md.",
        "공부 노트의 설명과 다른 점은 docs/studies.md에 있어요.",
    )
    names: Row[Mapping[str, str]] = Row(
        {
            "gradients": "Gradients through time",
            "receptive": "Receptive fields",
            "bottleneck": "The bottleneck",
            "exposure": "Its own words",
        },
        {
            "gradients": "시간을 거슬러 가는 기울기",
            "receptive": "수용 영역",
            "bottleneck": "병목",
            "exposure": "자기가 쓴 말 읽기",
        },
    )
    questions: Row[Mapping[str, str]] = Row(
        {
            "gradients": "How much of what a recurrent layer once carried still moves what it "
            "carries now? |d h_t / d h_0|, the median of seeds and sequences, at the start and "
            "trained.",
            "receptive": "Which word can change the output at the last one, and how much? "
            "|d y_t / d x_s| of layers that nobody trained; where a line ends, the word changes "
            "nothing.",
            "bottleneck": "What becomes of long sentences where a decoder knows one vector of "
            "them? BLEU by length of the source, same data, as many parameters within 10 %, three "
            "seeds.",
            "exposure": "A decoder is taught on right words and reads its own in use: what does "
            "that cost? The loss of the right token, by the share of tokens read that are its own.",
        },
        {
            "gradients": "순환 층이 예전에 지닌 것이 지금 지닌 것을 얼마나 움직일까요? "
            "|d h_t / d h_0|, 시드와 시퀀스의 중앙값, 초기 상태와 훈련 뒤.",
            "receptive": "어느 단어가 마지막 단어의 출력을 얼마나 바꿀 수 있을까요? 훈련하지 않은 "
            "층의 |d y_t / d x_s|예요. 선이 없는 단어는 아무것도 바꾸지 못해요.",
            "bottleneck": "디코더가 문장을 벡터 하나로만 알면 긴 문장은 어떻게 될까요? 원문 길이별 "
            "BLEU, 같은 데이터, 파라미터 차이 10 % 이내, 시드 셋.",
            "exposure": "디코더는 정답을 읽으며 배우고, 쓸 때는 자기가 쓴 말을 읽어요. 그 대가는 "
            "얼마일까요? 자기가 쓴 토큰의 비율에 따른 정답 토큰의 손실.",
        },
    )
    x_titles: Row[Mapping[str, str]] = Row(
        {
            "gradients": "steps t",
            "receptive": "word that is changed",
            "bottleneck": "words of the source",
            "exposure": "own tokens, %",
        },
        {
            "gradients": "단계 t",
            "receptive": "바뀌는 단어",
            "bottleneck": "원문의 단어 수",
            "exposure": "자기가 쓴 토큰, %",
        },
    )
    y_titles: Row[Mapping[str, str]] = Row(
        {
            "gradients": "|d h_t / d h_0|",
            "receptive": "|d y_t / d x_s|",
            "bottleneck": "BLEU",
            "exposure": "nats a token",
        },
        {
            "gradients": "|d h_t / d h_0|",
            "receptive": "|d y_t / d x_s|",
            "bottleneck": "BLEU",
            "exposure": "토큰당 내트",
        },
    )
    when = Row("When", "언제")
    whens: Row[Mapping[str, str]] = Row(
        {"start": "at the start", "trained": "trained", "clipped": "trained, clipped"},
        {"start": "초기 상태", "trained": "훈련 뒤", "clipped": "클리핑하며 훈련한 뒤"},
    )
    depth = Row("Layers", "층")
    deep = Row("{depth} deep", "{depth}개 층")
    layers: Row[Mapping[str, str]] = Row(
        {
            "convolution": "convolution",
            "rnn": "RNN",
            "lstm": "LSTM",
            "causal attention": "causal self-attention",
            "attention": "self-attention",
        },
        {
            "convolution": "합성곱",
            "rnn": "RNN",
            "lstm": "LSTM",
            "causal attention": "마스크가 있는 셀프 어텐션",
            "attention": "셀프 어텐션",
        },
    )
    kernel = Row("{layer} of {kernel}", "{layer} (커널 {kernel})")
    radius = Row("{cell}, radius {radius}", "{cell}, 반지름 {radius}")
    hold = Row("{cell}, gates hold by {hold}", "{cell}, 유지 편향 {hold}")
    kinds: Row[Mapping[str, str]] = Row(
        {
            "transformer": "Transformer",
            "dot": "GRU with attention",
            "none": "GRU without attention",
        },
        {"transformer": "트랜스포머", "dot": "어텐션이 있는 GRU", "none": "어텐션이 없는 GRU"},
    )
    band = Row(
        "A band reaches from the least of its seeds to the most.",
        "띠는 시드 가운데 가장 작은 값에서 가장 큰 값까지예요.",
    )


TEXT: Final = in_languages(StudiesText)
EN, KO = TEXT["en"], TEXT["ko"]
