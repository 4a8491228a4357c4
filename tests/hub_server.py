"""A Hugging Face Hub of some folders on this machine, for tests that fetch from it."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

MAIN = "main"


@dataclass
class Hub:
    """What it has.

    Attributes:
        folders: of each model by its versions: "main", or a reference such as "refs/pr/1".
        discussions: of each model, as the Hub tells them.
        gated: models that are given to nobody.
        pause: seconds before each part of a file that is sent.
        asked: paths that were asked for.
    """

    folders: dict[str, dict[str, Path]]
    discussions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    gated: frozenset[str] = frozenset()
    pause: float = 0.0
    asked: list[str] = field(default_factory=list)
    url: str = ""

    def environment(self, cache: Path) -> Mapping[str, str]:
        """What makes the libraries ask this one, and keep what it gives there."""
        return {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(cache),
            "HF_HUB_CACHE": str(cache / "hub"),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_OFFLINE": "0",
        }


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serves it meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()


def _sha(folder: Path) -> str:
    return hashlib.sha1(str(folder).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None: ...

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.asked.append(path)
            if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)(/.*)?", path):
                self._api(found[1], found[2] or "")
            elif found := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([0-9a-f]{40})/(.+)", path):
                self._file(found[1], found[2], found[3])
            else:
                self._refuse(404, "EntryNotFound")

        do_HEAD = do_GET  # noqa: N815

        def _api(self, name: str, rest: str) -> None:
            versions = hub.folders.get(name)
            if versions is None:
                self._refuse(401, "RepoNotFound")
                return
            if name in hub.gated:
                self._refuse(403, "GatedRepo")
                return
            if rest == "/discussions":
                told = hub.discussions.get(name, [])
                self._json({"discussions": told, "count": len(told), "start": 0})
                return
            revision = re.sub("^/(revision|tree)/", "", rest) or MAIN
            by_sha = {_sha(folder): folder for folder in versions.values()}
            folder = versions.get(revision) or by_sha.get(revision)
            if folder is None:
                self._refuse(404, "RevisionNotFound")
            elif rest.startswith("/tree/"):
                self._json(
                    [
                        {
                            "type": "file",
                            "path": path.relative_to(folder).as_posix(),
                            "size": path.stat().st_size,
                            "oid": _sha(path),
                        }
                        for path in _files(folder)
                    ]
                )
            else:
                siblings = [
                    {
                        "rfilename": path.relative_to(folder).as_posix(),
                        "size": path.stat().st_size,
                        "blobId": _sha(path),
                    }
                    for path in _files(folder)
                ]
                version = {"sha": _sha(folder), "siblings": siblings}
                self._json({"id": name, "private": False, **version})

        def _file(self, name: str, sha: str, file: str) -> None:
            folders = {_sha(one): one for one in hub.folders.get(name, {}).values()}
            path = folders[sha] / file
            if not path.is_file():
                self._refuse(404, "EntryNotFound")
                return
            content = path.read_bytes()
            begin = int((re.search(r"bytes=(\d+)-", self.headers.get("Range") or "") or "00")[1])
            self.send_response(206 if begin else 200)
            self.send_header("ETag", f'"{_sha(path)}"')
            self.send_header("X-Repo-Commit", sha)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(content) - begin))
            if begin:
                last = len(content) - 1
                self.send_header("Content-Range", f"bytes {begin}-{last}/{len(content)}")
            self.end_headers()
            if self.command == "HEAD":
                return
            for at in range(begin, len(content), 2**16):
                time.sleep(hub.pause)
                self.wfile.write(content[at : at + 2**16])

        def _json(self, told: object) -> None:
            raw = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(raw)

        def _refuse(self, status: int, code: str) -> None:
            self.send_response(status)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

    return Handler
