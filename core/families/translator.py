"""Models that read a text and write one, token by token, as something that can be looked into.

A family adds what is its own: one forced pass with what is recorded of it, and what it can do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from core.decoding.beam import BeamTree
from core.decoding.many import search_all
from core.errors import HeadlightError
from core.families.opened import Pass
from core.families.refusing import check_decoding, check_output, check_request
from core.families.writer import Writer, wrong_prefix
from core.model import Capabilities, Done, Sampling, TraceRequest, untold
from core.outputs import Generation, SearchNode, SearchTree
from core.probe import OF_ATTENTION, Probe
from core.reasons import because
from core.text.readable import readable, readable_or_empty
from core.trace import AttentionTrace, Token, overruled_as_meta


class Rows(NamedTuple):
    """Ids of the tokens of a trace, by axis."""

    source: tuple[int, ...]
    read: tuple[int, ...]
    written: tuple[int, ...]


class Translator(Writer):
    """Satisfies `core.model.Inspectable`."""

    def capabilities(self) -> Capabilities:
        return Capabilities(search=True, forcing=True, branching=True, sampling=True)

    @abstractmethod
    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        """One forced pass of (1, source) and (1, target) ids, in inference mode.

        Raises:
            RefusedError: an edit does not fit what it meets.
            TraceError: what was computed is no trace.
        """

    def rows(self, source: tuple[int, ...], written: tuple[int, ...]) -> Rows:
        """What one pass reads, and how its decoder rows are called.

        Args:
            source: ids that are read of it, closed.
            written: ids that follow it.
        """
        return Rows(source, (self._ends.start, *written[:-1]), written)

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One forward pass with everything captured, teacher-forced or after decoding.

        Decoding goes on after the request's prefix, where it has one: greedily, or by chance.

        Free-running, the tokens are decoded first and then read back in one pass: in eval
        mode row t of a causal pass equals decoding step t, unless an edit lets a row look ahead.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, target_too_long,
                parameter_invalid for a prefix that this model cannot write or an edit of what it
                has not, or checkpoint_invalid for weights whose attention overflows.
        """
        source_text = readable(request.source)
        target_text = None if request.target is None else readable(request.target)
        source = self.encode_source(source_text, message=request.message)
        check_request(self._card, request)
        self._check_edits(request.edits, len(source), None)
        if target_text is None:
            source, written, finished = self._write(source, request)
        elif request.prefix:
            raise wrong_prefix(request.prefix, because("branch_target"))
        else:
            written, finished = self._target_ids(target_text), True
        rows = self.rows(source, written)
        most = self._card.max_target
        if len(rows.read) > most:
            raise HeadlightError("target_too_long", length=len(rows.read), limit=most)
        self._check_edits(request.edits, len(rows.source), len(rows.read))
        said = self._tokenizer.decode(written) if target_text is None else target_text
        free = target_text is None and not request.prefix
        meta = self._meta(request, said, free_running=free, finished=finished)
        if given := len(self._given(source)):
            meta["given"] = given
        with self._named_faults(request.edits):
            found = self._pass(rows, request)
            if found.logits is not None:
                steps = self.rules.overruled(found.logits[given:], rows.written[given:])
                meta |= overruled_as_meta({given + step: token for step, token in steps.items()})
            return AttentionTrace(
                self._card.model_id,
                self._tokenizer.tokens(rows.source),
                self._tokenizer.tokens(rows.read),
                self._tokenizer.tokens(rows.written),
                found.sites,
                found.logits,
                meta,
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
        """As `Inspectable.generate`."""
        check_decoding(self._card, beam, sampling, message=message)
        ids = self.encode_source(readable(source), message=message)
        if sampling is None:
            hypothesis = self.best(ids, beam)
        else:
            hypothesis = self.after(ids, sampling=sampling, before=len(self._given(ids)))
        return Generation(
            self._tokenizer.decode(hypothesis.tokens),
            self._tokenizer.tokens(hypothesis.tokens),
            hypothesis.gains,
            hypothesis.finished,
        )

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done = untold
    ) -> list[str]:
        """The best output for each source, in batches; "" for one that cannot be read.

        Raises:
            HeadlightError: unsupported or parameter_invalid, of the beam.
        """
        check_output(self._card, beam, None)
        read = [self._tokenizer.encode(readable_or_empty(source)) for source in sources]
        written = search_all(
            self.stepper(),
            [self._ends.around(ids) for ids in read],
            self._device,
            max_source=self._card.max_source,
            max_target=self._card.max_target,
            ends=self._ends,
            beam=beam,
            done=done,
            rules=self.rules,
        )
        return [
            self._tokenizer.decode(output) if ids else ""
            for ids, output in zip(read, written, strict=True)
        ]

    def search(self, source: str, *, beam: int, message: bool = False) -> SearchTree:
        """As `Inspectable.search`; `generate` answers the same."""
        check_output(self._card, beam, None, message=message)
        ids = self.encode_source(readable(source), message=message)
        found = self.tree(ids, beam)
        tokens = self._called(found)
        nodes = tuple(
            SearchNode(
                node.parent,
                tokens[place],
                node.gain,
                node.total,
                found.score(place),
                found.fates[place],
            )
            for place, node in enumerate(found.nodes)
        )
        return SearchTree(nodes, found.ranked, beam, self._given(ids))

    def _called(self, tree: BeamTree) -> Mapping[int, Token]:
        """What each node is called in the best hypothesis that it is in, the longest of others.

        Alone, a byte does not say of which letter it is: the bytes behind it do.
        """
        ranks = {place: rank for rank, place in enumerate(tree.ranked)}
        leaves = [place for place, fate in enumerate(tree.fates) if fate != "grew"]
        leaves.sort(key=lambda place: (ranks.get(place, len(ranks)), -len(tree.path(place))))
        named: dict[int, Token] = {}
        for leaf in reversed(leaves):
            named |= zip(tree.places(leaf), self._tokenizer.tokens(tree.path(leaf)), strict=True)
        return named

    def _write(
        self, source: tuple[int, ...], request: TraceRequest
    ) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        """What it was made to go on from, what it writes then, and whether it came to an end."""
        edits = tuple(edit.placed() for edit in request.with_mask().edits)
        before = len(self._given(source))
        with self._named_faults(edits):
            hypothesis = self.after(source, request.prefix, edits, request.sampling, before=before)
        return source, hypothesis.tokens, hypothesis.finished

    def _given(self, source: tuple[int, ...]) -> tuple[int, ...]:
        """What decoder rows are called before the first one that it writes."""
        return self.rows(source, ()).written

    def encode_source(self, text: str, *, message: bool) -> tuple[int, ...]:
        """What is read of a text, between its ends; or as a message, where it can.

        Raises:
            HeadlightError: text_empty or source_too_long.
        """
        return self._source_ids(text, self._ends)

    def encode_target(self, text: str) -> Sequence[int]:
        """Ids of a text that it is made to write."""
        return self._tokenizer.encode_targets([text])[0]

    def _target_ids(self, text: str) -> tuple[int, ...]:
        ids, limit = (*self.encode_target(text), *self._ends.closing[:1]), self._card.max_target
        if len(ids) > limit:
            raise HeadlightError("target_too_long", length=len(ids), limit=limit)
        return ids

    @torch.inference_mode()
    def _pass(self, rows: Rows, request: TraceRequest) -> Pass:
        probe = Probe(OF_ATTENTION | {*request.record}, request.edits)
        with self.threads(max(len(rows.source), len(rows.read))):
            return self.run(self.batch(rows.source), self.batch(rows.read), probe)
