"""Who asks: a browser, by a random token that it keeps, or somebody at this machine itself.

The token is a cookie that no script reads and that no other site's page can have sent. The server
keeps nothing of it but a digest beside what that browser started (`viz.jobs.owners`).
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE: Final = "headlight_visitor"
GIVEN_WITH: Final = "/frame/frame.js"
"""What a page asks for before Streamlit's script connects. Not the page itself: a browser that
follows another site's link asks for that without its cookie, and would be given another one."""
_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_PASSED_ON: Final = frozenset(
    ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
)
"""Headers by which a proxy says that it asks for somebody else."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    Attributes:
        id: a digest of the browser's token, "" where it keeps none.
        local: it runs on the machine that the server runs on.
    """

    id: str = ""
    local: bool = False


STRANGER: Final = Visitor()
"""Of whom nothing is known."""


def visitor_of(
    headers: Mapping[str, str], cookies: Mapping[str, str], address: str | None
) -> Visitor:
    """Who sent a request.

    Args:
        headers: by lower-case name.
        address: of the other end of the connection, None where it has none.
    """
    token = cookies.get(COOKIE, "")
    known = _TOKEN.fullmatch(token) is not None
    digest = hashlib.sha256(token.encode()).hexdigest() if known else ""
    near = _is_loopback(address or "") and _is_loopback(_host_name(headers.get("host", "")))
    return Visitor(digest, near and _PASSED_ON.isdisjoint(headers))


def asking(connection: HTTPConnection) -> Visitor:
    """Who sent this request."""
    address = None if connection.client is None else connection.client.host
    return visitor_of(connection.headers, connection.cookies, address)


def current() -> Visitor:
    """Who looks at the page whose run or callback this is."""
    context = get_script_run_ctx()
    client = get_instance().get_client(context.session_id) if context and exists() else None
    known = None if client is None else client.client_context
    if known is None:
        return STRANGER
    headers = {name.lower(): value for name, value in known.headers}
    return visitor_of(headers, known.cookies, known.remote_ip)


class VisitorCookie:
    """Middleware: gives a browser its token, and has it keep it for a year from each visit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != GIVEN_WITH:
            await self.app(scope, receive, send)
            return
        token = HTTPConnection(scope).cookies.get(COOKIE, "")
        if _TOKEN.fullmatch(token) is None:
            token = secrets.token_urlsafe(32)
        cookie = f"{COOKIE}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"
        if scope.get("scheme") == "https":
            cookie += "; Secure"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::\d*)?", host)
    return bracketed[1] if bracketed else host.rpartition(":")[0] or host


def _is_loopback(name: str) -> bool:
    if name.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
