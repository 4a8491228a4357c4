"""One look at a model, small enough for a browser.

Weights travel as one byte each: a float16 maximum for every row and the square root of
`weight / maximum` in 0..255. The square root spends its steps where attention lives (many
small weights, few large ones). The largest weight of a row is right to float16 (half a
thousandth); for every other cell the rounding error is at most `sqrt(w * maximum) / 255`,
and since a row sums to 1 that is below `WEIGHT_ERROR`. Raw scores do not travel: the exact
floats of one head are fetched when it is looked at (`exact_bytes`).

The browser's reader is assets/model.js; `unpack` is its slow twin for the parity tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.studies.heads import head_traits
from core.trace import KINDS, AttentionSite, AttentionTrace, Bools, Floats, Kind, Token

Bytes = npt.NDArray[np.uint8]

FORMAT: Final = 1
LEVELS: Final = 255
WEIGHT_ERROR: Final = 0.0025
"""Largest difference between a packed weight and the real one."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """What the component is sent.

    Attributes:
        meta: JSON-able description of the trace and of where things lie in `array`.
        array: (bytes,) uint8; for every kind its row maxima (little-endian float16), its
            companded weights (layer, head, query, key) and its mask (bits, low bit first).
    """

    meta: dict[str, Any]
    array: Bytes


def pack(
    trace: AttentionTrace,
    *,
    trace_id: str,
    top_k: int = 12,
    vocabulary_text: Callable[[list[int]], list[str]] | None = None,
) -> Packed:
    """Quantise a trace.

    Args:
        trace: the look.
        trace_id: names it in the exact route; the browser asks for `trace/{trace_id}/...`.
        top_k: how many next-token candidates travel with each step, 1 or more.
        vocabulary_text: names vocabulary rows as people read them; without it candidates
            other than the written token show as "#17".

    Raises:
        ValueError: for a `top_k` below 1.
    """
    if top_k < 1:
        raise ValueError(f"top_k is {top_k}, not 1 or more")
    chunks: list[Bytes] = []
    offset = 0
    sites: list[dict[str, Any]] = []
    for kind in KINDS:
        site = trace.sites.get(kind)
        if site is None:
            continue
        parts = _quantised(site)
        offsets = []
        for part in parts:
            offsets.append(offset)
            chunks.append(part)
            offset += part.size
        sites.append(_described(trace, site, offsets))
    meta = {
        "format": FORMAT,
        "trace_id": trace_id,
        "model_id": _utf8(trace.model_id),
        "facts": {
            key: _utf8(value) if isinstance(value, str) else value
            for key, value in trace.meta.items()
        },
        "source": token_columns(trace.source),
        "read": token_columns(trace.target),
        "written": token_columns(trace.written),
        "weight_error": WEIGHT_ERROR,
        "sites": sites,
        "next": _distributions(trace, top_k, vocabulary_text),
    }
    return Packed(meta, np.concatenate(chunks) if chunks else np.zeros(0, np.uint8))


def unpack(packed: Packed) -> dict[Kind, tuple[Floats, Bools]]:
    """Weights (layer, head, query, key) within `WEIGHT_ERROR`, and masks, of every kind."""
    out: dict[Kind, tuple[Floats, Bools]] = {}
    for site in packed.meta["sites"]:
        layers, heads, rows, columns = (
            site[axis] for axis in ("layers", "heads", "rows", "columns")
        )
        cells = layers * heads * rows * columns
        maxima = packed.array[site["maxima"] :][: layers * heads * rows * 2].view("<f2")
        codes = packed.array[site["codes"] :][:cells].reshape(layers, heads, rows, columns)
        scale = maxima.astype(np.float32).reshape(layers, heads, rows, 1) / LEVELS**2
        bits = packed.array[site["allowed"] :][: -(-rows * columns // 8)]
        allowed = np.unpackbits(bits, count=rows * columns, bitorder="little")
        out[site["kind"]] = (
            (codes.astype(np.float32) ** 2 * scale).astype(np.float32),
            allowed.astype(np.bool_).reshape(rows, columns),
        )
    return out


def exact_bytes(trace: AttentionTrace, kind: Kind, layer: int, head: int) -> bytes:
    """The body of `trace/{trace_id}/{kind}/{layer}/{head}`.

    Little-endian float32, row-major (query, key): the weights, then the scores where the
    model exposes them (the length tells).

    Args:
        trace: the look.
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
    return body


def _quantised(site: AttentionSite) -> tuple[Bytes, Bytes, Bytes]:
    """Row maxima, companded weights and mask, each as flat bytes."""
    # Layer by layer, so that 512 tokens do not need a second copy of everything in float32.
    maxima = site.weights.max(axis=3, initial=0.0).astype("<f2")  # (layer, head, query)
    codes = np.empty(site.weights.shape, np.uint8)
    for layer in range(site.layers):
        scale = maxima[layer].astype(np.float32)[..., None]
        share = np.divide(
            site.weights[layer], scale, out=np.zeros_like(site.weights[layer]), where=scale > 0
        )
        codes[layer] = np.rint(LEVELS * np.sqrt(np.minimum(share, 1.0)))
    mask = np.packbits(site.allowed.reshape(-1), bitorder="little")
    return maxima.reshape(-1).view(np.uint8), codes.reshape(-1), mask


def _described(trace: AttentionTrace, site: AttentionSite, offsets: list[int]) -> dict[str, Any]:
    rows, columns = site.allowed.shape
    return {
        "kind": site.kind,
        "layers": site.layers,
        "heads": site.heads,
        "rows": rows,
        "columns": columns,
        "maxima": offsets[0],
        "codes": offsets[1],
        "allowed": offsets[2],
        "scores": site.scores is not None,
        "traits": head_traits(site, trace.keys(site.kind)),
    }


def token_columns(tokens: tuple[Token, ...]) -> dict[str, list[Any]]:
    """Tokens as the browser's `tokensOf` (assets/model.js) reads them."""
    return {
        "text": [_utf8(token.text) for token in tokens],
        "piece": [_utf8(token.piece) for token in tokens],
        "special": [token.special for token in tokens],
        "word": [token.word for token in tokens],
    }


def _utf8(text: str) -> str:
    """A lone surrogate cannot travel; it arrives as the replacement character."""
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def _distributions(
    trace: AttentionTrace,
    top_k: int,
    vocabulary_text: Callable[[list[int]], list[str]] | None,
) -> list[Mapping[str, Any]] | None:
    """The likeliest next tokens of every step, in float64; None where the model has none."""
    if trace.logits is None or trace.logits.shape[1] == 0:
        return None
    specials = {
        token.id: _utf8(token.piece)
        for token in (*trace.target, *trace.written)
        if token.special and token.id >= 0
    }
    return [
        _distribution(row, token, top_k, vocabulary_text, specials)
        for row, token in zip(trace.logits, trace.written, strict=True)
    ]


def _distribution(
    logits: Floats,
    written: Token,
    top_k: int,
    vocabulary_text: Callable[[list[int]], list[str]] | None,
    specials: Mapping[int, str],
) -> dict[str, Any]:
    """One step; `specials` names the vocabulary rows that the trace shows to be special."""
    exponentials = np.exp(logits.astype(np.float64) - float(logits.max()))
    probabilities = exponentials / exponentials.sum()
    k = min(top_k, probabilities.size)
    top = np.argpartition(-probabilities, k - 1)[:k]
    ids = [int(row) for row in top[np.lexsort((top, -probabilities[top]))]]
    known = 0 <= written.id < probabilities.size
    if known and written.id not in ids:
        ids.append(written.id)  # the written token is always shown, however unlikely
    texts = vocabulary_text(ids) if vocabulary_text else [f"#{row}" for row in ids]
    chosen = ids.index(written.id) if known else -1
    if known and not vocabulary_text:
        texts[chosen] = written.text
    return {
        "texts": [_utf8(text) for text in texts],
        "specials": [specials.get(row) for row in ids],
        "p": [float(probabilities[row]) for row in ids],
        "chosen": chosen,
        "rank": int((probabilities > probabilities[written.id]).sum()) + 1 if known else -1,
        "others": int(probabilities.size - len(ids)),
    }
