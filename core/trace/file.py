"""Traces on disk: `.npz` without pickles, checked before and after they are read.

The contract's arrays are `source_tokens`, `target_tokens`, for each kind `KIND_weights`,
`KIND_scores`, `KIND_allowed`, then `logits` and `meta` (a JSON string). Ours add
`written_tokens`, for each axis `_texts`, `_ids` and `_words`, for each kind `KIND_queries`
(layer, head, query, d_k), `KIND_keys` (layer, head, key, d_k) and `KIND_shares` (layer, head,
query), and `vocabulary`, a name for each column of the logits; a foreign file may lack them, and so
may one saved earlier. numpy drops U+0000 at the end of a text: where one of NAME ends so,
`NAME_lengths` says how many characters each has.

Format 2 adds what format 1 has no room for, and is written only where a trace holds any of it: a
mask that differs by head, `KIND_allowed` (layer, head, query, key); `KIND_outputs` (layer, head,
query, d_v); `KIND_sinks` (layer, head, query), what of a row no key has; `KIND_forced`, true where
weights were put in the place of a softmax's; of the stacks
`encoder` and `decoder` `STACK_residual` (layer + 1, position, d_model), and `STACK_states` (part,
layer, position, unit) with `STACK_state_names` (part,); logits over the source of a model without
a decoder; and `edits` in meta, a JSON text of what was changed during the pass.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from core.errors import HeadlightError, reading, unwritable
from core.trace.axes import KINDS, STACKS, Floats, Kind, Stack, Token, TraceError
from core.trace.bounds import SIDES, TOKENS, Members, lengths_of, measured, read_meta, wanted
from core.trace.npz import NpzError, declared
from core.trace.site import PARTS, AttentionSite, check_sums
from core.trace.trace import AttentionTrace

__all__ = ["LIMIT", "TOKENS", "load_trace", "read_trace", "save_trace"]

FORMATS: Final = (1, 2)
LIMIT: Final = 1024 * 1024 * 1024  # bytes of a file, and of its arrays once unpacked
_SPECIAL: Final = {"<pad>": "pad", "<unk>": "unknown", "<s>": "start", "</s>": "end"}
_JOINTS: Final = ("▁", "Ġ")  # SentencePiece's and byte-level BPE's mark of a new word

Array = npt.NDArray[Any]


def save_trace(path: str | os.PathLike[str], trace: AttentionTrace) -> None:
    """Write a trace; the file appears whole or not at all, equal traces as equal bytes.

    A link stays one, to what is written; so do a device and a pipe, which are written into.

    Raises:
        HeadlightError: file_unwritable.
    """
    arrays: dict[str, Array] = {}
    for side, tokens in zip(SIDES, (trace.source, trace.target, trace.written), strict=True):
        arrays |= _told(f"{side}_tokens", [token.piece for token in tokens])
        arrays |= _told(f"{side}_texts", [token.text for token in tokens])
        arrays[f"{side}_ids"] = np.array([token.id for token in tokens], dtype=np.int64)
        arrays[f"{side}_words"] = np.array([token.word for token in tokens], dtype=np.int64)
    for kind, site in trace.sites.items():
        arrays[f"{kind}_weights"] = site.weights
        arrays[f"{kind}_allowed"] = site.allowed
        for name, part in site.parts().items():
            arrays[f"{kind}_{name}"] = part
        if site.forced:
            arrays[f"{kind}_forced"] = np.array(True)
    for stack, stream in trace.residuals.items():
        arrays[f"{stack}_residual"] = stream
    for stack, parts in trace.states.items():
        arrays[f"{stack}_states"] = np.stack(list(parts.values()))
        arrays |= _told(f"{stack}_state_names", list(parts))
    if trace.logits is not None:
        arrays["logits"] = trace.logits
        if trace.vocabulary is not None:
            arrays |= _told("vocabulary", trace.vocabulary)
    meta = {**trace.meta, "model_id": trace.model_id, "format": _format(trace)}
    arrays["meta"] = np.array(json.dumps(meta))
    try:
        _write(Path(os.path.realpath(path)), arrays)
    except OSError as error:
        raise unwritable(path, error) from error


def _told(name: str, texts: Sequence[str]) -> dict[str, Array]:
    """Texts as an array, with their lengths where that alone would lose something."""
    arrays: dict[str, Array] = {name: np.array(texts, dtype=np.str_)}
    if any(text.endswith("\0") for text in texts):
        arrays[lengths_of(name)] = np.array(list(map(len, texts)), dtype=np.int64)
    return arrays


def _write(path: Path, arrays: dict[str, Array]) -> None:
    if path.exists() and not path.is_file():  # nothing is put in the place of a device
        body = io.BytesIO()
        np.savez_compressed(body, allow_pickle=False, **arrays)
        path.write_bytes(body.getvalue())
        return
    partial = path.parent / f".{path.name}.{secrets.token_hex(4)}.partial"
    try:
        with partial.open("xb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        with contextlib.suppress(OSError):  # such as a name that is too long
            partial.unlink(missing_ok=True)


def load_trace(path: str | os.PathLike[str], *, limit: int = LIMIT) -> AttentionTrace:
    """Read a trace, ours or anyone's that keeps the contract.

    Args:
        limit: the most bytes that the file, or its arrays unpacked, may take.

    Raises:
        HeadlightError: file_missing, file_unreadable, or trace_invalid with the reason.
    """
    with reading(path), Path(path).open("rb") as file:
        return read_trace(file, str(path), limit=limit)


def read_trace(file: BinaryIO, name: str, *, limit: int = LIMIT) -> AttentionTrace:
    """The same from an open file, such as an upload; `name` is for the error message.

    Raises:
        HeadlightError: trace_invalid with the reason.
    """
    try:
        return _trace(declared(file, _expected_names(), limit))
    except (NpzError, TraceError) as error:
        raise HeadlightError("trace_invalid", path=name, reason=error.reason) from error


def _format(trace: AttentionTrace) -> int:
    """The first format that has room for a trace: who reads no more than that, reads on."""
    sites = trace.sites.values()
    more = (
        any(
            not site.one_mask or site.outputs is not None or site.forced or site.sinks is not None
            for site in sites
        )
        or trace.residuals
        or trace.states
        or (trace.logits is not None and len(trace.logits) > len(trace.target))
        or "edits" in trace.meta
    )
    return 2 if more else 1


def _expected_names() -> frozenset[str]:
    texts = {f"{side}_{part}" for side in SIDES for part in ("tokens", "texts")}
    texts |= {*(f"{stack}_state_names" for stack in STACKS), "vocabulary"}
    sides = {f"{side}_{part}" for side in SIDES for part in ("ids", "words")}
    parts = ("weights", "allowed", "forced", *PARTS)
    kinds = {f"{kind}_{part}" for kind in KINDS for part in parts}
    stacks = {f"{stack}_{part}" for stack in STACKS for part in ("residual", "states")}
    return frozenset(
        texts | set(map(lengths_of, texts)) | sides | kinds | stacks | {"logits", "meta"}
    )


def _trace(file: Members) -> AttentionTrace:
    """What is small is read first; what is large has been measured by then."""
    kinds = measured(file)
    meta = read_meta(str(wanted(file, "meta", "U", 0).read()), FORMATS)
    source, target = _tokens(file, "source"), _tokens(file, "target")
    written = _tokens(file, "written") if "written_tokens" in file else _shifted(target)
    named = "vocabulary" in file and "logits" in file
    return AttentionTrace(
        str(meta.pop("model_id")),
        source,
        target,
        written,
        {kind: _site(file, kind) for kind in kinds},
        _floats(file["logits"].read()) if "logits" in file else None,
        {key: value for key, value in meta.items() if key != "format"},
        tuple(_texts(file, "vocabulary")) if named else None,
        {s: _floats(file[f"{s}_residual"].read()) for s in STACKS if f"{s}_residual" in file},
        {stack: _states(file, stack) for stack in STACKS if f"{stack}_states" in file},
    )


def _site(file: Members, kind: Kind) -> AttentionSite:
    allowed = file[f"{kind}_allowed"].read()
    masks = allowed.reshape(-1, allowed.shape[-1])
    forced = f"{kind}_forced" in file and bool(file[f"{kind}_forced"].read())

    sinks = _floats(file[f"{kind}_sinks"].read()).ravel() if f"{kind}_sinks" in file else None

    def check(first: int, rows: Array) -> None:
        if not forced:
            at = np.arange(first, first + len(rows))
            check_sums(kind, rows, masks[at % len(masks)], None if sinks is None else sinks[at])

    with np.errstate(over="ignore", invalid="ignore"):  # such sums are found to be wrong
        weights = _floats(file[f"{kind}_weights"].read(check))
    names = {part: f"{kind}_{part}" for part in PARTS}
    optional = {part: _floats(file[name].read()) for part, name in names.items() if name in file}
    return AttentionSite(kind, weights, allowed, **optional, forced=forced)


def _states(file: Members, stack: Stack) -> dict[str, Floats]:
    names = _texts(file, f"{stack}_state_names")
    if len(set(names)) < len(names):
        raise TraceError("states_named", stack=stack)
    return dict(zip(names, _floats(file[f"{stack}_states"].read()), strict=True))


def _floats(array: Array) -> Floats:
    with np.errstate(over="ignore"):  # what overflows is found as not finite
        return array.astype(np.float32, copy=False)


def _tokens(file: Members, side: str) -> tuple[Token, ...]:
    pieces = _texts(file, f"{side}_tokens")
    extras = [f"{side}_{part}" for part in ("texts", "ids", "words")]
    if not all(name in file for name in extras):
        return _foreign_tokens(pieces)
    ids, words = (file[name].read().tolist() for name in extras[1:])
    return tuple(map(Token, pieces, _texts(file, extras[0]), ids, words))


def _texts(file: Members, name: str) -> list[str]:
    """An array of texts, none longer than it has room for, whatever is said of its length."""
    texts: list[str] = file[name].read().tolist()
    if lengths_of(name) not in file:
        return texts
    room = file[name].dtype.itemsize // np.dtype("U1").itemsize
    lengths = file[lengths_of(name)].read().tolist()
    return [
        text.ljust(min(length, room), "\0") for text, length in zip(texts, lengths, strict=True)
    ]


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
