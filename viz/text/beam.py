"""The words of a beam search: what the page asks, what the browser shows of a hypothesis."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class BeamText(Table):
    """Holes of the `beam_` texts are filled in by the browser."""

    width = Row("Beam search", "빔 탐색")
    kept = Row(
        "Beam width: how many hypotheses stay at each step", "빔 너비: 단계마다 남기는 가설의 수"
    )
    wide = Row("Beam search: {width}", "빔 탐색: {width}")
    off = Row("off", "끔")
    searching = Row("Searching", "탐색하는 중")
    unable = Row("This model has no beam search.", "이 모델은 빔 탐색을 지원하지 않아요.")
    beam_list = Row(
        "Hypotheses of a beam search of width {beam}", "빔 탐색의 가설 (빔 너비 {beam})"
    )
    beam_note = Row(
        "A column is a step, a row a hypothesis; what it shares with one above is not "
        "written again. At each step the {beam} likeliest stay. The bar under a token is its "
        "probability, 0 to 100\u00a0%.",
        "열은 단계, 행은 가설이고, 위의 가설과 같은 앞부분은 다시 쓰지 않아요. "
        "단계마다 가장 그럴듯한 {beam}개가 남아요. 토큰 아래 막대는 그 확률(0~100\u00a0%)이에요.",
    )
    beam_keys = Row("Arrow keys move, Enter opens one.", "화살표 키로 옮기고 Enter로 열어요.")
    beam_export = Row("This tree", "이 트리")
    beam_left = Row("left the beam at step {step}", "{step}단계에서 탈락")
    beam_answer = Row("answer {rank}, score {score}", "{rank}번째 답, 점수 {score}")
    beam_beyond = Row(
        "finished, not among the best {beam}, score {score}",
        "끝났지만 상위 {beam}개에는 들지 못함, 점수 {score}",
    )
    beam_stopped = Row(
        "not finished when the search stopped, score {score}",
        "탐색이 멈출 때까지 끝나지 않음, 점수 {score}",
    )
    beam_sum = Row(
        "Log-probabilities add up to {total}; over the length penalty {penalty} that is "
        "the score {score}.",
        "로그 확률의 합은 {total}, 이것을 길이 보정 {penalty} 값으로 나눈 점수는 {score}.",
    )
    beam_open = Row("Open in the maps", "이 가설 살펴보기")
    beam_opening = Row("Opening", "여는 중")
    beam_shown = Row("This is the one above", "위에 보이는 가설")


TEXT: Final = in_languages(BeamText)
EN, KO = TEXT["en"], TEXT["ko"]
