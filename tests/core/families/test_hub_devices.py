"""Hugging Face models in half precision, on a GPU, and spread over one and the machine's memory."""

from collections.abc import Mapping
from pathlib import Path

import accelerate  # type: ignore[import-untyped]
import numpy as np
import pytest
import torch

from core.families.hub import loading, open_folder
from core.families.hub.placing import HELD, Room
from core.families.hub.readers import HubForeteller
from core.families.hub.writers import HubWriter
from core.model import TraceRequest
from tests import hub

CPU = torch.device("cpu")
GPU = torch.device("cuda")
TEXT = "어제 cafe went"
KINDS: Mapping[str, str] = {
    **dict.fromkeys(hub.ENCODERS, "fills"),
    **dict.fromkeys(hub.DECODERS, "goes on"),
    **dict.fromkeys(hub.BOTH, "writes"),
}
SIZES = {**hub.ENCODERS, **hub.DECODERS, **hub.BOTH}
SOME = ("bert", "gpt2", "llama", "gemma2", "t5", "marian")
on_a_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
Model = HubForeteller | HubWriter


def _folder(root: Path, kind: str) -> Path:
    return hub.folder(root / kind, kind, SIZES[kind], KINDS[kind])


def _opened(folder: Path, device: torch.device) -> Model:
    model = open_folder(folder, device)
    assert isinstance(model, Model)
    return model


def _bytes(model: Model) -> int:
    return 4 * sum(model.card.parameters.values())


def _agree(model: Model, exact: Model, apart: float) -> None:
    """Weights, logits and what is recorded, as far as precision goes."""
    target = None if isinstance(exact, HubForeteller) else "cafe went"
    target = target if exact.card.capabilities.forcing else None
    request = TraceRequest(TEXT, target, record=("outputs", "residual"))
    found, wanted = model.trace(request), exact.trace(request)
    for kind, site in wanted.sites.items():
        np.testing.assert_allclose(found.sites[kind].weights, site.weights, atol=apart)
        np.testing.assert_array_equal(found.sites[kind].allowed, site.allowed)
    for stack, stream in wanted.residuals.items():
        scale = max(1.0, float(abs(stream).max()))
        np.testing.assert_allclose(found.residuals[stack], stream, atol=apart * scale)
    assert wanted.logits is not None
    assert found.logits is not None
    scale = max(1.0, float(abs(wanted.logits).max()))
    np.testing.assert_allclose(found.logits, wanted.logits, atol=apart * scale)


@pytest.mark.parametrize("kind", SOME)
def test_what_has_no_room_in_float32_is_held_in_half_precision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = _folder(tmp_path, kind)
    exact = _opened(folder, CPU)
    monkeypatch.setattr(loading, "free_bytes", lambda: int(0.6 * _bytes(exact) / HELD))
    model = _opened(folder, CPU)
    assert {weight.dtype for weight in model._network.model.parameters()} == {torch.bfloat16}
    assert "weights_half" in [note.code for note in model.card.notes]
    assert "weights_half" not in [note.code for note in exact.card.notes]
    assert model.digest != exact.digest, "its numbers are others"
    assert model._network.wiring.probed
    assert model.card.capabilities == exact.card.capabilities
    _agree(model, exact, 0.15)


@pytest.mark.parametrize("kind", SOME)
def test_vectors_that_wait_in_memory_are_read_there(tmp_path: Path, kind: str) -> None:
    model = _opened(_folder(tmp_path, kind), CPU)
    wanted = model.vectors().copy()
    offloaded = model._network.model.get_input_embeddings()
    accelerate.cpu_offload(offloaded, execution_device=CPU)
    assert offloaded.weight.is_meta
    np.testing.assert_array_equal(model.vectors(), wanted)
    assert offloaded.weight.is_meta
    assert model.embedding("cafe").vectors.shape == wanted.shape


@on_a_gpu
@pytest.mark.parametrize("kind", KINDS)
def test_a_gpu_computes_what_the_processor_does(tmp_path: Path, kind: str) -> None:
    folder = _folder(tmp_path, kind)
    exact, model = _opened(folder, CPU), _opened(folder, GPU)
    assert model.card.device == "cuda"
    _agree(model, exact, 1e-3)
    if isinstance(model, HubWriter) and isinstance(exact, HubWriter):
        assert model.generate("went cafe").text == exact.generate("went cafe").text


@on_a_gpu
@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize("own", [0.6, 0.8])
def test_what_no_device_holds_alone_is_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, own: float
) -> None:
    """Of half its size in float32, the GPU holds some, the machine's memory the rest."""
    layers = {name: 8 for name in SIZES[kind] if name.endswith(("layers", "n_layer"))}
    sizes = {**SIZES[kind], **layers}
    folder = hub.folder(tmp_path / kind, kind, sizes, KINDS[kind])
    exact = _opened(folder, CPU)
    half = _bytes(exact) / 2
    room: Room = {0: int(own * half / HELD), "cpu": int(4 * half)}
    monkeypatch.setattr(loading, "_room", lambda device: room)
    model = _opened(folder, GPU)
    devices = {weight.device.type for weight in model._network.model.parameters()}
    assert "cuda" in devices
    assert "meta" in devices  # what waits in the machine's memory, until a pass comes to it
    assert "weights_half" in [note.code for note in model.card.notes]
    _agree(model, exact, 0.15)
    if isinstance(model, HubWriter):
        assert model.generate("went cafe").tokens
