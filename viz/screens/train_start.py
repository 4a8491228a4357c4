"""What stands before a training starts: its data looked at, its time measured, its button."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import streamlit as st

from core import registry
from core.checkpoint.manifest import RECIPE
from core.device import best_device
from core.errors import HeadlightError
from core.training.measure import seconds_per_update
from core.training.preview import Preview, preview
from core.training.ready import CORPUS, recipe_of
from core.training.recipe import CorpusRecipe, Recipe, Schedule
from viz.jobs import owners, runs, visitor
from viz.screens import component, obtain, train_preview
from viz.session import fields, visit
from viz.text.numbers import count, fixed, significant
from viz.text.plain import plain
from viz.text.refusals import AppError
from viz.text.tables import markdown_table
from viz.text.train import TrainText

PAIRS: Final = "pairs"
"""The file of pairs in a run's folder, without its ending."""
RUN: Final = "run"
"""The page's parameter that names the run in view; empty for a new one."""
# Streamlit writes on buttons in white, also where the primary colour is light.
_DARK: Final = """<style>
[data-testid="stBaseButton-primary"]:enabled { color: #14151a; }
</style>"""
_WORKING: Final = threading.Lock()
"""One preview or measurement at a time: each takes whole cores."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A run that could be started.

    Attributes:
        recipe: as TOML.
        files: what its folder begins with beside the recipe.
        vocabulary: entries of its tokenizer, about.
        private: it learns from texts that the visitor brought.
    """

    name: str
    recipe: str
    files: Mapping[str, bytes]
    vocabulary: int
    private: bool


def vocabulary_of(recipe: str, content: bytes | None, text: TrainText) -> int:
    """Shows what a run would make of its pairs.

    Args:
        recipe: as TOML.
        content: of the one corpus of a ready recipe; None reads the files that are named.

    Returns:
        Entries of the vocabulary; 0 where it cannot be started, after saying why.
    """
    try:
        found = obtain.made(text.reading, lambda: _preview(recipe, content))
    except HeadlightError as error:
        obtain.explain(error)
        return 0
    train_preview.draw(found, text)
    return 0 if found.tokens is None else found.tokens.vocabulary


def offer(draft: Draft | None, text: TrainText) -> None:
    """The button, and how long it will take; or why it cannot be started now."""
    training = runs.active()
    full = len(training) >= runs.limit()
    device = _device_fault()
    if component.mode() == "dark":
        st.html(_DARK)
    with st.container(horizontal=True, vertical_alignment="center", key="train-start"):
        pressed = st.button(
            text.start,
            type="primary",
            icon=":material/play_arrow:",
            disabled=draft is None or full or device is not None,
            key="train-start-button",
        )
        place = st.empty()
    if device is not None:
        obtain.explain(device)
    elif full:
        who = visitor.current()
        own = any(owners.rights(registry.runs_root() / run, who).command for run in training)
        busy = text.busy if own else text.busy_others
        place.caption(plain(busy.format(runs=", ".join(training))))
    elif pressed and draft is not None:
        _start(draft)
    elif draft is not None:
        place.caption(plain(text.measuring))
        said, explained = _time(draft, text)
        place.caption(plain(said), help=explained)


def shipped() -> dict[str, str]:
    """Recipes of the models that come with the app, as TOML by the model's id."""
    found = {}
    for entry in registry.entries():
        path = entry.folder / RECIPE
        if entry.folder.parent == registry.root() and path.is_file():
            found[entry.model_id] = path.read_text(encoding="utf-8", errors="replace")
    return found


def corpora(recipe: str, text: TrainText) -> bool:
    """Shows which files a recipe reads; says whether all of them are here."""
    whole, rows = True, []
    for corpus in recipe_of(recipe).corpora:
        here = runs.place(corpus.path).exists()
        whole &= here
        rows.append((plain(corpus.path), text.again_here if here else f"**{text.again_missing}**"))
    st.markdown(markdown_table((text.again_data, ""), rows, ("left", "left")))
    return whole


def _start(draft: Draft) -> None:
    who = visitor.current()
    try:
        if not (who.id or who.local):
            raise AppError("visitor_unknown")
        owner = owners.file_of(owners.Owner(who.id, draft.private))
        files = {RECIPE: draft.recipe.encode(), owners.OWNER: owner, **draft.files}
        runs.start(draft.name, files)
    except HeadlightError as error:
        obtain.explain(error)
        return
    fields.change({RUN: draft.name})
    visit.again()


def _time(draft: Draft, text: TrainText) -> tuple[str, str]:
    """How long the updates will take, and from what that is known."""
    recipe = recipe_of(draft.recipe)
    # What a name and the number of steps say has nothing to do with the time of one.
    numbers = {"steps": 9, "report_every": 1, "validate_every": 1, "save_every": 1}
    same = {
        "model_id": "same",
        "examples": (),
        "corpora": (CorpusRecipe(name="same", path="same"),),
        "schedule": Schedule(),
        "training": recipe.training.model_copy(update=numbers),
    }
    seconds = _seconds(
        recipe.model_copy(update=same).model_dump_json(), -(-draft.vocabulary // 500)
    )
    steps = recipe.training.steps
    explained = text.time_help.format(count=count(steps), seconds=significant(seconds, 2))
    return text.time.format(time=_spoken(seconds * steps, text)), explained


@lru_cache(maxsize=32)
def _seconds(recipe: str, vocabulary: int) -> float:
    """Of one update, by a recipe as JSON; the vocabulary in so many times 500 entries."""
    with _WORKING:
        return seconds_per_update(Recipe.model_validate_json(recipe), 500 * vocabulary)


def _spoken(seconds: float, text: TrainText) -> str:
    if seconds < 90:
        return text.seconds.format(count=max(5, 5 * round(seconds / 5)))
    if seconds < 5400:
        return text.minutes.format(count=round(seconds / 60))
    return text.hours.format(count=fixed(seconds / 3600, 1 if seconds < 36_000 else 0))


@lru_cache(maxsize=4)
def _preview(recipe: str, content: bytes | None) -> Preview:
    with _WORKING:
        read = recipe_of(recipe)
        if content is not None:
            return preview(read, {CORPUS: content})
        files = {corpus.name: runs.place(corpus.path).read_bytes() for corpus in read.corpora}
        return preview(read, files)


def _device_fault() -> HeadlightError | None:
    try:
        best_device()
    except HeadlightError as error:
        return error
    return None
