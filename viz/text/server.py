"""What the server says by itself, in both languages at once: it knows no visitor yet."""

from __future__ import annotations

from typing import Final

FOREIGN: Final = (
    "Headlight answers only its own pages, and only under the name or address of its machine: "
    "open it by that, or start it with HEADLIGHT_HOSTS set to the name that you use.\n"
    "Headlight는 자기 페이지에만, 그리고 이 컴퓨터의 이름이나 주소로만 답합니다. 그 주소로 열거나, "
    "쓰려는 이름을 HEADLIGHT_HOSTS에 적어 서버를 시작하세요.\n"
)
FAILED: Final = (
    "Headlight could not answer this; the reason stands where the server was started. "
    "Load the page again.\n"
    "Headlight가 답하지 못했습니다. 까닭은 서버를 시작한 곳에 나와 있습니다. "
    "페이지를 다시 여세요.\n"
)
TOO_SLOW: Final = (
    "The request did not arrive in time. Send it again.\n"
    "요청이 제때 오지 않았습니다. 다시 보내세요.\n"
)
