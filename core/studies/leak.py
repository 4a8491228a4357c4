"""What the causal mask keeps from the decoder: the same trace with and without it.

Row t of the decoder writes `written[t]`, which is the token that row t+1 reads. With the
mask lifted, row t may look at that very token, so its probability can change for a reason
that decoding never has. Both traces must have read the same tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.studies.likelihood import Doubles, log_probabilities
from core.trace import AttentionTrace, Token


@dataclass(frozen=True, slots=True, eq=False)
class Leak:
    """Probability of the right answer with the mask and without it.

    Attributes:
        given: tokens before the first step, of a text that a model goes on from.
        written: the right answers, one a step.
        masked, lifted: (step,) natural log-probabilities of them.
        future: (step,) share of the decoder's self-attention, mean over layers and heads,
            that went to later positions with the mask lifted; 0..1.
    """

    given: int
    written: tuple[Token, ...]
    masked: Doubles
    lifted: Doubles
    future: Doubles

    @property
    def probability_masked(self) -> Doubles:
        """(step,) probability of the right answer with the mask; 0..1."""
        return np.asarray(np.exp(self.masked))

    @property
    def probability_lifted(self) -> Doubles:
        """(step,) probability of the right answer without the mask; 0..1."""
        return np.asarray(np.exp(self.lifted))

    @property
    def change(self) -> Doubles:
        """(step,) probability without the mask minus probability with it; -1..1."""
        return self.probability_lifted - self.probability_masked

    @property
    def log_probability_masked(self) -> float:
        """Natural log-probability of the whole target with the mask."""
        return float(self.masked.sum())

    @property
    def log_probability_lifted(self) -> float:
        """The same product without the mask: a score, no longer a probability of a text."""
        return float(self.lifted.sum())


def leak(masked: AttentionTrace, lifted: AttentionTrace) -> Leak:
    """Compares two looks at one target; a text that it goes on from is none of it.

    Args:
        masked: with the causal mask.
        lifted: the same source and target with the mask lifted.

    Raises:
        ValueError: the traces are not at the same tokens, have no decoder or no target, or say
            nothing of probabilities.
    """
    same = (masked.source, masked.target, masked.written)
    if same != (lifted.source, lifted.target, lifted.written):
        raise ValueError("the two traces did not read the same tokens")
    before, after = log_probabilities(masked), log_probabilities(lifted)
    given, written = masked.given, masked.written[masked.given :]
    if before is None or after is None or not written:
        raise ValueError("a trace has no probabilities of a target")
    site = lifted.sites.get("decoder_self")
    if site is None:
        raise ValueError("the trace has no decoder")
    # (layer, head, query, key) -> (query,)
    future = np.triu(site.weights.mean(axis=(0, 1), dtype=np.float64), k=1).sum(axis=1)
    return Leak(given, written, before[given:], after[given:], future[given:])
