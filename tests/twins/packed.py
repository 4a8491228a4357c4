"""What a browser reads of packed attention: the slow twin of viz/inspector/web/data/model.js."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.trace import Bools, Floats, Kind
from viz.inspector.quantise import BELOW, LEVELS, Bytes


def unpack(sites: Sequence[Mapping[str, Any]], array: Bytes) -> dict[Kind, tuple[Floats, Bools]]:
    """Weights (layer, head, *fine) within the site's error, and masks as sites have them."""
    out: dict[Kind, tuple[Floats, Bools]] = {}
    for site in sites:
        shape = (site["layers"], site["heads"], *site["fine"])
        rows = shape[0] * shape[1] * shape[2]
        maxima = array[site["maxima"] :][: rows * 2].view("<f2").astype(np.float32)
        codes = array[site["codes"] :][: rows * shape[3]].reshape(shape).astype(np.float32)
        power = 1 if site["linear"] else 2
        weights = codes**power * (maxima.reshape(*shape[:3], 1) / LEVELS**power)
        cells = site["masks"] * site["rows"] * site["columns"]
        bits = array[site["allowed"] :][: -(-cells // 8)]
        allowed = np.unpackbits(bits, count=cells, bitorder="little").astype(np.bool_)
        heads = shape[:2] if site["masks"] > 1 else ()
        mask = allowed.reshape(*heads, site["rows"], site["columns"])
        out[site["kind"]] = (weights.astype(np.float32), mask)
    return out


def whole(site: Mapping[str, Any], array: Bytes) -> Floats:
    """Weights (layer, head, query, key) as the browser shows them until the exact ones arrive."""
    weights, _ = unpack([site], array)[site["kind"]]
    if site["peaks"] is None:
        return weights
    rows, columns = site["rows"], site["columns"]
    tall, wide = site["fine"]
    spread = weights[:, :, np.arange(rows) * tall // rows][
        ..., np.arange(columns) * wide // columns
    ]
    shape = (site["layers"], site["heads"], rows)
    pairs = array[site["peaks"] :][: 4 * int(np.prod(shape))].view("<u2").reshape(*shape, 2)
    largest = np.ascontiguousarray(pairs[..., 0]).view("<f2").astype(np.float32)[..., None]
    out: Floats = np.minimum(spread, largest * BELOW)
    np.put_along_axis(out, pairs[..., 1:].astype(np.int64), largest, axis=3)
    return out
