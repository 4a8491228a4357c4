"""The words of what orders, filters, sums up and lays over heads in the in-browser inspector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class HeadsText:
    """As `viz.text.inspector.InspectorText`: `{name}` is filled in by the browser."""

    # order of the grid
    order: str
    order_layer: str
    order_note: str
    order_chosen: str
    order_most: str
    order_most_value: str
    head_short: str
    trait_entropy: str
    trait_distance: str
    trait_diagonal: str
    trait_diagonal_read: str
    trait_previous: str
    trait_next: str
    trait_first: str
    trait_special: str
    unit_bits: str
    unit_tokens: str
    # words and pieces
    units: str
    units_pieces: str
    units_words: str
    units_summed: str
    units_peaks: str
    units_measured: str
    cell_made_of: str
    # several heads in the lines, pinned tokens
    overlay: str
    overlay_hint: str
    overlay_more: str
    overlay_keep: str
    overlay_hidden: str
    overlay_number: str
    trim: str
    trim_none: str
    trim_note: str
    lines_held: str
    lines_each: str
    held_query: str
    held_key: str


EN: Final = HeadsText(
    order="Order",
    order_layer="by layer",
    order_note="Measured on this input, {trait}, most first: {most} to {least}.",
    order_chosen="The chosen head is not among them.",
    order_most="How many heads are shown",
    order_most_value="{shown} of {heads} heads",
    head_short="L{layer} H{head}",
    trait_entropy="entropy",
    trait_distance="distance",
    trait_diagonal="same position",
    trait_diagonal_read="token just read",
    trait_previous="previous token",
    trait_next="next token",
    trait_first="first token",
    trait_special="special tokens",
    unit_bits="{value} bits",
    unit_tokens="{value} tokens",
    units="Rows and columns",
    units_pieces="Pieces",
    units_words="Words",
    units_summed="summed to words: keys added, queries averaged",
    units_peaks="between words, the largest of their pieces",
    units_measured="Measured on pieces, not on words.",
    cell_made_of="average of queries: {queries} · sum of keys: {keys}",
    overlay="Heads whose lines are drawn",
    overlay_hint="Space or Shift-click on a head of the grid keeps its lines too, up to 8 heads",
    overlay_more="keep while choosing others",
    overlay_keep="Keep the lines of {name}",
    overlay_hidden="{hidden} of its mass hidden",
    overlay_number="Lines kept, number {number}",
    trim="Leave the smallest weights of each row out of the matrix, up to a share of its mass",
    trim_none="every weight drawn",
    trim_note="smallest weights up to {share} of each row left out (dots): {hidden} of the mass",
    lines_held="of the pinned token alone",
    lines_each="each head's share beside its name",
    held_query="Pinned row: {query} looks most at {key}, {weight}.",
    held_key="Pinned column: {key} is looked at most by {query}, {weight}.",
)

KO: Final = HeadsText(
    order="순서",
    order_layer="층 순서",
    order_note="이 입력에서 잰 값({trait})이 큰 순서: {most}에서 {least}까지.",
    order_chosen="고른 헤드는 이 가운데 없습니다.",
    order_most="보이는 헤드 수",
    order_most_value="헤드 {heads}개 중 {shown}개",
    head_short="{layer}층 {head}번",
    trait_entropy="엔트로피",
    trait_distance="거리",
    trait_diagonal="같은 위치",
    trait_diagonal_read="방금 읽은 토큰",
    trait_previous="바로 앞 토큰",
    trait_next="바로 뒤 토큰",
    trait_first="첫 토큰",
    trait_special="특수 토큰",
    unit_bits="{value}비트",
    unit_tokens="토큰 {value}개",
    units="행과 열",
    units_pieces="조각",
    units_words="낱말",
    units_summed="낱말로 합친 값: 키는 더하고 쿼리는 평균",
    units_peaks="낱말 사이에서 조각들 중 가장 큰 값",
    units_measured="낱말이 아니라 조각 기준으로 잰 값입니다.",
    cell_made_of="쿼리 {queries}개 평균 · 키 {keys}개 합",
    overlay="선을 그린 헤드",
    overlay_hint="표의 헤드에서 스페이스나 Shift+클릭으로 선을 함께 둡니다. 헤드 8개까지",
    overlay_more="남기고 다른 헤드 더하기",
    overlay_keep="{name}의 선 남기기",
    overlay_hidden="가중치의 {hidden} 숨김",
    overlay_number="선을 남김, {number}번",
    trim="행마다 가장 작은 가중치를 행렬에서 빼기, 행 합의 몫까지",
    trim_none="모든 가중치를 그림",
    trim_note="행마다 작은 가중치를 {share}까지 뺌(점): 전체의 {hidden}",
    lines_held="고정한 토큰만",
    lines_each="헤드마다 숨긴 몫은 이름 옆에",
    held_query="고정한 행: {query} 자리에서 가장 많이 보는 것은 {key}, {weight}.",
    held_key="고정한 열: {key} 토큰을 가장 많이 보는 것은 {query}, {weight}.",
)

TEXT: Final[dict[Language, HeadsText]] = {"en": EN, "ko": KO}
