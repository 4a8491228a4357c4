"""What pages ask for and what is kept: opened models and looks, both bounded.

Nothing here is per visitor. Models are opened on a thread of their own, so that a page
paints before torch is imported; a page asks for the state (`model`) and looks again later.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from core import registry
from core.errors import HeadlightError
from core.inspectable import Inspectable, SearchTree, TraceRequest
from core.manifest import read_manifest
from core.reasons import because
from core.registry import ModelEntry
from viz.first_look import give_way
from viz.first_look import read as read_first_look
from viz.inspector.pack import pack
from viz.store import LOOKS, Look, LookStore, look_id, search_id, translation_of

KEPT_MODELS: Final = 3
KEPT_TREES: Final = 16
RETRY_SECONDS: Final = 10.0
"""How long a model that could not be opened stays so; then its folder may be mended."""

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loading:
    """A model that is being opened, since `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Ready:
    """An opened model."""

    model: Inspectable


@dataclass(frozen=True, slots=True)
class Failed:
    """A model that could not be opened."""

    error: HeadlightError


ModelState = Loading | Ready | Failed


@dataclass(frozen=True, slots=True)
class Searched:
    """A beam search that is kept.

    Attributes:
        id: digest of model, device, source and width (`viz.store.search_id`).
        source: the sentence.
        model_id: who searched.
        tree: every hypothesis.
    """

    id: str
    source: str
    model_id: str
    tree: SearchTree


@dataclass(slots=True)
class _Entry:
    future: Future[Ready]
    asked: float


class Models:
    """Opens models one after the other and keeps the latest used.

    Args:
        load: opens a model by its id; may take seconds.
        kept: how many stay open.
    """

    def __init__(self, load: Callable[[str], Inspectable], kept: int = KEPT_MODELS) -> None:
        self._load = load
        self._kept = kept
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="open-model")

    def state(self, model_id: str) -> ModelState:
        """Where a model stands; asking for one starts to open it."""
        entry = self._entry(model_id)
        if not entry.future.done():
            return Loading(time.monotonic() - entry.asked)
        error = entry.future.exception()
        if error is None:
            return entry.future.result()
        if isinstance(error, HeadlightError):
            return Failed(error)
        _LOG.error("%s cannot be opened", model_id, exc_info=error)
        reason = because("crashed_opening", kind=type(error).__name__)
        return Failed(HeadlightError("checkpoint_invalid", file="", path=model_id, reason=reason))

    def wait(self, model_id: str, timeout: float) -> ModelState:
        """Where a model stands once it is opened or could not be, or after `timeout` s."""
        with contextlib.suppress(TimeoutError):
            self._entry(model_id).future.exception(timeout)
        return self.state(model_id)

    def opened(self, model_id: str) -> Ready | None:
        """A model if it is open already; asking starts nothing."""
        with self._lock:
            entry = self._entries.get(model_id)
        done = entry is not None and entry.future.done() and entry.future.exception() is None
        return entry.future.result() if entry is not None and done else None

    def forget(self, model_id: str) -> None:
        """Has a model opened anew when it is asked for again: its folder is another one."""
        with self._lock:
            self._entries.pop(model_id, None)

    def _entry(self, model_id: str) -> _Entry:
        with self._lock:
            entry = self._entries.get(model_id)
            if entry is not None and _stale(entry):
                entry = None
            if entry is None:
                entry = _Entry(self._pool.submit(self._open, model_id), time.monotonic())
                self._entries[model_id] = entry
            self._entries.move_to_end(model_id)
            while len(self._entries) > self._kept:
                _, gone = self._entries.popitem(last=False)
                gone.future.cancel()
            return entry

    def _open(self, model_id: str) -> Ready:
        model = self._load(model_id)
        ready = Ready(model)
        # Streamlit collects all generations after every run of a page; with torch's many
        # objects that costs 170 ms a run. Frozen ones are passed over.
        gc.collect()
        gc.freeze()
        return ready


def _stale(entry: _Entry) -> bool:
    failed = entry.future.done() and entry.future.exception() is not None
    return failed and time.monotonic() - entry.asked > RETRY_SECONDS


def _load(model_id: str) -> Inspectable:
    if first_look(model_id) is not None:
        give_way()
    return registry.load(model_id)


MODELS: Final = Models(_load)
COMPUTING: Final = threading.Lock()
"""One look at a time: torch spreads one over the cores, and who asks the same finds it."""
_OPENING: Final = threading.Lock()
_TREES: Final[OrderedDict[str, Searched]] = OrderedDict()


def model_ids() -> tuple[str, ...]:
    """Ids that can be opened, the default first."""
    ids = registry.model_ids()
    if not ids:
        return ()
    first = registry.default_model_id()
    return (first, *(name for name in ids if name != first))


def entries() -> dict[str, ModelEntry]:
    """The models that can be opened, the default first, with what is known before."""
    found = {entry.model_id: entry for entry in registry.entries()}
    return {name: found[name] for name in model_ids() if name in found}


def warm() -> None:
    """Starts to open the default model."""
    ids = model_ids()
    if ids:
        MODELS.state(ids[0])


def model(model_id: str) -> ModelState:
    """Where a model stands; asking for one starts to open it."""
    return MODELS.state(model_id)


def pause(seconds: float) -> None:
    """Waits before asking again where a model stands."""
    time.sleep(seconds)


def opened(model_id: str) -> Ready | None:
    """A model if it is open already; asking starts nothing."""
    return MODELS.opened(model_id)


@lru_cache(maxsize=KEPT_MODELS)
def first_look(model_id: str) -> Look | None:
    """The look that a model's folder brings along, None where it has none."""
    return read_first_look(model_id)


def look(ready: Ready, request: TraceRequest, store: LookStore = LOOKS) -> Look:
    """A look, computed only when nobody asked the same before.

    Raises:
        HeadlightError: as `Inspectable.trace`.
    """
    model = ready.model
    name = look_id(model.digest, model.card.device, request)
    with COMPUTING:
        found = store.get(name)
        if found is not None and not found.stored:
            return found
        trace = model.trace(request)
        made = Look(
            id=name,
            request=request,
            trace=trace,
            packed=pack(trace, trace_id=name, vocabulary_text=model.vocabulary_text),
            translation=translation_of(trace),
            strange=tuple(w.text for w in model.familiarity(request.source) if not w.known),
        )
        store.put(made)
        return made


def search(ready: Ready, source: str, beam: int) -> Searched:
    """Every hypothesis of a beam search; the latest are kept, the model that made them is not.

    Raises:
        HeadlightError: as `Inspectable.search`.
    """
    model = ready.model
    name = search_id(model.digest, model.card.device, source, beam)
    with COMPUTING:
        if name not in _TREES:
            tree = model.search(source, beam=beam)
            _TREES[name] = Searched(name, source, model.card.model_id, tree)
        _TREES.move_to_end(name)
        while len(_TREES) > KEPT_TREES:
            _TREES.popitem(last=False)
        return _TREES[name]


def searched(name: str) -> Searched | None:
    """The search of that id, None when it was never made or has been dropped."""
    return _TREES.get(name)


def look_into(folder: Path, request: TraceRequest, store: LookStore = LOOKS) -> Look:
    """A look at a checkpoint folder that is no model of the list, such as a milestone of a run.

    Raises:
        HeadlightError: as `registry.load` and `Inspectable.trace`.
    """
    from core.device import best_device  # here: it brings torch

    found = store.get(look_id(read_manifest(folder).digest, best_device().type, request))
    return found if found is not None else look(Ready(_load_folder(folder)), request, store)


def _load_folder(folder: Path) -> Inspectable:
    # One at a time: a slider over twenty milestones asks for all of them at once.
    with _OPENING:
        return registry.load(folder)
