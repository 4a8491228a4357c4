"""The words for a sentence that is read as a user's message."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class MessageText(Table):
    """The switch and its help."""

    label = Row("As a message", "메시지로")
    help = Row(
        "The model reads the text as a user's message: its chat template puts a fixed text before "
        "and behind it, as in a conversation. The maps show those tokens, too.",
        "모델이 이 글을 대화에서 받은 사용자 메시지로 읽어요. 채팅 템플릿이 앞뒤에 정해진 글을 "
        "붙이고, 그 토큰도 지도에 보여요.",
    )


TEXT: Final = in_languages(MessageText)
