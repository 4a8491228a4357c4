"""A look in a notebook: the whole inspector beneath a cell, offline."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.trace import AttentionTrace
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
    """Show a look beneath a notebook's cell.

    Args:
        trace: of this project's models, of `core.trace_file.load_trace`, or made by hand.
        selection: where to start: `kind`, `layer`, `head`, `step`, counted from 1, and looks as
            an address has them (`viz.inspector.looks`): {"mode": "lines", "kept": "3.5 2.1"}.
        language: of the words.
        height: pixels.
    """
    # Here, because importing a part of this package must stay cheap.
    from viz.inspector.pack import pack
    from viz.inspector.payload import component_data
    from viz.inspector.single import single_file
    from viz.text.browser import inspector_words

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
