"""What each error says to a visitor, in both languages: here the codes of `core.errors`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.errors import SENTENCES, HeadlightError
from viz.text.language import Language
from viz.text.reasons import filled
from viz.text.refusals import SENTENCES as OWN
from viz.text.rows import by_name

KO: Final[dict[str, str]] = {
    "text_empty": "아직 글이 없어요. 문장을 입력하세요.",
    "text_too_large": ("글이 {size:,}자예요. 이 모델은 {limit:,}자까지만 읽으니 줄여 주세요."),
    "source_too_long": (
        "문장이 토큰 {length}개예요. 이 모델은 {limit}개까지만 읽으니 줄여 주세요."
    ),
    "target_too_long": (
        "목표 문장이 토큰 {length}개예요. 이 모델은 {limit}개까지만 쓰니 줄여 주세요."
    ),
    "parameter_invalid": "{name}에 {value!r} 값은 쓸 수 없어요: {reason}.",
    "model_unknown": "{model!r} 모델은 없어요. 쓸 수 있는 모델: {known}.",
    "checkpoint_missing": "{path}에 {file} 파일이 없어요. 체크포인트 폴더를 통째로 두세요.",
    "checkpoint_altered": (
        "{path}의 {file} 파일이 목록(manifest)과 달라요. 바뀌었거나 잘렸어요. "
        "체크포인트를 다시 복사하세요."
    ),
    "checkpoint_invalid": "{path}의 {file} 파일을 쓸 수 없어요: {reason}.",
    "model_undelivered": "Hugging Face Hub에서 {name} 모델을 받을 수 없어요: {reason}.",
    "file_missing": "{path} 파일이 없어요.",
    "file_unreadable": "{path} 파일을 읽을 수 없어요: {reason}.",
    "file_unwritable": "{path} 파일에 쓸 수 없어요: {reason}.",
    "trace_invalid": ("{path} 파일은 Headlight가 그릴 수 있는 기록이 아니에요: {reason}."),
    "data_invalid": "{path} {line}번째 줄을 쓸 수 없어요: {reason}.",
    "dataset_missing": (
        "{path} 파일이나 폴더가 없고, Hugging Face Hub에도 허락 없이 읽을 수 있는 그런 이름의 "
        "데이터셋이 없어요. 경로를 확인하세요."
    ),
    "hub_unreachable": (
        "{path} 파일이나 폴더가 없고, 그런 이름의 데이터셋을 찾을 Hugging Face Hub에도 연결할 수 "
        "없어요. 경로를 확인하거나 네트워크에 연결하세요."
    ),
    "recipe_invalid": "{path} 레시피를 쓸 수 없어요: {reason}.",
    "training_diverged": (
        "훈련이 발산했어요: 갱신 {step:,}회째에 유한하지 않은 값이 나왔어요({what}). "
        "레시피에서 학습률을 낮추거나 기울기를 자르고(clip) 처음부터 다시 하세요."
    ),
    "run_exists": (
        "{path}에는 이미 훈련이 있어요. --resume으로 이어 하거나 --out으로 다른 폴더를 고르세요."
    ),
    "run_ended": (
        "{path}에는 모델만 있고 이어서 훈련할 상태가 없어요. --out으로 다른 폴더를 고르세요."
    ),
    "folder_foreign": (
        "{path}에 훈련이 만들지 않은 recipe.toml이나 events.jsonl이 있는데, 훈련하면 덮어쓰게 "
        "돼요. --out으로 다른 폴더를 고르세요."
    ),
    "run_busy": (
        "다른 프로세스가 {path}에서 훈련하고 있어요. 먼저 멈추거나 --out으로 다른 폴더를 고르세요."
    ),
    "run_damaged": "{path}에 온전히 저장된 상태가 없어요. 다른 폴더에서 처음부터 훈련하세요.",
    "state_damaged": (
        "{path}: 훈련을 마칠 때 평균을 낼 상태인데 손상됐어요. 지우고 --resume으로 이어 하면 "
        "나머지로 평균을 내요."
    ),
    "memory_full": (
        "갱신 {step:,}회 뒤에 메모리가 모자랐어요. 레시피의 tokens_per_batch(지금 {now:,})를 "
        "낮추고 그만큼 accumulate를 높이세요. 저장된 것은 그대로 있어요."
    ),
    "process_lost": (
        "이 훈련의 프로세스 하나가 사라져 갱신 {step:,}회 뒤에 모두 끝냈어요. "
        "--resume으로 다시 시작하세요."
    ),
    "package_missing": "{feature}에 필요한 패키지가 없어요: pip install {package}.",
    "device_unknown": "여기에는 {device!r} 장치가 없어요. 쓸 수 있는 장치: {known}.",
    "setting_unknown": (
        "Headlight에는 {name} 설정이 없어요. 지우거나 있는 이름을 쓰세요: {known}."
    ),
    "setting_invalid": "{name} 설정에 {value!r} 값은 쓸 수 없어요: {reason}.",
    "unsupported": "{model} 모델에는 {feature} 기능이 없어요.",
}

TEXT: Final[dict[Language, Mapping[str, str]]] = {
    "en": {**SENTENCES, **by_name(OWN["en"])},
    "ko": {**KO, **by_name(OWN["ko"])},
}
"""Codes of the core and of the app."""


def worded(error: HeadlightError, language: Language) -> str:
    """The sentence for an error, as plain text (escape it before drawing it as Markdown)."""
    return filled(TEXT[language][error.code], error.parameters, language)
