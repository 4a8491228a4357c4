"""Models that read a text and say something of its tokens, and write nothing themselves.

A family adds what is its own: one pass with what is recorded of it, and what it can do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor

from core.families.opened import Opened, Pass
from core.families.refusing import check_output, check_request, unsupported
from core.model import Sampling, TraceRequest
from core.outputs import Generation, SearchTree
from core.probe import OF_ATTENTION, Edit, Probe
from core.reasons import because
from core.text.readable import readable
from core.threads import threads_for
from core.trace import AttentionTrace, Floats


class Reader(Opened):
    """Satisfies `core.model.Inspectable`: its logits are over the tokens of the source."""

    @abstractmethod
    def run(self, source: Tensor, probe: Probe) -> Pass:
        """One pass of (1, source) ids, in inference mode.

        Raises:
            RefusedError: an edit does not fit what it meets.
            TraceError: what was computed is no trace.
        """

    @abstractmethod
    def answer(
        self,
        source: Sequence[int],
        logits: Floats,
        sampling: Sampling | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> tuple[str, bool]:
        """What it says of (source,) ids, from its (source, column) logits.

        Args:
            sampling: by what chance, where it writes; None takes the likeliest.
            edits: by which it writes, as the logits came of them.

        Returns:
            The text, and whether it is finished: False when the length limit cut it off.

        Raises:
            TraceError: what an edit leaves is no attention, or no logits.
        """

    @abstractmethod
    def output(self, ids: Sequence[int], sampling: Sampling | None) -> Generation:
        """What it says of (source,) ids, and how sure it is of it.

        Args:
            sampling: by what chance, where it writes; None takes the likeliest.
        """

    def read(self, text: str, hidden: Sequence[int]) -> tuple[int, ...]:
        """The ids that are read of a text.

        Args:
            hidden: places of those, of which the model shall not see what stands there; none where
                it fills no gaps.

        Raises:
            HeadlightError: text_empty or source_too_long.
        """
        return self.within_limit(self.framed(self._source_ids(text)))

    def framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        """The ids of a text, with those between which it is read."""
        return tuple(ids)

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One pass over the source with everything captured.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, unsupported for a target
                or a prefix, parameter_invalid for an edit of what it has not, or
                checkpoint_invalid for weights whose numbers overflow.
        """
        text = readable(request.source)
        check_request(self._card, request)
        source = self.read(text, request.hidden)
        self._check_edits(request.edits, len(source), 0)
        with self._named_faults(request.edits):
            found = self._pass(source, request)
            tokens = self._tokenizer.tokens(source)
            logits = found.logits
            said, finished = "", True
            if logits is not None:
                said, finished = self.answer(source, logits, request.sampling, request.edits)
            return AttentionTrace(
                self._card.model_id,
                tokens,
                (),
                (),
                found.sites,
                logits,
                self._meta(request, said, finished=finished),
                self._vocabulary,
                found.residuals,
                found.states,
            )

    def generate(
        self,
        source: str,
        *,
        beam: int = 1,
        sampling: Sampling | None = None,
        message: bool = False,
    ) -> Generation:
        """What it says of `source`, by no other beam than 1.

        Raises:
            HeadlightError: as `Inspectable.generate`, and unsupported for a beam above 1 or for
                chance where it draws nothing.
        """
        check_output(self._card, beam, sampling, message=message)
        return self.output(self.read(readable(source), ()), sampling)

    def search(self, source: str, *, beam: int, message: bool = False) -> SearchTree:
        """There is none.

        Raises:
            HeadlightError: unsupported.
        """
        raise unsupported(self._card, because("searching"))

    @torch.inference_mode()
    def _pass(self, source: Sequence[int], request: TraceRequest) -> Pass:
        probe = Probe(OF_ATTENTION | {*request.record}, request.edits)
        ids = torch.tensor([source], dtype=torch.long, device=self._device)
        with threads_for(len(source) * self.products()):
            return self.run(ids, probe)
