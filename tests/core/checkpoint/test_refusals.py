"""Checkpoint folders that are well sealed, and wrong: nobody can load them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from safetensors.torch import load_file, save_file

from core.checkpoint import folder as checkpoint
from core.checkpoint.manifest import Manifest, make_entry, read_manifest
from core.errors import HeadlightError
from core.text.characters import CharacterTokenizer

CPU = torch.device("cpu")
Rebind = Callable[[Path], None]


def refusal(folder: Path) -> str:
    with pytest.raises(HeadlightError) as caught:
        checkpoint.load(folder, CPU)
    assert "\n" not in str(caught.value)
    return caught.value.code


def edit(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(config: dict[str, Any]) -> None:
        *parents, last = key.split(".")
        for parent in parents:
            config = config[parent]
        if value is ...:
            del config[last]
        else:
            config[last] = value

    return change


ABSURD: dict[str, Callable[[dict[str, Any]], None]] = {
    "more layers than memory": edit("model.encoder_layers", 10**9),
    "wider than memory": edit("model.d_model", 2**40),
    "no heads": edit("model.heads", 0),
    "a vocabulary of billions": edit("model.vocab_size", 10**10),
    "a long position table": edit("model.max_length", 10**9),
    "the longest and widest position table": lambda config: config["model"].update(
        max_length=8192, d_model=8192
    ),
    "longer than the model": edit("max_source", 65),
    "an unknown key": edit("run", "rm -rf /"),
    "an unknown key within": edit("model.run", "rm -rf /"),
    "another family": edit("family", "pickle"),
    "another format": edit("format", 2),
    "another tokenizer": edit("tokenizer", "../../x"),
    "no model": edit("model", ...),
    "no language": edit("source_language", ""),
    "markup for a language": edit("source_language", "<b>"),
    "a long example": edit("examples", ["x" * 501]),
    "many examples": edit("examples", ["x"] * 65),
    "another pad": edit("model.pad_id", 5),
    "NaN for dropout": edit("model.dropout", float("nan")),
    # within bounds one by one, and not what the weights are
    "more layers than weights": edit("model.encoder_layers", 64),
    "the largest of all": lambda config: config["model"].update(
        vocab_size=10**6, encoder_layers=64, decoder_layers=64, d_model=8192, d_ff=65536
    ),
    "fewer layers than weights": edit("model.decoder_layers", 1),
    "a wider head": edit("model.d_k", 16),
    "another norm": edit("model.norm", "post"),
    "learned positions": edit("model.positions", "learned"),
    "another vocabulary": edit("model.vocab_size", 311),
}


@pytest.mark.parametrize("fault", ABSURD)
def test_an_absurd_config_is_refused_before_it_is_built(
    folder: Path, rebind: Rebind, fault: str
) -> None:
    config = json.loads((folder / "config.json").read_text())
    ABSURD[fault](config)
    (folder / "config.json").write_text(json.dumps(config))
    rebind(folder)
    assert refusal(folder) == "checkpoint_invalid"


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b" " * (2**20 + 1)]
)
def test_a_config_or_manifest_that_is_no_json(folder: Path, rebind: Rebind, raw: bytes) -> None:
    kept = (folder / "config.json").read_bytes()
    (folder / "config.json").write_bytes(raw)
    if len(raw) <= 2**20:
        rebind(folder)
    assert refusal(folder) in ("checkpoint_invalid", "checkpoint_altered")
    (folder / "config.json").write_bytes(kept)
    (folder / "manifest.json").write_bytes(raw)
    assert refusal(folder) in ("checkpoint_invalid", "checkpoint_altered")


@pytest.mark.parametrize("name", ["../model.safetensors", "/etc/passwd", "manifest.json", "x.pkl"])
def test_a_manifest_names_only_files_of_a_checkpoint(folder: Path, name: str) -> None:
    entry = make_entry(folder, "README.md")
    with pytest.raises(ValidationError):
        Manifest(step=1, seed=1, files={name: entry})


def damage(folder: Path, rebind: Rebind, change: Callable[[dict[str, torch.Tensor]], None]) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    rebind(folder)


def first(tensors: dict[str, torch.Tensor]) -> torch.Tensor:
    return tensors["encoder.0.self_attention.query.weight"]


WRONG_WEIGHTS: dict[str, Callable[[dict[str, torch.Tensor]], Any]] = {
    "one is missing": lambda tensors: tensors.pop("embedding.weight"),
    "one too many": lambda tensors: tensors.update(extra=torch.zeros(1)),
    "one is renamed": lambda tensors: tensors.update(x=tensors.pop("embedding.weight")),
    "one has another shape": lambda tensors: tensors.update(
        {"embedding.weight": tensors["embedding.weight"].T.contiguous()}
    ),
    "one is integers": lambda tensors: tensors.update(
        {"embedding.weight": tensors["embedding.weight"].to(torch.int16)}
    ),
    "one is float64": lambda tensors: tensors.update(
        {"embedding.weight": tensors["embedding.weight"].double()}
    ),
    "one is NaN": lambda tensors: first(tensors).view(-1)[3].fill_(float("nan")),
    "one is infinite": lambda tensors: first(tensors).view(-1)[3].fill_(float("inf")),
}


@pytest.mark.parametrize("fault", WRONG_WEIGHTS)
def test_weights_that_do_not_fit_are_refused(folder: Path, rebind: Rebind, fault: str) -> None:
    damage(folder, rebind, WRONG_WEIGHTS[fault])
    assert refusal(folder) == "checkpoint_invalid"


def whole(tensors: dict[str, torch.Tensor], scale: torch.Tensor | None) -> None:
    """Store the first matrix as whole numbers, with a scale for its rows or without one."""
    name = "encoder.0.self_attention.query.weight"
    tensors[name] = torch.ones(tensors[name].shape, dtype=torch.int8)
    if scale is not None:
        tensors[name + ":scale"] = scale


WRONG_SCALES: dict[str, Callable[[int], torch.Tensor | None]] = {
    "there is none": lambda rows: None,
    "there are too few": lambda rows: torch.ones(rows - 1),
    "they are a matrix": lambda rows: torch.ones(rows, 1),
    "they are whole numbers": lambda rows: torch.ones(rows, dtype=torch.int32),
    "one is NaN": lambda rows: torch.full((rows,), float("nan")),
    "one is infinite": lambda rows: torch.full((rows,), float("inf")),
}


@pytest.mark.parametrize("fault", WRONG_SCALES)
def test_whole_numbers_with_wrong_scales_are_refused(
    folder: Path, rebind: Rebind, fault: str
) -> None:
    damage(folder, rebind, lambda tensors: whole(tensors, torch.ones(len(first(tensors)))))
    assert checkpoint.load(folder, CPU).model is not None

    def spoil(tensors: dict[str, torch.Tensor]) -> None:
        rows = len(tensors.pop("encoder.0.self_attention.query.weight:scale"))
        whole(tensors, WRONG_SCALES[fault](rows))

    damage(folder, rebind, spoil)
    assert refusal(folder) == "checkpoint_invalid"


def test_a_scale_of_what_are_floats_is_refused(folder: Path, rebind: Rebind) -> None:
    name = "encoder.0.self_attention.query.weight:scale"
    damage(folder, rebind, lambda tensors: tensors.update({name: torch.ones(len(first(tensors)))}))
    assert refusal(folder) == "checkpoint_invalid"


@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=200), size=st.integers(0, 300_000))
def test_weights_of_noise_are_refused(
    tiny_checkpoint: Path,
    rebind: Rebind,
    tmp_path_factory: pytest.TempPathFactory,
    raw: bytes,
    size: int,
) -> None:
    folder = tmp_path_factory.mktemp("noise") / "tiny"
    shutil.copytree(tiny_checkpoint, folder)
    (folder / "model.safetensors").write_bytes((raw * (size // max(1, len(raw)) + 1))[:size])
    rebind(folder)
    assert refusal(folder) == "checkpoint_invalid"


def test_a_tokenizer_of_another_model_is_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["tokenizer"] = "characters"
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.model").unlink()
    CharacterTokenizer.train(["abc"]).save(folder)
    old = read_manifest(folder)
    names = [*(name for name in old.files if name != "tokenizer.model"), "tokenizer.json"]
    files = {name: make_entry(folder, name) for name in names}
    sealed = Manifest(step=old.step, seed=old.seed, files=files)
    (folder / "manifest.json").write_bytes(sealed.serialise())
    assert refusal(folder) == "checkpoint_invalid"


def test_a_malformed_tokenizer_is_refused(folder: Path, rebind: Rebind) -> None:
    (folder / "tokenizer.model").write_bytes(b"no model at all")
    rebind(folder)
    assert refusal(folder) == "checkpoint_invalid"
