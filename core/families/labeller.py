"""Models that give a text a label, or each of its words one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

import torch
from torch import Tensor

from core.decoding.many import batches_by_length
from core.families.reader import Reader
from core.families.refusing import check_output
from core.model import Done, Sampling, untold
from core.outputs import Generation
from core.probe import Edit
from core.text.examples import pad_rows
from core.text.readable import readable_or_empty
from core.threads import threads_for
from core.trace import Floats, Token, labels_as_tokens

_ROWS, _POSITIONS = 256, 8192  # read at once, padding included


class Labeller(Reader):
    """Its logits have a column a label."""

    answers = "labels"

    @abstractmethod
    def logits(self, source: Tensor) -> Tensor:
        """(batch, source) ids, padding at the end of a row -> (batch, source, label)."""

    @abstractmethod
    def asked(self, tokens: Sequence[Token]) -> list[int]:
        """Places of a source whose labels are the answer, in order."""

    def answer(
        self,
        source: Sequence[int],
        logits: Floats,
        sampling: Sampling | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> tuple[str, bool]:
        """Its labels, one after another."""
        places = self.asked(self._tokenizer.tokens(source))
        return " ".join(self._card.labels[at] for at in logits[places].argmax(-1)), True

    def output(self, ids: Sequence[int], sampling: Sampling | None) -> Generation:
        """Its labels, one after another."""
        (logits,) = self._labelled([ids])
        places = self.asked(self._tokenizer.tokens(ids))
        told = torch.from_numpy(logits[places]).double().log_softmax(-1)
        best = told.max(-1)
        labels = [int(at) for at in best.indices]
        tokens = tuple(Token(self._card.labels[at], self._card.labels[at], at, at) for at in labels)
        text = " ".join(token.text for token in tokens)
        return Generation(text, tokens, tuple(best.values.tolist()), True)

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done = untold
    ) -> list[str]:
        """The labels of each source; "" for one that cannot be read.

        Raises:
            HeadlightError: unsupported or parameter_invalid, of the beam.
        """
        check_output(self._card, beam, None)
        texts = [self._tokenizer.encode(readable_or_empty(source)) for source in sources]
        every = [self.framed(ids) for ids in texts]
        most = self._card.max_source
        fitting = [at for at, ids in enumerate(texts) if ids and len(every[at]) <= most]
        answers = [""] * len(every)
        widths, finished = [len(ids) for ids in every], len(every) - len(fitting)
        sizes = {"most_rows": _ROWS, "most_positions": _POSITIONS}
        for rows in batches_by_length(widths, fitting, **sizes):
            found = self._labelled([every[row] for row in rows])
            for row, logits in zip(rows, found, strict=True):
                answers[row], _ = self.answer(every[row], logits)
            finished += len(rows)
            done(finished, len(every))
        return answers

    @cached_property
    def _columns(self) -> tuple[Token, ...]:
        return labels_as_tokens(self._card.labels)

    @torch.inference_mode()
    def _labelled(self, sources: Sequence[Sequence[int]]) -> list[Floats]:
        """(source, label) of each."""
        with threads_for(sum(map(len, sources)) * self.products()):
            found = (
                self.logits(pad_rows(sources, self._ends.pad, self._device)).float().cpu().numpy()
            )
        return [rows[: len(ids)] for rows, ids in zip(found, sources, strict=True)]
