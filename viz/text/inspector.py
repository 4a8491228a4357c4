"""The words of the in-browser inspector. `{name}` is filled in by the browser."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class InspectorText(Table):
    """Every text that the component shows or reads out."""

    component = Row("Attention inspector", "어텐션 살펴보기")
    kinds = Row("Kind of attention", "어텐션 종류")
    kind_encoder_self = Row("Encoder self", "인코더 셀프")
    kind_decoder_self = Row("Decoder self", "디코더 셀프")
    kind_cross = Row("Cross", "크로스")
    # special tokens
    special_start = Row("start", "시작")
    special_end = Row("end", "끝")
    special_pad = Row("pad", "패딩")
    special_unknown = Row("unknown", "모르는 글자")
    # steps
    steps = Row("Decoder step", "디코더 단계")
    step_of = Row("step {step} of {steps}", "{steps}단계 중 {step}단계")
    step_hint = Row("← → or drag", "← → 또는 끌기")
    play = Row("Play the steps", "단계 재생")
    pause = Row("Pause", "일시 정지")
    # heads
    grid = Row("All heads", "모든 헤드")
    grid_note = Row("Rows are layers, columns are heads.", "행은 층, 열은 헤드예요.")
    grid_axes = Row(
        "Each small picture: query (looks) down, key (is looked at) across.",
        "작은 그림마다 쿼리(보는 쪽)는 세로, 키(보이는 쪽)는 가로예요.",
    )
    pooled_note = Row(
        "Each point of a small picture is the largest weight beneath it.",
        "작은 그림의 한 점은 그 아래 가중치 중 가장 큰 값이에요.",
    )
    stretch_note = Row(
        "Each head is coloured up to its own largest weight.",
        "헤드마다 그 헤드의 가장 큰 가중치에 색을 맞췄어요.",
    )
    layer = Row("Layer {layer}", "{layer}층")
    head = Row("Head {head}", "헤드 {head}")
    head_name = Row("Layer {layer}, head {head}", "{layer}층, 헤드 {head}")
    title = Row("{kind} · layer {layer} · head {head}", "{kind} · {layer}층 · 헤드 {head}")
    traits_encoder_self = Row(
        "On this input, on average over the rows: {entropy} bits of entropy; "
        "{diagonal} of the weight on the same position, {previous} on the one before, "
        "{first} on the first token, {special} on special tokens.",
        "이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {diagonal}는 같은 위치, "
        "{previous}는 바로 앞 위치, {first}는 첫 토큰, {special}는 특수 토큰에 있어요.",
    )
    traits_decoder_self = Row(
        "On this input, on average over the rows: {entropy} bits of entropy; "
        "{diagonal} of the weight on the token just read, {previous} on the one before that, "
        "{first} on the first token, {special} on special tokens.",
        "이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {diagonal}는 "
        "방금 읽은 토큰, {previous}는 그 바로 앞 토큰, {first}는 첫 토큰, "
        "{special}는 특수 토큰에 있어요.",
    )
    traits_cross = Row(
        "On this input, on average over the rows: {entropy} bits of entropy; "
        "{first} of the weight on the first source token, {special} on special tokens.",
        "이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {first}는 원문의 첫 토큰, "
        "{special}는 특수 토큰에 있어요.",
    )
    # the large head
    axis_query = Row("query (looks)", "쿼리 (보는 쪽)")
    axis_key = Row("key (is looked at)", "키 (보이는 쪽)")
    view = Row("View of the head", "헤드를 보는 방식")
    view_matrix = Row("Matrix", "행렬")
    view_lines = Row("Lines", "선")
    matrix_help = Row(
        "Arrow keys move over the cells, Enter pins one, R its row, C its column, Escape lets go.",
        "화살표 키로 칸을 옮기고, Enter로 칸을, R로 행을, C로 열을 고정하고, Esc로 풀어요.",
    )
    legend_forbidden = Row("forbidden by the mask", "마스크가 막은 칸")
    legend_unwritten = Row("not written yet", "아직 쓰지 않음")
    scale_help = Row(
        "Colours from 0 to 1, or to the largest weight of the head",
        "색을 0에서 1까지, 또는 이 헤드의 가장 큰 가중치까지 맞춰요",
    )
    scale_own = Row("{largest}, the largest here", "{largest}, 여기서 가장 큰 값")
    exact = Row("exact numbers (float32)", "정확한 float32 값")
    loading = Row(
        "≈ packed to 8 bits; exact numbers are on their way",
        "≈ 8비트로 줄인 값, 정확한 값을 받는 중",
    )
    approximate = Row(
        "≈ packed to 8 bits (error below {error}); the exact numbers did not arrive",
        "≈ 8비트로 줄인 값(오차 {error} 미만), 정확한 값을 받지 못했어요",
    )
    loading_coarse = Row(
        "≈ the largest of the weights around; exact numbers are on their way",
        "≈ 주변에서 가장 큰 가중치, 정확한 값을 받는 중",
    )
    approximate_coarse = Row(
        "≈ the largest of the weights around; the exact numbers did not arrive",
        "≈ 주변에서 가장 큰 가중치, 정확한 값을 받지 못했어요",
    )
    absent = Row(
        "≈ packed to 8 bits (error below {error}); the exact numbers are not in this file",
        "≈ 8비트로 줄인 값(오차 {error} 미만), 정확한 값은 이 파일에 없어요",
    )
    absent_coarse = Row(
        "≈ the largest of the weights around; the exact numbers are not in this file",
        "≈ 주변에서 가장 큰 가중치, 정확한 값은 이 파일에 없어요",
    )
    kind_missing = Row(
        "{kind} could not be loaded. Choose it again.",
        "{kind}: 불러오지 못했어요. 다시 골라 주세요.",
    )
    cell_query = Row("query {token}", "쿼리 {token}")
    cell_writes = Row("writes {token}", "쓰는 토큰 {token}")
    cell_reads = Row("reads {token}", "읽는 토큰 {token}")
    cell_key = Row("key {token}", "키 {token}")
    cell_weight = Row("weight {weight}", "가중치 {weight}")
    cell_score = Row("score {score}", "점수 {score}")
    cell_mask = Row("the mask adds {value}", "마스크가 더하는 값 {value}")
    cell_forbidden = Row("forbidden by the mask", "마스크가 막은 칸")
    cell_unwritten = Row(
        "not written yet: a click goes to this step", "아직 쓰지 않음: 누르면 이 단계로 가요"
    )
    row_table = Row(
        "What this row looks at, largest weight first", "이 행이 보는 토큰, 가중치가 큰 순서"
    )
    # lines
    threshold = Row("Draw weights over", "이보다 큰 가중치만 그리기")
    lines_note = Row(
        "weights over {threshold} drawn · {hidden} of the mass hidden",
        "{threshold}보다 큰 가중치만 그림 · 전체의 {hidden} 숨김",
    )
    lines_capped = Row(
        "the {count} largest weights drawn · {hidden} of the mass hidden",
        "가장 큰 가중치 {count}개만 그림 · 전체의 {hidden} 숨김",
    )
    lines_shared = Row(
        "{count} of {all} weights over {threshold} drawn, the largest of every {rows} queries "
        "first · {hidden} of the mass hidden",
        "{threshold}보다 큰 가중치 {all}개 중 {count}개만 그림, 쿼리 {rows}개마다 가장 큰 것부터 · "
        "전체의 {hidden} 숨김",
    )
    # next token
    next_title = Row("Next token, step {step}", "다음 토큰, {step}단계")
    next_rest = Row("{count} more", "나머지 {count}개")
    next_missing = Row(
        "This trace holds no next-token probabilities.",
        "이 기록에는 다음 토큰 확률이 들어 있지 않아요.",
    )
    next_unlikely = Row(
        "{token} is what stands here; the model ranked it {rank}.",
        "여기 놓인 토큰은 {token}, 모델이 매긴 순위는 {rank}위예요.",
    )
    after = Row("After “{prefix}” comes the next token.", "“{prefix}” 다음에 올 토큰이에요.")
    after_nothing = Row(
        "First token: nothing is written yet.", "첫 토큰이에요. 아직 쓴 것이 없어요."
    )
    after_no_word = Row(
        "No word is written yet: here comes the next token.",
        "아직 쓴 단어가 없어요. 다음에 올 토큰이에요.",
    )
    writing_put = Row(
        "Writing {query}, this head put {weight} on {key}.",
        "{query} 토큰을 쓸 때 이 헤드는 {key} 토큰에 가중치를 {weight}만큼 뒀어요.",
    )
    reading_put = Row(
        "At {query}, this head put {weight} on {key}.",
        "{query} 자리에서 이 헤드는 {key} 토큰에 가중치를 {weight}만큼 뒀어요.",
    )
    pinned_put = Row("Pinned: {query} → {key} {weight}", "고정: {query} → {key} {weight}")
    put_nothing = Row("This row may look at nothing.", "이 행이 볼 수 있는 토큰이 없어요.")
    point = Row(
        "Point at a cell to read it; click to keep it.",
        "칸을 가리키면 값이 보이고, 누르면 고정돼요.",
    )
    # comparison
    compare_delta = Row(
        "Lifting the mask changes the probability of {token} by {change} points.",
        "마스크를 풀면 {token} 토큰의 확률이 {change}\u00a0%p 달라져요.",
    )
    compare_changes = Row(
        "{row}: by how many points each token's probability changes",
        "{row}: 토큰마다 확률이 달라진 양(%p)",
    )
    compare_ended = Row("already ended", "이미 끝남")
    # files
    export = Row("Export", "내보내기")
    export_compact = Row("small HTML", "작은 HTML")
    export_about = Row("≈ {size}", "약 {size}")
    export_grid = Row("All heads", "모든 헤드")
    export_next = Row("Next token", "다음 토큰")
    export_told = Row("What it says at this row's token", "이 행의 토큰에서 하는 말")
    export_whole = Row("Everything", "전체")
    link = Row("Link to this view", "이 화면의 링크")
    link_copy = Row("Copy", "복사")
    link_copy_this = Row("Copy the link to this view", "이 화면의 링크 복사")
    link_copied = Row("Copied.", "복사했어요.")
    link_local = Row(
        "Copied. It opens on this computer only: for others, put its address in place of {host}.",
        "복사했어요. 이 컴퓨터에서만 열려요. 다른 사람에게 줄 때는 {host} 대신 이 컴퓨터의 주소를 "
        "쓰세요.",
    )
    link_left_out = Row(
        "Copied, but without a text that is too long for a link: export a file as well.",
        "복사했지만, 링크에 담기에는 너무 긴 글이 빠졌어요. 파일로도 내보내세요.",
    )
    link_failed = Row(
        "The browser did not let it be copied: copy the address at the top of the window.",
        "브라우저에서 복사할 수 없어요. 창 위쪽의 주소를 복사하세요.",
    )
    export_note = Row(
        "HTML is this view, alive, in one file: it opens without Headlight and offline. "
        "In the small one this head is exact, and the others have eight bits.",
        "HTML은 이 화면을 직접 조작할 수 있게 담은 파일 하나예요. Headlight나 인터넷 없이도 "
        "열려요. 작은 HTML에는 이 헤드만 정확한 값으로, 나머지는 8비트로 들어 있어요.",
    )
    export_most = Row(
        "CSV and JSON have room for 1,048,576 cells; of more, NPZ is whole.",
        "CSV와 JSON은 1,048,576칸까지 담아요. 그보다 많으면 NPZ에 모두 들어 있어요.",
    )
    export_busy = Row(
        "This computer draws for many others right now. Try again in a few seconds.",
        "지금은 이 컴퓨터에 다른 사람들의 요청이 몰려 있어요. 몇 초 뒤에 다시 눌러 주세요.",
    )
    sink = Row(
        "A part of each row goes to no key, but to its head's attention sink; with it, a row "
        "sums to 1, and entropy counts it, too.",
        "행마다 일부는 키가 아니라 헤드의 싱크(attention sink)로 가요. 그것까지 더하면 합이 "
        "1이고, 엔트로피도 그것까지 넣어 계산해요.",
    )
    edited = Row(
        "Edited during the pass: {edits}. The numbers are those of the edited model.",
        "계산 도중에 값을 바꾼 기록이에요: {edits}. 숫자는 바꾼 뒤의 값이에요.",
    )
    lifted = Row(
        "Its causal mask lifted: each step could look at the tokens after it, too.",
        "인과 마스크를 푼 기록이에요. 단계마다 뒤에 올 토큰까지 볼 수 있었어요.",
    )
    given = Row(
        "Not written freely: what stands here was given to the model.",
        "모델이 자유롭게 쓴 글이 아니라, 모델에게 쓰게 한 글이에요.",
    )
    message = Row("Read as a user's message", "사용자 메시지로 읽은 글")
    sampled = Row(
        "Sampled with seed {seed}, temperature {temperature}, top-p {top_p}",
        "뽑은 글 (시드 {seed}, 온도 {temperature}, top-p {top_p})",
    )
    nothing = Row("This model has no attention to draw.", "이 모델에는 그릴 어텐션이 없어요.")
    failed = Row(
        "This view could not be drawn. Restart Headlight and reload the page.",
        "이 화면을 그리지 못했어요. Headlight를 다시 시작하고 페이지를 새로고침하세요.",
    )


TEXT: Final = in_languages(InspectorText)
EN, KO = TEXT["en"], TEXT["ko"]
