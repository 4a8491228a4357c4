"""What a trace refuses on construction."""

from dataclasses import replace

import numpy as np
import pytest

from core.trace import AttentionSite, Floats, TraceError

SITE = AttentionSite("cross", np.full((2, 3, 4, 5), 0.2, np.float32), np.ones((4, 5), np.bool_))
QUERIES, KEYS = np.ones((2, 3, 4, 8), np.float32), np.ones((2, 3, 5, 8), np.float32)


def test_queries_and_keys_of_its_rows_and_columns_are_taken() -> None:
    site = replace(SITE, queries=QUERIES, keys=KEYS)
    assert site.queries is QUERIES
    assert site.keys is KEYS


@pytest.mark.parametrize(
    ("queries", "keys", "reason"),
    [
        (QUERIES, None, "both queries and keys"),
        (None, KEYS, "both queries and keys"),
        (KEYS, KEYS, "queries and weights differ in shape"),
        (QUERIES, QUERIES, "keys and weights differ in shape"),
        (QUERIES[:1], KEYS, "queries and weights differ in shape"),
        (QUERIES[0], KEYS, "queries and weights differ in shape"),
        (QUERIES, KEYS[..., 1:], "differ in width"),
        (QUERIES[..., :0], KEYS[..., :0], "differ in width, or have none"),
        (QUERIES * np.nan, KEYS, "queries are not finite"),
        (QUERIES, KEYS * np.inf, "keys are not finite"),
    ],
)
def test_other_queries_and_keys_are_refused_by_name(
    queries: Floats | None, keys: Floats | None, reason: str
) -> None:
    with pytest.raises(TraceError, match=f"cross: .*{reason}"):
        replace(SITE, queries=queries, keys=keys)
