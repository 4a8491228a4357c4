"""The words of a beam search: what the page asks, what the browser shows of a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class BeamText:
    """Holes of the `beam_` texts are filled in by the browser."""

    width: str
    off: str
    searching: str
    unable: str
    beam_list: str
    beam_note: str
    beam_keys: str
    beam_export: str
    beam_left: str
    beam_answer: str
    beam_stopped: str
    beam_sum: str
    beam_open: str
    beam_opening: str
    beam_shown: str


EN: Final = BeamText(
    width="Beam search",
    off="off",
    searching="Searching",
    unable="This model has no beam search.",
    beam_list="Hypotheses of a beam search of width {beam}",
    beam_note="A column is a step, a row a hypothesis; what it shares with one above is not "
    "written again. At each step the {beam} likeliest stay. The bar under a token is its "
    "probability, 0 to 100 %.",
    beam_keys="Arrow keys move, Enter opens one.",
    beam_export="This tree",
    beam_left="left the beam at step {step}",
    beam_answer="answer {rank}, score {score}",
    beam_stopped="not finished when the search stopped, score {score}",
    beam_sum="Log-probabilities add up to {total}; over the length penalty {penalty} that is "
    "the score {score}.",
    beam_open="Open in the maps",
    beam_opening="Opening",
    beam_shown="This is the one above",
)

KO: Final = BeamText(
    width="빔 탐색",
    off="끔",
    searching="찾는 중",
    unable="이 모델에는 빔 탐색이 없습니다.",
    beam_list="너비 {beam} 빔 탐색의 가설",
    beam_note="열은 단계, 행은 가설이고, 위의 가설과 같은 앞부분은 다시 쓰지 않습니다. "
    "단계마다 가장 그럴듯한 {beam}개가 남습니다. 토큰 아래 막대는 그 확률(0~100%)입니다.",
    beam_keys="화살표 키로 옮기고 Enter로 엽니다.",
    beam_export="이 트리",
    beam_left="{step}단계에서 빔을 벗어남",
    beam_answer="답 {rank}, 점수 {score}",
    beam_stopped="탐색이 멈출 때까지 끝나지 않음, 점수 {score}",
    beam_sum="로그 확률의 합은 {total}, 이것을 길이 보정 {penalty} 값으로 나눈 점수는 "
    "{score}입니다.",
    beam_open="이 가설 살펴보기",
    beam_opening="여는 중",
    beam_shown="위에 보이는 가설",
)

TEXT: Final[dict[Language, BeamText]] = {"en": EN, "ko": KO}
