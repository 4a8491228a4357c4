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
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from viz.inspector.pack import Packed, exact_bytes, logits_bytes
from viz.text.tokens import visible

ASSETS: Final = Path(__file__).parent / "assets"
EXACT: Final = 12 * 1024 * 1024
"""Bytes of exact floats that a file may hold, before compression; else it says "about"."""
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
    bodies = _bytes(packed)
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


def _bytes(packed: Packed) -> dict[str, bytes]:
    """What the server would answer, by path; exact floats where they are not too many."""
    trace = packed.trace
    found: dict[str, bytes] = {kind: packed.body(kind).tobytes() for kind in trace.sites}
    floats = sum(
        site.weights.nbytes + (0 if site.scores is None else site.scores.nbytes)
        for site in trace.sites.values()
    )
    if floats <= EXACT:
        for kind, site in trace.sites.items():
            for layer in range(site.layers):
                for head in range(site.heads):
                    body = exact_bytes(trace, kind, layer, head)
                    found[f"{kind}/{layer}/{head}"] = body
    if packed.meta["logits"] and trace.logits is not None and trace.logits.nbytes <= LOGITS:
        for step in range(len(trace.logits)):
            found[f"logits/{step}"] = logits_bytes(trace, step)
    return found


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
