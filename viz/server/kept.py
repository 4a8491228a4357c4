"""Files for the browser, kept as they are sent: a first visit asks for more than a hundred.

Read and compressed anew for each visitor, and handed from thread to thread for that, they are what
a page waits for (`make bench BENCH=looking`).
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

FOREVER: Final = "public, max-age=31536000, immutable"
"""Of files whose names change with what is in them."""
STATIC: Final = "/static/"
_LEVEL: Final = 1  # the first visitor waits for it
_WORTH: Final = 1024  # bytes from which compressing pays
_TEXT: Final = ("text/", "application/javascript", "application/json", "image/svg")


@dataclass(frozen=True)
class _File:
    """A file as it was when it was read; `stamp` says whether it is the same still."""

    stamp: str
    kind: str
    body: bytes

    @cached_property
    def pressed(self) -> bytes | None:
        """Compressed, for who is not on this machine (`viz.server.compression`), where it pays."""
        pays = self.kind.startswith(_TEXT) and len(self.body) >= _WORTH
        return gzip.compress(self.body, _LEVEL, mtime=0) if pays else None


class Kept:
    """An ASGI app that answers with the files of a folder, found when it is made.

    Args:
        folder: no file of it is a secret.
        cache: how long a browser may keep one without asking, as in Cache-Control.
        others: the same for single files, by their paths.
        read: what is sent of a file.
    """

    def __init__(
        self,
        folder: Path,
        cache: str,
        others: dict[str, str] | None = None,
        read: Callable[[Path], bytes] = Path.read_bytes,
    ) -> None:
        # By name: no path from outside reaches the disk.
        self._paths = {
            p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()
        }
        self._cache = cache
        self._others = others or {}
        self._sent = read
        self._files: dict[str, _File] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"Allow": "GET, HEAD"})
        root = request.scope.get("root_path", "")
        name = request.scope["path"].removeprefix(root).lstrip("/")
        try:
            file = self._read(name)
        except (KeyError, OSError):
            return Response(status_code=404)
        headers = {
            "Cache-Control": self._others.get(name, self._cache),
            "ETag": file.stamp,
            "Vary": "Accept-Encoding",
        }
        if file.stamp in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = file.body
        if "gzip" in request.headers.get("accept-encoding", "") and file.pressed is not None:
            headers["Content-Encoding"] = "gzip"
            body = file.pressed
        return Response(body, media_type=file.kind, headers=headers)

    def _read(self, name: str) -> _File:
        path = self._paths[name]
        at = path.stat()
        stamp = f'"{at.st_mtime_ns:x}-{at.st_size:x}"'
        file = self._files.get(name)
        if file is None or file.stamp != stamp:
            kind = _KINDS.get(path.suffix) or mimetypes.guess_type(name)[0]
            kind = kind or "application/octet-stream"
            file = self._files[name] = _File(stamp, kind, self._sent(path))
        return file


class StreamlitKept:
    """Middleware: Streamlit's own files as `Kept`, since it lets no route of ours lie over them."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        self.kept = Kept(folder, FOREVER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        known = path.startswith(STATIC) and path.removeprefix(STATIC) in self.kept
        if scope["type"] != "http" or not known:
            await self.app(scope, receive, send)
            return
        root = scope.get("root_path", "") + STATIC
        await self.kept({**scope, "root_path": root}, receive, send)


# Whatever a machine's own table says: browsers run no module of another type.
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
