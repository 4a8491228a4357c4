"""What the makers of the grammar make, for tests that judge it."""

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


def small_corpus(into: str, request: pytest.FixtureRequest) -> Corpus:
    """`PAIRS` into a language, drawn by one worker and read by all.

    While another one has it in hand, this one draws the other language's, of which tests follow.
    """
    shared: Path = request.getfixturevalue("tmp_path_factory").getbasetemp()
    if hasattr(request.config, "workerinput"):  # each worker has a folder in that of the run
        shared = shared.parent
    if not _stands(into, shared, waiting=False):
        _stands("ko" if into == "en" else "en", shared, waiting=False)
        _stands(into, shared, waiting=True)
    found = pickle.loads((shared / f"{into}.corpus").read_bytes())
    assert isinstance(found, Corpus)
    return found


def _stands(into: str, shared: Path, *, waiting: bool) -> bool:
    """Draws a corpus that is not there; False where another has it in hand, unless waiting."""
    made = shared / f"{into}.corpus"
    try:
        with FileLock(shared / f"{into}.lock").acquire(blocking=waiting):
            if not made.exists():
                made.write_bytes(pickle.dumps(corpus(PAIRS[into], seed=0, into=into)))
    except Timeout:
        return False
    return True
