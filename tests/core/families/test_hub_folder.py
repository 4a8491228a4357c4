"""Folders that are not to be trusted: refused in a sentence, before anything is built of them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from core import registry
from core.errors import HeadlightError
from core.families.hub import trial
from core.families.hub.claim import check_memory
from core.families.hub.folder import called, claimed, is_hub
from core.model import TraceRequest
from tests import hub

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hub.folder(tmp_path_factory.mktemp("good") / "llama", "llama", hub.DECODER, "goes on")


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    """A copy, the test's own."""
    return Path(shutil.copytree(good, tmp_path / "m"))


def test_it_says_what_it_holds(good: Path) -> None:
    claim = claimed(good)
    weights = load_file(good / "model.safetensors")
    assert claim.parameters == sum(tensor.numel() for tensor in weights.values())
    assert (claim.architecture, claim.kind) == ("LlamaForCausalLM", "llama")
    assert is_hub(good)
    assert claim.bytes >= (good / "model.safetensors").stat().st_size


def test_a_model_is_opened_by_its_folder(good: Path) -> None:
    model = registry.load(good, CPU)
    assert model.card.family == "hub"
    assert model.trace(TraceRequest("cafe")).sites


def test_a_trial_lets_pass_what_can_be_opened(good: Path) -> None:
    assert trial.tried(good) == claimed(good)


def changed(name: str, **values: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        told = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(told | values))

    return change


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def linked(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to("/etc/hostname")


def indexed(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / "model.safetensors").rename(folder / "part.safetensors")
        index = {"weight_map": {"model.embed_tokens.weight": name}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))

    return change


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def deep(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": ' + "[" * 200_000 + "]" * 200_000 + "}")


def lying(folder: Path) -> None:
    path = folder / "model.safetensors"
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    first = next(name for name in header if name != "__metadata__")
    header[first]["shape"] = [2**40, 2**40]
    told = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(told)) + told + raw[8 + length :])


def texts_for_numbers(folder: Path) -> None:
    path = folder / "model.safetensors"
    entry = {"dtype": "F32", "shape": ["aaaaaaaa", 10**12], "data_offsets": [0, 0]}
    told = json.dumps({"x": entry}).encode()
    path.write_bytes(struct.pack("<Q", len(told)) + told)


def adapted(folder: Path) -> None:
    (folder / "adapter_config.json").write_text("{}")


def longer(folder: Path) -> None:
    with (folder / "model.safetensors").open("ab") as file:
        file.write(b"more")


def infinite(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    next(iter(weights.values())).view(-1)[0] = float("nan")
    save_file(weights, path, metadata={"format": "pt"})


def short(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, path, metadata={"format": "pt"})


def fifo(folder: Path) -> None:
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")


INDEX = "model.safetensors.index.json"
CASES: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "own code": (changed("config.json", auto_map={"AutoModel": "x.y"}), "config.json", "own_code"),
    "code of a tokenizer": (
        changed("tokenizer_config.json", auto_map={"AutoTokenizer": ["x.y", None]}),
        "tokenizer_config.json",
        "own_code",
    ),
    "pickles": (pickled, "pytorch_model.bin", "pickled"),
    "a link out": (linked, "model.safetensors", "link_out"),
    "an index that leads out": (indexed("../part.safetensors"), INDEX, "index_out"),
    "an index to a pickle": (indexed("part.bin"), INDEX, "index_out"),
    "absurd layers": (
        changed("config.json", num_hidden_layers=10**6),
        "config.json",
        "config_absurd",
    ),
    "an absurd vocabulary": (
        changed("config.json", vocab_size=10**12),
        "config.json",
        "config_absurd",
    ),
    "a number that is none": (
        changed("config.json", rope_theta=float("inf")),
        "config.json",
        "config_absurd",
    ),
    "nesting": (deep, "config.json", "json_deep"),
    "a header that lies": (lying, "model.safetensors", "tensor_lies"),
    "texts for numbers": (texts_for_numbers, "model.safetensors", "tensor_lies"),
    "weights of its own choice": (
        changed("config.json", transformers_weights="other.safetensors"),
        "config.json",
        "weights_elsewhere",
    ),
    "an adapter": (adapted, "adapter_config.json", "adapter"),
    "a longer file": (longer, "model.safetensors", "tensors_apart"),
    "packed weights": (
        changed("config.json", quantization_config={"quant_method": "gptq"}),
        "config.json",
        "quantized",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_its_files_declare_is_refused_without_building_it(folder: Path, case: str) -> None:
    change, file, code = CASES[case]
    change(folder)
    with pytest.raises(HeadlightError) as refused:
        claimed(folder)
    assert refused.value.code == "checkpoint_invalid"
    assert refused.value.parameters["file"] == file
    assert refused.value.parameters["reason"].code == code  # type: ignore[union-attr]


def test_no_weights_are_said_to_be_missing(folder: Path) -> None:
    without("model.safetensors")(folder)
    with pytest.raises(HeadlightError) as refused:
        claimed(folder)
    assert refused.value.code == "checkpoint_missing"


def test_a_pipe_is_no_file_and_nobody_waits_for_it(folder: Path) -> None:
    fifo(folder)
    with pytest.raises(HeadlightError) as refused:
        claimed(folder)
    assert refused.value.parameters["reason"].code == "file_none"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (infinite, "tensor_infinite"),
        (short, "tensors_missing"),
        (changed("config.json", hidden_size=64, head_dim=16), "tensors_mismatched"),
        (changed("config.json", model_type="vit", architectures=["V"]), "architecture_unknown"),
    ],
)
def test_what_only_opening_shows_is_refused_by_a_trial(
    folder: Path, change: Callable[[Path], None], code: str
) -> None:
    change(folder)
    with pytest.raises(HeadlightError) as refused:
        trial.tried(folder)
    assert refused.value.code == "checkpoint_invalid"
    assert refused.value.parameters["reason"].code == code  # type: ignore[union-attr]


def test_a_kernel_of_the_hub_is_not_taken_for_attention(folder: Path) -> None:
    kernel = "somebody/kernel"
    changed("config.json", _attn_implementation=kernel, attn_implementation=kernel)(folder)
    trial.tried(folder)
    assert registry.load(folder, CPU).trace(TraceRequest("cafe")).sites


def test_more_than_the_memory_is_refused_with_both_numbers(good: Path) -> None:
    claim = claimed(good)
    check_memory(claim, claim.opened_bytes // 2)  # in half precision
    check_memory(claim, None)
    with pytest.raises(HeadlightError) as refused:
        check_memory(claim, claim.opened_bytes // 2 - 1)
    assert refused.value.parameters["reason"].code == "memory_short"  # type: ignore[union-attr]


def test_blobs_of_the_hub_s_cache_are_its_own(good: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "models--a--b" / "snapshots" / "1"
    blobs = tmp_path / "models--a--b" / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    for number, path in enumerate(sorted(good.iterdir())):
        shutil.copy(path, blobs / str(number))
        (snapshot / path.name).symlink_to(f"../../blobs/{number}")
    assert claimed(snapshot).parameters == claimed(good).parameters
    assert called(snapshot) == "a--b"
    (tmp_path / "other").symlink_to(good)
    assert called(tmp_path / "other") == "other"


def test_files_that_were_changed_anywhere_are_refused_or_opened(good: Path, tmp_path: Path) -> None:
    """Of `HUB_MUTATIONS` changes (2,000 by hand), whatever they hit."""
    count = int(os.environ.get("HUB_MUTATIONS", "150"))
    chance = random.Random(0)
    names = ["config.json", "model.safetensors", "tokenizer_config.json", "generation_config.json"]
    folder = Path(shutil.copytree(good, tmp_path / "m"))
    for _ in range(count):
        name = chance.choice(names)
        raw = bytearray((good / name).read_bytes())
        for _ in range(chance.choice([1, 1, 4, 64])):
            at = chance.randrange(min(len(raw), chance.choice([16, 4096, len(raw)])))
            raw[at] = chance.randrange(256)
        if chance.random() < 0.2:
            del raw[chance.randrange(len(raw)) :]
        (folder / name).write_bytes(raw)
        with contextlib.suppress(HeadlightError):  # anything else fails the test
            registry.load(folder, CPU)
        shutil.copy(good / name, folder / name)


def test_nothing_of_transformers_is_imported_before_one_is_asked_for() -> None:
    code = (
        "import sys, core.registry, core.families.hub.folder, core.families.hub.trial;"
        "core.registry.entries(); print('transformers' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_no_file_of_the_folder_where_one_stands_is_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("struct", "select", "core"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'run')!r}, 'w')")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(trial, "_SERVER", [])
    assert trial.tried(Path()) == claimed(Path())
    assert not (folder / "run").exists()


def test_numbers_that_real_models_have_are_none_too_large(folder: Path) -> None:
    real = {
        "rope_theta": 10_000_000,
        "max_position_embeddings": 10_485_760,
        "shared_expert_intermediate_size": 5632,
    }
    changed("config.json", **real)(folder)
    assert claimed(folder)


@pytest.mark.parametrize(
    "settings",
    [{"eos_token_id": "x"}, {"bad_words_ids": [[1], 3]}, {"forced_bos_token_id": [2]}, []],
)
def test_settings_of_writing_that_name_no_tokens_are_refused(folder: Path, settings: Any) -> None:
    (folder / "generation_config.json").write_text(json.dumps(settings))
    with pytest.raises(HeadlightError) as refused:
        claimed(folder)
    assert refused.value.parameters["file"] == "generation_config.json"


def test_settings_of_writing_may_name_no_tokens_at_all(folder: Path) -> None:
    settings = {"eos_token_id": None, "bad_words_ids": [], "decoder_start_token_id": [2]}
    (folder / "generation_config.json").write_text(json.dumps(settings))
    claimed(folder)


def test_names_of_labels_and_texts_with_brackets_say_nothing_of_sizes(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["label2id"] = {"headache, chronic": 1500}
    config["num_experts"] = 16_384
    (folder / "config.json").write_text(json.dumps(config))
    template = {"chat_template": "{{ '" + "[{" * 40 + '" \\\\"' + "' }}"}
    (folder / "tokenizer_config.json").write_text(json.dumps(template))
    claimed(folder)
    config["num_experts"] = 10**6
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(HeadlightError):
        claimed(folder)
