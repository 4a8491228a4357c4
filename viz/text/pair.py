"""The words of two traces beside each other in the browser. `{name}` is filled in there.

They are drawn with the inspector's parts, so those words (`viz.text.inspector`) come beside these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class PairText:
    """Every text that a pair adds to the inspector's."""

    pair: str
    first: str
    second: str
    difference: str
    linked: str
    unlike: str
    nothing_shared: str
    legend_pair: str
    # what a cell says
    cell_change_of_pair: str
    only_first: str
    only_second: str
    in_neither: str
    no_such_cell: str
    point_pair: str
    pair_reading: str
    pair_writing: str
    pair_table: str
    export_pair: str
    export_both: str
    export_pair_note: str
    # how much heads changed
    changed: str
    change_here: str
    most_first: str
    shared_rows: str


EN: Final = PairText(
    pair="Two traces and their difference",
    first="A",
    second="B",
    difference="B − A",
    linked="Same head in both",
    unlike="The two models have different heads: choose one in each.",
    nothing_shared="The two models have no kind of attention in common.",
    legend_pair="forbidden by the mask, or a token that only one of the two has",
    cell_change_of_pair="B − A {change}",
    only_first="only A has this cell",
    only_second="only B has this cell",
    in_neither="neither has this cell",
    no_such_cell="no such cell",
    point_pair="Point at a cell to read it in both; click to keep it.",
    pair_reading="{query} looking at {key}: A {first}, B {second}, B − A {change}",
    pair_writing="Writing {query}, looking at {key}: A {first}, B {second}, B − A {change}",
    pair_table="What this row looks at in both, largest change first",
    export_pair="Both heads",
    export_both="This comparison",
    export_pair_note="HTML is the comparison, or A or B, alive, in one file: "
    "it opens without Headlight and offline.",
    changed="{share} of its attention lies elsewhere in B.",
    change_here="{head}: {share} of its attention lies elsewhere in B.",
    most_first="Most changed first.",
    shared_rows="Both have {rows} of {all} rows.",
)

KO: Final = PairText(
    pair="두 결과와 그 차이",
    first="A",
    second="B",
    difference="B − A",
    linked="양쪽에 같은 헤드",
    unlike="두 모델의 헤드가 서로 다릅니다. 쪽마다 하나씩 고르세요.",
    nothing_shared="두 모델에 함께 있는 어텐션 종류가 없습니다.",
    legend_pair="마스크로 금지되었거나 한쪽에만 있는 토큰",
    cell_change_of_pair="B − A {change}",
    only_first="A에만 있는 칸",
    only_second="B에만 있는 칸",
    in_neither="양쪽 모두 없는 칸",
    no_such_cell="칸 없음",
    point_pair="칸을 가리키면 양쪽 값을 읽고, 누르면 고정합니다.",
    pair_reading="{query} 자리에서 {key} 토큰을 볼 때: A {first}, B {second}, B − A {change}",
    pair_writing="{query} 토큰을 쓰며 {key} 토큰을 볼 때: A {first}, B {second}, B − A {change}",
    pair_table="이 행이 양쪽에서 보는 토큰, 많이 달라진 순서",
    export_pair="두 헤드",
    export_both="이 비교",
    export_pair_note="HTML 파일 하나에 이 비교나 A 또는 B가 살아 있습니다. "
    "Headlight와 인터넷 없이 열립니다.",
    changed="B에서는 어텐션의 {share}가 다른 곳에 있습니다.",
    change_here="{head}: B에서는 어텐션의 {share}가 다른 곳에 있습니다.",
    most_first="많이 달라진 순서입니다.",
    shared_rows="행 {all}개 가운데 {rows}개가 양쪽에 있습니다.",
)

TEXT: Final[dict[Language, PairText]] = {"en": EN, "ko": KO}
