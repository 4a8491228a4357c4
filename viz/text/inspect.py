"""The words of the page where one looks at every head."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class InspectText(Table):
    """The sentence, its translation, and what to expect of them."""

    source = Row("Sentence", "문장")
    placeholder = Row("Type a sentence and press Enter", "문장을 입력하고 Enter를 누르세요")
    examples = Row("Examples", "예문")
    strange = Row(
        "The model hardly knows: {words} — its output for this word is a guess.",
        "모델이 거의 본 적 없는 말: {words} — 이 말의 출력은 짐작입니다.",
    )
    strange_many = Row(
        "The model hardly knows: {words} — its output for these words is a guess.",
        "모델이 거의 본 적 없는 말: {words} — 이 말들의 출력은 짐작입니다.",
    )
    cut_off = Row(
        "The model reached its length limit before it ended the sentence.",
        "문장을 끝내기 전에 모델의 길이 한도에 닿았습니다.",
    )
    looking = Row("Computing…", "계산하는 중…")
    # traces that come as files
    open_file = Row(
        "Or open a trace (.npz, at most {megabytes} MB)",
        "저장해 둔 기록 열기 (.npz, {megabytes}MB까지)",
    )
    open_help = Row(
        "Saved by “Export” or by any program; its model is not needed. "
        "At most {megabytes} MB, packed or unpacked.",
        "‘내보내기’나 다른 프로그램이 저장한 것이면 됩니다. 모델은 없어도 됩니다. "
        "압축했을 때나 풀었을 때나 {megabytes}MB까지 열 수 있습니다.",
    )
    saved = Row(
        "A trace from a file, as {model} computed it: {source}",
        "저장해 둔 기록, {model} 모델이 계산한 그대로: {source}",
    )
    saved_back = Row("Back to the model", "모델로 돌아가기")
    saved_gone = Row(
        "The trace is no longer here: open its file again.",
        "저장해 둔 기록이 더 이상 없습니다. 파일을 다시 여세요.",
    )
    saved_elsewhere = Row(
        "The trace that you opened is not shown here; it stays on Inspect.",
        "저장해 둔 기록은 여기에 나오지 않고 살펴보기에 그대로 있습니다.",
    )
    saved_show = Row("Show it", "기록 보기")


TEXT: Final = in_languages(InspectText)
EN, KO = TEXT["en"], TEXT["ko"]
