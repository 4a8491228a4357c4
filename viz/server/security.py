"""What every answer tells the browser to refuse, and how a failure is answered."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viz.server import page
from viz.text.server import FAILED

# Components are loaded from blob URLs, styles are written by script (emotion), and the
# browser talks to this server only, by HTTP and by WebSocket.
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        " ".join(["script-src 'self' blob:", *page.inline_hashes()]),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Adds `SECURITY_HEADERS` to every answer that does not set them itself.

    A WebSocket that is refused is answered by HTTP, too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def failed(_: Request, __: Exception) -> Response:
    """The answer to what went wrong here; Starlette gives it beyond all middleware."""
    return PlainTextResponse(FAILED, status_code=500, headers=SECURITY_HEADERS)
