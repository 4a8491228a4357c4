"""A checkpoint folder to damage, and a way to seal the damage in."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.manifest import Manifest, make_entry


@pytest.fixture
def folder(tiny_checkpoint: Path, tmp_path: Path) -> Path:
    """A copy of `tiny_checkpoint`, the test's own."""
    return Path(shutil.copytree(tiny_checkpoint, tmp_path / "tiny"))


@pytest.fixture(scope="session")
def rebind() -> Callable[[Path], None]:
    """Writes a manifest that vouches for the files of a folder as they are now."""

    def write(folder: Path) -> None:
        old = json.loads((folder / "manifest.json").read_bytes())
        names = [name for name in old["files"] if (folder / name).exists()]
        files = {name: make_entry(folder, name) for name in names}
        sealed = Manifest(step=old["step"], seed=old["seed"], files=files)
        (folder / "manifest.json").write_bytes(sealed.serialise())

    return write
