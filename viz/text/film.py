"""The words of the film of a training run in the browser. `{name}` is filled in there.

The film draws with the inspector's parts, so it is given their words (`viz.text.inspector`)
beside these.
"""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class FilmText(Table):
    """Every text that the film adds to the inspector's."""

    film = Row("Film of the training", "훈련 과정 영상")
    # the player
    milestones = Row("Milestone of the training", "훈련의 중간 모델")
    milestone_of = Row("milestone {at} of {count}", "중간 모델 {count}개 중 {at}번째")
    untrained = Row("untrained", "훈련 전")
    after_updates = Row("after update {step}", "갱신 {step}회 뒤")
    play_film = Row("Play the film", "영상 재생")
    film_hint = Row("space plays · ← →", "스페이스로 재생 · ← →")
    speed = Row("Speed", "속도")
    loop = Row("Loop", "반복")
    writes = Row("After {step} updates it writes {output}", "갱신 {step}회 뒤에 쓰는 말: {output}")
    writes_untrained = Row("Untrained it writes {output}", "훈련 전에 쓰는 말: {output}")
    unfinished = Row("(cut off: it did not end)", "(끝맺지 못해 잘림)")
    wrote_nothing = Row("nothing", "없음")
    # what the cells show
    cells = Row("What the cells show", "칸에 보이는 것")
    view_maps = Row("Weights", "가중치")
    view_difference = Row("Difference", "차이")
    compared_with = Row("minus the weights of", "뺄 가중치")
    cell_change = Row(
        "weight {now}, {after} {then}: {change}", "가중치 {now}, {after} {then}: {change}"
    )
    export_head = Row("This head", "이 헤드")
    export_difference = Row("Both milestones", "두 중간 모델")
    # what each milestone writes
    outputs = Row("What each milestone writes by itself", "중간 모델마다 스스로 쓴 말")
    table = Row("Every milestone in numbers", "중간 모델별 수치")
    column_updates = Row("Updates", "갱신")
    validation_of = Row("Validation, {name}", "검증 {name}")
    validated_at = Row("{scores} (after update {step})", "{scores} (갱신 {step}회 뒤)")
    score_loss = Row("loss", "손실")
    score_bleu = Row("BLEU", "BLEU")
    score_chrf = Row("chrF", "chrF")
    score_exact = Row("exact", "완전 일치")
    # curves
    curves_head = Row("This head", "이 헤드")
    curves_model = Row("The whole model", "모델 전체")
    curves_note = Row(
        "Faint: the other heads. Across: the milestones.",
        "흐린 선은 다른 헤드, 가로는 중간 모델이에요.",
    )
    curve_entropy = Row("entropy, bits", "엔트로피 (비트)")
    curve_distance = Row("distance, tokens", "거리 (토큰)")
    curve_distance_cross = Row("off the diagonal", "대각선에서 벗어난 정도")
    curve_diagonal_decoder_self = Row("token just read", "방금 읽은 토큰")
    curve_pinned = Row("pinned cell", "고정한 칸")
    curve_loss = Row("loss, this target", "이 목표의 손실")
    curve_valid = Row("loss, validation", "검증 손실")
    curve_exact = Row("exactly right", "완전 일치")


TEXT: Final = in_languages(FilmText)
EN, KO = TEXT["en"], TEXT["ko"]
