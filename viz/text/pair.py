"""The words of two traces beside each other in the browser. `{name}` is filled in there.

They are drawn with the inspector's parts, so those words (`viz.text.inspector`) come beside these.
"""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class PairText(Table):
    """Every text that a pair adds to the inspector's."""

    pair = Row("Two traces and their difference", "두 기록과 그 차이")
    first = Row("A", "A")
    second = Row("B", "B")
    difference = Row("B − A", "B − A")
    linked = Row("Same head in both", "양쪽에 같은 헤드")
    unlike = Row(
        "The two models have different heads: choose one in each.",
        "두 모델의 헤드가 서로 달라요. 양쪽에서 하나씩 고르세요.",
    )
    nothing_shared = Row(
        "The two models have no kind of attention in common.",
        "두 모델에 공통으로 있는 어텐션 종류가 없어요.",
    )
    legend_pair = Row(
        "forbidden by the mask, or a token that only one of the two has",
        "마스크가 막았거나 한쪽에만 있는 토큰",
    )
    # what a cell says
    cell_change_of_pair = Row("B − A {change}", "B − A {change}")
    only_first = Row("only A has this cell", "A에만 있는 칸")
    only_second = Row("only B has this cell", "B에만 있는 칸")
    in_neither = Row("neither has this cell", "양쪽 모두 없는 칸")
    no_such_cell = Row("no such cell", "칸 없음")
    point_pair = Row(
        "Point at a cell to read it in both; click to keep it.",
        "칸을 가리키면 양쪽 값이 보이고, 누르면 고정돼요.",
    )
    pair_reading = Row(
        "{query} looking at {key}: A {first}, B {second}, B − A {change}",
        "{query} 자리에서 {key} 토큰을 볼 때: A {first}, B {second}, B − A {change}",
    )
    pair_writing = Row(
        "Writing {query}, looking at {key}: A {first}, B {second}, B − A {change}",
        "{query} 토큰을 쓰며 {key} 토큰을 볼 때: A {first}, B {second}, B − A {change}",
    )
    pair_table = Row(
        "What this row looks at in both, largest change first",
        "이 행이 양쪽에서 보는 토큰, 많이 달라진 순서",
    )
    export_pair = Row("Both heads", "두 헤드")
    export_both = Row("This comparison", "이 비교")
    export_pair_note = Row(
        "HTML is the comparison, or A or B, alive, in one file: "
        "it opens without Headlight and offline. "
        "In the small one these heads are exact, and the others have eight bits.",
        "HTML은 이 비교나 A 또는 B를 직접 조작할 수 있게 담은 파일 하나예요. Headlight나 인터넷 "
        "없이도 열려요. 작은 HTML에는 이 헤드들만 정확한 값으로, 나머지는 8비트로 들어 있어요.",
    )
    # how much heads changed
    changed = Row(
        "{share} of its attention lies elsewhere in B.",
        "B에서는 어텐션의 {share}가 다른 곳에 있어요.",
    )
    change_here = Row(
        "{head}: {share} of its attention lies elsewhere in B.",
        "{head}: B에서는 어텐션의 {share}가 다른 곳에 있어요.",
    )
    most_first = Row("Most changed first.", "많이 달라진 순서예요.")
    heads_apart = Row(
        "A and B show different heads; each small picture is one head in both.",
        "A와 B의 헤드가 서로 달라요. 작은 그림 하나는 양쪽의 같은 헤드예요.",
    )
    few_rows = Row(
        "Hardly anything is compared: both have {rows} of {all} rows.",
        "비교되는 것이 거의 없어요. 행 {all}개 가운데 {rows}개만 양쪽에 있어요.",
    )
    shared_rows = Row(
        "Both have {rows} of {all} rows.", "행 {all}개 가운데 {rows}개가 양쪽에 있어요."
    )


TEXT: Final = in_languages(PairText)
EN, KO = TEXT["en"], TEXT["ko"]
