"""The words of the film of a training run in the browser. `{name}` is filled in there.

The film draws with the inspector's parts, so it is given their words (`viz.text.inspector`)
beside these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class FilmText:
    """Every text that the film adds to the inspector's."""

    film: str
    # the player
    milestones: str
    milestone_of: str
    untrained: str
    after_updates: str
    play_film: str
    film_hint: str
    speed: str
    loop: str
    writes: str
    writes_untrained: str
    unfinished: str
    wrote_nothing: str
    # what the cells show
    cells: str
    view_maps: str
    view_difference: str
    compared_with: str
    cell_change: str
    export_difference: str
    # what each milestone writes
    outputs: str
    table: str
    column_updates: str
    validation_of: str
    validated_at: str
    score_loss: str
    score_bleu: str
    score_chrf: str
    score_exact: str
    # curves
    curves_head: str
    curves_model: str
    curves_note: str
    curve_entropy: str
    curve_distance: str
    curve_distance_cross: str
    curve_previous: str
    curve_diagonal: str
    curve_diagonal_decoder_self: str
    curve_next: str
    curve_first: str
    curve_special: str
    curve_pinned: str
    curve_loss: str
    curve_valid: str
    curve_exact: str


EN: Final = FilmText(
    film="Film of the training",
    milestones="Milestone of the training",
    milestone_of="milestone {at} of {count}",
    untrained="untrained",
    after_updates="after update {step}",
    play_film="Play the film",
    film_hint="space plays · ← →",
    speed="Speed",
    loop="Loop",
    writes="After {step} updates it writes {output}",
    writes_untrained="Untrained it writes {output}",
    unfinished="(cut off: it did not end)",
    wrote_nothing="nothing",
    cells="What the cells show",
    view_maps="Map",
    view_difference="Difference",
    compared_with="minus the weights of",
    cell_change="weight {now}, {after} {then}: {change}",
    export_difference="Both milestones",
    outputs="What each milestone writes by itself",
    table="Every milestone in numbers",
    column_updates="Updates",
    validation_of="Validation, {name}",
    validated_at="{scores} (after update {step})",
    score_loss="loss",
    score_bleu="BLEU",
    score_chrf="chrF",
    score_exact="exact",
    curves_head="This head",
    curves_model="The whole model",
    curves_note="Faint: the other heads. Across: the milestones.",
    curve_entropy="entropy, bits",
    curve_distance="distance, tokens",
    curve_distance_cross="off the diagonal",
    curve_previous="previous token",
    curve_diagonal="same position",
    curve_diagonal_decoder_self="token just read",
    curve_next="next token",
    curve_first="first token",
    curve_special="special tokens",
    curve_pinned="pinned cell",
    curve_loss="loss, this target",
    curve_valid="loss, validation",
    curve_exact="exactly right",
)

KO: Final = FilmText(
    film="훈련 과정 영상",
    milestones="훈련의 중간 모델",
    milestone_of="중간 모델 {count}개 중 {at}번째",
    untrained="훈련 전",
    after_updates="갱신 {step}회 뒤",
    play_film="영상 재생",
    film_hint="스페이스로 재생 · ← →",
    speed="빠르기",
    loop="반복",
    writes="갱신 {step}회 뒤에 쓰는 말: {output}",
    writes_untrained="훈련 전에 쓰는 말: {output}",
    unfinished="(끝맺지 못해 잘림)",
    wrote_nothing="없음",
    cells="칸에 보이는 것",
    view_maps="가중치",
    view_difference="차이",
    compared_with="뺄 가중치",
    cell_change="가중치 {now}, {after} {then}: {change}",
    export_difference="두 중간 모델",
    outputs="중간 모델마다 스스로 쓴 말",
    table="중간 모델마다의 숫자",
    column_updates="갱신",
    validation_of="검증 {name}",
    validated_at="{scores} (갱신 {step}회 뒤)",
    score_loss="손실",
    score_bleu="BLEU",
    score_chrf="chrF",
    score_exact="완전 일치",
    curves_head="이 헤드",
    curves_model="모델 전체",
    curves_note="흐린 선은 다른 헤드, 가로는 중간 모델입니다.",
    curve_entropy="엔트로피 (비트)",
    curve_distance="거리 (토큰)",
    curve_distance_cross="대각선에서 벗어난 정도",
    curve_previous="바로 앞 토큰",
    curve_diagonal="같은 위치",
    curve_diagonal_decoder_self="방금 읽은 토큰",
    curve_next="바로 뒤 토큰",
    curve_first="첫 토큰",
    curve_special="특수 토큰",
    curve_pinned="고정한 칸",
    curve_loss="이 목표의 손실",
    curve_valid="검증 손실",
    curve_exact="완전 일치",
)

TEXT: Final[dict[Language, FilmText]] = {"en": EN, "ko": KO}
