"""What the makers of the grammar make, for tests that judge it."""

from collections.abc import Iterator

from core.grammar.generate import stream
from core.grammar.sentences import Sentence


def drawn(seed: int, into: str = "en") -> Iterator[Sentence]:
    """Sentences that are no fixed phrases: neither alone, nor two on a line, nor retyped."""
    return (s for s in stream(seed, into) if not s.frame.endswith("phrase") and s.frame != "lines")
