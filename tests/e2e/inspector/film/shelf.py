"""Films made of made traces, for the browser tests of the film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.trace import AttentionTrace, Token
from tests.e2e.inspector.page import Harness, Open
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace
from viz.inspector.film import Frame, film_data, pack_film
from viz.inspector.pack import pack
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM
from viz.text.language import Language
from viz.text.rows import by_name

STEPS = (0, 1, 4, 20, 100, 500, 2000)
OUTPUTS = ("", "the the the", "the cafe", "I cafe", "I went cafe", "I went to", "I went to the")
START: dict[str, Any] = {"kind": "cross", "layer": 2, "head": 3}
VALIDATION = {"words": {"loss": [(10, 4.0), (100, 2.5), (1900, 1.25)], "exact": [(1900, 0.5)]}}


def traced(step: int) -> AttentionTrace:
    """What the milestone of that step computes."""
    return trace(layers=2, heads=4, seed=step)


def put_film(
    shelf: Shelf,
    name: str = "film",
    *,
    snapshots: Sequence[AttentionTrace] | None = None,
    steps: Sequence[int] = STEPS,
    outputs: Sequence[str] = OUTPUTS,
    language: Language = "en",
    selection: dict[str, Any] | None = None,
) -> None:
    """Lays a film on the shelf, and the exact numbers of each of its milestones."""
    frames = []
    for index, step in enumerate(steps):
        made = traced(step) if snapshots is None else snapshots[index]
        written = outputs[index % len(outputs)]
        output = [Token(f"▁{w}", w, 5, at) for at, w in enumerate(written.split())]
        packed = pack(replace(made, logits=None), trace_id=f"{name}-{step}")
        shelf.traces[f"{name}-{step}"] = made
        frames.append(Frame(step, packed, tuple(output), index != 1, 4.0 / (index + 1)))
    film = pack_film(frames, film_id=name, validation=VALIDATION, training={"loss": [(50, 3.0)]})
    text = inspector_words(language) | by_name(FILM[language])
    shelf.data[name] = film_data(
        film, language=language, text=text, selection=START if selection is None else selection
    )


def open_film(opened: Open, name: str = "film", **options: Any) -> Harness:
    """A page with the film on it, once it is drawn."""
    here: Harness = opened(name, "&module=film/main.js", **options)
    return here


def shows(here: Harness, step: int) -> dict[str, Any]:
    """Waits until the milestone of that step is drawn, with its exact numbers."""
    return here.until(f"state.selection.milestone === {step} && state.status === 'exact'")
