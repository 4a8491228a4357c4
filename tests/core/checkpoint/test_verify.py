import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.checkpoint import folder as checkpoint
from core.checkpoint.verify import verify

Rebind = Callable[[Path], None]


def files(folder: Path, *, serious: bool) -> set[str]:
    return {finding.file for finding in verify(folder) if finding.serious == serious}


def test_a_whole_checkpoint_has_no_finding(
    tiny_checkpoint: Path, tiny_spelling_checkpoint: Path
) -> None:
    assert verify(tiny_checkpoint) == []
    assert verify(tiny_spelling_checkpoint) == []


def test_every_fault_is_named_not_only_the_first(folder: Path) -> None:
    for name in ("config.json", "recipe.toml", "first-look.npz"):
        raw = bytearray((folder / name).read_bytes())
        raw[3] ^= 1
        (folder / name).write_bytes(raw)
    (folder / "tokenizer.model").unlink()
    wrong = {"config.json", "recipe.toml", "first-look.npz", "tokenizer.model"}
    assert files(folder, serious=True) == wrong
    assert all("\n" not in finding.message for finding in verify(folder))


@pytest.mark.parametrize(
    "name", ["model.safetensors", "tokenizer.model", "familiarity.safetensors"]
)
def test_contents_are_checked_and_not_only_digests(folder: Path, rebind: Rebind, name: str) -> None:
    (folder / "first-look.npz").unlink()  # else it would rightly be of another model
    (folder / name).write_bytes((folder / name).read_bytes()[:-100])
    rebind(folder)
    assert files(folder, serious=True) == {name}


def test_a_config_out_of_bounds_is_named(folder: Path, rebind: Rebind) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["model"]["heads"] = 0
    (folder / "config.json").write_text(json.dumps(config))
    rebind(folder)
    findings = verify(folder)
    assert [finding.file for finding in findings] == ["config.json"]
    assert "model.heads" in findings[0].message


def test_what_a_manifest_leaves_out_is_named(folder: Path, rebind: Rebind) -> None:
    (folder / "first-look.npz").unlink()
    for name in ("model.safetensors", "tokenizer.model"):
        (folder / name).rename(folder / f"kept-{name}")
    rebind(folder)
    assert files(folder, serious=True) == {"model.safetensors", "tokenizer.model"}


def test_a_first_look_of_other_weights_is_named(
    folder: Path, tiny_spelling_checkpoint: Path
) -> None:
    shutil.copy(tiny_spelling_checkpoint / "first-look.npz", folder)
    checkpoint.seal(folder)
    assert files(folder, serious=True) == {"first-look.npz"}


def test_no_card_and_unbound_files_are_notes(folder: Path) -> None:
    (folder / "README.md").unlink()
    (folder / "recipe.toml").unlink()
    checkpoint.seal(folder)
    (folder / "recipe.toml").write_text("# later\n")
    assert files(folder, serious=True) == set()
    assert files(folder, serious=False) == {"README.md", "recipe.toml"}
    checkpoint.load(folder)  # notes keep nobody from loading it


@pytest.mark.parametrize("raw", [None, b"", b"{}", b"[]"])
def test_without_a_manifest_nothing_is_believed(folder: Path, raw: bytes | None) -> None:
    (folder / "manifest.json").unlink()
    if raw is not None:
        (folder / "manifest.json").write_bytes(raw)
    assert files(folder, serious=True) == {"manifest.json"}


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert files(tmp_path / "none", serious=True) == {"manifest.json"}
