"""Trace files as containers: cut, damaged, lying, too large, or with code inside."""

import io
import math
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import HeadlightError
from core.trace import AttentionTrace, load_trace, read_trace, save_trace
from core.trace.npz import declared


class Anything:
    """What a pickle could bring to life."""


def write(path: Path, arrays: dict[str, Any]) -> Path:
    np.savez(path, **arrays)
    return path


def refused(path: Path, **options: int) -> str:
    with pytest.raises(HeadlightError) as caught:
        load_trace(path, **options)
    assert caught.value.code == "trace_invalid"
    assert caught.value.parameters["path"] == str(path)
    assert "\n" not in str(caught.value)
    return str(caught.value.parameters["reason"])


def test_pickles_are_never_opened(arrays: dict[str, Any], tmp_path: Path) -> None:
    arrays["source_tokens"] = np.array([Anything()], dtype=object)
    assert "objects" in refused(write(tmp_path / "pickle.npz", arrays))


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_cut_file_is_refused(
    look: AttentionTrace, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "t.npz"
    save_trace(path, look)
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    refused(path)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_harmless(
    look: AttentionTrace, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """ZIP's checksums find damage in the data; its unused fields may hold anything."""
    path = tmp_path_factory.mktemp("damaged") / "t.npz"
    save_trace(path, look)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        trace = read_trace(io.BytesIO(bytes(raw)), "damaged")
    except HeadlightError as error:
        code = error.code
    else:
        code = "harmless"
        for kind, site in trace.sites.items():
            np.testing.assert_array_equal(site.weights, look.sites[kind].weights)
    assert code in ("trace_invalid", "harmless")


def bomb(name: str, size: int) -> bytes:
    """A member that unpacks to `size` zero bytes."""
    raw = io.BytesIO()
    with (
        zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w") as file,
    ):
        for _ in range(size // 2**20):
            file.write(bytes(2**20))
    return raw.getvalue()


def test_a_bomb_is_refused_unopened(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    path.write_bytes(bomb("meta.npy", 64 * 2**20))
    assert path.stat().st_size < 100_000
    assert "unpack" in refused(path, limit=32 * 2**20)


def test_a_large_file_is_refused_unread(arrays: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path / "large.npz", arrays)
    assert "larger" in refused(path, limit=path.stat().st_size - 1)


def header(shape: str, descr: str = "<f4") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(118 - 1) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize(
    "head",
    [
        header("(1000000, 1000000, 1000000, 1)"),
        header("(-1, 4, 4, 4)"),
        header("(2, 2, 2, 2)", "|O"),
        header("(2, 2, 2, 2)", "|V4"),
        header("__import__('os').getpid()"),
        header("(2, 2, 2, 2"),
        header("(2, 2), 'shape'"),
        header("(1, , 2)"),
        header("True"),
        header("(64,)", "<f4, <f4"),
        header("(64,)", "nothing"),
        b"\x93NUMPY\x01\x00" + struct.pack("<H", 28) + b"{'descr': '<f4', 'shape': ()}",
        header("(1,)").replace(b"\x01\x00", b"\x09\x00", 1),
        b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + b" " * 100,
        b"no array at all",
        b"",
    ],
)
def test_an_array_that_lies_is_refused(head: bytes, arrays: dict[str, Any], tmp_path: Path) -> None:
    arrays.pop("cross_weights")
    path = write(tmp_path / "lies.npz", arrays)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("cross_weights.npy", head + bytes(64))
    refused(path)


ARRAYS = st.tuples(
    st.sampled_from(["<f4", ">f8", "|b1", "<U7", "<i8", "|u1"]),
    st.lists(st.integers(0, 3), max_size=4),
    st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(ARRAYS, st.permutations(range(3)), st.sampled_from([(1, 0), (2, 0)]))
def test_an_array_is_read_as_numpy_reads_it(
    made: tuple[str, list[int], bool], order: list[int], version: tuple[int, int]
) -> None:
    """In whatever order it is described: numpy's own is by the alphabet, and no law."""
    dtype, shape, turned = made
    count = math.prod(shape)
    array = np.arange(count).astype(dtype).reshape(shape, order="F" if turned else "C")
    own, file = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array(own, array, version)
    told = [f"'descr': '{dtype}'", f"'fortran_order': {turned}", f"'shape': {tuple(shape)}"]
    text = "{" + ", ".join(told[at] for at in order) + "}\n"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("own.npy", own.getvalue())
        archive.writestr("other.npy", head + array.tobytes("F" if turned else "C"))
    for member in declared(file, {"own", "other"}, 2**20).values():
        read = member.read()
        assert (read.dtype, read.shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(read, array)


def test_no_parser_of_python_reads_a_file_of_strangers(
    look: AttentionTrace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts how deep it is in one place for all threads, and gives up where two are at it."""
    path = tmp_path / "t.npz"
    save_trace(path, look)

    def given_up(*_: object) -> None:
        raise SystemError("AST constructor recursion depth mismatch")

    monkeypatch.setattr("ast.literal_eval", given_up)
    assert load_trace(path).model_id == look.model_id


def test_bytes_behind_an_array_are_refused(arrays: dict[str, Any], tmp_path: Path) -> None:
    arrays.pop("meta")
    path = write(tmp_path / "longer.npz", arrays)
    meta = io.BytesIO()
    np.save(meta, np.array('{"model_id": "x", "format": 1}'))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("meta.npy", meta.getvalue() + b"x")
    assert "longer" in refused(path)


def test_a_name_given_twice_is_refused(arrays: dict[str, Any], tmp_path: Path) -> None:
    path = write(tmp_path / "twice.npz", arrays)
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("meta.npy", b"x")
    assert "twice" in refused(path)


def test_a_crowd_of_members_is_refused_before_it_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "crowd.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(300):
            archive.writestr(f"a{number}.npy", b"")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "more than" in refused(path)
