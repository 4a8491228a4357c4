"""Who asks: a browser, by a random token that it keeps, or somebody at this machine itself.

The token is a cookie that no script reads and that no other site's page can have sent. The server
keeps nothing of it but a digest beside what that browser started (`viz.jobs.owners`).
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE: Final = "headlight_visitor"
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


def is_token(text: str) -> bool:
    """Whether it may be one that a browser was given (`viz.server.cookie`)."""
    return _TOKEN.fullmatch(text) is not None


def visitor_of(
    headers: Mapping[str, str], cookies: Mapping[str, str], address: str | None
) -> Visitor:
    """Who sent a request.

    Args:
        headers: by lower-case name.
        address: of the other end of the connection, None where it has none.
    """
    token = cookies.get(COOKIE, "")
    digest = hashlib.sha256(token.encode()).hexdigest() if is_token(token) else ""
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
