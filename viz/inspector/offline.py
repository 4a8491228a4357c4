"""A view of the inspector as one HTML file that opens from disk.

It needs no server and no internet: it holds the very modules of web/, named by an import map,
and the same bytes that the server would answer; a policy in it forbids every request.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from viz.inspector.modules import WEB, bare, imported, imports
from viz.text.tokens import visible

Bodies = dict[str, dict[str, bytes]]
"""What the server would answer: by trace, then by path."""

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def page(
    module: str,
    sheets: Sequence[str],
    data: Mapping[str, Any],
    bodies: Bodies,
    *,
    title: str,
    language: str,
) -> str:
    """The file that mounts a module of web/.

    Args:
        module: with a `mount`, by its path within web/.
        sheets: of style, likewise.
        data: what the module would be sent.
        bodies: what it asks for.
        title: of the page; any text.
        language: BCP 47 tag of the page.

    Returns:
        The file's text. It names no address outside itself.
    """
    imports = {f"headlight/{name}": _data_url(text) for name, text in _modules(module).items()}
    held = {
        "data": data,
        "style": "\n".join((WEB / name).read_text(encoding="utf-8") for name in sheets),
        "bytes": {
            snapshot: {path: _squeezed(body) for path, body in own.items()}
            for snapshot, own in bodies.items()
        },
    }
    return _PAGE.format(
        language=html.escape(language),
        policy=html.escape(_POLICY),
        title=html.escape(visible(title)),
        imports=script_json({"imports": imports}),
        module=module,
        held=script_json(held),
    )


@cache
def _modules(main: str) -> dict[str, str]:
    """A module and all that it imports, their imports named as in the import map."""
    found: dict[str, str] = {}
    for name in imported(main):
        text = bare(WEB / name)
        for own, other in imports(name).items():
            text = text.replace(f'from "{own}"', f'from "headlight/{other}"')
        found[name] = text
    return found


def _data_url(text: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()


def _squeezed(body: bytes) -> str:
    return base64.b64encode(gzip.compress(body, compresslevel=6, mtime=0)).decode()


def script_json(value: object) -> str:
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
import {{ mount }} from "headlight/{module}";
const held = JSON.parse(document.getElementById("held").textContent);
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
async function source(traceId, path) {{
  const body = held.bytes[traceId]?.[path];
  if (body === undefined) throw new Error("not in this file");
  const packed = new Blob([bytes(body)]).stream();
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
