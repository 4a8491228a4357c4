"""A checkpoint folder to damage, a way to seal the damage in, and a look as a file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.checkpoint.manifest import Manifest, make_entry
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.trace import AttentionTrace, save_trace


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


@pytest.fixture(scope="session")
def look(tiny_model: TransformerModel) -> AttentionTrace:
    return tiny_model.trace(TraceRequest("나는 물을 마신다"))


@pytest.fixture
def arrays(look: AttentionTrace, tmp_path: Path) -> dict[str, Any]:
    """Arrays of a real look, as numpy itself reads them with pickles forbidden."""
    save_trace(tmp_path / "look.npz", look)
    with np.load(tmp_path / "look.npz", allow_pickle=False) as file:
        return dict(file)
