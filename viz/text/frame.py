"""The words of the frame that all pages share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class FrameText:
    """Header, navigation, notices and the state of a model that is being opened."""

    inspect: str
    step: str
    compare: str
    positions: str
    train: str
    milestones: str
    bertviz: str
    model: str
    model_switch: str
    language_switch: str
    korean: str
    english: str
    layers: str
    heads: str
    refused: str
    loading: str
    loading_first: str
    loading_seconds: str
    untaken: str
    failed: str
    no_model: str


EN: Final = FrameText(
    inspect="Inspect",
    step="Step",
    compare="Compare",
    positions="Positions",
    train="Train",
    milestones="Milestones",
    bertviz="BertViz",
    model="Model",
    model_switch="Model",
    language_switch="Language",
    korean="Korean",
    english="English",
    layers="{layers} layers",
    heads="{heads} heads",
    refused="The address asked for something that is not there ({names}); the nearest is shown.",
    loading="Opening the model {model}…",
    loading_first="These maps were computed earlier by the same model, which is being opened now.",
    loading_seconds="{seconds} s",
    untaken=(
        "The marked file was not opened: it is of another kind, larger than {megabytes} MB, or did "
        "not arrive whole. Choose another one, or try again."
    ),
    failed="The model {model} cannot be opened. {reason} Choose another one above.",
    no_model="There is no model here. Put a checkpoint folder into checkpoints/ and reload.",
)

KO: Final = FrameText(
    inspect="살펴보기",
    step="단계별",
    compare="비교",
    positions="위치",
    train="훈련",
    milestones="훈련 과정",
    bertviz="BertViz",
    model="모델",
    model_switch="모델",
    language_switch="언어",
    korean="한국어",
    english="영어",
    layers="{layers}층",
    heads="헤드 {heads}개",
    refused="주소에 없는 값이 있어({names}) 가장 가까운 것을 보여 줍니다.",
    loading="{model} 모델을 여는 중…",
    loading_first="같은 모델이 미리 계산해 둔 결과입니다. 모델은 지금 여는 중입니다.",
    loading_seconds="{seconds}초",
    untaken=(
        "표시된 파일을 열지 못했습니다. 다른 종류이거나, {megabytes}MB보다 크거나, "
        "끝까지 올라오지 않았습니다. 다른 파일을 고르거나 다시 해 보세요."
    ),
    failed="{model} 모델을 열 수 없습니다. {reason} 위에서 다른 모델을 고르세요.",
    no_model="여기에는 모델이 없습니다. checkpoints/에 체크포인트 폴더를 두고 새로고침하세요.",
)

TEXT: Final[dict[Language, FrameText]] = {"en": EN, "ko": KO}
