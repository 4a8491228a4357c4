"""The token by which a browser is known again (`viz.jobs.visitor`): given once, kept for a year."""

from __future__ import annotations

import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viz.jobs.visitor import COOKIE, is_token

GIVEN_WITH: Final = "/frame/frame.js"
"""What a page asks for before Streamlit's script connects. Not the page itself: a browser that
follows another site's link asks for that without its cookie, and would be given another one."""
_YEAR: Final = 365 * 24 * 3600


class VisitorCookie:
    """Middleware: gives a browser its token, and has it keep it for a year from each visit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != GIVEN_WITH:
            await self.app(scope, receive, send)
            return
        token = HTTPConnection(scope).cookies.get(COOKIE, "")
        if not is_token(token):
            token = secrets.token_urlsafe(32)
        cookie = f"{COOKIE}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"
        if scope.get("scheme") == "https":
            cookie += "; Secure"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)
