"""Models that read a text and say something of its tokens, and write nothing themselves.

A family adds what is its own: one pass with what is recorded of it, and what it can do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property

import torch
from torch import Tensor

from core.decoding.many import batches_by_length
from core.errors import HeadlightError
from core.families.opened import N, Opened, Pass
from core.families.refusing import check_beam, check_request, unsupported
from core.model import Done, Generation, SearchTree, TraceRequest
from core.probe import OF_ATTENTION, Probe, edits_as_json
from core.reasons import because
from core.text.examples import pad_rows
from core.text.readable import readable
from core.text.tokenizer import PAD_ID
from core.threads import threads_for
from core.trace import AttentionTrace, Floats, Token

_ROWS, _POSITIONS = 256, 8192  # read at once, padding included


class Reader(Opened[N]):
    """Satisfies `core.model.Inspectable`: its logits are over the tokens of the source."""

    @abstractmethod
    def run(self, source: Tensor, probe: Probe) -> Pass:
        """One pass of (1, source) ids, in inference mode.

        Raises:
            RefusedError: an edit does not fit what it meets.
            TraceError: what was computed is no trace.
        """

    @abstractmethod
    def logits(self, source: Tensor) -> Tensor:
        """(batch, source) ids, padding at the end of a row -> (batch, source, label)."""

    @abstractmethod
    def asked(self, tokens: Sequence[Token]) -> list[int]:
        """Places of a source whose labels are the answer, in order."""

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One pass over the source with everything captured.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, unsupported for a target
                or a prefix, parameter_invalid for an edit of what it has not, or
                checkpoint_invalid for weights whose numbers overflow.
        """
        text = readable(request.source)
        source = self._source_ids(text)
        check_request(self._card, request)
        self._check_edits(request.edits, len(source), 0)
        with self._named_faults(request.edits):
            found = self._pass(source, request)
            tokens = self._tokenizer.tokens(source)
            meta: dict[str, str | int | float | bool] = {
                "free_running": True,
                "lift_mask": False,
                "finished": True,
                "source_text": text,
                "target_text": self._answer(tokens, found.logits),
                "checkpoint": self.digest,
                "device": self._device.type,
            }
            if request.edits:
                meta["edits"] = edits_as_json(request.edits)
            return AttentionTrace(
                self._card.model_id,
                tokens,
                (),
                (),
                found.sites,
                found.logits,
                meta,
                self._vocabulary,
                found.residuals,
                found.states,
            )

    def generate(self, source: str, *, beam: int = 1) -> Generation:
        """Its labels, one after another; there is no other beam than 1.

        Raises:
            HeadlightError: as `Inspectable.generate`, and unsupported for a beam above 1.
        """
        check_beam(beam)
        if beam > 1:
            raise self._no_search()
        ids = self._source_ids(readable(source))
        (logits,) = self._labelled([ids])
        places = self.asked(self._tokenizer.tokens(ids))
        told = torch.from_numpy(logits[places]).double().log_softmax(-1)
        best = told.max(-1)
        labels = [int(at) for at in best.indices]
        tokens = tuple(Token(self._card.labels[at], self._card.labels[at], at, at) for at in labels)
        text = " ".join(token.text for token in tokens)
        return Generation(text, tokens, float(best.values.sum()), True)

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done | None = None
    ) -> list[str]:
        """The labels of each source; "" for one that is too long to be read.

        Raises:
            HeadlightError: as `generate`.
        """
        check_beam(beam)
        if beam > 1:
            raise self._no_search()
        every = [self._tokenizer.encode(source) for source in sources]
        fitting = [at for at, ids in enumerate(every) if 0 < len(ids) <= self._card.max_source]
        answers = [""] * len(every)
        widths, finished = [len(ids) for ids in every], len(every) - len(fitting)
        sizes = {"most_rows": _ROWS, "most_positions": _POSITIONS}
        for rows in batches_by_length(widths, fitting, **sizes):
            found = self._labelled([every[row] for row in rows])
            for row, logits in zip(rows, found, strict=True):
                answers[row] = self._answer(self._tokenizer.tokens(every[row]), logits)
            finished += len(rows)
            if done is not None:
                done(finished, len(every))
        return answers

    def search(self, source: str, *, beam: int) -> SearchTree:
        """There is none.

        Raises:
            HeadlightError: unsupported.
        """
        raise self._no_search()

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        return self._card.labels

    def _no_search(self) -> HeadlightError:
        return unsupported(self._card, because("searching"))

    def _answer(self, tokens: Sequence[Token], logits: Floats) -> str:
        return " ".join(self._card.labels[at] for at in logits[self.asked(tokens)].argmax(-1))

    @torch.inference_mode()
    def _labelled(self, sources: Sequence[Sequence[int]]) -> Iterator[Floats]:
        """(source, label) of each."""
        with threads_for(sum(map(len, sources)) * self.products()):
            found = self.logits(pad_rows(sources, PAD_ID, self._device)).float().cpu().numpy()
        return iter([rows[: len(ids)] for rows, ids in zip(found, sources, strict=True)])

    @torch.inference_mode()
    def _pass(self, source: Sequence[int], request: TraceRequest) -> Pass:
        probe = Probe(OF_ATTENTION | {*request.record}, request.edits)
        ids = torch.tensor([source], dtype=torch.long, device=self._device)
        with threads_for(len(source) * self.products()):
            return self.run(ids, probe)
