"""The words of the page where one trains a model. Braces are filled in by the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viz.text.language import Language

if TYPE_CHECKING:
    from core.training.ready import Size


@dataclass(frozen=True, slots=True)
class TrainText:
    """Every text of a training that is being prepared.

    Attributes:
        languages: names by BCP 47 tag; the ones that can be chosen.
    """

    languages: Mapping[str, str]
    # what to learn from
    what: str
    what_example: str
    what_pairs: str
    what_again: str
    example_title: str
    example: str
    pairs_label: str
    pairs_placeholder: str
    upload: str
    upload_help: str
    uploaded: str
    file_gone: str
    again_label: str
    again_data: str
    again_here: str
    again_missing: str
    again_long: str
    again_none: str
    again_look: str
    # choices
    name: str
    name_help: str
    name_invalid: str
    name_taken: str
    reads: str
    writes: str
    size: str
    sizes: Mapping[Size, str]
    size_help: str
    steps: str
    steps_help: str
    cut: str
    cut_letters: str
    cut_pieces: str
    cut_help: str
    # starting
    start: str
    time: str
    time_help: str
    measuring: str
    seconds: str
    minutes: str
    hours: str
    busy: str
    busy_others: str
    closed: str
    # the data
    reading: str
    empty: str
    hint: str
    single: str
    little: str
    train: str
    valid: str
    test: str
    split_help: str
    bad: str
    repeated: str
    leaked: str
    too_long: str
    tokens: str
    tokens_note: str
    unknown: str
    no_tokens: str


EN: Final = TrainText(
    languages={
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
    what="What shall it learn?",
    what_example="A small example",
    what_pairs="Your own pairs",
    what_again="A model of ours, again",
    example_title="Numbers in words",
    example=(
        "A tiny Transformer learns to read 407 and write *four zero seven*. Watch its attention "
        "find the digit that each letter spells."
    ),
    pairs_label="Pairs, one a line: input, a tab (or |), right answer",
    pairs_placeholder="cat | 고양이\ndog | 개\n…  (paste two columns of a spreadsheet)",
    upload="Or a file",
    upload_help="UTF-8 text with tabs (.tsv, .txt, .csv) or JSON Lines, up to {megabytes} MB.",
    uploaded="{name} is used instead of the text above.",
    file_gone=(
        "{name} is not here: it is larger than {megabytes} MB, or had to make room for others. "
        "Choose it again."
    ),
    again_label="Recipe",
    again_data="Data that it reads",
    again_here="here",
    again_missing="not here: its model card says where it comes from",
    again_long="It was made for a GPU or a patient computer; it can be stopped and gone on with.",
    again_none="No model here brings the recipe that it was trained by.",
    again_look="Read the data first",
    name="Name",
    name_help="Of the folder in runs/ and of the model: small letters, digits and hyphens.",
    name_invalid="Small letters, digits and hyphens, please: my-pairs.",
    name_taken="{name} is taken.",
    reads="It reads",
    writes="It writes",
    size="Size",
    sizes={"tiny": "tiny", "small": "small"},
    size_help="tiny: 2+2 layers of 4 heads, width 64. small: 3+3 layers of 6 heads, width 192.",
    steps="Steps",
    steps_help="Updates of the weights.",
    cut="It sees",
    cut_letters="letters",
    cut_pieces="parts of words",
    cut_help="Letters suit single words and few pairs; parts of words suit sentences.",
    start="Start training",
    time="about {time} of updates on this computer",
    time_help=(
        "{count} updates at {seconds} s, measured just now on three of them. Starting and "
        "validating take some seconds more."
    ),
    measuring="Measuring how long it takes…",
    seconds="{count} s",
    minutes="{count} min",
    hours="{count} h",
    busy="{runs} is training. Stop it above, or wait: this computer trains one at a time.",
    busy_others=(
        "{runs} is training, started in another browser. Wait until it ends: this computer trains "
        "one at a time."
    ),
    closed="Training from this page is switched off on this server.",
    reading="Reading the data…",
    empty="Paste pairs, or choose a file. What becomes of them shows here.",
    hint="Each line needs an input and its right answer, with a tab or | between them.",
    single=(
        "The data set holds a single pair: the model will learn it by heart, which proves nothing "
        "about other sentences."
    ),
    little="So few pairs are learned by heart. A few hundred show more.",
    train="{count} to learn from",
    valid="{count} validation",
    test="{count} test",
    split_help=(
        "By the text of the input alone, so that the split never moves. Validation pairs are "
        "scored while it trains, test pairs wait in the run's folder."
    ),
    bad="Left out, no pair: {count} of {rows} rows.",
    repeated="Repeated: {count}.",
    leaked="Left out, because a held-out pair has the same input or answer: {count}.",
    too_long="Left out, too long for the model: {count}.",
    tokens="As the tokenizer cuts them",
    tokens_note="{vocabulary} entries in the vocabulary; on average {source} → {target} tokens.",
    unknown="{share} of the tokens are unknown letters or single bytes.",
    no_tokens="No vocabulary can be made of these texts: {reason}. Letters always work.",
)

KO: Final = TrainText(
    languages={
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
    what="무엇을 배우게 할까요?",
    what_example="작은 예제",
    what_pairs="내 문장 쌍",
    what_again="우리 모델 다시 훈련",
    example_title="숫자를 말로",
    example=(
        "아주 작은 트랜스포머가 407을 읽고 *four zero seven*이라고 쓰는 법을 배웁니다. "
        "글자마다 어느 숫자를 보는지 찾아 가는 모습을 지켜보세요."
    ),
    pairs_label="한 줄에 한 쌍: 입력, 탭(또는 |), 정답",
    pairs_placeholder="고양이 | cat\n개 | dog\n…  (표의 두 열을 붙여 넣어도 됩니다)",
    upload="또는 파일",
    upload_help="탭으로 나눈 UTF-8 글(.tsv, .txt, .csv)이나 JSON Lines, {megabytes} MB까지.",
    uploaded="위의 글 대신 {name} 파일을 씁니다.",
    file_gone=(
        "{name} 파일이 없습니다. {megabytes} MB보다 크거나, 다른 파일들에 자리를 내주었습니다. "
        "다시 골라 주세요."
    ),
    again_label="레시피",
    again_data="읽는 데이터",
    again_here="있음",
    again_missing="없음: 어디서 받는지 모델 카드에 있습니다",
    again_long="GPU나 오래 켜 둘 컴퓨터에 맞춘 레시피입니다. 멈췄다가 이어 할 수 있습니다.",
    again_none="훈련 레시피를 가져온 모델이 여기에는 없습니다.",
    again_look="먼저 데이터 읽어 보기",
    name="이름",
    name_help="runs/ 폴더와 모델의 이름: 영어 소문자, 숫자, 붙임표(-).",
    name_invalid="영어 소문자, 숫자, 붙임표만 쓰세요: my-pairs.",
    name_taken="{name}은(는) 이미 있는 이름입니다.",
    reads="읽는 말",
    writes="쓰는 말",
    size="크기",
    sizes={"tiny": "아주 작게", "small": "작게"},
    size_help="아주 작게: 2+2층, 헤드 4개, 너비 64. 작게: 3+3층, 헤드 6개, 너비 192.",
    steps="단계",
    steps_help="가중치를 고치는 횟수.",
    cut="보는 단위",
    cut_letters="글자",
    cut_pieces="낱말 조각",
    cut_help="낱말 하나씩이거나 쌍이 적으면 글자, 문장이면 낱말 조각이 알맞습니다.",
    start="훈련 시작",
    time="이 컴퓨터에서 갱신에 약 {time}",
    time_help=(
        "갱신 한 번에 {seconds}초로 {count}번. 방금 세 번 재어 본 값이고, 시작하고 검증하는 데 "
        "몇 초가 더 듭니다."
    ),
    measuring="얼마나 걸리는지 재는 중…",
    seconds="{count}초",
    minutes="{count}분",
    hours="{count}시간",
    busy="{runs} 훈련이 돌고 있습니다. 위에서 멈추거나 기다려 주세요. 한 번에 하나만 훈련합니다.",
    busy_others=(
        "다른 브라우저에서 시작한 {runs} 훈련이 돌고 있습니다. 이 컴퓨터는 한 번에 하나씩 "
        "훈련하니 끝날 때까지 기다려 주세요."
    ),
    closed="이 서버에서는 이 페이지로 훈련할 수 없습니다.",
    reading="데이터를 읽는 중…",
    empty="쌍을 붙여 넣거나 파일을 고르세요. 어떻게 쓰이는지 여기에 나옵니다.",
    hint="줄마다 입력과 정답이 있어야 하고, 그 사이에 탭이나 |가 있어야 합니다.",
    single=(
        "데이터에 쌍이 하나뿐이어서 모델이 그 쌍을 통째로 외우게 되며, 그것으로 다른 문장에 대해 "
        "증명되는 것은 없습니다."
    ),
    little="쌍이 이렇게 적으면 통째로 외웁니다. 몇백 쌍이면 더 볼 만합니다.",
    train="학습용 {count}쌍",
    valid="검증용 {count}쌍",
    test="시험용 {count}쌍",
    split_help=(
        "입력 글만으로 나누므로 언제나 똑같이 나뉩니다. 검증용은 훈련 중에 점수를 매기고, "
        "시험용은 훈련 폴더에 그대로 둡니다."
    ),
    bad="쌍이 아니라서 뺀 행: {rows}행 중 {count}행.",
    repeated="되풀이: {count}쌍.",
    leaked="따로 둔 쌍과 입력이나 정답이 같아서 뺀 쌍: {count}.",
    too_long="모델에 너무 길어서 뺀 쌍: {count}.",
    tokens="토크나이저가 나눈 모습",
    tokens_note="어휘 {vocabulary}개, 평균 토큰 {source}개 → {target}개.",
    unknown="토큰의 {share}가 모르는 글자이거나 바이트 하나입니다.",
    no_tokens="이 글로는 어휘를 만들 수 없습니다: {reason}. 글자로는 언제나 됩니다.",
)

TEXT: Final[dict[Language, TrainText]] = {"en": EN, "ko": KO}
