"""A trace in a notebook: the whole inspector beneath a cell, offline."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.trace import AttentionSite, AttentionTrace
    from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class Shown:
    """What a notebook draws when it is the value of a cell.

    Attributes:
        page: one HTML document that needs nothing else.
        height: pixels.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        # Sandboxed: a trace of unknown origin cannot touch the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts" width="100%" '
            f'height="{self.height}" style="border:0" title="Headlight"></iframe>'
        )


def show(
    trace: AttentionTrace,
    *,
    selection: Mapping[str, Any] | None = None,
    language: Language = "en",
    height: int = 820,
) -> Shown:
    """Show a trace beneath a notebook's cell.

    Args:
        trace: of this project's models, of `core.trace.file.load_trace`, or made by hand.
        selection: where to start: `kind`, `layer`, `head`, `step`, counted from 1, and options as
            an address has them (`viz.inspector.options`): {"mode": "lines", "kept": "3.5 2.1"}.
        language: of the words.
        height: pixels.

    Raises:
        ValueError: naming what of the selection this trace does not have.
    """
    # Here, because importing a part of this package must stay cheap.
    from viz.inspector.pack import pack
    from viz.inspector.payload import component_data
    from viz.inspector.single import single_file
    from viz.text.browser import inspector_words

    _check(trace, selection or {})
    packed = pack(trace, trace_id="notebook")
    data = component_data(
        packed,
        view="inspect",
        language=language,
        text=inspector_words(language),
        selection=selection,
    )
    title = str(trace.meta.get("source_text", "")) or trace.model_id
    return Shown(single_file(packed, data, title=title, language=language), height)


def _check(trace: AttentionTrace, selection: Mapping[str, Any]) -> None:
    """A browser replaces what does not fit; who writes code wants to hear of it."""
    from viz.inspector.options import OPTIONS, PLAIN, SPELLINGS, change, within

    for name, value in selection.items():
        if name == "kind":
            if value not in trace.sites:
                raise _wrong(name, value, f"this trace has {', '.join(trace.sites) or 'none'}")
        elif name in ("layer", "head", "step"):
            most = _most(trace, name, selection.get("kind"))
            if not isinstance(value, int) or not 1 <= value <= most:
                raise _wrong(name, value, f"this trace has 1 to {most}")
        elif name in OPTIONS:
            listed = name == "pinned" and isinstance(value, list | tuple)
            text = ".".join(map(str, value)) if listed else str(value)
            if text and SPELLINGS[name].tried(text, None) is None:
                raise _wrong(name, value, str(SPELLINGS[name].rule))
            chosen, stacks = change(PLAIN, name, text), [(s.layers, s.heads) for s in _sites(trace)]
            shapes = [site.weights.shape[2:] for site in _sites(trace, selection.get("kind"))]
            met = [within(chosen, (rows, columns), stacks) == chosen for rows, columns in shapes]
            if met and not any(met):
                raise _wrong(name, value, "this trace has no such place")
        else:
            known = ("kind", "layer", "head", "step", *OPTIONS)
            raise _wrong(name, value, f"there are {', '.join(known)}")


def _most(trace: AttentionTrace, name: str, kind: Any) -> int:
    if name == "step":
        return len(trace.written)
    sites = _sites(trace, kind)
    return max((site.layers if name == "layer" else site.heads for site in sites), default=0)


def _sites(trace: AttentionTrace, kind: Any = None) -> list[AttentionSite]:
    """That of a kind, or those of all."""
    return [trace.sites[kind]] if kind in trace.sites else list(trace.sites.values())


def _wrong(name: str, value: Any, reason: str) -> ValueError:
    return ValueError(f"selection: {name} {value!r}: {reason}")
