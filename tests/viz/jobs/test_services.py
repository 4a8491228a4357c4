"""Opening models beside the pages, and looks that are computed once."""

import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from core import registry
from core.checkpoint.folder import seal
from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import Inspectable, TraceRequest
from core.probe import LIFTED_MASK
from core.trace import AttentionTrace, load_trace, save_trace
from tests import hub
from tests.viz.asgi import get
from viz.jobs import first_snapshot, models, owners, services, visitor
from viz.jobs.models import Failed, Models, Ready
from viz.jobs.snapshots import SNAPSHOTS, Snapshot, SnapshotStore
from viz.jobs.visitor import Visitor
from viz.screens import compare
from viz.server.routes import ROUTES
from viz.text.compare import TEXT

WAIT = 60.0


def _ready(models: Models, model_id: str) -> Ready:
    standing = models.wait(model_id, WAIT)
    assert isinstance(standing, Ready)
    return standing


class Counting:
    """A model that counts how often it is looked into."""

    def __init__(self, model: TransformerModel) -> None:
        self.model = model
        self.traced: list[TraceRequest] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self.model, name)

    def trace(self, request: TraceRequest) -> AttentionTrace:
        self.traced.append(request)
        return self.model.trace(request)


def test_asking_opens_and_the_default_comes_first(fresh: Models, models_root: Path) -> None:
    assert services.model_ids() == ("tiny", "tiny-spelling")
    assert list(services.entries()) == ["tiny", "tiny-spelling"]
    assert services.opened("tiny") is None
    services.warm()
    ready = _ready(fresh, "tiny")
    assert services.opened("tiny") == ready
    assert ready.model.card.model_id == "tiny"
    assert services.opened("tiny-spelling") is None


def test_what_cannot_be_opened_says_why_and_is_tried_again(
    fresh: Models, models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(models_root, tmp_path / "root")
    weights = tmp_path / "root" / "tiny" / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path / "root"))
    standing = fresh.wait("tiny", WAIT)
    assert isinstance(standing, Failed)
    assert standing.error.code == "checkpoint_altered"
    weights.write_bytes(whole)
    assert isinstance(fresh.wait("tiny", WAIT), Failed)
    monkeypatch.setattr(models, "RETRY_SECONDS", 0.0)
    _ready(fresh, "tiny")


def test_a_look_is_computed_once_for_all(tiny_model: TransformerModel) -> None:
    counting = Counting(tiny_model)
    ready = Ready(counting)  # type: ignore[arg-type]
    store = SnapshotStore()
    request = TraceRequest("나는 물을 마신다")
    with ThreadPoolExecutor(4) as pool:
        snapshots = list(pool.map(lambda _: services.snapshot(ready, request, store), range(8)))
    assert counting.traced == [request]
    assert all(snapshot is snapshots[0] for snapshot in snapshots)
    services.snapshot(ready, TraceRequest("나는 물을 마신다", edits=(LIFTED_MASK,)), store)
    assert len(counting.traced) == 2


def test_a_look_says_what_was_written_and_what_is_a_guess(tiny_model: TransformerModel) -> None:
    ready = Ready(tiny_model)
    snapshot = services.snapshot(ready, TraceRequest("나는 핵융합 마신다"), SnapshotStore())
    assert "핵융합" in snapshot.strange
    known = services.snapshot(ready, TraceRequest("나는 물을 마신다"), SnapshotStore())
    assert known.translation == "I drink water"
    assert known.strange == ()
    assert known.packed.meta["trace_id"] == known.id


def test_a_folder_that_is_no_model_of_the_list_is_looked_into_once(
    tiny_checkpoint: Path, tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, request = SnapshotStore(), TraceRequest("나는 물을 마신다")
    first = services.snapshot_of(tiny_checkpoint, request, store)
    assert first.id == services.snapshot(Ready(tiny_model), request, SnapshotStore()).id
    monkeypatch.setattr(registry, "load", lambda _: pytest.fail("opened again"))
    assert services.snapshot_of(tiny_checkpoint, request, store) is first


def test_many_who_ask_a_folder_for_the_same_look_open_it_once(
    tiny_checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    load, gate = registry.load, threading.Barrier(4)

    def counted(folder: Path) -> Inspectable:
        opened.append(folder)
        return load(folder)

    def ask(store: SnapshotStore) -> str:
        gate.wait(WAIT)
        return services.snapshot_of(tiny_checkpoint, TraceRequest("나는 물을 마신다"), store).id

    monkeypatch.setattr(registry, "load", counted)
    store = SnapshotStore()
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(ask, [store] * 4))) == 1
    assert len(opened) == 1


def test_text_that_is_too_large_costs_no_forward_pass(tiny_model: TransformerModel) -> None:
    store = SnapshotStore()
    with pytest.raises(HeadlightError) as caught:
        services.snapshot(Ready(tiny_model), TraceRequest("가" * 1_000_000), store)
    assert caught.value.code == "text_too_large"
    assert len(store) == 0


def test_the_first_look_is_the_models_own(fresh: Models) -> None:
    stored = services.first_snapshot("tiny")
    assert stored is not None
    assert stored.stored
    computed = services.snapshot(_ready(fresh, "tiny"), stored.request, SnapshotStore())
    assert computed.id == stored.id
    assert computed.translation == stored.translation
    assert computed.packed.meta["next"][0]["texts"] == stored.packed.meta["next"][0]["texts"]
    for kind, site in computed.trace.sites.items():
        np.testing.assert_allclose(site.weights, stored.trace.sites[kind].weights, atol=1e-6)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tiny_model: TransformerModel) -> threading.Event:
    """A server whose first picture nobody has seen; what opens a model says so."""
    opening = threading.Event()

    def load(_id: str) -> TransformerModel:
        opening.set()
        return tiny_model

    monkeypatch.setattr(first_snapshot, "_DRAWN", threading.Event())
    monkeypatch.setattr(registry, "load", load)
    return opening


def test_a_model_is_opened_behind_the_first_picture(
    fresh: Models, begun: threading.Event, tiny_snapshot: Snapshot
) -> None:
    models = Models(services._load)
    models.state("tiny")
    assert not begun.wait(0.3)
    SNAPSHOTS.put(tiny_snapshot)
    assert get(Starlette(routes=ROUTES), f"/trace/{tiny_snapshot.id}/cross").status == 200
    assert isinstance(models.wait("tiny", WAIT), Ready)
    models.forget("tiny")
    assert isinstance(models.wait("tiny", WAIT), Ready)  # and never again


def test_a_model_is_opened_at_once_where_there_is_no_first_picture(
    fresh: Models, begun: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_snapshot, "PATIENCE", WAIT)
    monkeypatch.setattr(services, "first_snapshot", lambda _id: None)
    assert isinstance(Models(services._load).wait("tiny", WAIT / 2), Ready)


def test_nobody_has_to_come_for_a_model_to_be_opened(
    fresh: Models, begun: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_snapshot, "PATIENCE", 0.1)
    assert isinstance(Models(services._load).wait("tiny", WAIT), Ready)


def test_a_page_without_the_stored_look_waits_for_no_picture(
    fresh: Models, begun: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_snapshot, "PATIENCE", 2 * WAIT)  # else the page would not end
    monkeypatch.setattr(services, "MODELS", Models(services._load))
    script = "from viz.main import run\nrun()"
    app = AppTest.from_string(script, default_timeout=WAIT)
    app.query_params["source"] = "어제 비가 왔어"
    app.run()
    assert first_snapshot._DRAWN.is_set()


def test_a_stored_look_gives_way_to_a_computed_one(fresh: Models) -> None:
    stored = services.first_snapshot("tiny")
    assert stored is not None
    store = SnapshotStore()
    store.put(stored)
    assert not services.snapshot(_ready(fresh, "tiny"), stored.request, store).stored


@pytest.mark.parametrize("damage", ["missing", "altered", "foreign", "wide"])
def test_a_first_look_that_nobody_vouches_for_is_not_shown(
    damage: str,
    fresh: Models,
    models_root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = tmp_path / "root"
    shutil.copytree(models_root, root)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(root))
    path = root / "tiny" / "first-look.npz"
    if damage == "missing":
        path.unlink()
    elif damage == "altered":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "foreign":
        shutil.copy(root / "tiny-spelling" / "first-look.npz", path)
        seal(root / "tiny")
    else:  # more logits than there are entries of the vocabulary, and the last the likeliest
        trace = load_trace(path)
        assert trace.logits is not None
        logits = np.pad(trace.logits, ((0, 0), (0, 1)), constant_values=99)
        save_trace(path, replace(trace, logits=logits, vocabulary=None))
        seal(root / "tiny")
    assert services.first_snapshot("tiny") is None


def test_the_first_look_needs_no_torch(models_root: Path) -> None:
    code = (
        "import sys; from viz.jobs import services; from viz.screens import inspect; "
        "assert services.first_snapshot('tiny') is not None; "
        "assert 'torch' not in sys.modules, 'torch'"
    )
    env = {"HEADLIGHT_CHECKPOINTS": str(models_root), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture
def private(tiny_run: Path, fresh: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a finished run with milestones, of texts that the visitor "me" brought."""
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    folder = tmp_path / "aaa"  # before all others by name
    shutil.copytree(tiny_run, folder)
    (folder / owners.OWNER).write_bytes(owners.file_of(owners.Owner("me", private=True)))
    return "aaa"


def test_a_model_of_somebodys_texts_is_in_nobody_elses_list(private: str) -> None:
    for who in (Visitor("me"), Visitor(local=True)):
        assert private in services.model_ids(who)
        assert private in services.entries(who)
    for who in (Visitor("you"), Visitor()):
        assert services.model_ids(who) == ("tiny", "tiny-spelling")
        assert list(services.entries(who)) == ["tiny", "tiny-spelling"]


def test_what_is_opened_for_all_is_nobodys_own(
    private: str, fresh: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path / "no models"))
    assert registry.default_model_id() == private
    services.warm()
    assert len(fresh) == 0
    assert services.model_ids(Visitor("me")) == (private,)


def test_the_default_model_comes_first(private: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "DEFAULT", "tiny-spelling")
    assert services.model_ids(Visitor("me")) == ("tiny-spelling", "tiny", private)


@pytest.mark.parametrize("mine", [True, False])
def test_compare_offers_only_what_a_visitor_may_see(
    private: str, monkeypatch: pytest.MonkeyPatch, mine: bool
) -> None:
    monkeypatch.setattr(visitor, "current", lambda: Visitor("me" if mine else "you"))
    offered = compare._choices(TEXT["en"])
    assert (private in offered) is mine
    assert (f"{private}@80" in offered) is mine
    assert "tiny" in offered


def test_gaps_of_a_hugging_face_folder_are_kept_under_the_name_that_it_has_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: Models
) -> None:
    """Two folders of one name are two models, each called otherwise."""
    for place in ("a", "b"):
        hub.folder(tmp_path / place / "bert", "bert", hub.ENCODERS["bert"], "fills")
    monkeypatch.setenv("HEADLIGHT_MODELS", f"{tmp_path / 'a'}{os.pathsep}{tmp_path / 'b'}")
    assert services.kept_gaps("bert-2", "went cafe") is None
    ready = services.MODELS.wait("bert-2", 120)
    assert isinstance(ready, Ready)
    assert (ready.model.card.model_id, ready.model.card.folder) == ("bert-2", tmp_path / "b/bert")
    found = services.gaps(ready, "went cafe")
    assert services.kept_gaps("bert-2", "went cafe") is found
