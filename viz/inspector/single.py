"""A trace, or two and their difference, as one HTML file that opens from disk: the whole inspector.

It needs no server and no internet: it holds the very modules of web/, named by an import map,
and the same bytes that the server would answer (`viz.inspector.pack`); a policy in it forbids
every request.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from core.trace import AttentionTrace, Kind
from viz.inspector import options
from viz.inspector.modules import WEB, bare, imported, imports
from viz.inspector.pack import Packed, exact_bytes, exact_size, logits_bytes
from viz.inspector.quantise import quantised
from viz.text.tokens import visible

EXACT: Final = 12 * 1024 * 1024
"""Bytes of exact floats that a file may hold, before compression; others are "about"."""
ALONE: Final = 64 * 1024 * 1024
"""Bytes of what a file opens on, a head or two, which may be more than all others together."""
LOGITS: Final = 4 * 1024 * 1024
"""Bytes of logits that a file may hold, before compression; else it has no temperature."""

Place = tuple[Kind, int, int]
"""Kind, layer and head, counted from 0."""
Heads = tuple[tuple[int, int], ...]
Bodies = dict[str, dict[str, bytes]]
"""What the server would answer: by trace, then by path."""

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def single_file(
    packed: Packed, data: Mapping[str, Any], *, title: str, language: str, compact: bool = False
) -> str:
    """One trace, whole.

    Args:
        packed: the trace.
        data: what the component would be sent (`viz.inspector.payload.component_data`).
        title: of the page; any text.
        language: BCP 47 tag of the page.
        compact: the head that it opens on and those kept beside it are exact, all others have
            eight bits, and next tokens have no temperature.

    Returns:
        The file's text. It names no address outside itself.
    """
    selection = data["meta"]["ui"]["selection"]
    kinds = list(packed.trace.sites)
    kept = _kept(selection)
    order = _nearest(packed.trace, kinds, _opened(packed.trace, selection), kept)
    order = order[: 1 + len(kept)] if compact else order
    bodies = _bodies([packed], kinds, [order], whole=True, linear=compact)
    logits = {} if compact else _logits(packed)
    bodies[packed.meta["trace_id"]] |= logits
    told = {**data, "meta": {**_told(data["meta"], linear=compact), "logits": bool(logits)}}
    return _page("main.js", ("style.css",), told, bodies, title=title, language=language)


def pair_file(
    packs: tuple[Packed, Packed],
    data: Mapping[str, Any],
    opened: tuple[Place, Place],
    *,
    title: str,
    language: str,
    compact: bool = False,
) -> str:
    """Two traces beside each other and their difference, whole.

    Args:
        packs: the traces; of one that stands beside itself, under one id, all is held once.
        data: what the component would be sent (`viz.inspector.pair.pair_data`).
        opened: the head of either that the file opens on.
        title: of the page; any text.
        language: BCP 47 tag of the page.
        compact: the two heads are exact, all others have eight bits.

    Returns:
        The file's text. It names no address outside itself.
    """
    first, second = (packed.trace for packed in packs)
    kinds = [kind for kind in first.sites if kind in second.sites]
    orders = [_nearest(p.trace, kinds, at) for p, at in zip(packs, opened, strict=True)]
    if compact:
        orders = [order[:1] for order in orders]
    bodies = _bodies(packs, kinds, orders, whole=False, linear=compact)
    traces = [_told(meta, linear=compact) for meta in data["meta"]["traces"]]
    told = {**data, "meta": {**data["meta"], "traces": traces}}
    sheets = ("style.css", "compare/style.css")
    return _page("compare/main.js", sheets, told, bodies, title=title, language=language)


def _told(meta: Mapping[str, Any], *, linear: bool) -> dict[str, Any]:
    """A description of bodies as the file has them."""
    return {**meta, "sites": [{**site, "linear": linear} for site in meta["sites"]]}


def _page(
    module: str,
    sheets: Sequence[str],
    data: Mapping[str, Any],
    bodies: Bodies,
    *,
    title: str,
    language: str,
) -> str:
    """The file that mounts a module of web/."""
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
        imports=_json({"imports": imports}),
        module=module,
        held=_json(held),
    )


def _bodies(
    packs: Sequence[Packed],
    kinds: Sequence[Kind],
    orders: Sequence[Sequence[Place]],
    *,
    whole: bool,
    linear: bool,
) -> Bodies:
    """What the server would answer; the exact floats of as many heads as there is room for.

    Args:
        orders: the heads of each trace; where there are two, they take turns.
        whole: with scores and shares, where there are any.
        linear: as `quantised` has it.
    """
    found: Bodies = {}
    for packed in packs:
        held = found.setdefault(packed.meta["trace_id"], {})
        for kind in kinds:
            site = packed.trace.sites[kind]
            held[kind] = (quantised(site, linear=True) if linear else packed.body(kind)).tobytes()
    room = EXACT
    for at, turn in enumerate(zip_longest(*orders)):
        for packed, place in zip(packs, turn, strict=True):
            held = found[packed.meta["trace_id"]]
            if place is None or _path(place) in held:
                continue
            site = packed.trace.sites[place[0]]
            size = exact_size(site) if whole else 4 * math.prod(site.shape)
            if size <= room or (at == 0 and size * len(packs) <= ALONE):
                room -= size
                held[_path(place)] = exact_bytes(packed.trace, *place)[:size]
    return found


def _path(place: Place) -> str:
    return "/".join(map(str, place))


def _logits(packed: Packed) -> dict[str, bytes]:
    """The logits of every step by path, where there is room for them."""
    logits = packed.trace.logits
    if not packed.meta["logits"] or logits is None or logits.nbytes > LOGITS:
        return {}
    return {f"logits/{step}": logits_bytes(packed.trace, step) for step in range(len(logits))}


def _nearest(
    trace: AttentionTrace, kinds: Sequence[Kind], opened: Place | None, kept: Heads = ()
) -> list[Place]:
    """All heads: the one that is opened on, those kept beside it, the nearest, other kinds."""
    if opened is None:
        return []
    kind, *at = opened

    def near(place: Place) -> tuple[bool, bool, int]:
        own, *head = place
        return (
            own != kind,
            tuple(head) not in (tuple(at), *kept),
            abs(head[0] - at[0]) + abs(head[1] - at[1]),
        )

    extents = ((own, trace.sites[own].weights.shape[:2]) for own in kinds)
    return sorted(((own, *head) for own, of in extents for head in np.ndindex(*of)), key=near)


def _opened(trace: AttentionTrace, selection: Mapping[str, Any]) -> Place | None:
    """The head of a selection, None where there is no head at all.

    What does not fit the trace is replaced as by the browser (`settle` in web/store.js).
    """
    if not trace.sites:
        return None
    first: Kind = "cross" if "cross" in trace.sites else next(iter(trace.sites))
    kind = next((own for own in trace.sites if own == selection.get("kind")), first)
    site = trace.sites[kind]
    layer = _settled(selection.get("layer"), site.layers)
    return kind, layer, _settled(selection.get("head"), site.heads)


def _kept(selection: Mapping[str, Any]) -> Heads:
    try:
        return options.change(options.PLAIN, "kept", str(selection.get("kept") or "")).kept
    except ValueError:
        return ()


def _settled(wanted: object, most: int) -> int:
    return min(max(wanted, 1), most) - 1 if isinstance(wanted, int) else 0


@cache
def _modules(main: str) -> dict[str, str]:
    """A module and all that it imports, their imports named as in the import map."""
    found: dict[str, str] = {}
    for name in imported(main):
        text = bare(name)
        for own, other in imports(name).items():
            text = text.replace(f'from "{own}"', f'from "headlight/{other}"')
        found[name] = text
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
