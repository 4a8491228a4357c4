"""Traces made from random queries and keys, through a real softmax: valid, and of any size."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from core.decoding.beam import length_penalty
from core.outputs import SearchNode, SearchTree
from core.trace import AttentionSite, AttentionTrace, Bools, Kind, Token

KOREAN = ("어제", "카페", "갔", "었어", "거기", "사람", "많", "더라")
KOREAN_WORDS = (0, 1, 2, 2, 3, 4, 5, 5)
ENGLISH = (
    "yesterday",
    "I",
    "went",
    "to",
    "the",
    "caf",
    "é",
    ",",
    "there",
    "were",
    "many",
    "people",
    "there",
)
ENGLISH_WORDS = (0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11)
VOCABULARY = 60


def site(
    kind: Kind,
    allowed: Bools,
    *,
    layers: int,
    heads: int,
    seed: int,
    scores: bool = True,
    vectors: bool = True,
    sharpness: float = 1.6,
) -> AttentionSite:
    """Scores of random queries and keys (d_k = 8), masked, through softmax in float64.

    Args:
        allowed: (query, key), or (layer, head, query, key).
    """
    rows, columns = allowed.shape[-2:]
    random = np.random.default_rng(seed)
    q = random.normal(size=(layers, heads, rows, 8)) * sharpness
    k = random.normal(size=(layers, heads, columns, 8))
    raw = (q @ k.transpose(0, 1, 3, 2) / np.sqrt(8)).astype(np.float32)
    masked = np.where(allowed, raw.astype(np.float64), -np.inf)
    largest = masked.max(axis=3, keepdims=True, initial=-1e300)
    odds = np.exp(masked - largest)
    total = odds.sum(axis=3, keepdims=True)
    weights = np.divide(odds, total, out=np.zeros_like(odds), where=total > 0)
    parts = np.random.default_rng(seed).dirichlet(np.ones(heads), (layers, rows))
    shares = (1.2 * parts - 0.2 / heads).transpose(0, 2, 1)  # they sum to 1; some are negative
    return AttentionSite(
        kind,
        weights.astype(np.float32),
        allowed,
        raw if scores else None,
        q.astype(np.float32) if vectors else None,
        k.astype(np.float32) if vectors else None,
        shares=shares.astype(np.float32) if scores else None,
    )


def tokens(texts: tuple[str, ...], words: tuple[int, ...], *, first_id: int = 4) -> list[Token]:
    return [
        Token(("" if word in words[:index] else "▁") + text, text, first_id + index, word)
        for index, (text, word) in enumerate(zip(texts, words, strict=True))
    ]


def trace(
    source: tuple[str, ...] = KOREAN,
    source_words: tuple[int, ...] = KOREAN_WORDS,
    target: tuple[str, ...] = ENGLISH,
    target_words: tuple[int, ...] = ENGLISH_WORDS,
    *,
    layers: int = 3,
    heads: int = 8,
    seed: int = 7,
    lifted: bool = False,
    scores: bool = True,
    vectors: bool = True,
    model_id: str = "made",
) -> AttentionTrace:
    """An encoder-decoder look: source with an end token, target from start to end."""
    end, start = Token("</s>", "end", 2), Token("<s>", "start", 1)
    read_source = (*tokens(source, source_words), end)
    out = tokens(target, target_words)
    read, written = (start, *out), (*out, end)
    n, m = len(read_source), len(written)
    causal = np.ones((m, m), np.bool_) if lifted else np.tri(m, dtype=np.bool_)
    masks: dict[Kind, Bools] = {
        "encoder_self": np.ones((n, n), np.bool_),
        "decoder_self": causal,
        "cross": np.ones((m, n), np.bool_),
    }
    sites = {
        kind: site(
            kind, mask, layers=layers, heads=heads, seed=seed + at, scores=scores, vectors=vectors
        )
        for at, (kind, mask) in enumerate(masks.items())
    }
    random = np.random.default_rng(seed + 3 + lifted)
    logits = random.normal(size=(m, max(VOCABULARY, 4 + m))).astype(np.float32)
    logits[np.arange(m), [token.id for token in written]] += 6.0 if lifted else 4.0
    return AttentionTrace(model_id, read_source, read, written, sites, logits, {"lifted": lifted})


def windowed(lifted: int = 0) -> AttentionTrace:
    """Decoder self-attention in windows: head h sees itself and h tokens before, at most.

    Args:
        lifted: heads from the last one on that see all, in the last layer.
    """
    plain = trace()
    rows, columns = plain.sites["decoder_self"].shape
    behind = np.arange(rows)[:, None] - np.arange(columns)
    masks = np.stack([[(behind >= 0) & (behind <= head) for head in range(8)]] * 3)
    masks[-1, 8 - lifted :] = True
    made = site("decoder_self", masks, layers=3, heads=8, seed=8)
    return replace(plain, sites={**plain.sites, "decoder_self": made})


def sunk(seed: int = 5, made: AttentionTrace | None = None) -> AttentionTrace:
    """Of the made trace, with a sink in each head: a score that no key has."""
    plain = made or trace()
    sites: dict[Kind, AttentionSite] = {}
    for kind, site in plain.sites.items():
        part = np.random.default_rng(seed).uniform(0.1, 0.6, site.weights.shape[:3])
        sinks = part.astype(np.float32)
        weights = (site.weights * (1 - sinks[..., None])).astype(np.float32)
        sites[kind] = replace(site, weights=weights, sinks=sinks)
    return replace(plain, sites=sites)


def forced(plain: AttentionTrace) -> AttentionTrace:
    """With weights put in the place of a softmax's in one row of head 5 of layer 2."""
    sites: dict[Kind, AttentionSite] = {}
    for kind, site in plain.sites.items():
        weights = np.copy(site.weights)
        weights[1, 4, 6] = 0.5
        sinks = None if site.sinks is None else np.copy(site.sinks)
        if sinks is not None:
            sinks[1, 4, 6] = 0
        sites[kind] = replace(site, weights=weights, sinks=sinks, forced=True)
    return replace(plain, sites=sites)


def long_trace(length: int, *, layers: int, heads: int, pieces: int = 1) -> AttentionTrace:
    """`length` tokens on both sides, special ones included, so many of them a word."""
    places = range(length - 1)
    words = tuple(place // pieces for place in places)
    return trace(
        tuple(f"원{i}" for i in places),
        words,
        tuple(f"t{i}" for i in places),
        words,
        layers=layers,
        heads=heads,
        scores=layers * heads * length * length < 4_000_000,
    )


def vocabulary_tokens(ids: list[int]) -> list[Token]:
    """The vocabulary rows of `trace()`."""
    special = {
        0: ("<pad>", "pad"),
        1: ("<s>", "start"),
        2: ("</s>", "end"),
        3: ("<unk>", "unknown"),
    }
    named = {4 + at: text for at, text in enumerate(ENGLISH)}
    return [
        Token(*special[row], row)
        if row in special
        else Token("", named.get(row, f"w{row}"), row, at)
        for at, row in enumerate(ids)
    ]


# Parent, spelling, id, word, probability, fate: "I am", "I am not.", "I was", "We", and endings.
WRITTEN: tuple[tuple[int, str, int, int, float, Any], ...] = (
    (-1, "I", 10, 0, 0.6, "grew"),
    (-1, "We", 11, 0, 0.3, "left"),
    (0, "am", 12, 1, 0.5, "grew"),
    (0, "was", 13, 1, 0.4, "left"),
    (2, "end", 2, -1, 0.2, "ended"),
    (2, "no", 14, 2, 0.7, "grew"),
    (5, "t", 15, 2, 0.9, "grew"),
    (6, "end", 2, -1, 0.95, "ended"),
    (6, "!", 16, 3, 0.04, "stopped"),
)


def search_tree() -> SearchTree:
    """A beam search of width 2 that wrote two answers."""
    return _grown(WRITTEN, (7, 4))


def long_search_tree(length: int) -> SearchTree:
    """One answer of `length` words; another hypothesis leaves at each of its steps."""
    words = [(at - 1, f"word{at}", 10 + at, at, 0.6, "grew") for at in range(length)]
    ending = (length - 1, "end", 2, -1, 0.9, "ended")
    others = [(at - 1, f"other{at}", 100 + at, at, 0.3, "left") for at in range(length)]
    return _grown((*words, ending, *others), (length,))


def _grown(
    written: tuple[tuple[int, str, int, int, float, Any], ...], best: tuple[int, ...]
) -> SearchTree:
    nodes: list[SearchNode] = []
    for parent, text, id, word, p, fate in written:
        before = nodes[parent].total if parent >= 0 else 0.0
        length, at = 1, parent
        while at >= 0:
            length, at = length + 1, nodes[at].parent
        total = before + math.log(p)
        token = Token("</s>" if id == 2 else text, text, id, word)
        score = total / length_penalty(length)
        nodes.append(SearchNode(parent, token, math.log(p), total, score, fate))
    return SearchTree(tuple(nodes), best, 2)
