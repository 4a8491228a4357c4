"""Traces on disk: `.npz` without pickles, checked before and after they are read.

The contract's arrays are `source_tokens`, `target_tokens`, for each kind `KIND_weights`,
`KIND_scores`, `KIND_allowed`, then `logits` and `meta` (a JSON string). Ours add
`written_tokens`, and for each axis `_texts`, `_ids` and `_words`; a foreign file may lack them.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from core.errors import HeadlightError
from core.npz import NpzError, read_arrays
from core.trace import KINDS, AttentionSite, AttentionTrace, Floats, Kind, Token, TraceError

FORMAT: Final = 1
LIMIT: Final = 1024 * 1024 * 1024  # bytes of a file, and of its arrays once unpacked
_MOST_HEADS: Final = 1024  # an axis of no tokens has room for any number of them
_AXES: Final = ("source", "target", "written")
_SPECIAL: Final = {"<pad>": "pad", "<unk>": "unknown", "<s>": "start", "</s>": "end"}
_JOINTS: Final = ("▁", "Ġ")  # SentencePiece's and byte-level BPE's mark of a new word

Array = npt.NDArray[Any]
Meta = dict[str, str | int | float | bool]


def save_trace(path: Path, trace: AttentionTrace) -> None:
    """Write a trace; the file appears whole or not at all, equal traces as equal bytes.

    Raises:
        HeadlightError: file_unwritable.
    """
    arrays: dict[str, Array] = {}
    for axis, tokens in _axes(trace).items():
        arrays[f"{axis}_tokens"] = np.array([token.piece for token in tokens], dtype=np.str_)
        arrays[f"{axis}_texts"] = np.array([token.text for token in tokens], dtype=np.str_)
        arrays[f"{axis}_ids"] = np.array([token.id for token in tokens], dtype=np.int64)
        arrays[f"{axis}_words"] = np.array([token.word for token in tokens], dtype=np.int64)
    for kind, site in trace.sites.items():
        arrays[f"{kind}_weights"] = site.weights
        arrays[f"{kind}_allowed"] = site.allowed
        if site.scores is not None:
            arrays[f"{kind}_scores"] = site.scores
    if trace.logits is not None:
        arrays["logits"] = trace.logits
    meta = {**trace.meta, "model_id": trace.model_id, "format": FORMAT}
    arrays["meta"] = np.array(json.dumps(meta))
    partial = path.parent / f".{path.name}.{secrets.token_hex(4)}.partial"
    try:
        with partial.open("xb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadlightError("file_unwritable", path=str(path), reason=reason) from error
    finally:
        with contextlib.suppress(OSError):  # such as a name that is too long
            partial.unlink(missing_ok=True)


def load_trace(path: Path, *, limit: int = LIMIT) -> AttentionTrace:
    """Read a trace, ours or anyone's that keeps the contract.

    Args:
        limit: the most bytes that the file, or its arrays unpacked, may take.

    Raises:
        HeadlightError: file_missing, file_unreadable, or trace_invalid with the reason.
    """
    try:
        with path.open("rb") as file:
            return read_trace(file, str(path), limit=limit)
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadlightError("file_unreadable", path=str(path), reason=reason) from error


def read_trace(file: BinaryIO, name: str, *, limit: int = LIMIT) -> AttentionTrace:
    """The same from an open file, such as an upload; `name` is for the error message.

    Raises:
        HeadlightError: trace_invalid with the reason.
    """
    try:
        return _trace(read_arrays(file, _expected_names(), limit))
    except (NpzError, TraceError) as error:
        raise HeadlightError("trace_invalid", path=name, reason=str(error)) from error


def _axes(trace: AttentionTrace) -> dict[str, tuple[Token, ...]]:
    return {"source": trace.source, "target": trace.target, "written": trace.written}


def _expected_names() -> frozenset[str]:
    axes = {f"{axis}_{part}" for axis in _AXES for part in ("tokens", "texts", "ids", "words")}
    kinds = {f"{kind}_{part}" for kind in KINDS for part in ("weights", "scores", "allowed")}
    return frozenset(axes | kinds | {"logits", "meta"})


def _trace(arrays: Mapping[str, Array]) -> AttentionTrace:
    meta = _meta(arrays)
    source, target = _tokens(arrays, "source"), _tokens(arrays, "target")
    written = _tokens(arrays, "written") if "written_tokens" in arrays else _shifted(target)
    return AttentionTrace(
        str(meta.pop("model_id")),
        source,
        target,
        written,
        {kind: _site(arrays, kind) for kind in KINDS if f"{kind}_weights" in arrays},
        _floats(arrays, "logits", 2) if "logits" in arrays else None,
        {key: value for key, value in meta.items() if key != "format"},
    )


def _meta(arrays: Mapping[str, Array]) -> Meta:
    try:
        meta = json.loads(str(_need(arrays, "meta", "U", 0)), parse_constant=_no_number)
    except TraceError:
        raise
    except (ValueError, RecursionError) as error:
        raise TraceError("meta is not JSON") from error
    if not isinstance(meta, dict) or not isinstance(meta.get("model_id"), str):
        raise TraceError("meta names no model_id")
    if meta.get("format") != FORMAT:
        raise TraceError(f"meta names format {meta.get('format')!r}, not {FORMAT}")
    return {key: value for key, value in meta.items() if isinstance(value, str | int | float)}


def _no_number(constant: str) -> float:
    raise ValueError(constant)  # NaN and Infinity are no JSON, and browsers refuse them


def _site(arrays: Mapping[str, Array], kind: Kind) -> AttentionSite:
    scores = f"{kind}_scores"
    weights = _floats(arrays, f"{kind}_weights", 4)
    if max(weights.shape[:2]) > _MOST_HEADS:
        raise TraceError(f"{kind}: more than {_MOST_HEADS} layers or heads")
    return AttentionSite(
        kind,
        weights,
        _need(arrays, f"{kind}_allowed", "b", 2),
        _floats(arrays, scores, 4) if scores in arrays else None,
    )


def _need(arrays: Mapping[str, Array], name: str, kind: str, axes: int) -> Array:
    if name not in arrays:
        raise TraceError(f"{name} is missing")
    array = arrays[name]
    if array.dtype.kind != kind or array.ndim != axes:
        raise TraceError(f"{name} has dtype {array.dtype} and {array.ndim} axes")
    return array


def _floats(arrays: Mapping[str, Array], name: str, axes: int) -> Floats:
    with np.errstate(over="ignore"):  # what overflows is found as not finite
        return _need(arrays, name, "f", axes).astype(np.float32)


def _tokens(arrays: Mapping[str, Array], axis: str) -> tuple[Token, ...]:
    pieces = [str(piece) for piece in _need(arrays, f"{axis}_tokens", "U", 1)]
    extras = [f"{axis}_{part}" for part in ("texts", "ids", "words")]
    if not all(name in arrays for name in extras):
        return _foreign_tokens(pieces)
    texts, ids, words = (
        _need(arrays, name, kind, 1).tolist() for name, kind in zip(extras, "Uii", strict=True)
    )
    if not len(pieces) == len(texts) == len(ids) == len(words):
        raise TraceError(f"the {axis} tokens and their texts, ids and words differ in number")
    return tuple(map(Token, pieces, texts, ids, words))


def _foreign_tokens(pieces: Sequence[str]) -> tuple[Token, ...]:
    """Tokens of a file that has only their pieces: words by joints where there are any."""
    jointed = any(piece.startswith(_JOINTS) for piece in pieces)
    tokens: list[Token] = []
    word = -1
    for piece in pieces:
        if piece in _SPECIAL:
            tokens.append(Token(piece, _SPECIAL[piece]))
            continue
        if word < 0 or not jointed or piece.startswith(_JOINTS):
            word += 1
        text = piece[1:] if piece.startswith(_JOINTS) else piece
        tokens.append(Token(piece, text or "␣", -1, word))
    return tuple(tokens)


def _shifted(target: tuple[Token, ...]) -> tuple[Token, ...]:
    """What each row wrote, where the file does not say: the token that is read next.

    What the last row wrote is not known, and is not guessed.
    """
    return (*target[1:], Token("", "?")) if target else ()
