"""What stands under the pictures of the Positions page. The page fills in the braces."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class PositionsCaptions(Table):
    """Captions, findings, legends and descriptions for screen readers."""

    heatmap_caption = Row(
        "A row is one position, a column one dimension. The leftmost waves are short, so "
        "neighbouring rows differ at once; further right they stretch until a column looks "
        "like one even stripe. The amber mark is position {position}.",
        "행 하나가 위치 하나, 열 하나가 차원 하나예요. 왼쪽 끝은 파동이 짧아서 바로 옆 위치와도 "
        "값이 다르고, 오른쪽으로 갈수록 파동이 길어져 나중에는 한 가지 색 띠처럼 보여요. 호박색은 "
        "위치 {position} 표시예요.",
    )
    heatmap_crowded = Row(
        "This table has {rows} × {columns} cells, all of them in the picture; where the screen "
        "has fewer pixels, cells hide one another and stripes may appear that the table does not "
        "have. Drag over a part to enlarge it, double-click to see everything again.",
        "이 표의 칸은 {rows} × {columns}개이고 모두 그림에 들어 있어요. 다만 화면의 픽셀이 더 "
        "적으면 칸끼리 서로 가려서 표에 없는 줄무늬가 생겨 보일 수 있어요. 보고 싶은 곳을 "
        "끌어서 확대하고, 두 번 눌러 전체로 돌아오세요.",
    )
    heatmap_alt = Row(
        "Heatmap of the positional encoding, {rows} positions by {columns} dimensions.",
        "위치 인코딩 히트맵, 위치 {rows}개와 차원 {columns}개.",
    )
    waves_caption = Row(
        "Each lane is one column of the table. Read downwards at the amber line, the lanes are "
        "entries of PE({position}): short waves tell neighbours apart, long ones tell where in "
        "the text one is.",
        "곡선 하나가 표의 열 하나예요. 호박색 선을 따라 위에서 아래로 읽으면 PE({position})의 "
        "값이 돼요. 짧은 파동은 이웃한 위치를 구별하고, 긴 파동은 글의 어디쯤인지를 알려 줘요.",
    )
    waves_dots = Row(
        "Dots are what the table holds; the line is the same wave between positions.",
        "점이 표에 있는 값이고, 선은 위치와 위치 사이까지 이은 같은 파동이에요.",
    )
    waves_joined = Row(
        "The lines join the values of neighbouring positions.",
        "선은 이웃한 위치의 값을 이은 거예요.",
    )
    waves_alt = Row(
        "Curves of {count} dimensions over the positions.",
        "차원 {count}개의 값을 위치에 따라 그린 곡선.",
    )
    dots_caption = Row(
        "How alike two positions are. Every diagonal has one colour: the dot product does not "
        "ask where p and q stand, only how far apart they are, in either direction.",
        "두 위치가 얼마나 닮았는지 보여 줘요. 대각선마다 색이 하나뿐이에요. 내적은 p와 q가 "
        "어디에 있는지가 아니라 서로 얼마나 떨어져 있는지에만 달려 있고, 앞뒤 방향도 가리지 "
        "않아요.",
    )
    dots_window = Row(
        "The matrix shows positions {first} to {last} of {length}; the check below covers all.",
        "행렬에는 전체 {length}개 가운데 위치 {first}에서 {last}까지만 그렸어요. 아래의 확인은 "
        "전체를 대상으로 해요.",
    )
    dots_found = Row(
        "Checked on all {pairs} pairs: the largest distance from a function of the offset alone "
        "is **{deviation}**.",
        "모든 쌍 {pairs}개에서 확인했어요. 간격만으로 계산한 값과의 가장 큰 차이는 "
        "**{deviation}**.",
    )
    dots_here = Row("PE({p}) · PE({q}) = **{value}**", "PE({p}) · PE({q}) = **{value}**")
    dots_law = Row("Σ cos(offset · ωᵢ), from the offset alone", "Σ cos(간격 · ωᵢ), 간격만으로 계산")
    dots_measured = Row("measured from p = {position}", "p = {position}에서 잰 값")
    dots_alt = Row("Heatmap of dot products between positions.", "위치 사이의 내적 히트맵.")
    profile_alt = Row(
        "Dot product against the offset, law and measurement.", "간격에 따른 내적, 공식과 측정값."
    )
    rotation_caption = Row(
        "Stepping k positions on is the same linear map wherever one starts: each sine–cosine "
        "pair turns by its own angle k·ωᵢ. Below, M with k = {offset} carries PE({p}) to PE({q}).",
        "어디서 출발하든 k칸 옮기는 일은 똑같은 선형 변환이에요. "
        "사인·코사인 쌍마다 자기 각도 k·ωᵢ만큼 돌아요. "
        "아래의 M은 k = {offset}일 때의 행렬이고, M·PE({p}) = PE({q}) 식을 만족해요.",
    )
    rotation_here = Row("largest error at p = {p}", "p = {p}에서 가장 큰 오차")
    rotation_all = Row("largest error over p = 0 to {last}", "p = 0에서 {last}까지 가장 큰 오차")
    rotation_before = Row("PE({p})", "PE({p})")
    rotation_after = Row("M·PE({p}) = PE({q})", "M·PE({p}) = PE({q})")
    rotation_pair = Row("dimensions {even}, {odd}<br>{angle}°", "차원 {even}, {odd}<br>{angle}°")
    circles_caption = Row(
        "Cosine to the right, sine upwards. Fast pairs make whole turns, slow ones hardly move.",
        "오른쪽이 코사인, 위쪽이 사인이에요. 빠른 쌍은 몇 바퀴씩 돌고, 느린 쌍은 거의 움직이지 "
        "않아요.",
    )
    circles_alt = Row(
        "Sine-cosine pairs before and after the rotation, as hands on circles.",
        "회전 전후의 사인·코사인 쌍을 원 위의 바늘로 그린 그림.",
    )
    strips_title = Row("The vectors", "벡터")
    strips_caption = Row(
        "The matrix times PE({p}) and the encoding computed directly at {q}: the lower two rows "
        "agree to the error above.",
        "행렬을 PE({p})에 곱한 결과와, 위치 {q}에서 곧바로 계산한 인코딩이에요. 아래 두 줄은 위에 "
        "적힌 오차 안에서 같아요.",
    )
    strips_alt = Row(
        "PE(p), the rotated PE(p), and PE(p + k), as three rows of colours.",
        "PE(p), 회전한 PE(p), PE(p + k)를 세 줄의 색으로 그린 그림.",
    )
    blocks_title = Row("The matrix M for k = {offset}", "k = {offset}일 때의 행렬 M")
    blocks_caption = Row(
        "One 2 × 2 block a pair sits on the diagonal; everything else is exactly 0. No entry "
        "depends on p.",
        "쌍마다 2 × 2 블록이 하나씩 대각선에 놓이고, 나머지는 정확히 0이에요. 어느 값도 p에 "
        "따라 달라지지 않아요.",
    )
    blocks_window = Row(
        "Drawn: the first {shown} of {width} rows and columns.",
        "전체 {width}개의 행과 열 가운데 처음 {shown}개를 그렸어요.",
    )
    blocks_alt = Row("Heatmap of the rotation matrix.", "회전 행렬 히트맵.")
    block_columns: Row[tuple[str, str, str, str]] = Row(
        ("pair i", "k·ωᵢ (rad)", "cos k·ωᵢ", "sin k·ωᵢ"),
        ("쌍 i", "k·ωᵢ (rad)", "cos k·ωᵢ", "sin k·ωᵢ"),
    )
    norm_caption = Row(
        "In every pair sin² + cos² makes 1, so each column is full whatever the position. "
        "{pairs} pairs add up to d_model / 2 = {pairs}; its square root is the length of every "
        "row: position changes the direction, never the size. Drawn for p = {position}.",
        "쌍마다 sin² + cos²이 1이 되니 위치와 상관없이 막대가 모두 꽉 차요. 쌍 {pairs}개를 "
        "더하면 d_model / 2 = {pairs}이고, 그 제곱근이 모든 행의 길이예요. 위치가 달라지면 "
        "방향만 바뀌고 크기는 그대로예요. 그림은 p = {position}일 때예요.",
    )
    norm_expected = Row("expected √(d_model / 2)", "이론값 √(d_model / 2)")
    norm_smallest = Row("smallest measured", "가장 작은 측정값")
    norm_largest = Row("largest measured", "가장 큰 측정값")
    norm_deviation = Row("largest deviation", "가장 큰 차이")
    norm_alt = Row(
        "Squares of sine and cosine in each pair, stacked to 1.",
        "쌍마다 사인과 코사인의 제곱을 쌓아 1이 되는 막대그래프.",
    )
    rounding = Row(
        "Computed in 64-bit floating point. What is left is rounding, which grows with the "
        "position because large angles carry fewer digits after the point.",
        "64비트 부동소수점으로 계산했어요. 남은 차이는 반올림 오차이고, 위치가 클수록 각도의 "
        "소수 자릿수가 줄어들어 조금씩 커져요.",
    )
    # positions told within attention
    schemes_caption = Row(
        "Three other ways add nothing to what is read: they change the scores q·k themselves, in "
        "every layer. A row is a query's position, a column a key's.",
        "다른 세 방식은 입력에 아무것도 더하지 않고, 층마다 점수 q·k 자체를 바꿔요. 행은 쿼리의 "
        "위치, 열은 키의 위치예요.",
    )
    schemes_alt = Row("Heatmap: {title}.", "히트맵: {title}.")
    schemes_rotary = Row("Rotary: q·k after turning", "회전 (RoPE): 돌린 뒤의 q·k")
    schemes_rotary_note = Row(
        "q and k are the same vector everywhere, of one head that is {width} wide (d_k); each is "
        "turned by its position, and 1 is what q·k is at its own.",
        "q와 k는 모든 위치에서 같은 벡터이고, 헤드 하나의 너비(d_k)가 {width}예요. 위치만큼씩 "
        "돌렸고, 같은 위치에서의 q·k가 1이에요.",
    )
    schemes_alibi = Row(
        "ALiBi, head {head} of {heads}: added", "ALiBi 헤드 {head}/{heads}: 더하는 값"
    )
    schemes_alibi_note = Row(
        "Each token of distance takes {slope} from the score.",
        "한 칸 멀어질 때마다 점수에서 {slope}씩 빼요.",
    )
    schemes_relative = Row("T5: the group of a distance", "T5: 거리가 속한 묶음")
    schemes_relative_note = Row(
        "{used} of {groups} groups; for each a head learns what to add. Near distances have a "
        "group each, far ones share; keys after the query have groups of their own.",
        "묶음 {groups}개 중 {used}개예요. 헤드는 묶음마다 더할 값을 배워요. 가까운 거리는 하나씩, "
        "먼 거리는 여럿이 한 묶음이고, 쿼리 뒤의 키에는 따로 묶음이 있어요.",
    )
    schemes_head = Row("head {head} of {heads}", "헤드 {head}/{heads}")
    schemes_left = Row("what is left", "남는 비율")
    schemes_hover_left = Row("offset %{x}: <b>%{y:.3f}</b>", "간격 %{x}: <b>%{y:.3f}</b>")
    schemes_left_alt = Row(
        "Curves of ALiBi's eight heads by distance from position {position}.",
        "위치 {position}에서의 거리에 따른 ALiBi 헤드 여덟 개의 곡선.",
    )
    schemes_left_caption = Row(
        "How much of a key's weight ALiBi leaves by its distance from p = {position}, next to a "
        "key there with the same q·k: e to the power of what is added. Amber is head {head} of "
        "{heads}.",
        "q·k가 같은 p = {position} 자리의 키에 견주어, ALiBi가 거리에 따라 키의 가중치를 얼마나 "
        "남기는지 보여 줘요. e의 (더하는 값)제곱이에요. 호박색이 헤드 {head}/{heads}이에요.",
    )
    schemes_found = Row(
        "Only the offset counts: among {pairs} pairs of positions, entries of one offset "
        "differ by at most {deviation} in all of these maps. What such models do at lengths they "
        "were never trained on is measured under Studies: Longer than ever.",
        "중요한 건 간격뿐이에요. 위치 {pairs}쌍에서 간격이 같은 값끼리의 차이는 이 그림 모두에서 "
        "{deviation} 이하예요. 훈련에 없던 길이에서 이런 모델이 어떻게 되는지는 연구 페이지의 "
        "‘배운 적 없는 길이’에서 볼 수 있어요.",
    )
    schemes_window = Row(
        "Shown are the first {length} positions.", "처음 {length}개 위치를 그렸어요."
    )


TEXT: Final = in_languages(PositionsCaptions)
EN, KO = TEXT["en"], TEXT["ko"]
