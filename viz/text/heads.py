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
)

TEXT: Final[dict[Language, HeadsText]] = {"en": EN, "ko": KO}
