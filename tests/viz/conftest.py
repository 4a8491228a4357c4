"""Both tiny models under one root, and services that start empty."""

import shutil
from pathlib import Path

import pytest

from core import registry
from core.families.transformer import TransformerModel
from core.inspectable import TraceRequest
from viz import services
from viz.inspector.pack import pack
from viz.store import LOOKS, Look, look_id


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
def fresh(models_root: Path, monkeypatch: pytest.MonkeyPatch) -> services.Models:
    """Nothing opened, nothing remembered, both tiny models at hand."""
    monkeypatch.setenv(registry.ROOT_VARIABLE, str(models_root))
    models = services.Models(registry.load)
    monkeypatch.setattr(services, "MODELS", models)
    services.first_look.cache_clear()
    LOOKS.clear()
    return models


@pytest.fixture(scope="session")
def tiny_look(tiny_model: TransformerModel) -> Look:
    """A look at a sentence that the tiny model knows by heart."""
    request = TraceRequest("나는 물을 마신다")
    name = look_id("tiny", "cpu", request)
    trace = tiny_model.trace(request)
    packed = pack(trace, trace_id=name, vocabulary_text=tiny_model.vocabulary_text)
    return Look(name, request, trace, packed, "I drink water")
