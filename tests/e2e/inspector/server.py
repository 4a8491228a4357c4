"""Serves the inspector's modules, made traces and their exact floats, without Streamlit."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from core.trace import KINDS, AttentionTrace
from viz.inspector.pack import exact_bytes, logits_bytes
from viz.inspector.quantise import quantised

HERE = Path(__file__).parent
WEB = HERE.parents[2] / "viz" / "inspector" / "web"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
LIGHT = ":root{--st-background-color:#ffffff;--st-text-color:#1a1c22}"
DARK = ":root{--st-background-color:#0e1117;--st-text-color:#fafafa}"
PAGE = (
    "body{margin:0;padding:12px 28px;background:var(--st-background-color)}"
    "@media(width<600px){body{padding:12px}}"
)

POLL_SECONDS = 0.01  # it looks this often whether it shall stop; 0.5 would cost each test that


@dataclass
class Shelf:
    """What the server has: data dictionaries by name, traces by trace_id."""

    data: dict[str, dict[str, Any]] = field(default_factory=dict)
    traces: dict[str, AttentionTrace] = field(default_factory=dict)
    refuse_exact: bool = False
    refuse_packed: bool = False
    refuse_logits: bool = False
    wrong_head: bool = False
    dark: bool = False


@contextmanager
def serving(shelf: Shelf) -> Iterator[str]:
    """Base address of a server on a free port, for the length of the block."""
    with serving_what(lambda: shelf) as base:
        yield base


@contextmanager
def serving_what(shelf: Callable[[], Shelf]) -> Iterator[str]:
    """The same for whatever shelf is there when something is asked for."""

    class Handler(BaseHTTPRequestHandler):
        # A page asks for some fifty files: over kept connections, none of which waits to be told
        # that the part before has arrived.
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            status, kind, body = answer(shelf(), unquote(urlsplit(self.path).path))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if self.path.startswith("/inspector/"):  # some fifty, the same for every page
                self.send_header("Cache-Control", "max-age=3600")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # a page that lost interest hangs up
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def answer(shelf: Shelf, path: str) -> tuple[int, str, bytes]:
    """Status, content type and body of one GET."""
    match path.strip("/").split("/"):
        case [""]:
            return 200, TYPES[".html"], (HERE / "harness.html").read_bytes()
        case ["harness.js"]:
            return 200, TYPES[".js"], (HERE / "harness.js").read_bytes()
        case ["harness.css"]:
            return 200, TYPES[".css"], ((DARK if shelf.dark else LIGHT) + PAGE).encode()
        case ["inspector", *parts] if (file := WEB.joinpath(*parts)).is_file():
            return 200, TYPES[file.suffix], file.read_bytes()
        case ["data", name, "meta.json"] if name in shelf.data:
            return 200, "application/json", json.dumps(shelf.data[name]["meta"]).encode()
        case ["data", name, "array.bin"] if name in shelf.data:
            array = shelf.data[name].get("array")
            return 200, "application/octet-stream", b"" if array is None else array.tobytes()
        case ["trace", trace_id, kind] if not shelf.refuse_packed:
            return packed(shelf, trace_id, kind)
        case ["trace", trace_id, "logits", step] if not shelf.refuse_logits:
            trace = shelf.traces.get(trace_id)
            if trace is not None:
                return 200, "application/octet-stream", logits_bytes(trace, int(step))
        case ["trace", trace_id, kind, layer, head] if not shelf.refuse_exact:
            return exact(shelf, trace_id, kind, int(layer), int(head) ^ int(shelf.wrong_head))
    return 404, "text/plain", b""


def packed(shelf: Shelf, trace_id: str, kind: str) -> tuple[int, str, bytes]:
    trace = shelf.traces.get(trace_id)
    known = next((name for name in KINDS if name == kind), None)
    if trace is None or known is None or known not in trace.sites:
        return 404, "text/plain", b""
    return 200, "application/octet-stream", quantised(trace.sites[known]).tobytes()


def exact(shelf: Shelf, trace_id: str, kind: str, layer: int, head: int) -> tuple[int, str, bytes]:
    trace = shelf.traces.get(trace_id)
    known = next((name for name in KINDS if name == kind), None)
    if trace is None or known is None:
        return 404, "text/plain", b""
    return 200, "application/octet-stream", exact_bytes(trace, known, layer, head)
