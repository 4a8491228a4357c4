"""The words of the in-browser inspector. `{name}` is filled in by the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class InspectorText:
    """Every text that the component shows or reads out."""

    component: str
    kinds: str
    kind_encoder_self: str
    kind_decoder_self: str
    kind_cross: str
    # special tokens
    special_start: str
    special_end: str
    special_pad: str
    special_unknown: str
    # steps
    steps: str
    step_of: str
    step_hint: str
    play: str
    pause: str
    # heads
    grid: str
    grid_note: str
    grid_axes: str
    pooled_note: str
    stretch_note: str
    layer: str
    head: str
    head_name: str
    title: str
    traits_encoder_self: str
    traits_decoder_self: str
    traits_cross: str
    # the large head
    axis_query: str
    axis_key: str
    view: str
    view_matrix: str
    view_lines: str
    matrix_help: str
    legend_forbidden: str
    legend_unwritten: str
    scale_help: str
    scale_own: str
    exact: str
    loading: str
    approximate: str
    loading_coarse: str
    approximate_coarse: str
    absent: str
    absent_coarse: str
    kind_missing: str
    cell_query: str
    cell_writes: str
    cell_reads: str
    cell_key: str
    cell_weight: str
    cell_score: str
    cell_forbidden: str
    cell_unwritten: str
    row_table: str
    # lines
    threshold: str
    lines_note: str
    lines_capped: str
    # next token
    next_title: str
    next_rest: str
    next_missing: str
    next_unlikely: str
    after: str
    after_nothing: str
    writing_put: str
    reading_put: str
    pinned_put: str
    put_nothing: str
    point: str
    # comparison
    compare_delta: str
    compare_ended: str
    # files
    export: str
    export_head: str
    export_grid: str
    export_next: str
    export_whole: str
    export_note: str
    export_most: str
    export_busy: str
    edited: str
    nothing: str
    failed: str


EN: Final = InspectorText(
    component="Attention inspector",
    kinds="Kind of attention",
    kind_encoder_self="Encoder self",
    kind_decoder_self="Decoder self",
    kind_cross="Cross",
    special_start="start",
    special_end="end",
    special_pad="pad",
    special_unknown="unknown",
    steps="Decoder step",
    step_of="step {step} of {steps}",
    step_hint="← → or drag",
    play="Play the steps",
    pause="Pause",
    grid="All heads",
    grid_note="Rows are layers, columns are heads.",
    grid_axes="Each small picture: query (looks) down, key (is looked at) across.",
    pooled_note="Each point of a small picture is the largest weight beneath it.",
    stretch_note="Each head is coloured up to its own largest weight.",
    layer="Layer {layer}",
    head="Head {head}",
    head_name="Layer {layer}, head {head}",
    title="{kind} · layer {layer} · head {head}",
    traits_encoder_self="On this input, on average over the rows: {entropy} bits of entropy; "
    "{diagonal} of the weight on the same position, {previous} on the one before, "
    "{first} on the first token, {special} on special tokens.",
    traits_decoder_self="On this input, on average over the rows: {entropy} bits of entropy; "
    "{diagonal} of the weight on the token just read, {previous} on the one before that, "
    "{first} on the first token, {special} on special tokens.",
    traits_cross="On this input, on average over the rows: {entropy} bits of entropy; "
    "{first} of the weight on the first source token, {special} on special tokens.",
    axis_query="query (looks)",
    axis_key="key (is looked at)",
    view="View of the head",
    view_matrix="Matrix",
    view_lines="Lines",
    matrix_help="Arrow keys move over the cells, Enter pins one, R its row, C its column, "
    "Escape lets go.",
    legend_forbidden="forbidden by the mask",
    legend_unwritten="not written yet",
    scale_help="Colours from 0 to 1, or to the largest weight of the head",
    scale_own="{largest}, the largest here",
    exact="exact numbers (float32)",
    loading="≈ packed to 8 bits; exact numbers are on their way",
    approximate="≈ packed to 8 bits (error below {error}); the exact numbers did not arrive",
    loading_coarse="≈ the largest of the weights around; exact numbers are on their way",
    approximate_coarse="≈ the largest of the weights around; the exact numbers did not arrive",
    absent="≈ packed to 8 bits (error below {error}); the exact numbers are not in this file",
    absent_coarse="≈ the largest of the weights around; the exact numbers are not in this file",
    kind_missing="{kind} could not be loaded. Choose it again.",
    cell_query="query {token}",
    cell_writes="writes {token}",
    cell_reads="reads {token}",
    cell_key="key {token}",
    cell_weight="weight {weight}",
    cell_score="score {score}",
    cell_forbidden="forbidden by the mask",
    cell_unwritten="not written yet: a click goes to this step",
    row_table="What this row looks at, largest weight first",
    threshold="Draw weights over",
    lines_note="weights over {threshold} drawn · {hidden} of the mass hidden",
    lines_capped="the {count} largest weights drawn · {hidden} of the mass hidden",
    next_title="Next token, step {step}",
    next_rest="{count} more",
    next_missing="This trace holds no next-token probabilities.",
    next_unlikely="{token} is what stands here; the model ranked it {rank}.",
    after="After “{prefix}” comes the next token.",
    after_nothing="First token: nothing is written yet.",
    writing_put="Writing {query}, this head put {weight} on {key}.",
    reading_put="At {query}, this head put {weight} on {key}.",
    pinned_put="Pinned: {query} → {key} {weight}",
    put_nothing="This row may look at nothing.",
    point="Point at a cell to read it; click to keep it.",
    compare_delta="{delta} with the mask lifted",
    compare_ended="already ended",
    export="Export",
    export_head="This head",
    export_grid="All heads",
    export_next="Next token",
    export_whole="Everything",
    export_note="HTML is this view, alive, in one file: it opens without Headlight and offline.",
    export_busy="This computer draws for many others right now. Try again in a few seconds.",
    export_most="CSV and JSON have room for 1,048,576 cells; of more, NPZ is whole.",
    edited="Edited during the pass: {edits}. The numbers are those of the edited model.",
    nothing="This model has no attention to draw.",
    failed="This view could not be drawn. Restart Headlight and reload the page.",
)

KO: Final = InspectorText(
    component="어텐션 살펴보기",
    kinds="어텐션 종류",
    kind_encoder_self="인코더 셀프",
    kind_decoder_self="디코더 셀프",
    kind_cross="크로스",
    special_start="시작",
    special_end="끝",
    special_pad="채움",
    special_unknown="모르는 글자",
    steps="디코더 단계",
    step_of="{steps}단계 중 {step}단계",
    step_hint="← → 또는 끌기",
    play="단계 재생",
    pause="멈춤",
    grid="모든 헤드",
    grid_note="행은 층, 열은 헤드입니다.",
    grid_axes="작은 그림마다 세로는 쿼리 (보는 쪽), 가로는 키 (보이는 쪽)입니다.",
    pooled_note="작은 그림의 한 점은 그 아래 가중치 중 가장 큰 값입니다.",
    stretch_note="헤드마다 자기의 가장 큰 가중치까지 색을 맞췄습니다.",
    layer="{layer}층",
    head="헤드 {head}",
    head_name="{layer}층, 헤드 {head}",
    title="{kind} · {layer}층 · 헤드 {head}",
    traits_encoder_self="이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {diagonal}는 "
    "같은 위치, {previous}는 바로 앞 위치, {first}는 첫 토큰, {special}는 특수 토큰에 있습니다.",
    traits_decoder_self="이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {diagonal}는 "
    "방금 읽은 토큰, {previous}는 그 바로 앞 토큰, {first}는 첫 토큰, "
    "{special}는 특수 토큰에 있습니다.",
    traits_cross="이 입력에서 행 평균: 엔트로피 {entropy}비트, 가중치의 {first}는 원문의 첫 토큰, "
    "{special}는 특수 토큰에 있습니다.",
    axis_query="쿼리 (보는 쪽)",
    axis_key="키 (보이는 쪽)",
    view="헤드를 보는 방식",
    view_matrix="행렬",
    view_lines="선",
    matrix_help="화살표 키로 칸을 옮기고, Enter로 칸을, R로 행을, C로 열을 고정하고, Esc로 풉니다.",
    legend_forbidden="마스크로 금지됨",
    legend_unwritten="아직 쓰지 않음",
    scale_help="색을 0에서 1까지, 또는 이 헤드의 가장 큰 가중치까지 맞춥니다",
    scale_own="{largest}, 여기서 가장 큰 값",
    exact="정확한 float32 값",
    loading="≈ 8비트로 줄인 값, 정확한 값을 받는 중",
    approximate="≈ 8비트로 줄인 값(오차 {error} 미만), 정확한 값을 받지 못했습니다",
    loading_coarse="≈ 주변에서 가장 큰 가중치, 정확한 값을 받는 중",
    approximate_coarse="≈ 주변에서 가장 큰 가중치, 정확한 값을 받지 못했습니다",
    absent="≈ 8비트로 줄인 값(오차 {error} 미만), 정확한 값은 이 파일에 없습니다",
    absent_coarse="≈ 주변에서 가장 큰 가중치, 정확한 값은 이 파일에 없습니다",
    kind_missing="{kind}: 불러오지 못했습니다. 다시 골라 주세요.",
    cell_query="쿼리 {token}",
    cell_writes="쓰는 토큰 {token}",
    cell_reads="읽는 토큰 {token}",
    cell_key="키 {token}",
    cell_weight="가중치 {weight}",
    cell_score="점수 {score}",
    cell_forbidden="마스크로 금지된 칸",
    cell_unwritten="아직 쓰지 않음: 누르면 이 단계로 갑니다",
    row_table="이 행이 보는 토큰, 가중치가 큰 순서",
    threshold="이보다 큰 가중치만 그리기",
    lines_note="{threshold}보다 큰 가중치만 그림 · 전체의 {hidden} 숨김",
    lines_capped="가장 큰 가중치 {count}개만 그림 · 전체의 {hidden} 숨김",
    next_title="다음 토큰, {step}단계",
    next_rest="나머지 {count}개",
    next_missing="여기에는 다음 토큰 확률이 들어 있지 않습니다.",
    next_unlikely="여기 놓인 토큰은 {token}, 모델이 매긴 순위는 {rank}위입니다.",
    after="“{prefix}” 다음에 올 토큰입니다.",
    after_nothing="첫 토큰입니다. 아직 쓴 것이 없습니다.",
    writing_put="{query} 토큰을 쓸 때 이 헤드가 {key} 토큰에 둔 가중치는 {weight}입니다.",
    reading_put="{query} 자리에서 이 헤드가 {key} 토큰에 둔 가중치는 {weight}입니다.",
    pinned_put="고정: {query} → {key} {weight}",
    put_nothing="이 행이 볼 수 있는 토큰이 없습니다.",
    point="칸을 가리키면 값을 읽고, 누르면 고정합니다.",
    compare_delta="마스크를 풀면 {delta}",
    compare_ended="이미 끝남",
    export="내보내기",
    export_head="이 헤드",
    export_grid="모든 헤드",
    export_next="다음 토큰",
    export_whole="전체",
    export_note="HTML 파일 하나에 이 화면이 살아 있습니다. Headlight와 인터넷 없이 열립니다.",
    export_busy="지금 다른 사람들의 그림을 그리고 있습니다. 몇 초 뒤에 다시 눌러 주세요.",
    export_most="CSV와 JSON은 1,048,576칸까지 담습니다. 그보다 많으면 NPZ에 모두 들어 있습니다.",
    edited="계산 도중에 값을 바꾼 기록입니다: {edits}. 숫자는 바꾼 뒤의 것입니다.",
    nothing="이 모델에는 그릴 어텐션이 없습니다.",
    failed="이 화면을 그리지 못했습니다. Headlight를 다시 시작하고 페이지를 새로 고치세요.",
)

TEXT: Final[dict[Language, InspectorText]] = {"en": EN, "ko": KO}
