"""What the makers of the grammar make, for tests that judge it."""

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock, Timeout

from core.grammar.generate import Corpus, corpus, stream
from core.grammar.sentences import Sentence

PAIRS: Final = {"en": 34_000, "ko": 32_000}
"""Of a small corpus into each language, large enough for full held-out parts."""


def drawn(seed: int, into: str = "en") -> Iterator[Sentence]:
    """Sentences that are no fixed phrases: neither alone, nor two on a line, nor retyped."""
    return (s for s in stream(seed, into) if not s.frame.endswith("phrase") and s.frame != "lines")


def small_corpus(into: str, factory: pytest.TempPathFactory) -> Corpus:
    """`PAIRS` into a language, drawn once by whichever worker comes first, and read by all.

    One that comes while another draws it draws the next one meanwhile: it will be asked for it.
    """
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each has a folder of its own in one of all
        shared = shared.parent
    wanted = shared / f"corpus-{into}.pickle"
    for language in sorted(PAIRS, key=lambda other: other != into):
        if not wanted.exists():
            _draw_unless_drawn(language, shared, timeout=0)
    if not wanted.exists():
        _draw_unless_drawn(into, shared, timeout=-1)  # waits for who draws it
    found = pickle.loads(wanted.read_bytes())
    assert isinstance(found, Corpus)
    return found


def _draw_unless_drawn(into: str, shared: Path, timeout: float) -> None:
    """Nothing where another worker draws it and does not end within `timeout` seconds."""
    made = shared / f"corpus-{into}.pickle"
    try:
        with FileLock(shared / f"corpus-{into}.lock", timeout=timeout):
            if not made.exists():
                partial = made.with_suffix(".partial")
                partial.write_bytes(pickle.dumps(corpus(PAIRS[into], seed=0, into=into)))
                partial.replace(made)
    except Timeout:
        pass
