"""A trace in a notebook: the whole inspector beneath a cell, offline."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.trace import AttentionSite, AttentionTrace
    from viz.inspector.pack import Packed
    from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class Shown:
    """What a notebook draws when it is the value of a cell.

    Attributes:
        pages: HTML documents that need nothing else: of attention, and of states over time.
        height: pixels of each.
    """

    pages: tuple[str, ...]
    height: int

    @property
    def page(self) -> str:
        """The first of them."""
        return self.pages[0]

    def _repr_html_(self) -> str:
        # Sandboxed: a trace of unknown origin cannot touch the notebook.
        return "".join(
            f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" width="100%" '
            f'height="{self.height}" style="border:0" title="Headlight"></iframe>'
            for page in self.pages
        )


def show(
    trace: AttentionTrace,
    *,
    selection: Mapping[str, Any] | None = None,
    language: Language = "en",
    height: int = 820,
) -> Shown:
    """Show a trace beneath a notebook's cell: its attention, and what it carried through time.

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
    from viz.inspector.states import shapes

    if selection is not None:
        selection = {name: _plain(value) for name, value in selection.items()}
    _check(trace, selection or {})
    packed = pack(trace, trace_id="notebook")
    carried = shapes(trace)
    pages = [_attention(packed, selection, language)] if trace.sites or not carried else []
    pages += [_states(packed, language)] if carried else []
    return Shown(tuple(pages), height)


def _attention(packed: Packed, selection: Mapping[str, Any] | None, language: Language) -> str:
    from viz.inspector.payload import component_data
    from viz.inspector.single import single_file
    from viz.text.browser import inspector_words
    from viz.text.sentence import called

    words = inspector_words(language)
    data = component_data(
        packed, view="inspect", language=language, text=words, selection=selection
    )
    return single_file(packed, data, title=called(packed.trace), language=language)


def _states(packed: Packed, language: Language) -> str:
    from viz.inspector.single import states_file
    from viz.inspector.states import states_data
    from viz.text.browser import inspector_words
    from viz.text.sentence import called
    from viz.text.states import TEXT

    data = states_data(
        packed,
        language=language,
        text=inspector_words(language, TEXT),
        tells_next=not packed.trace.sites,
    )
    return states_file([packed.trace], data, title=called(packed.trace), language=language)


def _plain(value: Any) -> Any:
    """A value of a selection without numpy's own numbers, such as argmax gives."""
    import numpy as np

    match value:
        case np.floating():
            return float(str(value))  # 0.1 of 32 bits is 0.1
        case np.generic():
            return value.item()
        case list() | tuple():
            return [_plain(one) for one in value]
    return value


def _check(trace: AttentionTrace, selection: Mapping[str, Any]) -> None:
    """A browser replaces what does not fit; who writes code wants to hear of it."""
    from viz.inspector.options import OPTIONS, PLAIN, SPELLINGS, change, within

    for name, value in selection.items():
        if name == "kind":
            if value not in trace.sites:
                raise _wrong(name, value, f"this trace has {', '.join(trace.sites) or 'none'}")
        elif name in ("layer", "head", "step"):
            most = _most(trace, name, selection.get("kind"))
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not 1 <= value <= most:
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
