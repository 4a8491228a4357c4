"""A look as one HTML file that opens from disk: the whole inspector, no server, no internet.

The file holds the very modules of assets/, named by an import map, and the same bytes that the
server would answer (`viz.inspector.pack`); a policy in it forbids every request.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.trace import AttentionTrace, Kind
from viz.inspector import looks
from viz.inspector.pack import Packed, exact_bytes, logits_bytes
from viz.text.tokens import visible

ASSETS: Final = Path(__file__).parent / "assets"
EXACT: Final = 12 * 1024 * 1024
"""Bytes of exact floats that a file may hold, before compression; others are "about"."""
ALONE: Final = 64 * 1024 * 1024
"""Bytes of the head that a file opens on, which may be more than all others together."""
LOGITS: Final = 4 * 1024 * 1024
"""Bytes of logits that a file may hold, before compression; else it has no temperature."""

_IMPORT: Final = re.compile(r'from "\./([a-z0-9]+\.js)"')
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def single_file(packed: Packed, data: Mapping[str, Any], *, title: str, language: str) -> str:
    """One look, whole.

    Args:
        packed: the look.
        data: what the component would be sent (`viz.inspector.payload.component_data`).
        title: of the page; any text.
        language: BCP 47 tag of the page.

    Returns:
        The file's text. It names no address outside itself.
    """
    imports = {f"headlight/{name}": _data_url(text) for name, text in _modules().items()}
    bodies = _bytes(packed, data["meta"]["ui"]["selection"])
    held: dict[str, Any] = {
        "data": {**data, "meta": {**data["meta"], "logits": "logits/0" in bodies}},
        "style": (ASSETS / "style.css").read_text(encoding="utf-8"),
        "bytes": {path: _squeezed(body) for path, body in bodies.items()},
    }
    return _PAGE.format(
        language=html.escape(language),
        policy=html.escape(_POLICY),
        title=html.escape(visible(title)),
        imports=_json({"imports": imports}),
        held=_json(held),
    )


def _bytes(packed: Packed, selection: Mapping[str, Any]) -> dict[str, bytes]:
    """What the server would answer, by path; the exact floats of as many heads as there is room."""
    trace = packed.trace
    found: dict[str, bytes] = {kind: packed.body(kind).tobytes() for kind in trace.sites}
    for kind, layer, head in _roomy(trace, selection):
        found[f"{kind}/{layer}/{head}"] = exact_bytes(trace, kind, layer, head)
    if packed.meta["logits"] and trace.logits is not None and trace.logits.nbytes <= LOGITS:
        for step in range(len(trace.logits)):
            found[f"logits/{step}"] = logits_bytes(trace, step)
    return found


def _roomy(trace: AttentionTrace, selection: Mapping[str, Any]) -> Iterator[tuple[Kind, int, int]]:
    """Heads whose exact floats a file holds: the one that it opens on before all others."""
    room = EXACT
    for at, (kind, layer, head) in enumerate(_nearest(trace, selection)):
        site = trace.sites[kind]
        size = site.allowed.size * (4 if site.scores is None else 8)
        if size <= room or (at == 0 and size <= ALONE):
            room -= size
            yield kind, layer, head


def _nearest(trace: AttentionTrace, selection: Mapping[str, Any]) -> list[tuple[Kind, int, int]]:
    """All heads from 0: the one that is opened on, those kept beside it, the nearest, other kinds.

    What does not fit the trace is replaced as by the browser (`settle` in assets/store.js).
    """
    if not trace.sites:
        return []
    first: Kind = "cross" if "cross" in trace.sites else next(iter(trace.sites))
    kind = next((own for own in trace.sites if own == selection.get("kind")), first)
    site = trace.sites[kind]
    at = (
        _settled(selection.get("layer"), site.layers),
        _settled(selection.get("head"), site.heads),
    )
    try:
        kept = looks.change(looks.PLAIN, "kept", str(selection.get("kept") or "")).kept
    except ValueError:
        kept = ()

    def near(place: tuple[Kind, int, int]) -> tuple[bool, bool, int]:
        own, *head = place
        return (
            own != kind,
            tuple(head) not in (at, *kept),
            abs(head[0] - at[0]) + abs(head[1] - at[1]),
        )

    places = ((k, *head) for k, s in trace.sites.items() for head in np.ndindex(s.layers, s.heads))
    return sorted(places, key=near)


def _settled(wanted: object, most: int) -> int:
    return min(max(wanted, 1), most) - 1 if isinstance(wanted, int) else 0


@cache
def _modules() -> dict[str, str]:
    """Main module and all that it imports, their imports named as in the import map."""
    found: dict[str, str] = {}
    wanted = ["main.js"]
    while wanted:
        name = wanted.pop()
        if name not in found:
            text = (ASSETS / name).read_text(encoding="utf-8")
            found[name] = _IMPORT.sub(r'from "headlight/\1"', text)
            wanted += _IMPORT.findall(text)
    return found


def _data_url(text: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()


def _squeezed(body: bytes) -> str:
    return base64.b64encode(gzip.compress(body, compresslevel=6, mtime=0)).decode()


def _json(value: object) -> str:
    """JSON that no text within can end, as a script's content."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_PAGE: Final = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ --st-background-color: #ffffff; --st-text-color: #1a1c22; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --st-background-color: #0e1117; --st-text-color: #fafafa; }}
}}
body {{ margin: 0; padding: 12px 28px; background: var(--st-background-color); }}
h1 {{ font: 600 20px/1.4 system-ui, "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic",
  NanumGothic, sans-serif; color: var(--st-text-color); margin: 0 0 12px;
  overflow-wrap: break-word; }}
@media (width < 600px) {{ body {{ padding: 12px; }} }}
</style>
<script type="importmap">{imports}</script>
</head>
<body>
<h1>{title}</h1>
<main id="place"></main>
<script type="application/json" id="held">{held}</script>
<script type="module">
import {{ mount }} from "headlight/main.js";
const held = JSON.parse(document.getElementById("held").textContent);
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
async function source(traceId, path) {{
  if (!(path in held.bytes)) throw new Error("not in this file");
  const packed = new Blob([bytes(held.bytes[path])]).stream();
  const opened = packed.pipeThrough(new DecompressionStream("gzip"));
  return new Response(opened).arrayBuffer();
}}
const component = {{
  data: held.data, source, style: held.style, key: "file",
  parentElement: document.getElementById("place"),
}};
mount(component);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => mount(component));
</script>
</body>
</html>
"""
