"""What a figure is of, as it is said below it."""

from __future__ import annotations

import re
from typing import Final

from core.trace import AttentionTrace
from viz.export.paper.style import Words, isolated, legible
from viz.inspector.conditions import edits_in_short, sampled
from viz.text.sentence import cut, sentence_of
from viz.text.tokens import spelt

_MILESTONE: Final = re.compile("(.+)@([0-9]+)")  # as `core.checkpoint.manifest.name_of` has it
_EDITS: Final = 3  # that are named


def said_of(trace: AttentionTrace, words: Words) -> str:
    """The sentence of a trace and its model, or how far that was trained; then what is special.

    That it was read as a message, that what it wrote was given, that its mask was lifted, by what
    chance it was written, that its rows have sinks, and what was edited.
    """
    model = legible(spelt(trace.model_id))
    milestone = _MILESTONE.fullmatch(model)
    if milestone is not None:
        run, step = milestone[1], int(milestone[2])
        after = words["after_updates"].format(step=f"{step:,}") if step else words["untrained"]
        model = f"{run}, {after}"
    sentence = isolated(legible(spelt(cut(sentence_of(trace)))))
    said = f"{sentence} ({model})" if sentence else model
    if trace.meta.get("message"):
        said = f"{said} · {words['message']}"
    if trace.target and trace.meta.get("free_running") is False:
        said = f"{said} · {words['not_free']}"
    if trace.meta.get("lift_mask"):
        said = f"{said} · {words['mask_lifted']}"
    chance = sampled(trace)
    if chance:
        said = f"{said} · {words['sampled'].format(**chance)}"
    if any(site.sinks is not None for site in trace.sites.values()):
        said = f"{said} · {words['sink']}"
    edits = edits_in_short(trace, words)
    if not edits:
        return said
    more = ", …" if len(edits) > _EDITS else ""
    edited = words["edited"].format(edits=", ".join(edits[:_EDITS]) + more)
    return f"{said} · {edited}"
