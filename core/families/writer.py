"""What a model that writes does with ids: ids in, ids out, within its limits."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from core.decoding.beam import BeamTree, beam_search
from core.decoding.forced import continued
from core.decoding.greedy import greedy
from core.decoding.limits import output_limit
from core.decoding.rules import Rules
from core.decoding.stepper import Hypothesis, Stepper
from core.errors import HeadlightError, wrong
from core.families.opened import Opened
from core.model import Sampling
from core.probe import Edit
from core.reasons import Reason, because
from core.threads import threads_for


class Writer(Opened):
    """Greedy search, beam search and sampling by one model."""

    @abstractmethod
    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[Any]:
        """What writes, under these edits."""

    @cached_property
    def rules(self) -> Rules:
        """What it may write; a trace's logits are without them."""
        return Rules(self._card.vocabulary)

    def room(self, source: Sequence[int]) -> int:
        """Tokens that it may write behind a source."""
        return output_limit(len(source), self._card.max_target)

    def most(self, source: Sequence[int]) -> int:
        """Tokens that it can write behind a source at all, made to."""
        return self._card.max_target

    def best(self, source: Sequence[int], beam: int) -> Hypothesis:
        """The best output for a source, its end token included: greedy for beam 1."""
        if beam > 1:
            return self.tree(source, beam).hypotheses()[0]
        with self.threads(1):
            stepper, limits = self.stepper(()), [self.room(source)]
            return greedy(stepper, self.batch(source), limits, self._ends, self.rules)[0]

    def tree(self, source: Sequence[int], beam: int) -> BeamTree:
        """Every hypothesis of a beam search."""
        limits = [self.room(source)]
        with self.threads(beam):
            stepper, batch = self.stepper(()), self.batch(source)
            (found,) = beam_search(stepper, batch, limits, self._ends, beam=beam, rules=self.rules)
        return found

    def after(
        self,
        source: Sequence[int],
        prefix: tuple[int, ...] = (),
        edits: tuple[Edit, ...] = (),
        sampling: Sampling | None = None,
        *,
        before: int = 0,
    ) -> Hypothesis:
        """What is written freely after `prefix`, under these edits.

        Args:
            before: tokens that stand before the first one written, which chance counts too.

        Raises:
            HeadlightError: target_too_long, or parameter_invalid for what cannot be written.
            RefusedError: an edit does not fit what it meets.
        """
        if not prefix and not edits and sampling is None:
            return self.best(source, beam=1)
        room, most = self.room(source), self.most(source)
        self.check_prefix(prefix, most)
        limit = room if len(prefix) <= room else most  # part of a longer target, forced before
        with self.threads(1):
            return continued(
                self.stepper(edits),
                self.batch(source),
                prefix,
                limit,
                self._ends,
                sampling=sampling,
                before=before,
                rules=self.rules,
            )

    def check_prefix(self, prefix: tuple[int, ...], limit: int) -> None:
        """That a prefix is one that can be written, within so many tokens.

        Raises:
            HeadlightError: target_too_long, or parameter_invalid.
        """
        if len(prefix) > limit:
            raise HeadlightError("target_too_long", length=len(prefix), limit=limit)
        if not all(0 <= token < self._card.vocabulary for token in prefix):
            reason = because("branch_tokens", high=self._card.vocabulary - 1)
            raise wrong_prefix(prefix, reason)
        if {*self._ends.closing} & {*prefix[:-1]}:
            raise wrong_prefix(prefix, because("branch_ended"))

    def batch(self, ids: Sequence[int]) -> Tensor:
        """(1, length) on the model's device."""
        return torch.tensor([ids], dtype=torch.long, device=self._device)

    def threads(self, rows: int) -> AbstractContextManager[None]:
        """As many as passes over so many tokens at a time deserve."""
        return threads_for(rows * self.products())


def wrong_prefix(prefix: tuple[int, ...], reason: Reason) -> HeadlightError:
    """A branch that cannot be written, and why."""
    return wrong("branch", ".".join(map(str, prefix)), reason)
