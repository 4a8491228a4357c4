"""The words of the page where two traces lie beside each other."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class CompareText(Table):
    """What the page asks for and says."""

    sentence = Row("The sentence of B", "B의 문장")
    model = Row("The model of B", "B의 모델")
    milestone = Row("{run} after update {step}", "{run}, 갱신 {step}회 뒤")
    untrained = Row("{run} untrained", "{run}, 훈련 전")
    forced = Row("Write what A wrote", "A가 쓴 대로 쓰기")
    forced_help = Row(
        "B is made to write what A wrote, so that each row of one has its like in the other.",
        "B도 A가 쓴 것을 그대로 쓰게 하면 양쪽의 행이 서로 대응해요.",
    )
    nothing_written = Row(
        "A wrote nothing, or B cannot be made to write anything.",
        "A가 쓴 것이 없거나, B에게 글을 쓰게 할 수 없어요.",
    )


TEXT: Final = in_languages(CompareText)
EN, KO = TEXT["en"], TEXT["ko"]
