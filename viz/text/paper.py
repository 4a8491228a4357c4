"""The words of figures for paper: those of the inspector, and some that only they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viz.text.browser import inspector_words
from viz.text.edits import TEXT as EDITS
from viz.text.film import TEXT as FILM
from viz.text.language import Language
from viz.text.rows import Row, Table, in_languages


class PaperText(Table):
    """Short enough to stand beside a scale."""

    scale_each = Row("each head's\nlargest", "헤드마다\n가장 큰 값")
    # under which conditions a trace was taken
    not_free = Row("not written freely", "모델이 자유롭게 쓴 글이 아님")
    mask_lifted = Row("its causal mask lifted", "인과 마스크를 풀었음")
    # the heads that changed
    changed_note = Row(
        "Over each: how much of its attention lies elsewhere in B.",
        "그림 위의 수는 B에서 다른 곳에 있는 어텐션의 비율이에요.",
    )
    pooled_changes = Row(
        "Each point of a small picture is the largest change beneath it.",
        "작은 그림의 한 점은 그 아래 변화 중 가장 큰 값이에요.",
    )
    stretch_changes = Row(
        "Each head is coloured up to its own largest change.",
        "헤드마다 그 헤드의 가장 큰 변화에 색을 맞췄어요.",
    )


TEXT: Final = in_languages(PaperText)


def figure_words(language: Language, *beside: Mapping[Language, Table]) -> dict[str, str]:
    """What a figure of a trace says, by name, with the rows of tables of its own."""
    film = FILM[language]
    named = {"untrained": film.untrained, "after_updates": film.after_updates}
    return inspector_words(language, TEXT, EDITS, *beside) | named
