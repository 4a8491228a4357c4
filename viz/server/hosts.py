"""Whose pages may speak to the server: its own, under a name that is its own.

A page of anybody's can have a browser on this machine send requests here. Such a request says
whose page it is (Origin), and no page can change that. By DNS rebinding, a page's own name can
come to mean this machine; such a request asks for that name (Host), and no page can change that
either. Who is no browser may say anything; it can read nothing here that a visitor cannot.
"""

from __future__ import annotations

import re
import socket
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core import settings
from viz.text.server import FOREIGN

_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_SCHEMES: Final = ("http", "https")
"""A proxy before us may speak https to the browser and http to us."""
_CLOSED: Final = ("/_stcore/metrics", "/_stcore/agent")
"""What Streamlit tells programs of its sessions and caches; pages never ask for it."""


class OwnPages:
    """Refuses requests and WebSockets that no page of ours makes: 403, in a sentence.

    Args:
        hosts: names of this machine, lower case; addresses are its own anyway.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None = None) -> None:
        self.app = app
        self.hosts = own_names() | settings.current().hosts if hosts is None else hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not self._is_own(Headers(scope=scope), scope["type"]):
            await _refuse(PlainTextResponse(FOREIGN, status_code=403), scope, receive, send)
        elif any(path in scope["path"] for path in _CLOSED):
            await _refuse(Response(status_code=404), scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _is_own(self, headers: Headers, kind: str) -> bool:
        named, origins = headers.getlist("host"), headers.getlist("origin")
        if len(named) != 1 or not is_own_host(named[0], self.hosts):
            return False
        # As it was sent, letter by letter: were Streamlit to see a difference where we see none,
        # it would go on to ask an outside address who we are (`is_url_from_allowed_origins`).
        if any(
            origin not in [f"{scheme}://{named[0]}" for scheme in _SCHEMES] for origin in origins
        ):
            return False
        return kind != "http" or not _is_embedded(headers)


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names an address, or one of `names`, at any port."""
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return False
    name = found[1].removesuffix(".")
    return name in names or _is_address(name)


def own_names() -> frozenset[str]:
    """What this machine calls itself: in full, by the first part, and by that among neighbours."""
    machine = socket.gethostname().lower().removesuffix(".")
    short = machine.split(".", 1)[0]
    return frozenset(("localhost", *(name for name in (machine, short) if name), f"{short}.local"))


def _is_address(name: str) -> bool:
    try:
        IPv6Address(name[1:-1]) if name.startswith("[") else IPv4Address(name)
    except AddressValueError:
        return False
    return True


def _is_embedded(headers: Headers) -> bool:
    """Whether a page of another site has it fetched into itself; links to us are followed.

    Such a request without an Origin, of an image for example, would only cost us work.
    """
    foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    return foreign and headers.get("sec-fetch-mode") != "navigate"


async def _refuse(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:  # a server that cannot put a handshake off in words
        await send({"type": "websocket.close", "code": 1008})
