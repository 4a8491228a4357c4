"""The words of the page where one looks at every head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class InspectText:
    """The sentence, its translation, and what to expect of them."""

    source: str
    placeholder: str
    examples: str
    strange: str
    strange_many: str
    cut_off: str
    looking: str
    # traces that come as files
    open_file: str
    open_help: str
    saved: str
    saved_back: str
    saved_gone: str
    saved_elsewhere: str
    saved_show: str


EN: Final = InspectText(
    source="Sentence",
    placeholder="Type a sentence and press Enter",
    examples="Examples",
    strange="The model hardly knows: {words} — its output for this word is a guess.",
    strange_many="The model hardly knows: {words} — its output for these words is a guess.",
    cut_off="The model reached its length limit before it ended the sentence.",
    looking="Computing…",
    open_file="Or open a trace (.npz, at most {megabytes} MB)",
    open_help=(
        "Saved by “Export” or by any program; its model is not needed. "
        "At most {megabytes} MB, packed or unpacked."
    ),
    saved="A trace from a file, as {model} computed it: {source}",
    saved_back="Back to the model",
    saved_gone="The trace is no longer here: open its file again.",
    saved_elsewhere="The trace that you opened is not shown here; it stays on Inspect.",
    saved_show="Show it",
)

KO: Final = InspectText(
    source="문장",
    placeholder="문장을 입력하고 Enter를 누르세요",
    examples="예문",
    strange="모델이 거의 본 적 없는 말: {words} — 이 말의 출력은 짐작입니다.",
    strange_many="모델이 거의 본 적 없는 말: {words} — 이 말들의 출력은 짐작입니다.",
    cut_off="문장을 끝내기 전에 모델의 길이 한도에 닿았습니다.",
    looking="계산하는 중…",
    open_file="저장해 둔 기록 열기 (.npz, {megabytes}MB까지)",
    open_help=(
        "‘내보내기’나 다른 프로그램이 저장한 것이면 됩니다. 모델은 없어도 됩니다. "
        "압축했을 때나 풀었을 때나 {megabytes}MB까지 열 수 있습니다."
    ),
    saved="저장해 둔 기록, {model} 모델이 계산한 그대로: {source}",
    saved_back="모델로 돌아가기",
    saved_gone="저장해 둔 기록이 더 이상 없습니다. 파일을 다시 여세요.",
    saved_elsewhere="저장해 둔 기록은 여기에 나오지 않고 살펴보기에 그대로 있습니다.",
    saved_show="기록 보기",
)

TEXT: Final[dict[Language, InspectText]] = {"en": EN, "ko": KO}
