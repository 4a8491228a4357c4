"""The words of what orders, filters, sums up and lays over heads in the in-browser inspector."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class HeadsText(Table):
    """As `viz.text.inspector.InspectorText`: `{name}` is filled in by the browser."""

    # order of the grid
    order = Row("Order", "순서")
    order_layer = Row("by layer", "층 순서")
    order_note = Row(
        "Measured on this input, {trait}, most first: {most} to {least}.",
        "이 입력에서 잰 값({trait})이 큰 순서: {most}에서 {least}까지.",
    )
    order_chosen = Row("The chosen head is not among them.", "고른 헤드는 이 가운데에 없어요.")
    order_most = Row("How many heads are shown", "보이는 헤드 수")
    order_most_value = Row("{shown} of {heads} heads", "헤드 {heads}개 중 {shown}개")
    head_short = Row("L{layer} H{head}", "{layer}층 {head}번")
    trait_entropy = Row("entropy", "엔트로피")
    trait_distance = Row("distance", "거리")
    trait_diagonal = Row("same position", "같은 위치")
    trait_diagonal_read = Row("token just read", "방금 읽은 토큰")
    trait_previous = Row("previous token", "바로 앞 토큰")
    trait_next = Row("next token", "바로 뒤 토큰")
    trait_first = Row("first token", "첫 토큰")
    trait_special = Row("special tokens", "특수 토큰")
    unit_bits = Row("{value} bits", "{value}비트")
    unit_tokens = Row("{value} tokens", "토큰 {value}개")
    # words and pieces
    units = Row("Rows and columns", "행과 열")
    units_pieces = Row("Pieces", "조각")
    units_words = Row("Words", "단어")
    units_summed = Row(
        "summed to words: keys added, queries averaged", "단어로 합친 값: 키는 더하고 쿼리는 평균"
    )
    units_peaks = Row(
        "between words, the largest of their pieces", "단어 사이에서 조각들 중 가장 큰 값"
    )
    units_measured = Row(
        "Measured on pieces, not on words.", "단어가 아니라 조각 기준으로 잰 값이에요."
    )
    cell_made_of = Row(
        "average of queries: {queries} · sum of keys: {keys}",
        "쿼리 {queries}개 평균 · 키 {keys}개 합",
    )
    # several heads in the lines, pinned tokens
    overlay = Row("Heads whose lines are drawn", "선을 그린 헤드")
    overlay_hint = Row(
        "Space or Shift-click on a head of the grid keeps its lines too, up to 8 heads",
        "헤드 그림에서 스페이스를 누르거나 Shift+클릭하면 그 헤드의 선도 남아요. 헤드 8개까지",
    )
    overlay_more = Row("keep while choosing others", "남기고 다른 헤드 더하기")
    overlay_keep = Row("Keep the lines of {name}", "{name}의 선 남기기")
    overlay_hidden = Row("{hidden} of its mass hidden", "가중치의 {hidden} 숨김")
    overlay_number = Row("Lines kept, number {number}", "선을 남김, {number}번")
    trim = Row(
        "Leave the smallest weights of each row out of the matrix, up to a share of its mass",
        "행마다 가장 작은 가중치부터 합의 일정 비율까지 행렬에서 빼기",
    )
    trim_none = Row("every weight drawn", "모든 가중치를 그림")
    trim_note = Row(
        "smallest weights up to {share} of each row left out (dots): {hidden} of the mass",
        "행마다 작은 가중치를 {share}까지 뺌(점): 전체의 {hidden}",
    )
    lines_held = Row("of the pinned token alone", "고정한 토큰만")
    lines_each = Row("each head's share beside its name", "헤드마다 숨긴 비율은 이름 옆에")
    lines_zoomed = Row("of what the queries in view look at", "보이는 쿼리가 두는 가중치 가운데")
    # a part of a large matrix
    zoom = Row("What is in view", "보이는 부분")
    zoom_in = Row("Zoom in (+)", "확대 (+)")
    zoom_out = Row("Zoom out (−)", "축소 (−)")
    zoom_all = Row("Whole", "전체")
    zoom_whole = Row("Show the whole (0)", "전체 보기 (0)")
    zoom_hint = Row(
        "To read it, drag a frame, or zoom with Ctrl + wheel or +.",
        "글자를 읽으려면 볼 곳을 끌어서 고르거나, Ctrl + 휠이나 +로 확대하세요.",
    )
    zoom_hint_touch = Row(
        "To read it, spread two fingers, or tap the small map.",
        "글자를 읽으려면 두 손가락을 벌리거나, 작은 지도를 누르세요.",
    )
    zoom_help = Row(
        "+ and − zoom, 0 shows the whole, Shift with an arrow key moves on.",
        "+와 −는 확대와 축소, 0은 전체 보기, Shift와 화살표 키는 보이는 부분 옮기기예요.",
    )
    find = Row("Find a token", "토큰 찾기")
    find_none = Row("not here", "없음")
    find_next = Row("Next one (Enter)", "다음 (Enter)")
    find_previous = Row("One before (Shift + Enter)", "이전 (Shift + Enter)")
    find_of = Row("{at} of {count}", "{count}개 중 {at}번째")
    find_query = Row("query {at}", "쿼리 {at}번째")
    find_key = Row("key {at}", "키 {at}번째")
    zoom_part = Row(
        "queries {top}–{bottom} of {rows} · keys {left}–{right} of {columns}",
        "쿼리 {rows}개 중 {top}–{bottom}번째 · 키 {columns}개 중 {left}–{right}번째",
    )
    held_query = Row(
        "Pinned row: {query} looks most at {key}, {weight}.",
        "고정한 행: {query} 자리에서 가장 많이 보는 것은 {key}, {weight}.",
    )
    held_key = Row(
        "Pinned column: {key} is looked at most by {query}, {weight}.",
        "고정한 열: {key} 토큰을 가장 많이 보는 것은 {query}, {weight}.",
    )


TEXT: Final = in_languages(HeadsText)
EN, KO = TEXT["en"], TEXT["ko"]
