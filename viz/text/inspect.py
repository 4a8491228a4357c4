"""The words of the page where one looks at every head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viz.text.rows import Row, Table, in_languages


class InspectText(Table):
    """The sentence, its translation, and what to expect of them."""

    source = Row("Sentence", "문장")
    placeholder = Row("Type a sentence and press Enter", "문장을 입력하고 Enter를 누르세요")
    examples = Row("Examples", "예문")
    as_message = Row("As a message", "메시지로")
    as_message_help = Row(
        "The model reads the text as a user's message: its chat template puts a fixed text before "
        "and after it, as in a conversation. The maps show those tokens, too.",
        "모델이 이 글을 대화에서 받은 사용자 메시지로 읽어요. 채팅 템플릿이 앞뒤에 정해진 글을 "
        "붙이고, 그 토큰도 행과 열에 나와요.",
    )
    strange = Row(
        "The model hardly knows: {words} — its output for this word is a guess.",
        "모델이 거의 본 적 없는 단어: {words} — 이 단어의 출력은 추측이에요.",
    )
    strange_many = Row(
        "The model hardly knows: {words} — its output for these words is a guess.",
        "모델이 거의 본 적 없는 단어: {words} — 이 단어들의 출력은 추측이에요.",
    )
    guess = Row("Perhaps a guess", "추측일 수 있어요")
    guess_words = Row(
        "Perhaps a guess: it hardly knows {words}",
        "추측일 수 있어요. 거의 본 적 없는 단어: {words}",
    )
    guess_help = Row(
        "The model gave {share} on average to the tokens that it was least sure of (three at "
        "most). Where it is right, it mostly gives them {usual} or more; 1 of 10 right outputs "
        "has less.",
        "모델이 가장 확신하지 못한 토큰(최대 세 개)의 확률은 평균 {share}예요. 출력이 맞을 때는 "
        "이 값이 대개 {usual} 이상이지만, 맞는 출력도 열 개 중 하나는 이보다 낮아요.",
    )
    guess_rare = Row(
        "The rarer a word was in its training, the more is asked for.",
        "훈련할 때 드물게 본 단어일수록 기준이 더 높아요.",
    )
    # a sentence that it does not read
    languages: Row[Mapping[str, str]] = Row(
        {"ko": "Korean", "en": "English"}, {"ko": "한국어", "en": "영어"}
    )
    other_language = Row(
        "This model reads {read}, and the sentence looks like {written}.",
        "이 모델은 {read}를 읽는데, 이 문장은 {written} 같아요.",
    )
    other_model = Row("Ask {model}", "{model} 모델로 보기")
    unreadable = Row("It wrote nothing that can be read.", "읽을 수 있는 글은 쓰지 않았어요.")
    cut_off = Row(
        "The model reached its length limit before it ended the sentence.",
        "문장을 끝내기 전에 모델의 최대 길이에 도달했어요.",
    )
    looking = Row("Computing…", "계산하는 중…")
    # traces that come as files
    open_file = Row(
        "Or open a trace (.npz, at most {megabytes} MB)",
        "저장해 둔 기록 열기 (.npz, {megabytes} MB까지)",
    )
    open_help = Row(
        "Saved by “Export” or by any program; its model is not needed. "
        "At most {megabytes} MB, packed or unpacked.",
        "‘내보내기’로 저장했거나 다른 프로그램이 저장한 것이면 돼요. 모델은 없어도 돼요. "
        "압축했을 때나 풀었을 때나 {megabytes} MB까지 열 수 있어요.",
    )
    saved = Row(
        "A trace from a file, as {model} computed it: {source}",
        "저장해 둔 기록, {model} 모델이 계산한 그대로: {source}",
    )
    saved_back = Row("Back to the model", "모델로 돌아가기")
    saved_gone = Row(
        "The trace is no longer here: open its file again.",
        "저장해 둔 기록이 더 이상 없어요. 파일을 다시 여세요.",
    )
    saved_elsewhere = Row(
        "The trace that you opened is not shown here; it stays on Inspect.",
        "저장해 둔 기록은 여기에 나오지 않고 살펴보기에 그대로 있어요.",
    )
    saved_show = Row("Show it", "기록 보기")


TEXT: Final = in_languages(InspectText)
EN, KO = TEXT["en"], TEXT["ko"]
