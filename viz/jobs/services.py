"""What pages ask for and what is kept: opened models and snapshots, both bounded.

What is kept is shared by all visitors. Models are opened on a thread of their own, so that a page
paints before torch is imported; a page asks for the state (`model`) and looks again later.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Final

from cachetools import FIFOCache, LRUCache

from core import registry
from core.checkpoint.manifest import read_manifest
from core.errors import HeadlightError
from core.families.hub.folder import is_hub
from core.families.hub.trial import tried
from core.model import Inspectable, ModelCard, TraceRequest
from core.outputs import SearchTree
from core.registry import ModelEntry
from viz.inspector.gaps import Filled, filled
from viz.inspector.pack import pack
from viz.jobs.first_snapshot import give_way
from viz.jobs.first_snapshot import read as read_first_snapshot
from viz.jobs.models import KEPT_MODELS, Models, ModelState, Ready
from viz.jobs.owners import open_to
from viz.jobs.snapshots import (
    SNAPSHOTS,
    Snapshot,
    SnapshotStore,
    gaps_id,
    search_id,
    snapshot_id,
)
from viz.jobs.typed import TYPED
from viz.jobs.visitor import STRANGER, Visitor

KEPT_TREES: Final = 16
KEPT_GAPS: Final = 48  # each of some hundred bytes a token


@dataclass(frozen=True, slots=True)
class Searched:
    """A beam search that is kept.

    Attributes:
        id: digest of all that was asked, and of whom (`viz.jobs.snapshots.search_id`).
        source: the sentence.
        model_id: who searched.
        tree: every hypothesis.
    """

    id: str
    source: str
    model_id: str
    tree: SearchTree


def _load(model_id: str) -> Inspectable:
    if first_snapshot(model_id) is not None:
        give_way()
    folder = registry.known_folder(model_id)
    if is_hub(folder):
        # Its libraries take seconds to be imported: meanwhile, where two processors are.
        importing = threading.Thread(target=import_module, args=(_HUB,), daemon=True)
        importing.start()
        template = tried(folder).template
        importing.join()
        return registry.load(model_id, template=template)
    return registry.load(model_id)


_HUB: Final = "core.families.hub.loading"
MODELS: Final = Models(_load)
COMPUTING: Final = threading.Lock()
"""One trace at a time: two would only take turns at the interpreter; who asks the same finds it."""
_OPENING: Final = threading.Lock()
_KEEPING: Final = threading.Lock()
"""Of what is kept below. No computation holds it: what is there is read while another is made."""
_TREES: Final[LRUCache[str, Searched]] = LRUCache(KEPT_TREES)
_GAPS: Final[FIFOCache[tuple[str, str], Filled]] = FIFOCache(KEPT_GAPS)


def model_ids(visitor: Visitor = STRANGER) -> tuple[str, ...]:
    """Ids that a visitor can open, the default first."""
    ids = tuple(open_to(registry.folders(), visitor))
    return tuple(sorted(ids, key=lambda name: name != registry.DEFAULT))


def entries(visitor: Visitor = STRANGER) -> dict[str, ModelEntry]:
    """The models that a visitor can open, the default first, with what is known before."""
    found = {entry.model_id: entry for entry in registry.entries()}
    return {name: found[name] for name in model_ids(visitor) if name in found}


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


def card(model_id: str) -> ModelCard | None:
    """What a model says of itself, also once it had to make room for others; None before."""
    return MODELS.card(model_id)


@lru_cache(maxsize=KEPT_MODELS)
def first_snapshot(model_id: str) -> Snapshot | None:
    """The snapshot that a model's folder brings along, None where it has none."""
    return read_first_snapshot(model_id)


def snapshot(ready: Ready, request: TraceRequest, store: SnapshotStore = SNAPSHOTS) -> Snapshot:
    """A snapshot, computed only when nobody asked the same before.

    Raises:
        HeadlightError: as `Inspectable.trace`.
    """
    model = ready.model
    name = snapshot_id(model.digest, model.card.device, request)
    with COMPUTING:
        found = store.get(name)
        if found is not None and not found.stored:
            return found
        trace = model.trace(request)
        made = Snapshot(
            id=name,
            request=request,
            trace=trace,
            packed=pack(
                trace,
                trace_id=name,
                vocabulary_tokens=model.vocabulary_tokens,
                goes_on=model.goes_on,
            ),
            words=model.familiarity(request.source),
        )
        store.put(made)
        return made


def typed_snapshot(
    ready: Ready, request: TraceRequest, store: SnapshotStore = SNAPSHOTS
) -> Snapshot:
    """A snapshot that a browser asked for by itself: runs of pages give way to its picture.

    Raises:
        HeadlightError: as `snapshot`.
    """
    name = snapshot_id(ready.model.digest, ready.model.card.device, request)
    if store.get(name) is None:
        TYPED.ask(name)
    try:
        return snapshot(ready, request, store)
    except HeadlightError:
        TYPED.drawn(name)
        raise


def give_way_to_typed(model_id: str, request: TraceRequest) -> None:
    """Waits until a browser that asked for a snapshot has its picture (`viz.jobs.typed`)."""
    ready = opened(model_id)
    if ready is not None:
        TYPED.give_way(snapshot_id(ready.model.digest, ready.model.card.device, request))


def search(ready: Ready, source: str, beam: int, *, message: bool = False) -> Searched:
    """Every hypothesis of a beam search; the latest are kept, the model that made them is not.

    Raises:
        HeadlightError: as `Inspectable.search`.
    """
    model = ready.model
    name = search_id(model.digest, model.card.device, source, beam, message=message)
    with COMPUTING:
        found = searched(name)
        if found is None:
            tree = model.search(source, beam=beam, message=message)
            found = Searched(name, source, model.card.model_id, tree)
            with _KEEPING:
                _TREES[name] = found
        return found


def searched(name: str) -> Searched | None:
    """The search of that id, None when it was never made or has been dropped."""
    with _KEEPING:
        return _TREES.get(name)


def kept_gaps(model_id: str, source: str) -> Filled | None:
    """What was found before of a model as its folder is now, whether it is open or not.

    Of a Hugging Face one, which has no digest of its own, only while it is open.

    Raises:
        HeadlightError: model_unknown, or as `read_manifest`.
    """
    folder, ready = registry.known_folder(model_id), opened(model_id)
    if is_hub(folder) and ready is None:
        return None
    digest = ready.model.digest if ready and is_hub(folder) else read_manifest(folder).digest
    with _KEEPING:
        return _GAPS.get((digest, source))


def gaps(ready: Ready, source: str) -> Filled:
    """What a model would write in every gap of a text; the latest are kept.

    Raises:
        HeadlightError: as `Inspectable.gaps`.
    """
    model, card = ready.model, ready.model.card
    assert card.capabilities.gaps is not None  # who fills gaps looks at something
    with COMPUTING:
        with _KEEPING:
            known = _GAPS.get((model.digest, source))
        if known is not None:
            return known
        found = model.gaps(source)
        name = gaps_id(model.digest, card.device, source)
        context, named = card.capabilities.gaps, model.vocabulary_tokens
        made = filled(name, card.model_id, context, found, named, model.goes_on)
        with _KEEPING:
            _GAPS[model.digest, source] = made
        return made


def found_gaps(ids: str) -> tuple[Filled, ...] | None:
    """What was filled under these ids, a dot between them; None where one is not kept any more."""
    with _KEEPING:
        kept = {filled.id: filled for filled in _GAPS.values()}
    names = ids.split(".")
    found = [kept[name] for name in names if name in kept]
    each_once = len(found) == len(names) == len(set(names))
    return tuple(found) if each_once and len({one.tokens for one in found}) == 1 else None


def snapshot_of(folder: Path, request: TraceRequest, store: SnapshotStore = SNAPSHOTS) -> Snapshot:
    """A snapshot of a checkpoint folder that is no model of the list, such as a milestone of a run.

    Raises:
        HeadlightError: as `registry.load` and `Inspectable.trace`.
    """
    from core.device import best_device  # here: it brings torch

    name = snapshot_id(read_manifest(folder).digest, best_device().type, request)
    found = store.get(name)
    if found is not None:
        return found
    # One at a time: a slider over twenty milestones asks for all of them at once, and who waited
    # for the same snapshot finds it.
    with _OPENING:
        return store.get(name) or snapshot(Ready(registry.load(folder)), request, store)
