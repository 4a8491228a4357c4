"""One look at a model, small enough for a browser.

The description comes first; the weights of a kind of attention, one byte each
(`viz.inspector.quantise`), when it is looked at, and the exact floats of a head, with its raw
scores and shares, when that head is. Everything lies at an address of its own that never changes
what it says (`viz.server.routes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from core.studies.forced import forced_rows
from core.studies.heads import head_traits
from core.text.utf8 import byte_of
from core.trace import KINDS, AttentionSite, AttentionTrace, Floats, Kind, Token
from viz.inspector.conditions import sampled, scores_edited
from viz.inspector.quantise import Bytes, layout, quantised
from viz.text.tokens import by_letters, carried


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """What a browser is told of a trace, and what it may ask for.

    Attributes:
        meta: JSON-able description of the trace, and of where things lie in each body.
        trace: what is described.
    """

    meta: dict[str, Any]
    trace: AttentionTrace
    _bodies: dict[Kind, Bytes] = field(default_factory=dict, repr=False)

    def body(self, kind: Kind) -> Bytes:
        """The weights and the mask of a kind (`quantised`), made when first asked for.

        Raises:
            KeyError: the trace has no such kind.
        """
        if kind not in self._bodies:
            self._bodies[kind] = quantised(self.trace.sites[kind])
        return self._bodies[kind]

    @property
    def nbytes(self) -> int:
        """Bytes of all bodies, made or not."""
        return sum(site["bytes"] for site in self.meta["sites"])

    def whole(self, place: int = 0) -> tuple[list[dict[str, Any]], Bytes]:
        """All bodies behind each other, and the sites as they lie in that from `place` on."""
        sites, bodies = [], [np.zeros(0, np.uint8)]
        for site in self.meta["sites"]:
            moved = {part: site[part] + place for part in _PARTS if site[part] is not None}
            sites.append({**site, **moved})
            bodies.append(self.body(site["kind"]))
            place += site["bytes"]
        return sites, np.concatenate(bodies)


VocabularyTokens = Callable[[list[int]], Sequence[Token]]
"""What rows of a vocabulary stand for."""

GoesOn = Callable[[int, list[int]], Sequence[bool]]
"""Which rows of a vocabulary, right after one of them, go on with its word."""

Joins = Callable[[list[int]], Sequence[bool]]
"""The same, after a row that is known."""

_PARTS: Final = ("maxima", "codes", "allowed", "peaks")


def pack(
    trace: AttentionTrace,
    *,
    trace_id: str,
    top_k: int = 12,
    vocabulary_tokens: VocabularyTokens | None = None,
    goes_on: GoesOn | None = None,
) -> Packed:
    """Describe a trace.

    Args:
        trace: the trace.
        trace_id: names it in addresses; the browser asks for `trace/{trace_id}/...`.
        top_k: how many next-token candidates travel with each step, 1 or more.
        vocabulary_tokens: what rows of the vocabulary stand for; without it the trace's own names
            are taken, and without those candidates other than the written token show as "#17".
        goes_on: which candidates go on with the word before them; without it none is said to.

    Raises:
        ValueError: for a `top_k` below 1.
    """
    if top_k < 1:
        raise ValueError(f"top_k is {top_k}, not 1 or more")
    meta = {
        "trace_id": trace_id,
        "model_id": carried(trace.model_id),
        "facts": {
            carried(key): carried(value) if isinstance(value, str) else value
            for key, value in trace.meta.items()
        },
        "source": token_columns(trace.source),
        "read": token_columns(trace.target),
        "written": token_columns(trace.written),
        "sites": [_described(trace, kind) for kind in KINDS if kind in trace.sites],
        "next": _distributions(trace, top_k, vocabulary_tokens, goes_on),
        "told": _told(trace, top_k, vocabulary_tokens),
        "logits": trace.tells_next,
        "vocabulary": 0 if trace.logits is None else trace.logits.shape[1],
        "sampled": sampled(trace),
    }
    return Packed(meta, trace)


def ui(
    view: str, language: str, text: Mapping[str, str], selection: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What is told every view: which one it is, its words and where to start (web/types.d.ts)."""
    selected = dict(selection or {})
    return {"view": view, "language": language, "text": dict(text), "selection": selected}


def exact_bytes(trace: AttentionTrace, kind: Kind, layer: int, head: int) -> bytes:
    """The body of `trace/{trace_id}/{kind}/{layer}/{head}`.

    Little-endian float32: the weights (query, key), then, where the trace has them, the scores
    (query, key) and the shares (head, query) of all heads of the layer.

    Args:
        trace: the trace.
        kind: a kind that it has.
        layer, head: count from 0, in the path as here.

    Raises:
        KeyError: the model has no such kind.
        IndexError: no such layer or head.
    """
    site = trace.sites[kind]
    if not (0 <= layer < site.layers and 0 <= head < site.heads):
        raise IndexError(f"{kind} has no layer {layer}, head {head}")
    body: bytes = site.weights[layer, head].astype("<f4").tobytes()
    if site.scores is not None:
        body += site.scores[layer, head].astype("<f4").tobytes()
    if site.shares is not None:
        body += site.shares[layer].astype("<f4").tobytes()
    return body


def exact_size(site: AttentionSite) -> int:
    """How many `exact_bytes` there are of a head."""
    cells, rows = math.prod(site.shape), site.heads * site.shape[0]
    shares = 0 if site.shares is None else rows
    return 4 * (cells + (0 if site.scores is None else cells) + shares)


def logits_bytes(trace: AttentionTrace, step: int) -> bytes:
    """The body of `trace/{trace_id}/logits/{step}`: one vocabulary row, little-endian float32.

    No names travel with it: temperature, top-k and top-p change no order, so what is shown of
    the row is always among the candidates that `pack` names.

    Args:
        step: counts from 0.

    Raises:
        KeyError: the model has no logits.
        IndexError: no such step.
    """
    if trace.logits is None or not trace.tells_next:
        raise KeyError("logits")
    if not 0 <= step < len(trace.logits):
        raise IndexError(f"there is no step {step}")
    body: bytes = trace.logits[step].astype("<f4").tobytes()
    return body


def special_tokens(trace: AttentionTrace) -> dict[int, Token]:
    """Vocabulary rows that are no word of the same spelling, as far as a decoder shows them."""
    tokens = (*trace.target, *trace.written)
    return {token.id: token for token in tokens if token.special and token.id >= 0}


def _own_tokens(trace: AttentionTrace, written: Token) -> VocabularyTokens:
    """What a trace alone knows: its special tokens, its names, else no more than `written`."""
    known, names = special_tokens(trace), trace.vocabulary
    if names is None:
        known[written.id] = written
    return lambda ids: [
        known.get(row) or Token("", f"#{row}" if names is None else names[row], row, 0)
        for row in ids
    ]


def _described(trace: AttentionTrace, kind: Kind) -> dict[str, Any]:
    site, edited = trace.sites[kind], scores_edited(trace, kind)
    return {
        "kind": kind,
        "layers": site.layers,
        "heads": site.heads,
        **layout(site),
        "scores": site.scores is not None,
        "scores_edited": edited.tolist() if edited.any() else None,
        "sink": site.sinks is not None,
        "forced": _forced(site),
        "shares": site.shares is not None,
        "traits": head_traits(site, trace.keys(kind)),
    }


def _forced(site: AttentionSite) -> list[list[list[int]]] | None:
    """The rows of each head that `forced_rows` finds."""
    found = forced_rows(site)
    if found is None:
        return None
    return [[np.flatnonzero(rows).tolist() for rows in layer] for layer in found]


def token_columns(tokens: tuple[Token, ...]) -> dict[str, list[Any]]:
    """Tokens as the browser's `tokensOf` (web/data/tokens.js) reads them."""
    return {
        "text": [carried(token.text) for token in tokens],
        "piece": [carried(token.piece) for token in tokens],
        "special": [token.special for token in tokens],
        "word": [token.word for token in tokens],
    }


def _distributions(
    trace: AttentionTrace,
    top_k: int,
    vocabulary_tokens: VocabularyTokens | None,
    goes_on: GoesOn | None,
) -> list[Mapping[str, Any]] | None:
    """The likeliest next tokens of every step, in float64; None where the model has none."""
    if trace.logits is None or not trace.tells_next:
        return None
    told = None if by_letters(trace.written) else goes_on
    return [
        distribution(
            row, token, top_k, vocabulary_tokens or _own_tokens(trace, token), after(before, told)
        )
        for row, token, before in zip(trace.logits, trace.written, trace.target, strict=True)
    ]


def _told(
    trace: AttentionTrace, top_k: int, vocabulary_tokens: VocabularyTokens | None
) -> list[Mapping[str, Any]] | None:
    """What is likeliest at each token of the source, of a model that writes nothing; or None."""
    if trace.logits is None or not trace.logits.size or trace.logits_axis != "source":
        return None
    none = Token("", "")
    known = vocabulary_tokens or _own_tokens(trace, none)
    return [distribution(row, none, top_k, known) for row in trace.logits]


def after(before: Token, goes_on: GoesOn | None) -> Joins | None:
    """Which rows go on with the word of a token; None where nobody says, or it is of no word."""
    return None if goes_on is None or before.special else partial(goes_on, before.id)


def distribution(
    logits: Floats,
    written: Token,
    top_k: int,
    vocabulary_tokens: VocabularyTokens,
    joins: Joins | None = None,
) -> dict[str, Any]:
    """The likeliest of one row of logits, and the token that stands there.

    Args:
        logits: (vocabulary,).
        written: what stands there, whose name is known; of id -1 where nothing does.
        top_k: how many.
        vocabulary_tokens: as `pack` has it.
        joins: which go on with the word before them; None where none is said to.
    """
    exponentials = np.exp(logits.astype(np.float64) - float(logits.max()))
    probabilities = exponentials / exponentials.sum()
    k = min(top_k, probabilities.size)
    top = np.argpartition(-probabilities, k - 1)[:k]
    ids = [int(row) for row in top[np.lexsort((top, -probabilities[top]))]]
    known = 0 <= written.id < probabilities.size
    if known and written.id not in ids:
        ids.append(written.id)  # the written token is always shown, however unlikely
    chosen = ids.index(written.id) if known else -1
    tokens = vocabulary_tokens(ids)
    texts = [token.text for token in tokens]
    if known and byte_of(texts[chosen]) is not None:
        texts[chosen] = written.text  # which tells of what letter it is a part
    return {
        "ids": ids,
        "texts": list(map(carried, texts)),
        "joins": [False] * len(ids) if joins is None else list(joins(ids)),
        "specials": [carried(token.piece) if token.special else None for token in tokens],
        "p": [float(f"{probabilities[row]:.7g}") for row in ids],  # as exact as float32
        "chosen": chosen,
        "rank": int((probabilities > probabilities[written.id]).sum()) + 1 if known else -1,
        "others": int(probabilities.size - len(ids)),
    }
