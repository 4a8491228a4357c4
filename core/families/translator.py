"""Models that read a text and write one, token by token, as something that can be looked into.

A family adds what is its own: one forced pass with what is recorded of it, and what it can do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import torch
from torch import Tensor

from core.checkpoint.folder import Checkpoint
from core.decoding.many import batches_by_length
from core.decoding.stepper import Stepper
from core.errors import HeadlightError
from core.families.refusing import check_beam, check_request, named_faults, unsupported
from core.families.writer import Writer, wrong_prefix
from core.family import find
from core.model import (
    Capabilities,
    Done,
    Generation,
    Heads,
    Likelihood,
    ModelCard,
    SearchNode,
    SearchTree,
    TraceRequest,
    WordFamiliarity,
)
from core.nn.network import Network
from core.probe import OF_ATTENTION, Edit, Probe, edits_as_json
from core.reasons import RefusedError, because
from core.text.examples import Example, collate
from core.text.readable import readable
from core.text.tokenizer import END_ID, START_ID
from core.trace import AttentionSite, AttentionTrace, Floats, Kind, Stack

_POSITIONS: Final = 8192  # of one batch that is measured, padding included

N = TypeVar("N", bound=Network)


@dataclass(frozen=True, slots=True)
class Pass:
    """What one forced pass computed, as `core.trace.AttentionTrace` has it.

    Attributes:
        logits: (target, vocabulary).
        sites: the kinds of attention that it has.
        residuals: (layer + 1, position, d_model) of each stack, where they were recorded.
        states: (layer, position, unit) of each stack, by name.
    """

    logits: Floats
    sites: Mapping[Kind, AttentionSite]
    residuals: Mapping[Stack, Floats] = field(default_factory=dict)
    states: Mapping[Stack, Mapping[str, Floats]] = field(default_factory=dict)


class Translator(ABC, Generic[N]):
    """Satisfies `core.model.Inspectable`.

    Calls may come from many threads at once: nothing is written after construction but names
    of the vocabulary, which are the same whoever writes them.

    What a family describes of itself (`kinds`, `capabilities`, `parameters`) is asked for while
    this is constructed.
    """

    def __init__(self, checkpoint: Checkpoint[N]) -> None:
        self._checkpoint = checkpoint
        self._network = checkpoint.model
        self._tokenizer = checkpoint.tokenizer
        self._device = checkpoint.device
        self._card = self._describe()

    @abstractmethod
    def kinds(self) -> Mapping[Kind, Heads]:
        """The attention that it has."""

    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What it can do."""

    @abstractmethod
    def parameters(self) -> Mapping[str, int]:
        """How many parameters each part has; the values add up to the whole."""

    @abstractmethod
    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[Any]:
        """What writes, under these edits."""

    @abstractmethod
    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        """One forced pass of (1, source) and (1, target) ids, in inference mode.

        Raises:
            RefusedError: an edit does not fit what it meets.
            TraceError: what was computed is no trace.
        """

    def check_edit(self, edit: Edit, source: int, target: int | None) -> None:
        """That there is something for an edit to meet; to be overridden where edits can be made.

        Args:
            source, target: tokens; None where it is not known yet what will be written.

        Raises:
            RefusedError: there is not.
        """
        raise RefusedError("edit_site", place=edit.place, site=edit.site)

    def products(self) -> int:
        """Numbers multiplied in its largest operation on one token, about."""
        return self._network.config.d_model**2

    @property
    def card(self) -> ModelCard:
        return self._card

    @property
    def checkpoint(self) -> Checkpoint[N]:
        """What it was made of. Treat it as read-only."""
        return self._checkpoint

    @property
    def digest(self) -> str:
        """Identity of weights, configuration and tokenizer, in hex."""
        return self._checkpoint.digest

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One forward pass with everything captured, teacher-forced or after greedy decoding.

        Greedy decoding goes on after the request's prefix, where it has one.

        Free-running, the tokens are decoded first and then read back in one pass: in eval
        mode row t of a causal pass equals decoding step t.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, target_too_long,
                parameter_invalid for a prefix that this model cannot write or an edit of what it
                has not, or checkpoint_invalid for weights whose attention overflows.
        """
        source_text = readable(request.source)
        target_text = None if request.target is None else readable(request.target)
        source = self._source_ids(source_text)
        check_request(self._card, request)
        self._check_edits(request.edits, len(source), None)
        if target_text is None:
            edits = request.with_mask().edits
            with self._named_faults(edits):
                hypothesis = self._writer.after(source, request.prefix, edits)
            written, finished = hypothesis.tokens, hypothesis.finished
        elif request.prefix:
            raise wrong_prefix(request.prefix, because("branch_target"))
        else:
            written, finished = self._target_ids(target_text), True
        read = (START_ID, *written[:-1])
        self._check_edits(request.edits, len(source), len(read))
        meta: dict[str, str | int | float | bool] = {
            "free_running": target_text is None and not request.prefix,
            "lift_mask": request.lifts_mask,
            "finished": finished,
            "source_text": source_text,
            "target_text": self._tokenizer.decode(written) if target_text is None else target_text,
            "checkpoint": self.digest,
            "device": self._device.type,
        }
        if request.with_mask().edits:
            meta["edits"] = edits_as_json(request.edits)
        with self._named_faults(request.edits):
            found = self._pass(source, read, request)
            return AttentionTrace(
                self._card.model_id,
                self._tokenizer.tokens(source),
                self._tokenizer.tokens(read),
                self._tokenizer.tokens(written),
                found.sites,
                found.logits,
                meta,
                self._vocabulary,
                found.residuals,
                found.states,
            )

    def generate(self, source: str, *, beam: int = 1) -> Generation:
        """As `Inspectable.generate`: greedy for beam 1."""
        check_beam(beam)
        hypothesis = self._writer.best(self._source_ids(readable(source)), beam)
        return Generation(
            self._tokenizer.decode(hypothesis.tokens),
            self._tokenizer.tokens(hypothesis.tokens),
            hypothesis.log_probability,
            hypothesis.finished,
        )

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done | None = None
    ) -> list[str]:
        """The best output for each source, in batches; "" for one that is too long to be read."""
        ids = [[*self._tokenizer.encode(source), END_ID] for source in sources]
        written = self._writer.all(ids, beam, done)
        return [self._tokenizer.decode(ids) for ids in written]

    def likelihood(self, pairs: Sequence[tuple[str, str]]) -> Likelihood:
        """How likely it finds the second text of each pair, forced on it after the first."""
        fitting = self.fitting(pairs)
        measure = find(self._checkpoint.config.family).likelihood
        widths = [example.width for example in fitting]
        nats = 0.0
        sizes = {"most_rows": _POSITIONS, "most_positions": _POSITIONS}
        for rows in batches_by_length(widths, range(len(widths)), **sizes):
            batch = collate([fitting[row] for row in rows]).to(self._device)
            nats += measure(self._network, batch)
        tokens = sum(len(example.target) + 1 for example in fitting)
        return Likelihood(-nats, tokens, len(fitting))

    def fitting(self, pairs: Sequence[tuple[str, str]]) -> list[Example]:
        """Those pairs, in tokens, that it can read and write."""
        encode, card = self._tokenizer.encode, self._card
        examples = [Example(tuple(encode(one)), tuple(encode(other))) for one, other in pairs]
        return [
            example
            for example in examples
            if len(example.source) < card.max_source and len(example.target) < card.max_target
        ]

    def search(self, source: str, *, beam: int) -> SearchTree:
        """As `Inspectable.search`; `generate` answers the same."""
        check_beam(beam)
        if not self._card.capabilities.search:
            raise unsupported(self._card, because("searching"))
        found = self._writer.tree(self._source_ids(readable(source)), beam)
        nodes = tuple(
            SearchNode(
                node.parent,
                self._tokenizer.tokens(found.path(place))[-1],
                node.gain,
                node.total,
                found.score(place),
                found.fates[place],
            )
            for place, node in enumerate(found.nodes)
        )
        return SearchTree(nodes, found.ranked, beam)

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """As `Inspectable.familiarity`; empty where unknown."""
        if self._checkpoint.familiarity is None:
            return ()
        return self._checkpoint.familiarity.words(self._tokenizer, readable(source))

    def vocabulary_text(self, ids: list[int]) -> list[str]:
        """What people read for vocabulary rows.

        Raises:
            HeadlightError: parameter_invalid for an id outside the vocabulary.
        """
        for id in ids:
            if not 0 <= id < self._tokenizer.size:
                reason = because("range", low=0, high=self._tokenizer.size - 1)
                raise HeadlightError("parameter_invalid", name="id", value=id, reason=reason)
        return [self._vocabulary[id] for id in ids]

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        # One by one: side by side, unrelated byte pieces would be read as one character.
        return tuple(self._tokenizer.tokens([id])[0].text for id in range(self._tokenizer.size))

    @property
    def _writer(self) -> Writer:
        """Made anew each time: kept, the two would keep each other, and the weights, in memory."""
        return Writer(self.stepper, self._card, self._device, self.products())

    def _source_ids(self, text: str) -> tuple[int, ...]:
        ids, limit = (*self._tokenizer.encode(text), END_ID), self._card.max_source
        if len(ids) == 1:
            raise HeadlightError("text_empty")
        if len(ids) > limit:
            raise HeadlightError("source_too_long", length=len(ids), limit=limit)
        return ids

    def _target_ids(self, text: str) -> tuple[int, ...]:
        ids, limit = (*self._tokenizer.encode(text), END_ID), self._card.max_target
        if len(ids) > limit:
            raise HeadlightError("target_too_long", length=len(ids), limit=limit)
        return ids

    @torch.inference_mode()
    def _pass(self, source: Sequence[int], read: Sequence[int], request: TraceRequest) -> Pass:
        probe = Probe(OF_ATTENTION | {*request.record}, request.edits)
        with self._writer.threads(max(len(source), len(read))):
            return self.run(self._writer.batch(source), self._writer.batch(read), probe)

    def _check_edits(self, edits: tuple[Edit, ...], source: int, target: int | None) -> None:
        for edit in edits:
            with self._named_faults((edit,)):
                if edit.place not in self._card.capabilities.edits:
                    raise RefusedError("edit_site", place=edit.place, site=edit.site)
                self.check_edit(edit, source, target)

    def _named_faults(self, edits: tuple[Edit, ...]) -> AbstractContextManager[None]:
        return named_faults(self._checkpoint.folder, edits)

    def _describe(self) -> ModelCard:
        checkpoint = self._checkpoint
        config, sizes = checkpoint.config, self._network.config
        return ModelCard(
            model_id=checkpoint.folder.resolve().name,
            family=config.family,
            kinds=self.kinds(),
            capabilities=self.capabilities(),
            source_language=config.source_language,
            target_language=config.target_language,
            sizes=sizes.model_dump(exclude={"vocab_size", "pad_id"}),
            parameters=self.parameters(),
            vocabulary=sizes.vocab_size,
            max_source=config.max_source,
            max_target=config.max_target,
            device=checkpoint.device.type,
            examples=config.examples,
            text=checkpoint.card,
            folder=checkpoint.folder,
        )
