"""One training run, from a recipe to a checkpoint folder, told as events."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Final

from core import settings
from core.device import best_device
from core.errors import HeadlightError
from core.reasons import because, of_system, reason_of
from core.training import events
from core.training.bookkeeping import settle_weights, train
from core.training.folder import RunFolder
from core.training.group import join_group, lost_a_process
from core.training.recipe import Recipe, difference, load_recipe
from core.training.session import Session, invalid, prepare
from core.training.state import Position, has_state, load_state
from core.training.tensorboard import tensorboard_log

_OUT_OF_MEMORY: Final = ("out of memory", "can't allocate memory", "not enough memory")


def run(
    recipe_path: Path,
    out: Path | None = None,
    *,
    resume: bool = False,
    tensorboard: bool = False,
    device: str | None = None,
    asked: Callable[[], bool] = lambda: False,
) -> Iterator[events.Event]:
    """Train by a recipe; every event is also appended to `events.jsonl`.

    Under torchrun every process calls this; only the leading one has events to tell.

    Args:
        recipe_path: a TOML recipe.
        out: the folder that becomes a checkpoint; the recipe's model_id among the runs
            (`core.settings`) where left out.
        resume: go on after the last saved step, if there is one.
        tensorboard: also write TensorBoard logs into the folder.
        device: None takes the best one here.
        asked: whether the run should save after its present step and end; so does
            `RunFolder.ask_to_stop`.

    Raises:
        HeadlightError: file_missing, data_invalid, recipe_invalid (also for data that leaves
            nothing to train on, and for a run that goes on with another recipe or other data),
            device_unknown, package_missing, run_exists, run_ended, folder_foreign, run_busy,
            run_damaged, state_damaged, training_diverged, memory_full, process_lost or
            file_unwritable.
    """
    recipe = load_recipe(recipe_path)
    place = best_device(device)
    folder = RunFolder(out or settings.current().runs / recipe.model_id)
    if folder.is_foreign(recipe_path):
        if folder.is_finished():
            raise _taken(folder, resume)
        raise HeadlightError("folder_foreign", path=str(folder.path))
    try:
        with join_group(place) as group, folder.claim() if group.leads else nullcontext():
            with group.first():
                if group.leads:
                    _begin(recipe, recipe_path, folder, resume)
            start = partial(prepare, recipe, recipe_path, folder, group, place)
            board = tensorboard_log(folder.tensorboard) if tensorboard and group.leads else None
            with board or nullcontext(lambda event: None) as log:
                for event in _story(start, recipe, asked):
                    if group.leads:
                        events.append_event(folder.events, event)
                        log(event)
                        yield event
    except OSError as error:
        raise _unwritable(error) from error


def _begin(recipe: Recipe, recipe_path: Path, folder: RunFolder, resume: bool) -> None:
    """See to it that the folder is this run's own."""
    saved = has_state(folder.work)
    if (saved and not resume) or (folder.is_finished() and not (saved and resume)):
        raise _taken(folder, resume)
    if saved:
        key = difference(load_recipe(folder.recipe), recipe)
        if key is not None:
            raise invalid(recipe_path, because("at", place=key, reason=because("run_value")))
        events.mend_events(folder.events)
    else:
        folder.begin_anew()
    if not (folder.recipe.exists() and folder.recipe.samefile(recipe_path)):
        shutil.copyfile(recipe_path, folder.recipe)


def _taken(folder: RunFolder, resume: bool) -> HeadlightError:
    """That a folder holds a run, or a model from which none goes on."""
    if resume:
        return HeadlightError("run_ended", path=str(folder.path))
    return HeadlightError("run_exists", path=str(folder.path))


def _story(
    start: Callable[[], Session], recipe: Recipe, asked: Callable[[], bool]
) -> Iterator[events.Event]:
    """All that the run tells; where it fails, last of all how."""
    step = 0
    try:
        session = start()
        for event in _events(session, lambda: asked() or session.folder.asked_to_stop()):
            step = getattr(event, "step", step)
            yield event
    except (HeadlightError, OSError, RuntimeError, MemoryError) as error:
        named = _named(error, recipe, step)
        if named is None:
            raise
        yield events.Failed(step, named.code, named.parameters)
        raise named from error


def _events(session: Session, asked: Callable[[], bool]) -> Iterator[events.Event]:
    data = session.data_digest()
    try:
        saved, damaged = load_state(session.folder.work, session.model, session.optimizer)
        if session.group.leads:  # others may still look at them
            for state in damaged:
                shutil.rmtree(state, ignore_errors=True)
    except ValueError as error:
        raise invalid(session.recipe_path, reason_of(error)) from error
    if saved is not None and saved.data != data:
        raise invalid(session.recipe_path, because("corpora_changed"))
    taken = session.precision(saved)
    position = (saved or Position(data=data)).model_copy(update={"precision": taken.precision})
    yield session.started(position.step, taken)
    yield from session.corpora.reports
    for state in damaged:
        yield events.FellBack(position.step, state.name)
    step = position.step
    for event in train(session, position, asked):
        yield event
        if isinstance(event, events.Stopped):
            return
        step = getattr(event, "step", step)
    early = step < session.recipe.training.steps
    settled = step
    if session.group.leads:  # which has saved what it settles them from
        settled = settle_weights(session, step)
        session.finish(settled)
    path = str(session.folder.path)
    yield events.Finished(settled, path, "patience" if early else "steps")


def _named(error: Exception, recipe: Recipe, step: int) -> HeadlightError | None:
    """What ended the run, as something that a person can put right; None for a fault of ours."""
    if isinstance(error, HeadlightError):
        return error
    if isinstance(error, OSError):  # what is read has its own errors
        return _unwritable(error)
    text = str(error).casefold()
    if isinstance(error, MemoryError) or any(words in text for words in _OUT_OF_MEMORY):
        now = recipe.training.tokens_per_batch
        return HeadlightError("memory_full", step=step, now=now)
    if isinstance(error, RuntimeError) and lost_a_process(error):
        return HeadlightError("process_lost", step=step)
    return None


def _unwritable(error: OSError) -> HeadlightError:
    path = str(error.filename) if error.filename else because("run_folder")
    return HeadlightError("file_unwritable", path=path, reason=of_system(error))
