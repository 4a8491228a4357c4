"""What the server says by itself, in both languages at once: it knows no visitor yet."""

from __future__ import annotations

from typing import Final

FOREIGN: Final = (
    "Headlight answers only its own pages, and only under the name or address of its machine: "
    "open it by that, or start it with HEADLIGHT_HOSTS set to the name that you use.\n"
    "Headlight는 자기 페이지에만, 그리고 이 컴퓨터의 이름이나 주소로만 응답해요. 그 주소로 열거나, "
    "쓰려는 이름을 HEADLIGHT_HOSTS에 적어 서버를 시작하세요.\n"
)
FAILED: Final = (
    "Headlight could not answer this; the reason stands where the server was started. "
    "Load the page again.\n"
    "Headlight가 응답하지 못했어요. 이유는 서버를 시작한 곳에 나와 있어요. "
    "페이지를 새로고침하세요.\n"
)
UNREADABLE: Final = (
    "The browser's headers are too long for a WebSocket: clear the cookies of this site.\n"
    "브라우저가 보낸 헤더가 웹소켓에 너무 길어요. 이 사이트의 쿠키를 지우세요.\n"
)
