"""The words of Step's stages, and of the row that is told number by number."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class StagesText(Table):
    """As `viz.text.inspector.InspectorText`: `{name}` is filled in by the browser."""

    stage_scores = Row("Raw scores", "원점수")
    stage_scores_note = Row("{score}, every query with every key", "{score}, 모든 쿼리와 모든 키")
    stage_scores_alibi_note = Row(
        "{score}, in self-attention less a slope for each token between (ALiBi)",
        "{score}, 셀프 어텐션에서는 토큰 사이의 거리만큼 뺌 (ALiBi)",
    )
    stage_scores_relative_note = Row(
        "{score}, in self-attention with what was learned of the distance",
        "{score}, 셀프 어텐션에서는 거리마다 배운 값을 더함",
    )
    stage_scores_added_note = Row(
        "{score}, and what the mask adds beside forbidding",
        "{score}, 마스크가 막는 것 말고 더하는 값까지 더함",
    )
    score_is = Row("q·k / √d_k", "q·k / √d_k")
    score_is_dot = Row("s·h of states s and h", "상태 s, h의 s·h")
    score_is_general = Row("s·W h of states s and h", "상태 s, h의 s·W h")
    score_is_additive = Row("v·tanh(W s + U h) of states s and h", "상태 s, h의 v·tanh(W s + U h)")
    score_is_capped = Row("q·k / √d_k bent to stay below a cap", "상한을 넘지 않게 휜 q·k / √d_k")
    score_is_unscaled = Row("q·k, undivided", "나누지 않은 q·k")
    score_is_scaled = Row("q·k times the model's own factor", "모델이 정한 수를 곱한 q·k")
    scores_edited = Row("{scores}; then edited", "{scores}, 그 뒤에 값을 바꿈")
    stage_mask = Row("Mask", "마스크")
    stage_mask_note = Row("forbidden: adds −∞; elsewhere 0", "막힌 칸에 −∞, 나머지에 0을 더해요")
    stage_mask_open = Row(
        "adds 0 everywhere: nothing is forbidden", "모든 칸에 0을 더해요: 막는 칸이 없어요"
    )
    stage_masked = Row("Masked scores", "마스크를 씌운 점수")
    stage_masked_note = Row("forbidden scores become −∞", "막힌 점수는 −∞가 돼요")
    stage_weights = Row("Softmax weights", "소프트맥스 가중치")
    stage_weights_note = Row(
        "each row sums to 1; printed beside it", "행마다 합은 1, 옆에 적었어요"
    )
    stage_weights_sink_note = Row(
        "a row sums to 1 with what goes to no key, its sink; printed beside it",
        "행의 합은 어느 키에도 가지 않는 몫(싱크)까지 더해 1, 옆에 적었어요",
    )
    stage_weights_forced_note = Row(
        "here weights were put in the place of a softmax's; sums beside them",
        "소프트맥스 값 대신 다른 가중치를 넣었어요. 옆은 행마다의 합이에요",
    )
    stage_next_note = Row(
        "what the whole model makes of it, after all heads and layers",
        "모든 헤드와 층을 거쳐 모델 전체가 낸 결과",
    )
    view_row = Row("This step", "이 단계")
    view_stages = Row("All matrices", "전체 행렬")
    flow_mask = Row("adds 0 or −∞", "0 또는 −∞를 더함")
    flow_masked = Row("score + mask", "점수 + 마스크")
    flow_weights = Row("exp, over its sum", "exp 값 ÷ 그 합")
    flow_weights_sink = Row("exp, over its sum and the sink's", "exp 값 ÷ (그 합 + 싱크)")
    flow_weights_forced = Row("put in its place", "대신 넣은 값")
    flow_whole = Row("bars up to {weight}", "막대 끝은 {weight}")
    cell_forced = Row(
        "score {score}; weight {weight}, put in the softmax's place",
        "점수 {score}, 가중치 {weight} (소프트맥스 대신 넣은 값)",
    )
    cell_chain = Row(
        "score {score} → exp {exp} / {sum} → weight {weight}",
        "점수 {score} → exp {exp} / {sum} → 가중치 {weight}",
    )
    share = Row("This head's share", "이 헤드의 몫")
    share_title = Row("This head's share: {share}", "이 헤드의 몫: {share}")
    share_note = Row(
        "of what the {heads} heads of layer {layer} add here (equal shares: {fair})",
        "{layer}층 헤드 {heads}개가 여기에 더하는 값 중에서 (똑같이 나누면 {fair})",
    )
    share_against = Row(
        "Striped heads take away from it, so the others make up more than 100\u00a0%.",
        "빗금 친 헤드는 이 값을 덜어 내요. 그래서 나머지 헤드의 몫을 더하면 100\u00a0%를 넘어요.",
    )
    share_head = Row("Head {head}: {share}", "헤드 {head}: {share}")
    share_loading = Row("on its way", "받는 중이에요")
    share_missing = Row(
        "This model does not expose what its heads add.",
        "이 모델은 헤드가 더하는 값을 보여 주지 않아요.",
    )
    share_absent = Row(
        "The shares of this layer are not in this file.", "이 층의 몫은 이 파일에 없어요."
    )
    strip_open = Row("Show {kind} in the large view", "{kind} 크게 보기")
    strip_most = Row("most on {token}: {weight}", "가장 큰 곳은 {token}: {weight}")
    scores_missing = Row(
        "This model does not expose its raw scores.", "이 모델은 원점수를 보여 주지 않아요."
    )
    scores_loading = Row("The exact scores are on their way.", "정확한 점수를 받는 중이에요.")
    scores_failed = Row(
        "The exact scores did not arrive. Choose the head again to retry.",
        "정확한 점수를 받지 못했어요. 헤드를 다시 고르면 다시 받아요.",
    )
    scores_absent = Row(
        "The exact scores of this head are not in this file.",
        "이 헤드의 정확한 점수는 이 파일에 없어요.",
    )
    numbers = Row(
        "Row {step}, number by number: writes {written}",
        "{step}번째 행의 숫자 하나하나: 쓰는 토큰 {written}",
    )
    numbers_reads = Row("reads {read}", "읽는 토큰 {read}")
    column_key = Row("key (is looked at)", "키 (보이는 쪽)")
    column_score = Row("score", "점수")
    column_masked = Row("after the mask", "마스크 적용 뒤")
    column_exp = Row("exp(score {shift})", "exp(점수 {shift})")
    column_weight = Row("weight = exp / {sum}", "가중치 = exp / {sum}")
    column_forced = Row("weight, put in", "넣은 가중치")
    numbers_forced = Row(
        "In this row weights were put in the place of the softmax's: they do not follow from its "
        "scores, and need not sum to 1.",
        "이 행에는 소프트맥스 값 대신 다른 가중치를 넣었어요. "
        "그래서 가중치가 점수에서 나오지 않고, 합이 1이 아닐 수 있어요.",
    )
    numbers_largest = Row(
        "{largest} is the largest score of the row; "
        "subtracting it changes no weight and keeps exp in range.",
        "이 행에서는 {largest} 점수가 가장 커요. "
        "이 값을 빼도 가중치는 그대로고 exp가 넘치지 않아요.",
    )
    numbers_others = Row("{count} more", "그 밖의 키 {count}개")
    numbers_sink = Row("sink (no key)", "싱크 (키 없음)")
    numbers_sum = Row("sum", "합")
    numbers_hidden = Row(
        "The numbers of this row need the exact scores.",
        "이 행의 숫자를 보려면 정확한 점수가 필요해요.",
    )


TEXT: Final = in_languages(StagesText)
EN, KO = TEXT["en"], TEXT["ko"]
