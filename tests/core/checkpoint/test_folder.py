"""Checkpoint folders: whole or refused, whatever happened to them."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from core.checkpoint import folder as checkpoint
from core.checkpoint.config import CheckpointConfig
from core.checkpoint.manifest import read_manifest
from core.errors import HeadlightError
from core.nn.transformer import Transformer, TransformerConfig
from core.text.characters import CharacterTokenizer

CPU = torch.device("cpu")
Rebind = Callable[[Path], None]
FILES = (
    "README.md",
    "config.json",
    "familiarity.safetensors",
    "first-look.npz",
    "manifest.json",
    "model.safetensors",
    "recipe.toml",
    "tokenizer.model",
)


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(HeadlightError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return caught.value.code


def refusal(folder: Path) -> str:
    return code_of(lambda: checkpoint.load(folder, CPU))


def test_a_saved_folder_holds_the_contract(tiny_checkpoint: Path) -> None:
    assert sorted(path.name for path in tiny_checkpoint.iterdir()) == list(FILES)
    opened = checkpoint.load(tiny_checkpoint, CPU)
    assert opened.manifest.step == 80
    assert opened.manifest.files.keys() == set(FILES) - {"manifest.json"}
    assert not opened.model.training
    assert {parameter.dtype for parameter in opened.model.parameters()} == {torch.float32}
    assert not any(parameter.requires_grad for parameter in opened.model.parameters())
    stored = load_file(tiny_checkpoint / "model.safetensors")
    assert {tensor.dtype for tensor in stored.values()} == {torch.float16}
    # tied three ways, stored once
    assert sum(t.numel() for t in stored.values()) == sum(
        p.numel() for p in opened.model.parameters()
    )


def test_what_is_saved_comes_back(tiny_checkpoint: Path, tmp_path: Path) -> None:
    first = checkpoint.load(tiny_checkpoint, CPU)
    out = tmp_path / "deep" / "copy"
    checkpoint.save(
        out, first.config, first.model, first.tokenizer, step=3, seed=2**31, card="카드"
    )
    second = checkpoint.load(out, CPU)
    assert second.config == first.config
    assert second.card == "카드"
    assert second.familiarity is None
    assert (second.manifest.step, second.manifest.seed) == (3, 2**31)
    for name, tensor in first.model.state_dict().items():
        assert torch.equal(tensor, second.model.state_dict()[name])
    assert second.tokenizer.encode("나는 물을") == first.tokenizer.encode("나는 물을")
    assert os.listdir(out.parent) == ["copy"]  # nothing half-written stays beside it


def test_whole_numbers_come_back_within_half_a_step(tiny_checkpoint: Path, tmp_path: Path) -> None:
    first = checkpoint.load(tiny_checkpoint, CPU)
    with torch.no_grad():
        first.model.embedding.weight[3] = 0.0  # a row without a step
    parts = first.config, first.model, first.tokenizer
    for storage in ("float16", "int8"):
        checkpoint.save(tmp_path / storage, *parts, step=1, seed=1, storage=storage)
    second = checkpoint.load(tmp_path / "int8", CPU).model.state_dict()
    for name, tensor in first.model.state_dict().items():
        step = tensor.abs().amax(dim=-1, keepdim=True) / 127 if tensor.dim() == 2 else 2.0**-9
        assert (second[name] - tensor).abs().le(0.51 * step + 1e-7).all(), name
    large, small = (
        (tmp_path / storage / "model.safetensors").stat().st_size for storage in ("float16", "int8")
    )
    assert small < 0.65 * large, "but for scales, vectors and what names them it is half"
    again = checkpoint.load(tmp_path / "int8", CPU)
    checkpoint.save(
        tmp_path / "again", *parts[:1], again.model, parts[2], step=1, seed=1, storage="int8"
    )
    third = checkpoint.load(tmp_path / "again", CPU).model.state_dict()
    assert all(torch.allclose(second[name], third[name], rtol=1e-6) for name in second)


def test_the_digest_is_of_what_computes(tiny_checkpoint: Path, tmp_path: Path) -> None:
    first = checkpoint.load(tiny_checkpoint, CPU)
    parts = first.config, first.model, first.tokenizer
    one = checkpoint.save(tmp_path / "1", *parts, step=9, seed=9)
    two = checkpoint.save(tmp_path / "2", *parts, step=1, seed=1, card="x")
    assert one.digest == two.digest
    with torch.no_grad():
        first.model.embedding.weight[5, 5] += 1e-3
    three = checkpoint.save(tmp_path / "3", *parts, step=9, seed=9)
    assert three.digest != one.digest


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_flipped_byte_is_refused(
    tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("flipped") / "tiny"
    shutil.copytree(tiny_checkpoint, folder, copy_function=os.link)
    path = folder / data.draw(st.sampled_from(FILES))
    raw = bytearray(path.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    path.unlink()  # a hard link: the file itself must stay
    path.write_bytes(raw)
    assert refusal(folder) in ("checkpoint_altered", "checkpoint_invalid")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_cut_or_longer_file_is_refused(
    tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut") / "tiny"
    shutil.copytree(tiny_checkpoint, folder, copy_function=os.link)
    path = folder / data.draw(st.sampled_from(FILES))
    raw = path.read_bytes()
    longer = data.draw(st.booleans())
    path.unlink()
    path.write_bytes(raw + b"\n" if longer else raw[: data.draw(st.integers(0, len(raw) - 1))])
    assert refusal(folder) in ("checkpoint_altered", "checkpoint_invalid")


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(HeadlightError) as caught:
        checkpoint.load(folder, CPU)
    assert caught.value.code == "checkpoint_missing"
    assert caught.value.parameters["file"] == name


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.model"])
def test_a_manifest_may_not_leave_out_what_is_needed(
    folder: Path, rebind: Rebind, name: str
) -> None:
    (folder / name).unlink()
    rebind(folder)
    assert refusal(folder) == "checkpoint_missing"


def test_no_folder_at_all(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "checkpoint_missing"
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file") == "checkpoint_missing"


def test_a_directory_or_a_pipe_is_no_file(folder: Path) -> None:
    (folder / "README.md").unlink()
    (folder / "README.md").mkdir()
    assert refusal(folder) == "checkpoint_invalid"
    (folder / "README.md").rmdir()
    os.mkfifo(folder / "README.md")  # reading it would wait for ever
    assert refusal(folder) == "checkpoint_invalid"


@pytest.mark.parametrize("name", FILES)
def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert refusal(folder) == "checkpoint_invalid"


def test_links_that_lead_nowhere(folder: Path) -> None:
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("README.md")
    assert refusal(folder) == "checkpoint_invalid"
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("none")
    assert refusal(folder) == "checkpoint_missing"


def test_sealing_binds_an_edited_card(folder: Path) -> None:
    digest = read_manifest(folder).digest
    (folder / "README.md").write_text("# a better card\n")
    (folder / "recipe.toml").unlink()
    assert refusal(folder) in ("checkpoint_altered", "checkpoint_missing")
    checkpoint.seal(folder)
    opened = checkpoint.load(folder, CPU)
    assert opened.card == "# a better card\n"
    assert "recipe.toml" not in opened.manifest.files
    assert opened.digest == digest
    assert sorted(path.name for path in folder.iterdir()) == [
        name for name in FILES if name != "recipe.toml"
    ]


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.model"])
def test_sealing_cannot_hide_damage(folder: Path, name: str) -> None:
    raw = bytearray((folder / name).read_bytes())
    raw[-1] ^= 1
    (folder / name).write_bytes(raw)
    assert code_of(lambda: checkpoint.seal(folder)) == "checkpoint_altered"


def test_a_crash_while_saving_leaves_nothing_that_loads(
    tiny_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever step fails, the folder is whole or has no manifest; other files stay."""
    opened = checkpoint.load(tiny_checkpoint, CPU)
    folder = tmp_path / "run"
    checkpoint.save(folder, opened.config, opened.model, opened.tokenizer, step=1, seed=1)
    (folder / "events.jsonl").write_text("kept\n")
    real = Path.replace
    outcomes = []
    for survived in range(6):
        moves = iter(range(survived))

        def replace(path: Path, target: Path, moves: Any = moves) -> Path:
            if next(moves, None) is None:
                raise OSError("the disk is full")
            return real(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", replace)
            try:
                checkpoint.save(
                    folder, opened.config, opened.model, opened.tokenizer, step=2, seed=1
                )
            except OSError:
                assert refusal(folder) == "checkpoint_missing"
                assert not (folder / "manifest.json").exists()
                outcomes.append("refused")
            else:
                assert checkpoint.load(folder, CPU).manifest.step == 2
                outcomes.append("whole")
        assert os.listdir(tmp_path) == ["run"]
        assert (folder / "events.jsonl").read_text() == "kept\n"
    assert outcomes == ["refused"] * 4 + ["whole"] * 2


def test_a_disk_that_fills_up_leaves_the_old_folder_alone(
    tiny_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(tiny_checkpoint, tmp_path / "tiny"))
    opened = checkpoint.load(folder, CPU)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        checkpoint.save(folder, opened.config, opened.model, opened.tokenizer, step=2, seed=1)
    assert checkpoint.load(folder, CPU).manifest.step == 80
    assert os.listdir(tmp_path) == ["tiny"]


def test_saving_again_replaces_all_but_the_card(folder: Path) -> None:
    opened = checkpoint.load(folder, CPU)
    checkpoint.save(folder, opened.config, opened.model, opened.tokenizer, step=2, seed=1)
    again = checkpoint.load(folder, CPU)
    assert again.card == opened.card
    assert again.familiarity is None  # not of these weights any more
    assert not (folder / "first-look.npz").exists()


def test_saving_refuses_what_could_not_be_loaded(tiny_checkpoint: Path, tmp_path: Path) -> None:
    opened = checkpoint.load(tiny_checkpoint, CPU)
    other = CharacterTokenizer.train(["abc"])

    def save(**changes: Any) -> None:
        arguments = {"config": opened.config, "model": opened.model, "tokenizer": opened.tokenizer}
        checkpoint.save(tmp_path / "x", **{**arguments, **changes}, step=1, seed=1)

    larger = opened.config.model.model_copy(update={"d_ff": 65})
    with pytest.raises(ValueError, match="not the model's"):
        save(model=Transformer(larger))
    with pytest.raises(ValueError, match="not the model's"):
        save(tokenizer=other)
    characters = opened.config.model_copy(update={"tokenizer": "characters"})
    with pytest.raises(ValueError, match="embeddings"):
        save(config=characters, tokenizer=other)
    with torch.no_grad():
        opened.model.embedding.weight[0, 0] = 1e6
    with pytest.raises(ValueError, match="not finite"):
        save(storage="float16")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("tag", ["ko", "en", "zh-Hant", "pt-BR", "yue"])
def test_language_tags(tiny_checkpoint: Path, tag: str) -> None:
    config = checkpoint.load(tiny_checkpoint, CPU).config
    values = {**config.model_dump(), "source_language": tag}
    assert CheckpointConfig[TransformerConfig].model_validate(values).source_language == tag
