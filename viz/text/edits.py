"""What was edited during a pass, in the words of the heads that it was edited in."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class EditsText(Table):
    """As short as the names of heads; what kinds and heads are called stands in their tables."""

    edit_of = Row("{place} ({where})", "{place}({where})")
    edit_scores = Row("scores", "점수")
    edit_mask = Row("mask", "마스크")
    edit_weights = Row("weights", "가중치")
    edit_outputs = Row("head outputs", "헤드 출력")
    edit_residual = Row("residual stream", "잔차 스트림")
    edit_encoder = Row("Encoder", "인코더")
    edit_decoder = Row("Decoder", "디코더")
    edit_layer = Row("L{layer}", "{layer}층")
    edit_head = Row("H{head}", "헤드 {head}")
    edit_after = Row("after L{layer}", "{layer}층 뒤")
    edit_values = Row("({count} values)", "(값 {count}개)")


TEXT: Final = in_languages(EditsText)
