"""Train: what to learn is chosen and started, and its attention is watched as it forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import streamlit as st

from core import registry
from core.errors import HeadlightError
from viz.jobs import owners, runs, services, visitor
from viz.screens import component, obtain, train_new
from viz.screens.train_start import RUN
from viz.session import callbacks, fields, page, state, visit, widgets
from viz.session.address import clean_text
from viz.text.browser import inspector_words
from viz.text.rows import by_name
from viz.text.training import TEXT

WATCHED: Final = "watched"
"""The page's parameter for the sentence that is looked at."""
_KEY: Final = "training"
_NO_ROW: Final = "<style>#root .st-key-runs { min-height: 0; }</style>"
_COMMANDS: Final = ("stop", "go_on", "remove")
_SNAPSHOTS: Final = ("inspect", "film")
_HEARD, _REFUSED = "train_heard", "train_refused"


def render() -> None:
    """Draws the page."""
    chosen = _chosen()
    _watch(chosen)
    refused = visit.kept(_REFUSED, None)
    if refused is not None:
        obtain.explain(refused)
        visit.keep(_REFUSED, None)
    if not chosen:
        train_new.render()


def _chosen() -> str:
    """The run that the address names, else the one that trains now; "" for a new one."""
    asked = fields.own(RUN, WATCHED)
    name = asked.get(RUN)
    if name is None:
        name = next(iter(runs.active()), "")
        if name:
            fields.change({RUN: name})
    elif name and name not in registry.run_ids():
        fields.refuse([RUN])
        name = ""
    return name


def _watch(chosen: str) -> None:
    """The row of runs, and the one in view, which the browser follows by itself."""
    language = state.current().language
    who, root = visitor.current(), registry.runs_root()
    listed = [asdict(runs.told_to(run, owners.rights(root / run.id, who))) for run in runs.runs()]
    if not listed:
        st.html(_NO_ROW)
    with st.container(key="runs"):  # keeps room for their row
        component.draw(
            "training",
            "inspector/training/main.js",
            _KEY,
            {
                "language": language,
                "text": by_name(TEXT[language]),
                "inspector": inspector_words(language),
                "chosen": chosen,
                "runs": listed,
                "sentence": fields.own(WATCHED).get(WATCHED, ""),
                # A command that was refused changes nothing else here, and must be answered.
                "heard": visit.kept(_HEARD, 0),
            },
            on_command_change=_obey,
            on_sentence_change=_take_sentence,
        )


def _take_sentence() -> None:
    fields.change({WATCHED: clean_text(str(widgets.sent(_KEY, "sentence") or ""))[:500]})


def _obey() -> None:
    """Does what was asked for in the browser, which is no more to be trusted than an address."""
    command = widgets.sent(_KEY, "command")
    if not isinstance(command, Mapping):
        return
    visit.keep(_HEARD, visit.kept(_HEARD, 0) + 1)
    name, run = command.get("name"), str(command.get("run", ""))
    sentence = clean_text(str(command.get("source", "")))
    try:
        if name == "choose" and (run == "" or run in registry.run_ids()):
            fields.drop(WATCHED)
            fields.change({RUN: run})
        elif name in _COMMANDS or name in _SNAPSHOTS:
            rights = owners.rights(registry.known_run(run), visitor.current())
            if not (rights.command if name in _COMMANDS else rights.read):
                raise owners.foreign(run)
            _do(str(name), run, sentence)
    except HeadlightError as error:
        visit.keep(_REFUSED, error)


def _do(name: str, run: str, sentence: str) -> None:
    """What somebody asked for who may.

    Raises:
        HeadlightError: as `viz.jobs.runs`.
    """
    match name:
        case "stop":
            runs.stop(run)
        case "go_on":
            runs.go_on(run)
        case "remove":
            model = runs.run(run).model
            runs.remove(run)
            if model is not None:
                services.MODELS.forget(model)
            fields.change({RUN: ""})
        case "inspect":
            model = runs.run(run).model
            if model is not None:
                callbacks.show_model(model, sentence or None)
                page.go("inspect")
        case "film":
            from viz.screens import milestones

            folder = registry.known_run(run)
            for name, path in registry.milestone_runs().items():
                if path == folder:
                    fields.change({milestones.RUN: name, milestones.SENTENCE: sentence})
                    page.go("milestones")
