"""The words of the page on studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viz.text.positions import SCHEMES
from viz.text.rows import Row, Table, in_languages


class StudiesText(Table):
    """Each study: its name, what it asks, its axes, and what one reads off it."""

    choose = Row("Study", "연구")
    none = Row(
        "No study is kept here (docs/studies). Make one by the command below.",
        "여기에는 저장된 연구가 없어요(docs/studies). 아래 명령으로 만들 수 있어요.",
    )
    made = Row("Made by", "만든 명령")
    sources: Row[Mapping[str, str]] = Row(
        {"here": "measured here", "kept": "as in the report"},
        {"here": "여기서 잰 것", "kept": "보고서의 것"},
    )
    measure = Row("Measure it on this computer", "이 컴퓨터에서 재기")
    measure_words = Row("Measure it with your sentence", "내 문장으로 재기")
    takes: Row[Mapping[str, str]] = Row(
        {
            "alignment": "{models}, on 300 sentences of the grammar: about half a minute.",
            "bottleneck": "{models}, on 300 sentences of the grammar: about half a minute.",
            "complexity": "About half a minute.",
            "exposure": "{models}, on 300 sentences of the grammar: about half a minute.",
            "extrapolation": "{models}, on long texts of the grammar: about half a minute.",
            "gradients": "About two minutes.",
            "receptive": "About a quarter of a minute.",
            "transfer": "{models}, 50 and 200 examples, one draw of them: about six minutes.",
        },
        {
            "alignment": "{models}, 문법이 쓴 300문장으로. 30초쯤 걸려요.",
            "bottleneck": "{models}, 문법이 쓴 300문장으로. 30초쯤 걸려요.",
            "complexity": "30초쯤 걸려요.",
            "exposure": "{models}, 문법이 쓴 300문장으로. 30초쯤 걸려요.",
            "extrapolation": "{models}, 문법이 쓴 긴 글로. 30초쯤 걸려요.",
            "gradients": "2분쯤 걸려요.",
            "receptive": "15초쯤 걸려요.",
            "transfer": "{models}, 예문 50개와 200개를 한 번씩 뽑아서. 6분쯤 걸려요.",
        },
    )
    measuring = Row("{finished} of {all} steps", "{all}단계 중 {finished}단계")
    beginning = Row("Beginning…", "시작하는 중…")
    cancel = Row("Stop", "멈추기")
    failed = Row("It ended without a result: {said}", "결과 없이 끝났어요: {said}")
    report = Row(
        "What study notes say of it, and where they differ, stands in docs/studies.md.",
        "공부 노트의 설명, 그리고 그 설명과 어디가 다른지는 docs/studies.md에 있어요.",
    )
    names: Row[Mapping[str, str]] = Row(
        {
            "gradients": "Gradients through time",
            "receptive": "Receptive fields",
            "bottleneck": "The bottleneck",
            "exposure": "Its own words",
            "extrapolation": "Longer than ever",
            "alignment": "Alignment",
            "transfer": "Transfer",
            "complexity": "Table 1",
        },
        {
            "gradients": "시간을 거슬러 가는 기울기",
            "receptive": "수용 영역",
            "bottleneck": "병목",
            "exposure": "자기가 쓴 말 읽기",
            "extrapolation": "배운 적 없는 길이",
            "alignment": "단어 정렬",
            "transfer": "전이 학습",
            "complexity": "표 1",
        },
    )
    questions: Row[Mapping[str, str]] = Row(
        {
            "gradients": "How much of what a recurrent layer once carried still moves what it "
            "carries now? |d h_t / d h_0|, the median of seeds and sequences, at the start and "
            "trained.",
            "receptive": "Which word can change the output at the one chosen, and how much? "
            "|d y_t / d x_s| of layers that nobody trained; where a line ends, the word changes "
            "nothing.",
            "bottleneck": "What becomes of long sentences where a decoder knows one vector of "
            "them? BLEU by length of the source; in the report both learn from the same data, "
            "with as many parameters (within 10 %) and three seeds each.",
            "exposure": "A decoder is taught on right words and reads its own in use: what does "
            "that cost? The loss of the right token, by the share of tokens read that are its own.",
            "extrapolation": "A language model is trained on short texts and reads long ones: what "
            "becomes of it there, by how it is told where tokens stand? In the report the same "
            "model six times, three seeds each, on texts of 32 tokens on average and 93 at most.",
            "alignment": "Does a head look at the word that a target word translates? The "
            "alignment error rate of every head of cross-attention, against links that the grammar "
            "knows; 0 is never wrong.",
            "transfer": "What does a masked language model bring to another task? The same network "
            "learns to tell good, bad and neutral sentences apart, begun with its weights and from "
            "scratch; in the report from three draws of the examples each.",
            "complexity": "What do layers cost as texts grow longer and vectors wider, and how far "
            "is it from the last token to the first? Counted on real graphs and timed, beside the "
            "orders that the paper prints.",
        },
        {
            "gradients": "순환 층이 예전에 지닌 것이 지금 지닌 것을 얼마나 움직일까요? "
            "|d h_t / d h_0|, 시드와 시퀀스의 중앙값, 초기 상태와 훈련 뒤.",
            "receptive": "어느 단어가 고른 단어의 출력을 얼마나 바꿀 수 있을까요? 훈련하지 않은 "
            "층의 |d y_t / d x_s|예요. 선이 없는 단어는 아무것도 바꾸지 못해요.",
            "bottleneck": "디코더가 문장을 벡터 하나로만 알면 긴 문장은 어떻게 될까요? 원문 길이별 "
            "BLEU예요. 보고서에서는 같은 데이터, 파라미터 차이 10 % 이내, 시드 셋.",
            "exposure": "디코더는 정답을 읽으며 배우고, 쓸 때는 자기가 쓴 말을 읽어요. 그 대가는 "
            "얼마일까요? 자기가 쓴 토큰의 비율에 따른 정답 토큰의 손실.",
            "extrapolation": "짧은 글로 훈련한 언어 모델이 긴 글을 읽으면 어떻게 될까요? 위치를 "
            "알려 주는 방법이 다르면요? 보고서에서는 같은 모델을 방법만 바꿔 여섯 번, 시드 "
            "셋씩, 평균 32토큰이고 가장 길어도 93토큰인 글로 훈련했어요.",
            "alignment": "헤드는 지금 쓰는 단어의 원래 단어를 볼까요? 문법이 아는 단어 연결에 "
            "비춘 크로스 어텐션 헤드마다의 정렬 오류율이에요. 0이면 늘 맞아요.",
            "transfer": "마스크 언어 모델이 배운 것은 다른 과제에 얼마나 도움이 될까요? 같은 "
            "신경망이 좋은 문장, 나쁜 문장, 중립인 문장을 가리는 법을 배워요. 그 가중치에서 시작할 "
            "때와 처음부터 배울 때를 견줘요. 보고서에서는 예문을 세 번씩 뽑았어요.",
            "complexity": "글이 길어지고 벡터가 넓어지면 층마다 비용이 얼마나 늘고, 마지막 "
            "토큰에서 첫 토큰까지는 얼마나 멀까요? 실제 그래프에서 세고 시간을 재서 논문의 "
            "차수와 견줘요.",
        },
    )
    # axes
    steps = Row("steps t", "단계 t")
    changed = Row("word that is changed", "바뀌는 단어")
    source_words = Row("words of the source", "원문의 단어 수")
    own_tokens = Row("own tokens, %", "자기가 쓴 토큰, %")
    nats = Row("nats a token", "토큰당 내트")
    places = Row("places of the text", "글에서의 자리")
    distance = Row("tokens back", "몇 토큰 앞인지")
    looked = Row("share of the attention", "어텐션의 비율")
    heads = Row("layer.head of cross-attention", "크로스 어텐션의 층.헤드")
    error_rate = Row("alignment error rate, %", "정렬 오류율, %")
    # choices
    what = Row("What", "무엇")
    loss_by_place = Row("loss by place", "자리에 따른 손실")
    looks_at = Row("attention at places {places}", "{places}번째 자리의 어텐션")
    rows: Row[Mapping[str, str]] = Row(
        {"written": "rows that write the word", "read": "rows that read it"},
        {"written": "단어를 쓰는 행", "read": "단어를 읽는 행"},
    )
    quantities: Row[Mapping[str, str]] = Row(
        {
            "products": "multiplications",
            "memory": "bytes kept for the gradient",
            "time": "seconds",
            "sequential": "operations in a row",
            "path": "path length",
        },
        {
            "products": "곱셈 수",
            "memory": "기울기를 위해 남기는 바이트",
            "time": "초",
            "sequential": "차례로 할 연산",
            "path": "경로 길이",
        },
    )
    grows = Row("{quantity} as {axis} grows", "{axis}에 따른 {quantity}")
    printed = Row("{layer}: {power}, paper: {printed}", "{layer}: {power}, 논문 {printed}")
    axes: Row[Mapping[str, str]] = Row(
        {"n": "tokens n", "d": "width d of a vector"}, {"n": "토큰 수 n", "d": "벡터의 차원 d"}
    )
    fixed: Row[Mapping[str, str]] = Row(
        {
            "n": "Vectors are d = {width} wide, convolutions reach k = {kernel} tokens, restricted "
            "self-attention r = {window}.",
            "d": "Texts are n = {length} tokens long, convolutions reach k = {kernel} tokens, "
            "restricted self-attention r = {window}.",
        },
        {
            "n": "벡터의 차원은 d = {width}, 합성곱의 커널은 k = {kernel}토큰, 제한된 셀프 "
            "어텐션의 창은 r = {window}토큰이에요.",
            "d": "글의 길이는 n = {length}토큰, 합성곱의 커널은 k = {kernel}토큰, 제한된 셀프 "
            "어텐션의 창은 r = {window}토큰이에요.",
        },
    )
    paths = Row(
        "Table 1 prints log_k n for convolutions. The paper's text has that of dilated ones, and "
        "n/k of those whose kernel is contiguous.",
        "표 1은 합성곱에 log_k n을 적어요. 논문 본문에서는 그것이 확장 합성곱의 차수이고, 커널이 "
        "연속인 합성곱은 n/k예요.",
    )
    skipped = Row(
        "Skipped: {layer} at n = {length}, which would keep {megabytes} MB.",
        "건너뜀: n = {length}의 {layer}. {megabytes} MB가 필요해요.",
    )
    schemes = SCHEMES
    examples = Row("examples that are taught", "가르친 예문 수")
    right = Row("labelled right, %", "바르게 붙인 레이블, %")
    pretrained = Row("begun with a language model", "언어 모델에서 시작")
    scratch = Row("from scratch", "처음부터")
    commonest = Row("always the commonest", "늘 가장 흔한 것")
    diagonal = Row("the diagonal", "대각선")
    chance = Row("chance", "무작위")
    some = Row("{name} ({pairs} of {all} sentences)", "{name} ({all}문장 중 {pairs}문장)")
    one_way = Row("{name}, {source} → {target}", "{name}, {source} → {target}")
    when = Row("When", "언제")
    whens: Row[Mapping[str, str]] = Row(
        {
            "start": "at the start",
            "trained": "trained",
            "clipped": "trained, clipped",
            "kept": "an LSTM's cell, i = 0",
        },
        {
            "start": "초기 상태",
            "trained": "훈련 뒤",
            "clipped": "클리핑하며 훈련한 뒤",
            "kept": "LSTM의 셀, i = 0",
        },
    )
    cell_alone = Row(
        "Its input gate stays shut (i = 0), so c_t = f · c_(t−1): the share of the cell that is "
        "left after t steps. With f = 1 it stays for ever.",
        "입력 게이트가 닫혀 있어서(i = 0) c_t = f · c_(t−1)이에요. 선은 t단계 뒤에 남은 셀의 "
        "비율이고, f = 1이면 언제까지나 그대로예요.",
    )
    depth = Row("Layers", "층")
    output_at = Row("Output at", "출력을 볼 단어")
    deep = Row("{depth} deep", "{depth}개 층")
    layers: Row[Mapping[str, str]] = Row(
        {
            "convolution": "convolution",
            "rnn": "RNN",
            "lstm": "LSTM",
            "causal attention": "causal self-attention",
            "attention": "self-attention",
            "fused": "self-attention in one kernel",
            "recurrent": "recurrent",
            "dilated": "dilated convolution",
            "restricted": "restricted self-attention",
        },
        {
            "convolution": "합성곱",
            "rnn": "RNN",
            "lstm": "LSTM",
            "causal attention": "인과 셀프 어텐션",
            "attention": "셀프 어텐션",
            "fused": "커널 하나로 하는 셀프 어텐션",
            "recurrent": "순환",
            "dilated": "확장 합성곱",
            "restricted": "제한된 셀프 어텐션",
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
    quartiles = Row(
        "A band reaches from the lower quartile of seeds and sequences to the upper.",
        "띠는 시드와 시퀀스의 아래쪽 사분위수에서 위쪽 사분위수까지예요.",
    )
    sampled = Row(
        "study-forced and study-sampled are one small Seq2Seq with attention, trained twice for "
        "this study: by right words alone (teacher forcing), and with a share of its own among "
        "those it reads that rises to a half (scheduled sampling).",
        "study-forced와 study-sampled는 이 연구를 위해 두 번 훈련한, 어텐션이 있는 작은 "
        "Seq2Seq예요. 앞의 것은 정답만 읽으며(교사 강요), 뒤의 것은 읽는 단어 가운데 자기가 쓴 "
        "말의 비율을 절반까지 늘리며(계획된 샘플링) 배웠어요.",
    )


TEXT: Final = in_languages(StudiesText)
EN, KO = TEXT["en"], TEXT["ko"]
