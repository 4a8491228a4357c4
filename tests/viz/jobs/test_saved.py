"""Looks that come from files of anyone."""

import io
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import HeadlightError
from core.reasons import Reason
from core.trace import AttentionTrace, read_trace, save_trace
from tests.viz.inspector.made import trace
from tests.viz.text.korean import english_in
from viz.export.one import Choice, exported
from viz.jobs.saved import open_saved
from viz.jobs.snapshots import Snapshot, SnapshotStore
from viz.text.errors import worded


def saved_bytes(folder: Path, **changed: object) -> bytes:
    """A trace file, with arrays exchanged."""
    path = folder / "look.npz"
    save_trace(path, trace())
    if not changed:
        return path.read_bytes()
    with np.load(path) as arrays:
        held = {**dict(arrays), **changed}
    out = io.BytesIO()
    np.savez(out, **held)
    return out.getvalue()


def test_a_file_is_a_look_and_the_same_file_the_same_look(tmp_path: Path) -> None:
    store = SnapshotStore()
    body = saved_bytes(tmp_path)
    snapshot = open_saved(body, "look.npz", store)
    assert store.get(snapshot.id) is snapshot
    assert open_saved(body, "again.npz", store) is snapshot
    assert np.array_equal(snapshot.trace.sites["cross"].weights, trace().sites["cross"].weights)
    assert snapshot.packed.meta["trace_id"] == snapshot.id


def test_another_format_is_another_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers keep what is under an id for a year."""
    body = saved_bytes(tmp_path)
    before = open_saved(body, "look.npz", SnapshotStore())
    monkeypatch.setattr("viz.jobs.snapshots.CACHE_FORMAT", -1)
    assert open_saved(body, "look.npz", SnapshotStore()).id != before.id


def test_files_are_read_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take as much memory as the store keeps."""
    body, now, most = saved_bytes(tmp_path), 0, 0

    def reading(*args: Any, **kwargs: Any) -> AttentionTrace:
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.02)
        now -= 1
        return read_trace(*args, **kwargs)

    monkeypatch.setattr("viz.jobs.saved.read_trace", reading)
    with ThreadPoolExecutor(6) as pool:
        snapshots = list(
            pool.map(lambda _: open_saved(body, "look.npz", SnapshotStore()), range(6))
        )
    assert len({snapshot.id for snapshot in snapshots}) == 1
    assert most == 1


def test_a_saved_look_names_next_tokens_as_the_app_does(tiny_snapshot: Snapshot) -> None:
    body = exported(tiny_snapshot.packed, Choice(), "npz", language="en")
    saved = open_saved(body, "look.npz", SnapshotStore())
    own, fresh = (
        [{**step, "joins": []} for step in packed.meta["next"]]  # a file has names, but no pieces
        for packed in (saved.packed, tiny_snapshot.packed)
    )
    assert own == fresh
    assert "#" not in "".join(saved.packed.meta["next"][0]["texts"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cross_weights", np.full((3, 8, 14, 9), np.nan, np.float32)),
        ("cross_weights", np.zeros((3, 8, 14, 8), np.float32)),
        ("cross_allowed", np.zeros((14, 9), np.bool_)),
        ("meta", np.array(json.dumps({"model_id": "m", "format": 99}))),
        ("meta", np.array("no json")),
        ("source_tokens", np.array(["one"])),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(tmp_path: Path, name: str, value: object) -> None:
    with pytest.raises(HeadlightError) as raised:
        open_saved(saved_bytes(tmp_path, **{name: value}), "odd.npz", SnapshotStore())
    assert raised.value.code == "trace_invalid"
    assert raised.value.parameters["path"] == "odd.npz"
    assert isinstance(raised.value.parameters["reason"], Reason)
    korean = worded(raised.value, "ko")
    assert not english_in(korean, ["odd"]), korean


@pytest.mark.parametrize("kept", [0, 1, 100, 0.5, 0.99])
def test_a_cut_file_is_refused(tmp_path: Path, kept: float) -> None:
    body = saved_bytes(tmp_path)
    cut = body[: int(kept if kept >= 1 or kept == 0 else len(body) * kept)]
    with pytest.raises(HeadlightError, match=r"cut\.npz") as raised:
        open_saved(cut, "cut.npz", SnapshotStore())
    korean = worded(raised.value, "ko")
    assert not english_in(korean, ["cut"]), korean


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    huge = np.zeros((64, 64, 256, 256), np.float32)  # 1 GiB of zeros in a small file
    out = io.BytesIO()
    np.savez_compressed(out, cross_weights=huge)
    assert len(out.getvalue()) < 5_000_000
    with pytest.raises(HeadlightError, match=r"bomb\.npz"):
        open_saved(out.getvalue(), "bomb.npz", SnapshotStore())


def test_a_file_without_attention_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    np.savez(
        out,
        source_tokens=np.array(["a"]),
        target_tokens=np.array([], dtype=np.str_),
        meta=np.array(json.dumps({"model_id": "m", "format": 1})),
    )
    with pytest.raises(HeadlightError, match="holds neither attention nor states"):
        open_saved(out.getvalue(), "bare.npz", SnapshotStore())
