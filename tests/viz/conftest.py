"""Both tiny models under one root, and services that start empty."""

import shutil
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

from core import registry
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from viz.inspector.pack import pack
from viz.jobs import services, visitor
from viz.jobs.models import Models
from viz.jobs.snapshots import SNAPSHOTS, Snapshot, snapshot_id
from viz.jobs.visitor import Visitor


@pytest.fixture(autouse=True)
def whole_callbacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """That no callback passes a point where Streamlit would end it if another event waited.

    What it had not yet done would be lost: Streamlit calls none twice.
    """
    passed: list[str] = []
    heed = ScriptRunner._maybe_handle_execution_control_request

    def watched(runner: ScriptRunner) -> None:
        if ThreadState.get().run_location is RunLocation.CALLBACK:
            passed.append("".join(traceback.format_stack(limit=8)))
        heed(runner)

    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", watched)
    yield
    assert not passed, passed[0]


@pytest.fixture(autouse=True)
def at_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are looked at on the machine itself, unless a test says otherwise."""
    monkeypatch.setattr(visitor, "current", lambda: Visitor(local=True))


@pytest.fixture(scope="session")
def models_root(
    tmp_path_factory: pytest.TempPathFactory, tiny_checkpoint: Path, tiny_spelling_checkpoint: Path
) -> Path:
    """Fit for HEADLIGHT_CHECKPOINTS: "tiny" and "tiny-spelling"."""
    root = tmp_path_factory.mktemp("root")
    for folder in (tiny_checkpoint, tiny_spelling_checkpoint):
        shutil.copytree(folder, root / folder.name)
    return root


@pytest.fixture
def fresh(models_root: Path, monkeypatch: pytest.MonkeyPatch) -> Models:
    """Nothing opened, nothing remembered, both tiny models at hand."""
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(models_root))
    models = Models(registry.load)
    monkeypatch.setattr(services, "MODELS", models)
    services.first_snapshot.cache_clear()
    SNAPSHOTS.clear()
    return models


@pytest.fixture(scope="session")
def tiny_snapshot(tiny_model: TransformerModel) -> Snapshot:
    """A look at a sentence that the tiny model knows by heart."""
    request = TraceRequest("나는 물을 마신다")
    name = snapshot_id("tiny", "cpu", request)
    trace = tiny_model.trace(request)
    named, goes_on = tiny_model.vocabulary_tokens, tiny_model.goes_on
    packed = pack(trace, trace_id=name, vocabulary_tokens=named, goes_on=goes_on)
    return Snapshot(name, request, trace, packed)
