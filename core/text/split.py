"""Which pairs teach and which examine: a split that never moves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.text.corpora import Pair, text_key

Part = Literal["train", "valid", "test", "repeated", "leaked"]


class Shares(NamedTuple):
    """The pairs of one corpus, and what becomes of them.

    Attributes:
        valid, test: shares of its sources that training never sees, 0 to 1.
        kept: they are taught whatever others hold out.
        labelled: targets are labels, which many pairs share: they tell nothing of each other.
    """

    pairs: Sequence[Pair]
    valid: float = 0.0
    test: float = 0.0
    kept: bool = False
    labelled: bool = False


_Key = tuple[str, ...]
"""A pair as far as it matters for telling another of it: its source, and a target that is no label,
each behind a letter that says which."""


def _key(pair: Pair, labelled: bool) -> _Key:
    source = f"s{text_key(pair.source)}"
    return (source,) if labelled else (source, f"t{text_key(pair.target)}")


def assign(corpora: Sequence[Shares]) -> list[list[Part]]:
    """The part of each pair, corpus by corpus.

    A source's digest alone says in which part it is: not its order, no seed, no other pair.
    Then a pair is "repeated" when it stands in its corpus before, and "leaked", in no part at
    all, when its source or its target stands in a part that is stricter, of any corpus and
    up to case and punctuation: it would teach the answer. Test is stricter than valid, and
    valid than train; but what is kept is taught, so nothing that says the same examines.
    """
    keys = [[_key(pair, corpus.labelled) for pair in corpus.pairs] for corpus in corpora]
    parts = [_first_parts(corpus, own_keys) for corpus, own_keys in zip(corpora, keys, strict=True)]
    taught = (own for corpus, own in zip(corpora, keys, strict=True) if corpus.kept)
    kept = {side for own_keys in taught for key in own_keys for side in key}
    for own_keys, own_parts in zip(keys, parts, strict=True):
        for at, key in enumerate(own_keys):
            if own_parts[at] in ("test", "valid") and not kept.isdisjoint(key):
                own_parts[at] = "leaked"
    withheld: set[str] = set()
    for part, weaker in (("test", "valid"), ("valid", "train")):
        for own_keys, own_parts in zip(keys, parts, strict=True):
            own = zip(own_keys, own_parts, strict=True)
            withheld.update(side for key, found in own if found == part for side in key)
        for own_keys, own_parts in zip(keys, parts, strict=True):
            for at, key in enumerate(own_keys):
                if own_parts[at] == weaker and not withheld.isdisjoint(key):
                    own_parts[at] = "leaked"
    return parts


def _first_parts(corpus: Shares, keys: Sequence[_Key]) -> list[Part]:
    """As the digests say, whatever stands in other corpora."""
    seen: set[Pair] = set()
    parts: list[Part] = []
    for pair, key in zip(corpus.pairs, keys, strict=True):
        place = _fraction(key[0][1:])  # without its letter
        if pair in seen:
            parts.append("repeated")
        elif place < corpus.test:
            parts.append("test")
        else:
            parts.append("valid" if place < corpus.test + corpus.valid else "train")
        seen.add(pair)
    return parts


def _fraction(key: str) -> float:
    # Salted, because others may have set lines of the same source aside by a plain digest.
    digest = hashlib.sha256(f"headlight split: {key}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
