"""The snapshot that a checkpoint folder brings along: drawn before any model is opened.

Nothing here imports torch. That takes the processor for seconds, from the run of the page, from
what answers the browser and from the browser itself: a model is opened once the picture is on its
way (`make bench BENCH=looking`).
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, get_args

from core import registry
from core.checkpoint.manifest import check_file, read_manifest
from core.errors import HeadlightError
from core.families.hub.folder import is_hub
from core.model import TraceRequest
from core.text.tokenizer import TOKENIZERS, Tokenizer, TokenizerKind, goes_on, load_tokenizer
from core.trace import Token, labels_as_tokens
from viz.inspector.pack import pack
from viz.jobs.snapshots import Snapshot, snapshot_id

PATIENCE: Final = 4.0
"""Seconds in which somebody comes to a server that has just begun, if at all."""
_DRAWN: Final = threading.Event()

_LOG: Final = logging.getLogger(__name__)
_KINDS: Final[tuple[TokenizerKind, ...]] = get_args(TokenizerKind)


def drawn() -> None:
    """A browser has all that it needs for its first picture, or that will not be a stored one."""
    _DRAWN.set()


def give_way() -> None:
    """Waits for the first picture of this process, for `PATIENCE` at most."""
    _DRAWN.wait(PATIENCE)
    _DRAWN.set()


def read(model_id: str) -> Snapshot | None:
    """A model's first snapshot, None where it has none that its manifest vouches for."""
    try:
        folder = registry.known_folder(model_id)
        trace = None if is_hub(folder) else registry.first_trace(model_id)
        if trace is None or not trace.meta.get("source_text"):
            return None
        tokenizer = _tokenizer(folder)
        columns = _columns(model_id, folder, tokenizer)
        digest = read_manifest(folder).digest
    except HeadlightError as error:
        _LOG.warning("%s has no first snapshot: %s", model_id, error)
        return None
    if trace.meta.get("checkpoint") != digest:
        _LOG.warning("%s has no first snapshot: it is of other weights", model_id)
        return None
    if trace.logits is not None and trace.logits.shape[1] != len(columns):
        _LOG.warning("%s has no first snapshot: it is of another vocabulary", model_id)
        return None
    request = TraceRequest(str(trace.meta["source_text"]))
    name = snapshot_id(digest, str(trace.meta.get("device", "")), request)
    if trace.logits is not None:
        trace = replace(trace, vocabulary=tuple(token.text for token in columns))
    return Snapshot(
        id=name,
        request=request,
        trace=trace,
        packed=pack(
            trace,
            trace_id=name,
            vocabulary_tokens=lambda rows: [columns[row] for row in rows],
            goes_on=partial(goes_on, tokenizer),
        ),
        stored=True,
    )


def _columns(model_id: str, folder: Path, tokenizer: Tokenizer) -> tuple[Token, ...]:
    """What the columns of its logits stand for, as `Inspectable.vocabulary_tokens`."""
    labels = registry.entry_of(model_id, folder).labels
    if labels:
        return labels_as_tokens(labels)
    return tuple(tokenizer.tokens([row])[0] for row in range(tokenizer.size))


def _tokenizer(folder: Path) -> Tokenizer:
    manifest = read_manifest(folder)
    for kind in _KINDS:
        if TOKENIZERS[kind] in manifest.files:
            check_file(folder, manifest, TOKENIZERS[kind])
            return load_tokenizer(kind, folder)
    raise HeadlightError("checkpoint_missing", path=str(folder), file=TOKENIZERS[_KINDS[0]])
