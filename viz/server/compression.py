"""Answers are compressed for whoever is elsewhere.

On the machine itself nothing travels: there the server would take twice as long to press the three
megabytes of scripts of one page as it takes to send them.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from viz.jobs.visitor import asking


class Compression(GZipMiddleware):
    """Takes back a local browser's offer to unpack, so that Streamlit's own compressing, too, is
    left out; compresses for all others."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and asking(HTTPConnection(scope)).local:
            scope = {**scope, "headers": list(scope["headers"])}
            del MutableHeaders(scope=scope)["Accept-Encoding"]
        await super().__call__(scope, receive, send)
