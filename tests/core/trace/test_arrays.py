"""What a trace refuses on construction."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.trace import AttentionSite, AttentionTrace, Floats, Kind, Token, TraceError

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


MASKS = np.ones((2, 3, 4, 5), np.bool_)


def test_a_mask_may_differ_by_layer_and_head() -> None:
    masks, weights = MASKS.copy(), SITE.weights.copy()
    masks[1, 2, 3] = False
    weights[1, 2, 3] = 0.0
    site = replace(SITE, allowed=masks, weights=weights)
    assert not site.one_mask
    assert not site.mask(1, 2)[3].any()
    assert site.mask(0, 2).all()


@pytest.mark.parametrize("cell", [(0, 0, 0, 0), (1, 2, 3, 4)])
def test_every_head_keeps_to_its_own_mask(cell: tuple[int, ...]) -> None:
    masks = MASKS.copy()
    masks[cell] = False
    with pytest.raises(TraceError, match="weight on a cell that the mask forbids"):
        replace(SITE, allowed=masks)


@pytest.mark.parametrize("shape", [(1, 1, 4, 5), (3, 4, 5), (2, 3, 4, 4), (5, 4)])
def test_a_mask_is_of_all_heads_or_of_each(shape: tuple[int, ...]) -> None:
    with pytest.raises(TraceError, match="the mask is not a bool"):
        replace(SITE, allowed=np.ones(shape, np.bool_))


def test_forced_weights_keep_to_what_holds_for_them() -> None:
    """They are no softmax's: neither sums nor masks bind them, but they are numbers."""
    weights = SITE.weights * 3
    with pytest.raises(TraceError, match="sums to 3"):
        replace(SITE, weights=weights)
    assert replace(SITE, weights=weights, forced=True).forced
    for wrong in (np.nan, np.inf, -0.1):
        with pytest.raises(TraceError, match="negative or not finite"):
            replace(SITE, weights=np.full_like(weights, wrong), forced=True)


def test_outputs_are_of_its_rows() -> None:
    outputs = np.ones((2, 3, 4, 7), np.float32)  # as wide as values are, not as keys
    assert replace(SITE, queries=QUERIES, keys=KEYS, outputs=outputs).outputs is outputs
    with pytest.raises(TraceError, match="outputs and weights differ in shape"):
        replace(SITE, outputs=outputs[:, :, 1:])
    with pytest.raises(TraceError, match="outputs are not finite"):
        replace(SITE, outputs=outputs * np.inf)


def test_shares_are_of_its_rows() -> None:
    shares = np.ones((2, 3, 4), np.float32)
    site = replace(SITE, shares=shares)
    assert site.shares is shares
    with pytest.raises(TraceError, match="shares and weights differ in shape"):
        replace(SITE, shares=shares[:, :, 1:])
    with pytest.raises(TraceError, match="shares are not finite"):
        replace(SITE, shares=shares * np.inf)


def encoder(**more: Any) -> AttentionTrace:
    """A model without a decoder, of three tokens."""
    tokens = tuple(Token(letter, letter) for letter in "abc")
    return AttentionTrace("made", tokens, (), (), {}, **more)


def test_logits_of_a_model_without_a_decoder_are_over_its_source() -> None:
    trace = encoder(logits=np.zeros((3, 9), np.float32))
    assert trace.logits_axis == "source"
    with pytest.raises(TraceError, match="logits"):
        encoder(logits=np.zeros((2, 9), np.float32))


def test_what_a_stack_computed_fits_its_tokens() -> None:
    stream = np.zeros((2, 3, 8), np.float32)
    trace = encoder(residuals={"encoder": stream}, states={"encoder": {"hidden": stream}})
    assert {id(array) for array in trace.arrays()} == {id(stream)}
    for wrong in (stream[:, 1:], stream[0]):
        with pytest.raises(TraceError, match="encoder: residual does not fit"):
            encoder(residuals={"encoder": wrong})
        with pytest.raises(TraceError, match="encoder: gate does not fit"):
            encoder(states={"encoder": {"gate": wrong}})
    with pytest.raises(TraceError, match="encoder: gate does not fit"):
        encoder(states={"encoder": {"hidden": stream, "gate": stream[:1]}})
    with pytest.raises(TraceError, match="decoder: residual does not fit"):
        encoder(residuals={"decoder": stream})
    with pytest.raises(TraceError, match="encoder: hidden is not finite"):
        encoder(states={"encoder": {"hidden": stream * np.nan}})


@pytest.mark.parametrize(
    ("kind", "writes", "one_sequence"),
    [("encoder_self", False, True), ("decoder_self", True, True), ("cross", True, False)],
)
def test_a_site_says_what_its_axes_are(kind: Kind, writes: bool, one_sequence: bool) -> None:
    site = AttentionSite(kind, SITE.weights, SITE.allowed)
    assert (site.writes, site.one_sequence) == (writes, one_sequence)
