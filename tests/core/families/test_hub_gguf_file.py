"""GGUF files that are not to be trusted: refused in a sentence, before anything is built."""

from __future__ import annotations

import contextlib
import os
import random
import struct
from pathlib import Path
from typing import Final

import pytest
import torch

from core import registry
from core.errors import HeadlightError
from core.families.hub import trial
from core.families.hub.claim import check_memory
from core.families.hub.folder import called, claimed, is_hub
from core.model import TraceRequest
from tests import gguf, hub

CPU = torch.device("cpu")
U8, U32, F32, TEXT, ARRAY, U64 = 0, 4, 6, 8, 9, 10


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def setting(name: str | bytes, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def number(name: str, value: int) -> bytes:
    return setting(name, U64, struct.pack("<Q", value))


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    axes = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
    return text(name) + axes + struct.pack("<IQ", kind, offset)


ARCHITECTURE: Final = setting("general.architecture", TEXT, text("llama"))
TOKENS: Final = setting("tokenizer.ggml.tokens", ARRAY, struct.pack("<IQ", TEXT, 1) + text("a"))
TENSOR: Final = tensor("token_embd.weight", (32, 1))


def raw(
    *settings: bytes,
    tensors: tuple[bytes, ...] = (TENSOR,),
    version: int = 3,
    counts: tuple[int, int] | None = None,
    data: int = 128,
    begins: tuple[bytes, ...] = (ARCHITECTURE, TOKENS),
) -> bytes:
    """A file of these parts, which is whole where they are."""
    told = (*begins, *settings)
    head = b"GGUF" + struct.pack("<IQQ", version, *(counts or (len(tensors), len(told))))
    head += b"".join((*told, *tensors))
    return head + bytes(-len(head) % 32) + bytes(data)


def aligned(value: bytes, kind: int = U32) -> bytes:
    return raw(setting("general.alignment", kind, value))


NESTED: Final = struct.pack("<IQ", ARRAY, 1) * 10_000
CASES: Final[dict[str, tuple[bytes, str]]] = {
    "nothing": (b"", "gguf_none"),
    "another format": (b"PK\3\4" + bytes(64), "gguf_none"),
    "the high bytes first": (b"GGUF" + struct.pack(">IQQ", 3, 1, 2) + bytes(64), "gguf_version"),
    "the first version": (raw(version=1), "gguf_version"),
    "absurd tensors": (raw(counts=(2**60, 2)), "gguf_counts"),
    "absurd settings": (raw(counts=(1, 2**63)), "gguf_counts"),
    "more tensors than there are": (raw(counts=(60_000, 2), data=0), "header_long"),
    "a text from behind the end": (
        raw(setting("general.name", TEXT, struct.pack("<Q", 2**62))),
        "header_long",
    ),
    "a name from behind the end": (raw(struct.pack("<Q", 2**40)), "header_long"),
    "a list from behind the end": (
        raw(setting("x", ARRAY, struct.pack("<IQ", U64, 2**60))),
        "header_long",
    ),
    "texts from behind the end": (
        raw(setting("x", ARRAY, struct.pack("<IQ", TEXT, 2**60))),
        "header_long",
    ),
    "lists of lists": (raw(setting("x", ARRAY, NESTED)), "gguf_kind"),
    "a setting of no kind": (raw(setting("x", 77, bytes(8))), "gguf_kind"),
    "a list of no kind": (raw(setting("x", ARRAY, struct.pack("<IQ", 77, 1))), "gguf_kind"),
    "a name that is no text": (raw(setting(b"\xff\xfe", U8, b"\0")), "utf_8"),
    "a setting twice": (raw(ARCHITECTURE), "gguf_twice"),
    "a tensor twice": (
        raw(tensors=(TENSOR, tensor("token_embd.weight", (32, 1), 0, 128)), data=256),
        "gguf_twice",
    ),
    "an alignment of none": (aligned(struct.pack("<I", 0)), "gguf_alignment"),
    "an odd alignment": (aligned(struct.pack("<I", 33)), "gguf_alignment"),
    "an absurd alignment": (aligned(struct.pack("<I", 2**31)), "gguf_alignment"),
    "a text for alignment": (aligned(text("32"), TEXT), "gguf_alignment"),
    "a tensor of no kind": (raw(tensors=(tensor("x", (32, 1), 99),)), "gguf_stored"),
    "no axes": (raw(tensors=(tensor("x", ()),)), "tensor_lies"),
    "many axes": (raw(tensors=(tensor("x", (1,) * 9),)), "tensor_lies"),
    "a width of none": (raw(tensors=(tensor("x", (32, 0)),)), "tensor_lies"),
    "an absurd width": (raw(tensors=(tensor("x", (2**63, 1)),)), "tensor_lies"),
    "a product beyond 64 bits": (raw(tensors=(tensor("x", (2**40, 2**40)),)), "tensor_lies"),
    "a product that comes round to none": (
        raw(tensors=(tensor("x", (2**32, 2**32)),)),
        "tensor_lies",
    ),
    "half a block": (raw(tensors=(tensor("x", (16, 2), 8),)), "tensor_lies"),
    "an offset from behind the end": (
        raw(tensors=(tensor("x", (32, 1), 0, 2**40),)),
        "tensor_lies",
    ),
    "an offset that comes round": (
        raw(tensors=(tensor("x", (32, 1), 0, 2**64 - 32),)),
        "tensor_lies",
    ),
    "one tensor over another": (
        raw(tensors=(TENSOR, tensor("x", (32, 1), 0, 64)), data=256),
        "tensor_lies",
    ),
    "a hole between two": (
        raw(tensors=(TENSOR, tensor("x", (32, 1), 0, 256)), data=512),
        "tensor_lies",
    ),
    "a file that was cut": (raw()[:-1], "gguf_cut"),
    "a file without any weights": (raw(data=0), "gguf_cut"),
    "a header that was cut": (raw()[:60], "header_long"),
    "more behind its end": (raw() + b"more", "tensors_apart"),
    "no architecture": (raw(begins=(TOKENS,)), "gguf_nameless"),
    "a number for architecture": (
        raw(begins=(number("general.architecture", 7), TOKENS)),
        "gguf_nameless",
    ),
    "another architecture": (
        raw(begins=(setting("general.architecture", TEXT, text("mamba")), TOKENS)),
        "architecture_unknown",
    ),
    "no vocabulary": (raw(begins=(ARCHITECTURE,)), "gguf_tokens"),
    "a part of several": (raw(number("split.count", 3)), "gguf_split"),
    "heads of none": (raw(number("llama.attention.head_count", 0)), "gguf_setting"),
    "an end that is no token": (raw(number("tokenizer.ggml.eos_token_id", 99)), "gguf_setting"),
    "absurd layers": (raw(number("llama.block_count", 10**6)), "config_absurd"),
    "an absurd model": (
        raw(number("llama.embedding_length", 10**12)),
        "config_absurd",
    ),
    "absurd heads of one layer": (
        raw(setting("llama.attention.head_count", ARRAY, struct.pack("<IQQ", U64, 1, 2**40))),
        "config_absurd",
    ),
    "a number that is none": (
        raw(setting("llama.rope.freq_base", F32, struct.pack("<f", float("nan")))),
        "config_absurd",
    ),
}


def refusal(path: Path) -> str:
    """The code of why it is refused."""
    with pytest.raises(HeadlightError) as refused:
        claimed(path)
    assert refused.value.code == "checkpoint_invalid"
    assert refused.value.parameters["file"] == path.name
    assert str(refused.value)
    return str(refused.value.parameters["reason"].code)  # type: ignore[union-attr]


@pytest.mark.parametrize("case", CASES)
def test_what_a_file_declares_is_refused_without_building_it(tmp_path: Path, case: str) -> None:
    path = tmp_path / "m.gguf"
    content, code = CASES[case]
    path.write_bytes(content)
    assert refusal(path) == code


def test_the_cases_are_whole_but_for_what_they_are_of(tmp_path: Path) -> None:
    for version in (2, 3):
        (tmp_path / "m.gguf").write_bytes(raw(version=version))
        claim = claimed(tmp_path / "m.gguf")
        assert (claim.parameters, claim.kind) == (32, "llama")


def test_a_link_that_leads_out_and_a_pipe_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "x").write_bytes(raw())
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "m.gguf").symlink_to(tmp_path / "far" / "x")
    assert refusal(tmp_path / "near" / "m.gguf") == "link_out"
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "m.gguf")
    with pytest.raises(HeadlightError) as refused:
        claimed(tmp_path / "pipe")
    assert refused.value.parameters["reason"].code == "file_none"  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("good")
    folder = hub.folder(root / "folder", "llama", hub.DECODER, "goes on")
    return gguf.file(folder, root / "tiny.gguf")


def test_it_says_what_it_holds_and_what_that_takes(good: Path) -> None:
    claim, folder = claimed(good), claimed(good.parent / "folder")
    assert claim.parameters == folder.parameters
    assert claim.files == {"tiny.gguf": good.stat().st_size}
    check_memory(claim, claim.opened_bytes)
    with pytest.raises(HeadlightError) as refused:
        check_memory(claim, claim.opened_bytes - 1)
    assert refused.value.parameters["reason"].code == "memory_short"  # type: ignore[union-attr]


def test_a_file_is_found_and_opened_wherever_models_are(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = good.read_bytes()
    (tmp_path / "hub" / "models--a--b" / "snapshots" / "1").mkdir(parents=True)
    (tmp_path / "hub" / "models--a--b" / "blobs").mkdir()
    (tmp_path / "hub" / "models--a--b" / "blobs" / "0").write_bytes(content)
    cached = tmp_path / "hub" / "models--a--b" / "snapshots" / "1" / "b.Q8_0.gguf"
    cached.symlink_to("../../blobs/0")
    (tmp_path / "models" / "own").mkdir(parents=True)
    (tmp_path / "models" / "own" / "x.gguf").write_bytes(content)
    (tmp_path / "models" / "own" / "README.md").write_text("mine")
    (tmp_path / "models" / "two").mkdir()
    for name in ("x.gguf", "y.gguf"):
        (tmp_path / "models" / "two" / name).write_bytes(content)
    (tmp_path / "models" / "loose.Q4_1.gguf").write_bytes(content)
    monkeypatch.setenv("HEADLIGHT_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    found = {entry.model_id: entry for entry in registry.entries() if entry.family == "hub"}
    assert found.keys() == {"own", "loose.Q4_1", "a--b", "x", "y"}
    assert {entry.bytes for entry in found.values()} == {len(content)}
    assert all(entry.writes for entry in found.values())
    assert registry.load("own", CPU).card.text == "mine"
    assert registry.load("a--b", CPU).card.model_id == "a--b"
    assert trial.tried(cached) == claimed(cached)
    assert not is_hub(tmp_path / "models" / "two")
    monkeypatch.setenv("HEADLIGHT_MODELS", str(tmp_path / "models" / "own"))
    assert "x" in registry.model_ids()
    path = tmp_path / "models" / "loose.Q4_1.gguf"
    assert called(path) == "loose.Q4_1"
    assert registry.load(path, CPU).trace(TraceRequest("cafe", "water")).sites


def changed(good: Path, path: Path, before: bytes, after: bytes) -> Path:
    content = good.read_bytes()
    assert content.count(before) == 1
    path.write_bytes(content.replace(before, after))
    return path


def test_what_only_opening_shows_is_refused_by_a_trial(good: Path, tmp_path: Path) -> None:
    def code(path: Path) -> str:
        with pytest.raises(HeadlightError) as refused:
            trial.tried(path)
        assert refused.value.parameters["file"] == path.name
        return str(refused.value.parameters["reason"].code)  # type: ignore[union-attr]

    def sized(name: str, value: int) -> tuple[bytes, bytes]:
        at = text(f"llama.{name}") + struct.pack("<I", U32)
        before = struct.pack("<I", hub.DECODER[{"block_count": "num_hidden_layers"}[name]])
        return at + before, at + struct.pack("<I", value)

    path = tmp_path / "m.gguf"
    assert code(changed(good, path, *sized("block_count", 1000))) == "numbers_few"
    assert code(changed(good, path, *sized("block_count", 1))) == "tensor_surplus"
    assert code(changed(good, path, b"output_norm.weight", b"output_morn.weight")) in (
        "tensor_surplus",
        "tensors_missing",
    )
    content = bytearray(good.read_bytes())
    content[-4:] = struct.pack("<f", float("nan"))
    path.write_bytes(content)
    assert code(path) == "tensor_infinite"
    trial.tried(good)


def test_files_that_were_changed_anywhere_are_refused_or_opened(good: Path, tmp_path: Path) -> None:
    """Of `HUB_MUTATIONS` changes (2,000 by hand), most of them of the header, whatever they hit."""
    count = int(os.environ.get("HUB_MUTATIONS", "80"))
    chance = random.Random(0)
    content = good.read_bytes()
    header = content.index(b"tokenizer.ggml.tokens")
    path = tmp_path / "m.gguf"
    for _ in range(count):
        changed = bytearray(content)
        reach = chance.choice([24, header, header, 32_768, len(content)])
        for _ in range(chance.choice([1, 1, 4, 64])):
            changed[chance.randrange(reach)] = chance.randrange(256)
        if chance.random() < 0.1:
            del changed[chance.randrange(len(changed)) :]
        path.write_bytes(changed)
        with contextlib.suppress(HeadlightError):  # anything else fails the test
            registry.load(path, CPU)
