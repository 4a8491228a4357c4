"""The data dictionary of the component: what a trace is and how to look at it."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from viz.inspector.conditions import edits_in_short
from viz.inspector.pack import Packed, ui
from viz.text.edits import TEXT as EDITS
from viz.text.language import from_locale
from viz.text.rows import by_name

View = Literal["inspect", "step"]
Role = Literal["free", "causal"]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A second trace, drawn as a second row of tokens with its own distribution.

    Attributes:
        packed: the other trace; only its tokens and distributions are sent.
        role: what it is beside the first one. "free": free-running beside teacher-forced;
            "causal": with its mask, beside lifted, where the change in probability of the
            written token is shown at every step, as lifted minus causal.
        label, base_label: what the second and the first row of tokens are called.
    """

    packed: Packed
    role: Role
    label: str
    base_label: str


def component_data(
    packed: Packed,
    *,
    view: View,
    language: str,
    text: Mapping[str, str],
    selection: Mapping[str, Any] | None = None,
    comparison: Comparison | None = None,
    branches: bool = False,
    asks: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What a v2 component takes as `data`; pictures and numbers it fetches by itself.

    Args:
        packed: the trace.
        view: "inspect" or "step".
        language: BCP 47 tag of the texts.
        text: `viz.text.browser.inspector_words`.
        selection: where to start: `kind`, `layer`, `head`, `step` (all count from 1) and
            `pinned` ([query, key] or None), and options as text (`viz.inspector.options`), each
            optional; what does not fit the trace is replaced. The browser owns the selection
            afterwards: pass the same value for as long as the trace stays.
        comparison: a second trace.
        branches: another token may be chosen; `branch` is triggered with `prefix`, the ids to
            write first, and `selection`.
        asks: what is asked of a sentence as soon as it is typed, before Streamlit has drawn the
            page for it, as `viz.server.routes.typed_snapshot` takes it: `model`, its id, by
            what chance it writes, and whether it is a message; None or nothing for no model.
    """
    words = {**text, **by_name(EDITS[from_locale(language)])}
    meta = {**packed.meta, "edits": edits_in_short(packed.trace, words)}
    meta["ui"] = {
        **ui(view, language, text, selection),
        "branches": branches,
        "asks": dict(asks or {}),
    }
    if comparison is not None:
        other = comparison.packed.meta
        meta["compare"] = {
            "role": comparison.role,
            "label": comparison.label,
            "base_label": comparison.base_label,
            **{key: other[key] for key in ("trace_id", "read", "written", "next")},
        }
    return {"meta": meta}


def framed(packed: Packed, **beside: object) -> bytes:
    """A packed trace as one body, for traces that a browser fetches by itself.

    Four bytes (little-endian) with the length of a JSON object, the object, then the array.

    Args:
        beside: what else the object holds beside `meta`.
    """
    sites, array = packed.whole()
    text = json.dumps({"meta": {**packed.meta, "sites": sites}, **beside}, ensure_ascii=False)
    sent = text.encode()
    return struct.pack("<I", len(sent)) + sent + array.tobytes()
