"""What is said of a branch: another token than the model's own, and what followed from it."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class BranchText(Table):
    """The line above a branched trace, and the name of its row of tokens."""

    branched = Row(
        "Branched at step {step}: “{token}” instead of “{own}”",
        "{step}단계에서 갈라짐: “{own}” 대신 “{token}”",
    )
    given = Row(
        "Its first tokens were given ({count}): the model's own choices",
        "앞의 토큰 {count}개는 주어진 것이고, 모델 스스로 고른 것과 같아요",
    )
    given_sampled = Row(
        "Its first tokens were given ({count}, up to “{token}”); the others are drawn",
        "앞의 토큰 {count}개(“{token}”까지)는 주어진 것이고, 나머지는 뽑은 것이에요",
    )
    back = Row("back", "돌아가기")
    start = Row("back to the start", "처음으로")
    label = Row("Branched", "갈라진 것")


TEXT: Final = in_languages(BranchText)
EN, KO = TEXT["en"], TEXT["ko"]
