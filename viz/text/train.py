"""The words of the page where one trains a model. Braces are filled in by the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from viz.text.positions import SCHEMES
from viz.text.rows import Row, Table, in_languages

if TYPE_CHECKING:
    from core.nn.recurrent import CellName
    from core.nn.seq2seq import Score
    from core.training.networks import Network, Size


class TrainText(Table):
    """Every text of a training that is being prepared.

    Attributes:
        languages: names by BCP 47 tag; the ones that can be chosen.
    """

    languages: Row[Mapping[str, str]] = Row(
        {
            "ko": "Korean",
            "en": "English",
            "zh": "Chinese",
            "ja": "Japanese",
            "vi": "Vietnamese",
            "es": "Spanish",
            "fr": "French",
            "de": "German",
            "ru": "Russian",
            "ar": "Arabic",
            "und": "other",
        },
        {
            "ko": "한국어",
            "en": "영어",
            "zh": "중국어",
            "ja": "일본어",
            "vi": "베트남어",
            "es": "스페인어",
            "fr": "프랑스어",
            "de": "독일어",
            "ru": "러시아어",
            "ar": "아랍어",
            "und": "그 밖",
        },
    )
    # what to learn from
    what = Row("What shall it learn?", "무엇을 배우게 할까요?")
    what_example = Row("A small example", "작은 예제")
    what_pairs = Row("Your own pairs", "내 문장 쌍")
    what_again = Row("A model of ours, again", "제공된 모델 다시 훈련")
    example_title = Row("Numbers in words", "숫자를 말로")
    example = Row(
        "A tiny Transformer learns to read 407 and write *four zero seven*. Watch its attention "
        "find the digit that each letter spells.",
        "아주 작은 트랜스포머가 407을 읽고 *four zero seven*이라고 쓰는 법을 배워요. "
        "어텐션이 글자마다 그 글자가 나타내는 숫자를 찾아가는 모습을 지켜보세요.",
    )
    pairs_label = Row(
        "Pairs, one a line: input, a tab (or |), right answer",
        "한 줄에 한 쌍: 입력, 탭(또는 |), 정답",
    )
    pairs_placeholder = Row(
        "cat | 고양이\ndog | 개\n…  (paste two columns of a spreadsheet)",
        "고양이 | cat\n개 | dog\n…  (표의 두 열을 붙여 넣어도 돼요)",
    )
    upload = Row(
        "Or a file (.tsv, .csv, .jsonl, at most {megabytes} MB)",
        "또는 파일 (.tsv, .csv, .jsonl, {megabytes} MB까지)",
    )
    upload_help = Row(
        "UTF-8 text with tabs (.tsv, .txt, .csv) or JSON Lines, up to {megabytes} MB.",
        "탭으로 나눈 UTF-8 텍스트(.tsv, .txt, .csv)나 JSON Lines, {megabytes} MB까지.",
    )
    uploaded = Row("{name} is used instead of the text above.", "위의 글 대신 {name} 파일을 써요.")
    file_gone = Row(
        "{name} is not here: it is larger than {megabytes} MB, or had to make room for others. "
        "Choose it again.",
        "{name} 파일이 없어요. {megabytes} MB보다 크거나, 다른 파일을 담느라 지워졌어요. 다시 "
        "골라 주세요.",
    )
    again_label = Row("Recipe", "레시피")
    again_data = Row("Data that it reads", "읽는 데이터")
    again_here = Row("here", "있음")
    again_missing = Row("not here", "없음")
    again_whole = Row(
        "It starts once all of its data are here. Its model card says where they come from.",
        "데이터가 모두 있어야 시작할 수 있어요. 받을 곳은 모델 카드에 적혀 있어요.",
    )
    again_long = Row(
        "It was made for a GPU or a patient computer; it can be stopped and resumed.",
        "GPU나 오래 켜 둘 컴퓨터에 맞춘 레시피예요. 멈췄다가 이어 할 수 있어요.",
    )
    again_none = Row(
        "No model here brings the recipe that it was trained by.",
        "훈련 레시피가 들어 있는 모델이 여기에는 없어요.",
    )
    again_look = Row("Read the data first", "먼저 데이터 읽어 보기")
    # choices
    name = Row("Name", "이름")
    name_help = Row(
        "Of the folder in runs/ and of the model: small letters, digits and hyphens.",
        "runs/ 폴더와 모델의 이름: 영어 소문자, 숫자, 붙임표(-).",
    )
    name_invalid = Row(
        "Small letters, digits and hyphens, please: my-pairs.",
        "영어 소문자, 숫자, 붙임표만 쓰세요: my-pairs.",
    )
    name_taken = Row("{name} is taken.", "이미 있는 이름이에요: {name}.")
    reads = Row("It reads", "읽는 언어")
    writes = Row("It writes", "쓰는 언어")
    network = Row("Model", "모델")
    networks: Row[Mapping[Network, str]] = Row(
        {
            "transformer": "Transformer",
            "attention": "Seq2Seq with attention",
            "bottleneck": "Seq2Seq without attention",
            "text": "one recurrent net that writes",
            "label": "recurrent net, a label a text",
            "labels": "recurrent net, a label a word",
            "next": "recurrent language model",
            "forward": "language model, forward",
            "backward": "language model, backward",
            "masked": "language model, masked",
            "tuned": "labels, by a language model",
            "skipgram": "skip-gram",
        },
        {
            "transformer": "트랜스포머",
            "attention": "어텐션이 있는 Seq2Seq",
            "bottleneck": "어텐션이 없는 Seq2Seq",
            "text": "글을 쓰는 순환 신경망 하나",
            "label": "순환 신경망, 글마다 레이블",
            "labels": "순환 신경망, 단어마다 레이블",
            "next": "순환 언어 모델",
            "forward": "언어 모델, 순방향",
            "backward": "언어 모델, 역방향",
            "masked": "언어 모델, 마스크",
            "tuned": "레이블, 언어 모델로",
            "skipgram": "스킵그램",
        },
    )
    network_help = Row(
        "The first four write what stands in the second column. Labels are given where that holds "
        "a few words again and again, or one of a few for each word. Language models and the "
        "skip-gram learn the first column alone.",
        "앞의 넷은 둘째 열의 글을 써요. 둘째 열에 몇 단어가 되풀이되거나 단어마다 레이블이 하나씩 "
        "있으면 레이블을 붙이는 모델을 고를 수 있어요. 언어 모델과 스킵그램은 첫째 열만 배워요.",
    )
    cell = Row("Cell", "셀")
    cells: Row[Mapping[CellName, str]] = Row(
        {"gru": "GRU", "lstm": "LSTM", "rnn": "RNN"}, {"gru": "GRU", "lstm": "LSTM", "rnn": "RNN"}
    )
    score = Row("Score", "점수")
    scores: Row[Mapping[Score, str]] = Row(
        {"dot": "dot product", "general": "general", "additive": "additive"},
        {"dot": "내적", "general": "일반", "additive": "덧셈"},
    )
    positions = Row("Positions", "위치")
    position_kinds = SCHEMES
    base = Row("Begins with", "시작 모델")
    base_help = Row(
        "Its tokenizer and its weights; a head of labels is added, and all of it is trained.",
        "그 모델의 토크나이저와 가중치로 시작해요. 레이블을 붙이는 층을 더해 함께 훈련해요.",
    )
    size = Row("Size", "크기")
    sizes: Row[Mapping[Size, str]] = Row(
        {"tiny": "tiny", "small": "small"}, {"tiny": "아주 작게", "small": "작게"}
    )
    size_help = Row(
        "tiny: 2+2 layers of 4 heads, width 64. small: 3+3 layers of 6 heads, width 192. Recurrent "
        "nets have one layer of that width, of half where they label texts, of twice where one "
        "writes or foretells.",
        "아주 작게: 층 2+2개, 헤드 4개, 차원 64. 작게: 층 3+3개, 헤드 6개, 차원 192. 순환 "
        "신경망은 같은 차원의 층 하나, 글에 레이블을 붙일 때는 그 절반, 혼자 쓰거나 예측할 때는 두 "
        "배예요.",
    )
    steps = Row("Updates", "갱신 횟수")
    steps_help = Row("How many times the weights are changed.", "가중치를 바꾸는 횟수.")
    cut = Row("It sees", "보는 단위")
    cut_letters = Row("letters", "글자")
    cut_pieces = Row("parts of words", "단어 조각")
    cut_help = Row(
        "Letters suit single words and few pairs; parts of words suit sentences.",
        "단어 하나씩이거나 쌍이 적으면 글자, 문장이면 단어 조각이 알맞아요.",
    )
    # starting
    start = Row("Start training", "훈련 시작")
    time = Row("about {time} of updates on this computer", "이 컴퓨터에서 갱신하는 데 약 {time}")
    time_help = Row(
        "{count} updates at {seconds} s, measured just now on three of them. Starting and "
        "validating take some seconds more.",
        "갱신 한 번에 {seconds}초로 {count}번. 방금 세 번 재어 본 값이고, 시작하고 검증하는 데 "
        "몇 초가 더 들어요.",
    )
    measuring = Row("Measuring how long it takes…", "얼마나 걸리는지 재는 중…")
    seconds = Row("{count} s", "{count}초")
    minutes = Row("{count} min", "{count}분")
    hours = Row("{count} h", "{count}시간")
    busy = Row(
        "{runs} is training. Stop it above, or wait: this computer trains one at a time.",
        "{runs} 훈련이 돌고 있어요. 위에서 멈추거나 기다려 주세요. 한 번에 하나만 훈련해요.",
    )
    busy_others = Row(
        "{runs} is training, started in another browser. Wait until it ends: this computer trains "
        "one at a time.",
        "다른 브라우저에서 시작한 {runs} 훈련이 돌고 있어요. 이 컴퓨터는 한 번에 하나씩 "
        "훈련하니 끝날 때까지 기다려 주세요.",
    )
    closed = Row(
        "Training from this page is switched off on this server.",
        "이 서버에서는 이 페이지로 훈련할 수 없어요.",
    )
    # the data
    reading = Row("Reading the data…", "데이터를 읽는 중…")
    empty = Row(
        "Paste pairs, or choose a file. What becomes of them shows here.",
        "쌍을 붙여 넣거나 파일을 고르세요. 어떻게 쓰이는지 여기에 나와요.",
    )
    typed_invalid = Row("Line {line}: {reason}.", "{line}번째 줄을 쓸 수 없어요: {reason}.")
    hint = Row(
        "Each line needs an input and its right answer, with a tab or | between them.",
        "줄마다 입력과 정답이 있어야 하고, 그 사이에 탭이나 |가 있어야 해요.",
    )
    single = Row(
        "The data set holds a single pair: the model will learn it by heart, which proves nothing "
        "about other sentences.",
        "데이터에 쌍이 하나뿐이어서 모델이 그 쌍을 통째로 외워요. 다른 문장도 잘한다는 뜻은 "
        "아니에요.",
    )
    little = Row(
        "So few pairs are learned by heart. A few hundred show more.",
        "쌍이 이렇게 적으면 통째로 외워요. 몇백 쌍이면 더 볼 만해요.",
    )
    train = Row("{count} to learn from", "훈련용 {count}쌍")
    valid = Row("{count} validation", "검증용 {count}쌍")
    test = Row("{count} test", "테스트용 {count}쌍")
    split_help = Row(
        "By the text of the input alone, so that the split never moves. Validation pairs, 200 of "
        "them at most, are scored while it trains; test pairs wait in the run's folder.",
        "입력 글만 보고 나누니 언제나 똑같이 나뉘어요. 검증용은 훈련 중에 많아야 200쌍으로 점수를 "
        "매기고, 테스트용은 훈련 폴더에 그대로 둬요.",
    )
    bad = Row(
        "Left out, no pair: {count} of {rows} rows.", "쌍이 아니라서 뺀 행: {rows}행 중 {count}행."
    )
    repeated = Row("Repeated: {count}.", "중복: {count}쌍.")
    leaked = Row(
        "Left out, because a held-out pair has the same input or answer: {count}.",
        "따로 둔 쌍과 입력이나 정답이 같아서 뺀 쌍: {count}.",
    )
    too_long = Row(
        "Left out, too long for the model: {count}.", "모델에 너무 길어서 뺀 쌍: {count}."
    )
    tokens = Row("As the tokenizer cuts them", "토크나이저가 나눈 모습")
    tokens_note = Row(
        "{vocabulary} entries in the vocabulary; on average {source} → {target} tokens.",
        "어휘 {vocabulary}개, 평균 토큰 {source}개 → {target}개.",
    )
    unknown = Row(
        "{share} of the tokens are unknown letters or single bytes.",
        "토큰의 {share}가 모르는 글자이거나 바이트 하나예요.",
    )
    no_tokens = Row(
        "No vocabulary can be made of these texts: {reason}. Letters always work.",
        "이 글로는 어휘를 만들 수 없어요: {reason}. 글자 단위는 언제나 쓸 수 있어요.",
    )


TEXT: Final = in_languages(TrainText)
EN, KO = TEXT["en"], TEXT["ko"]
