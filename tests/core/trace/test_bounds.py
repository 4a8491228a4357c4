"""Trace files that ask for too much, or hold nothing: refused by name before they are unpacked."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import HeadlightError
from core.trace import AttentionTrace
from core.trace.bounds import NAMES
from core.trace.file import TOKENS, load_trace, read_trace

MEBIBYTE = 2**20


def packed(**arrays: Any) -> bytes:
    """An encoder's file of these arrays."""
    meta = np.array(json.dumps({"model_id": "m", "format": 1}))
    out = io.BytesIO()
    np.savez_compressed(
        out, **{"target_tokens": np.array([], np.str_), "meta": meta, **arrays}, allow_pickle=False
    )
    return out.getvalue()


def refused(body: bytes) -> str:
    with pytest.raises(HeadlightError) as caught:
        read_trace(io.BytesIO(body), "bomb.npz")
    assert caught.value.code == "trace_invalid"
    return str(caught.value.parameters["reason"])


# In a process of its own: what is only reserved is no memory, and tracemalloc counts it.
_MEASURED = """
import resource, sys
from core.errors import HeadlightError
from core.trace import load_trace
def resident(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = resident()
try:
    reason = f"{len(load_trace(sys.argv[1]).source)} tokens"
except HeadlightError as error:
    reason = error.parameters["reason"]
print(resident() - before, reason)
"""


def measured(body: bytes, folder: Path) -> tuple[str, float]:
    """What comes of it, and how many MiB that took at most."""
    path = folder / "bomb.npz"
    path.write_bytes(body)
    command = [sys.executable, "-c", _MEASURED, str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kibibytes, _, reason = told.strip().partition(" ")
    return reason, int(kibibytes) / 1024


def encoder(tokens: int, weights: Any, **more: Any) -> bytes:
    return packed(
        source_tokens=np.full(tokens, "a"),
        encoder_self_weights=weights,
        encoder_self_allowed=np.ones(weights.shape[2:], np.bool_),
        **more,
    )


def test_more_tokens_than_can_be_drawn_are_refused_uncounted(tmp_path: Path) -> None:
    body = packed(source_tokens=np.full(4_000_000, "a"))
    assert len(body) < 20_000
    reason, peak = measured(body, tmp_path)
    assert reason == f"it holds 4,000,000 source tokens, more than {TOKENS:,}"
    assert peak < 20


def test_a_side_may_hold_as_many_tokens_as_that() -> None:
    trace = read_trace(io.BytesIO(packed(source_tokens=np.full(TOKENS, "a"))), "long.npz")
    assert len(trace.source) == TOKENS
    assert "more than" in refused(packed(source_tokens=np.full(TOKENS + 1, "a")))


@pytest.mark.parametrize("tokens", [2, 256])
def test_weights_are_measured_before_they_are_unpacked(tokens: int, tmp_path: Path) -> None:
    """128 MiB of zeros: of another shape than the tokens want, and of the very shape."""
    body = encoder(tokens, np.zeros((32, 16, 256, 256), np.float32))
    reason, peak = measured(body, tmp_path)
    assert reason == (
        "encoder_self_weights has shape (32, 16, 256, 256), where its tokens want (..., ..., 2, 2)"
        if tokens == 2
        else "encoder_self: a row sums to 0, not 1 within 0.000010"
    )
    assert peak < 40


def test_a_name_cannot_be_a_book() -> None:
    body = packed(source_tokens=np.array(["a" * 60_000] * 100))
    assert len(body) < 60_000
    assert "more than" in refused(body)


def test_arrays_that_belong_to_nothing_are_not_unpacked(tmp_path: Path) -> None:
    """Scores without weights belong to no kind of attention."""
    body = packed(source_tokens=np.array(["a"]), cross_scores=np.zeros((16, MEBIBYTE), np.float32))
    told, peak = measured(body, tmp_path)
    assert told == "1 tokens"
    assert peak < 20


def test_layers_and_heads_are_bounded_together(tmp_path: Path) -> None:
    """A head costs its description, even where there is one token."""
    most = read_trace(io.BytesIO(encoder(1, np.ones((64, 64, 1, 1), np.float32))), "x.npz")
    assert most.sites["encoder_self"].weights.shape[:2] == (64, 64)
    reason, peak = measured(encoder(1, np.ones((768, 768, 1, 1), np.float32)), tmp_path)
    assert reason == "encoder_self: 768 layers of 768 heads, more than 8,192 in all"
    assert peak < 20


def decoder(columns: int, **more: Any) -> bytes:
    """A file whose logits have no row, and so cost nothing, and these many columns."""
    logits = np.zeros((0, columns), np.float32)
    return packed(source_tokens=np.array(["a"]), logits=logits, **more)


def test_vectors_are_measured_before_they_are_unpacked(tmp_path: Path) -> None:
    """128 MiB of zeros that are queries of a single token."""
    wide = np.zeros((1, 1, 1, 32 * MEBIBYTE), np.float32)
    one = np.ones((1, 1, 1, 1), np.float32)
    body = encoder(1, one, encoder_self_queries=wide, encoder_self_keys=wide[..., :4])
    reason, peak = measured(body, tmp_path)
    assert reason.startswith("encoder_self_keys has shape (1, 1, 1, 4), where")
    assert peak < 20
    for width in (0, 1025):
        vectors = np.zeros((1, 1, 1, width), np.float32)
        reason = refused(encoder(1, one, encoder_self_queries=vectors, encoder_self_keys=vectors))
        assert reason == f"encoder_self: vectors of {width:,} numbers, not 1 to 1,024"
    most = np.zeros((1, 1, 1, 1024), np.float32)
    trace = read_trace(
        io.BytesIO(encoder(1, one, encoder_self_queries=most, encoder_self_keys=most)), "x.npz"
    )
    assert trace.sites["encoder_self"].queries is not None


def test_names_are_counted_before_they_are_made(tmp_path: Path) -> None:
    """In a file a name of one letter takes four bytes, as an object more than ten times that."""
    body = decoder(8 * MEBIBYTE, vocabulary=np.full(8 * MEBIBYTE, "a"))
    reason, peak = measured(body, tmp_path)
    assert reason == f"logits have 8,388,608 columns, more than {NAMES:,}"
    assert peak < 20
    assert "more than" in refused(decoder(NAMES + 1))
    most = read_trace(io.BytesIO(decoder(NAMES, vocabulary=np.full(NAMES, "a"))), "x.npz")
    assert most.vocabulary is not None
    assert len(most.vocabulary) == NAMES


def test_large_arrays_that_lie_column_by_column_are_refused() -> None:
    """Their rows cannot be checked as they come."""
    small = np.asfortranarray(np.full((1, 2, 4, 4), 0.25, np.float32))
    trace = read_trace(io.BytesIO(encoder(4, small)), "turned.npz")
    assert trace.sites["encoder_self"].weights.shape == (1, 2, 4, 4)
    large = np.asfortranarray(np.zeros((4, 16, 512, 512), np.float32))
    assert "column" in refused(encoder(512, large))


@pytest.mark.parametrize(
    ("tokens", "shape"), [(0, (1, 1, 0, 0)), (3, (1, 1, 0, 3)), (3, (1, 1, 3, 0))]
)
def test_a_kind_without_rows_or_columns_is_refused_by_name(
    tokens: int, shape: tuple[int, ...]
) -> None:
    reason = refused(encoder(tokens, np.zeros(shape, np.float32)))
    assert "encoder_self" in reason or reason == "it holds no tokens"


def test_a_cross_attention_of_no_target_is_refused_by_name() -> None:
    reason = refused(
        packed(
            source_tokens=np.array(["a", "b"]),
            cross_weights=np.zeros((1, 1, 0, 2), np.float32),
            cross_allowed=np.ones((0, 2), np.bool_),
        )
    )
    assert reason == "cross has no row or no column"


def test_a_trace_without_tokens_is_refused_by_name() -> None:
    assert refused(packed(source_tokens=np.array([], np.str_))) == "it holds no tokens"


def meta(text: str) -> bytes:
    return packed(source_tokens=np.array(["a"]), meta=np.array(text))


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "-Infinity", "1" + "0" * 400])
@pytest.mark.parametrize("place", ["{}", "[{}]", '{{"deep": [0, {}]}}'])
def test_numbers_that_no_browser_reads_are_refused_by_name(number: str, place: str) -> None:
    text = '{"model_id": "m", "format": 1, "speed": ' + place.format(number) + "}"
    assert refused(meta(text)) == "meta holds a number that is not finite ('speed')"


def test_the_format_is_a_number() -> None:
    assert (
        refused(meta('{"model_id": "m", "format": true}'))
        == "meta names format True; there are 1, 2"
    )


def test_what_is_echoed_is_short() -> None:
    long = "x" * 100_000
    told = (
        refused(meta(json.dumps({"model_id": "m", "format": long}))),
        refused(meta('{"model_id": "m", "format": 1, "' + long + '": 1e999}')),
    )
    for reason in told:
        assert len(reason) < 120
        assert "xxx…" in reason


def test_an_arrays_own_description_is_not_echoed_at_length(tmp_path: Path) -> None:
    body = io.BytesIO(packed(source_tokens=np.array(["a"])))
    text = ("{" + "'x': " * 1800).encode()
    with zipfile.ZipFile(body, "a") as archive:
        head = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
        archive.writestr("source_texts.npy", head)
    assert len(refused(body.getvalue())) < 200


def test_keys_of_meta_may_be_any_text() -> None:
    trace = read_trace(io.BytesIO(meta('{"model_id": "m", "format": 1, "\\ud800": 3}')), "x.npz")
    assert trace.meta == {"\ud800": 3}


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_may_be_a_text(kind: type, arrays: dict[str, Any], tmp_path: Path) -> None:
    np.savez(tmp_path / "look.npz", **arrays)
    trace = load_trace(kind(tmp_path / "look.npz"))
    assert isinstance(trace, AttentionTrace)
    with pytest.raises(HeadlightError, match=r"There is no file .*none\.npz"):
        load_trace(kind(tmp_path / "none.npz"))
