"""BertViz's own views of a trace, as a page that stays whole without the internet.

The scripts are those of installed packages: BertViz brings its views, mpld3 the d3 that they
were written for, XStatic-jQuery a jQuery. None of them is imported: BertViz's Python wants a
notebook, and gives a page that fetches scripts and runs what a token says.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from math import isqrt
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np

from core.errors import HeadlightError
from core.trace import AttentionSite, AttentionTrace, Kind
from viz.bertviz import neuron
from viz.bertviz.page import framed, said, theme
from viz.inspector.offline import script_json
from viz.text.bertviz import TEXT
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import Language
from viz.text.rows import by_name
from viz.text.tokens import named

View = Literal["head", "model", "neuron"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
LONGEST: Final = 32
"""Tokens a side: a line each for 8 heads is 8,192 elements of SVG, which still answers."""
LINES: Final = LONGEST**2 * 16
"""Of one layer: 12 layers of them are a page of 2.3 MB."""
LAYERS: Final = 12
COLOURS: Final = 10

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
"""What the page may do: run its own scripts, ask nobody, touch nothing of the app around it."""

_BOX: Final = "const BOXWIDTH = 110;"  # what is longer is cut off
_MEASURED: Final = f"""{neuron.MEASURED % (110, "TEXT_SIZE")}
    const rows = Math.max(left_text.length, right_text.length);"""
# Both take the width that there is; of very long lines, none could be followed.
_ROOM: Final = 'document.getElementById("bertviz").clientWidth - 8'
_ACROSS: Final = f"const MATRIX_WIDTH = Math.max(115, Math.min(720, {_ROOM} - 2 * BOXWIDTH));"
_MODEL: Final = (("const DIV_WIDTH = 970;", f"const DIV_WIDTH = Math.max(970, {_ROOM});"),)
_SVG: Final = '.attr("width", "100%")'
_WIDE: Final = (
    _SVG
    + """.style("min-width",
            `${Math.max(2 * BOXWIDTH + MATRIX_WIDTH, config.nHeads * CHECKBOX_SIZE)}px`)"""
)
_HEAD: Final = (
    (_BOX, _MEASURED),
    (_SVG, _WIDE),
    ("const MATRIX_WIDTH = 115;", _ACROSS),
    # A finger takes 24 pixels; short sentences have room for more, and lines that are less flat.
    ("const BOXHEIGHT = 22.5;", "const BOXHEIGHT = Math.max(24, Math.min(40, 400 / rows));"),
    ('.attr("stroke-width", 2)', '.attr("stroke-width", 3)'),  # of longer lines, fewer overlap
    ('.attr("dy", TEXT_SIZE)', '.attr("dy", BOXHEIGHT / 2 + TEXT_SIZE / 3)'),
    ("const CHECKBOX_SIZE = 20;", "const CHECKBOX_SIZE = 24;"),
)
# Its model and neuron views have a dark look on black, the head view has none: there it fades heads
# that are off to white.
_DARK: Final = (
    ("'background': 'black'", "'background': '#14151a'"),  # of our own page
    ("c.l += increment;", "c.l = params.display_mode === 'dark' ? c.l * 0.4 : c.l + increment;"),
)
_PARAMETERS: Final[dict[View, str]] = {
    "head": "PYTHON_PARAMS",
    "model": "PYTHON_PARAMS",
    "neuron": "window.bertviz_params",
}
"""Where each script takes what it is told."""
_CONFIG: Final = re.compile(r"require\.config\(\{.*?\}\);\s*", re.DOTALL)
_SHIM: Final = """
window.requirejs = (names, run) => run(...names.map((name) => ({ jquery: jQuery, d3 })[name]));
window.require = Object.assign(window.requirejs, { config() {} });
"""


def page(
    trace: AttentionTrace,
    view: View,
    kind: Kind | None,
    layer: int,
    head: int = 1,
    *,
    language: Language,
    dark: bool = False,
) -> str:
    """One of BertViz's views of one kind of attention.

    One kind at a time: BertViz's own choice between kinds assumes that all have as many layers
    and heads as the first one.

    Args:
        kind: None takes cross-attention, or the first kind that there is.
        layer: shown by the head and neuron views, counted from 1; of many layers, those around it
            are taken.
        head: shown by the neuron view, counted from 1.
        language: of the words around the view.
        dark: as the page around it.

    Returns:
        A whole page, to be sent with `POLICY`. It tells the page around it its height, in pixels.

    Raises:
        HeadlightError: package_missing, naming what is not installed.
    """
    words = by_name(TEXT[language])
    if not trace.sites:
        return framed(words, language, said(words["nothing"]), dark=dark)
    wanted: list[Kind | None] = [kind, "cross", *trace.sites]
    chosen = next(one for one in wanted if one is not None and one in trace.sites)
    site = trace.sites[chosen]
    problem = neuron.refused(site, LONGEST, words) if view == "neuron" else _too_long(site, words)
    if problem:
        return framed(words, language, said(problem), dark=dark)
    at = min(layer, site.layers) - 1, min(head, site.heads) - 1
    body = "".join(map(said, _notes(trace, chosen, view, at[0], words)))
    body += _drawing(trace, view, chosen, at, by_name(INSPECTOR[language]), dark)
    return framed(words, language, body, dark=dark)


def view_of(name: str) -> View:
    """A view by its name, the first one for any other."""
    return next((view for view in VIEWS if view == name), VIEWS[0])


def instead(text: str, language: Language, *, dark: bool = False) -> str:
    """A page that says why there is no view."""
    return framed(by_name(TEXT[language]), language, said(text), dark=dark)


def _layers(count: int, wanted: int) -> list[int]:
    """At most `LAYERS` layers, from 0, the wanted one among them."""
    start = min(max(wanted - LAYERS // 2, 0), max(count - LAYERS, 0))
    return list(range(start, min(start + LAYERS, count)))


def _too_long(site: AttentionSite, words: Mapping[str, str]) -> str:
    (rows, columns), heads = site.shape, site.heads
    lines = rows * columns * heads
    if max(rows, columns) <= LONGEST and lines <= LINES:
        return ""
    limit = min(LONGEST, isqrt(LINES // heads))
    return words["too_long"].format(
        rows=rows, columns=columns, heads=heads, lines=lines, limit=limit
    )


def _notes(
    trace: AttentionTrace, kind: Kind, view: View, layer: int, words: Mapping[str, str]
) -> list[str]:
    site = trace.sites[kind]
    notes = [words["sides"]] if kind != "encoder_self" else []
    if view == "neuron":
        rescaled = trace.meta.get("score") in ("unscaled", "scaled")
        return [neuron.usage(site, layer, words, rescaled=rescaled), *notes]
    if view == "head" and site.heads > 1:
        notes.append(words["heads"])
    layers = _layers(site.layers, layer)
    if len(layers) < site.layers:
        cut = {"first": layers[0] + 1, "last": layers[-1] + 1, "layers": site.layers}
        notes.append(words["layers_cut"].format(**cut))
    if site.heads > COLOURS:
        notes.append(words["colours"])
    return notes


def _drawing(
    trace: AttentionTrace,
    view: View,
    kind: Kind,
    at: tuple[int, int],
    names: Mapping[str, str],
    dark: bool,
) -> str:
    attention, parameters = _told(trace.sites[kind], view, *at)
    attention |= {
        "name": None,
        "left_text": [named(token, names) for token in trace.queries(kind)],
        "right_text": [named(token, names) for token in trace.keys(kind)],
    }
    parameters |= {
        "attention": [attention],
        "default_filter": "0",
        "root_div_id": "bertviz",
        "display_mode": theme(dark),
    }
    # Last, since tokens may say anything; and once, since a comment names the place again.
    script = _script(view).replace(_PARAMETERS[view], script_json(parameters), 1)
    run = "".join(f"<script>{_closed(text)}</script>" for text in (*library(), script))
    # Its own choice of a layer is filled by it, and stays unseen: the page around it has one.
    told = {
        "view": view,
        "head-name": names["head_name"],
        "only-head": names["head"],
        "first-layer": str(_layers(trace.sites[kind].layers, at[0])[0] + 1),
    }
    data = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in told.items())
    picture = '<select id="layer" hidden></select><div id="vis"></div>'
    return f'<div id="bertviz" {data}>{picture}</div>{run}'


def _told(
    site: AttentionSite, view: View, layer: int, head: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Numbers of a view, and how they are shown; people count layers and heads from 1."""
    if view == "neuron":
        shown = {"layer": 0, "head": 0, "bidirectional": neuron.bidirectional(site)}
        return neuron.told(site, layer, head), shown
    layers = _layers(site.layers, layer)
    # Six digits are finer than a line is drawn.
    rounded = np.round(site.weights[layers].astype(np.float64), 6).tolist()
    labels = {"include_layers": [at + 1 for at in layers]}
    if view == "head":
        return {"attn": rounded}, {**labels, "layer": layer + 1, "heads": None}
    heads = [own + 1 for own in range(site.heads)]
    return {"attn": rounded}, {**labels, "include_heads": heads, "total_heads": len(heads)}


def _script(view: View) -> str:
    """BertViz's own, mended where it draws less than there is, or light where all is dark."""
    script = _CONFIG.sub("", _text("bertviz", f"bertviz/{view}_view.js"))
    own = {"head": _HEAD, "model": _MODEL, "neuron": neuron.PATCHES}[view]
    for text, better in (*own, *_DARK):
        script = script.replace(text, better)
    return script


def library() -> tuple[str, str, str]:
    """What BertViz's scripts ask for by name: jQuery, d3, and who hands them over.

    Raises:
        HeadlightError: package_missing, naming what is not installed.
    """
    jquery = _text("XStatic-jQuery", "xstatic/pkg/jquery/data/jquery.min.js")
    return jquery, _text("mpld3", "mpld3/js/d3.v5.min.js"), _SHIM


@cache
def _text(package: str, path: str) -> str:
    """A file of an installed package, found without importing it.

    Not by its import name: Streamlit puts this folder on the path, so "bertviz" would be us.
    """
    try:
        return Path(str(distribution(package).locate_file(path))).read_text(encoding="utf-8")
    except (PackageNotFoundError, OSError) as error:
        raise HeadlightError("package_missing", feature="BertViz", package=package) from error


def _closed(script: str) -> str:
    """A library's text that may mention the end of a script in a string."""
    return script.replace("</script", "<\\/script")
