"""A model of an opened checkpoint, whatever it answers: what it is, reads and knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Generic, TypeVar

from core.checkpoint.folder import Checkpoint
from core.decoding.many import batches_by_length
from core.errors import HeadlightError
from core.families.refusing import named_faults, unsupported
from core.family import find
from core.model import (
    Answers,
    Capabilities,
    Embedding,
    Gaps,
    Heads,
    Likelihood,
    ModelCard,
    WordFamiliarity,
)
from core.nn.network import Network
from core.probe import Edit
from core.reasons import RefusedError, because
from core.text.corpora import Pair
from core.text.examples import Example, collate
from core.text.readable import readable
from core.trace import AttentionSite, Floats, Kind, Stack, Token

_POSITIONS: Final = 8192  # of one batch that is measured, padding included

N = TypeVar("N", bound=Network)


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass computed, as `core.trace.AttentionTrace` has it.

    Attributes:
        logits: (target, vocabulary), or (source, label) of a model without a decoder.
        sites: the kinds of attention that it has.
        residuals: (layer + 1, position, d_model) of each stack, where they were recorded.
        states: (layer, position, unit) of each stack, by name.
    """

    logits: Floats
    sites: Mapping[Kind, AttentionSite]
    residuals: Mapping[Stack, Floats] = field(default_factory=dict)
    states: Mapping[Stack, Mapping[str, Floats]] = field(default_factory=dict)


class Opened(ABC, Generic[N]):
    """What all models have in common that `core.model.Inspectable` asks for.

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

    @property
    def answers(self) -> Answers:
        """What it makes of a source."""
        return "text"

    @property
    def labels(self) -> tuple[str, ...]:
        """What it answers by, where that is no text."""
        return ()

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

    def facts(self) -> Mapping[str, str]:
        """What else to know of a trace of it, as its `meta` has it."""
        return {}

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

    def likelihood(self, pairs: Sequence[tuple[str, str]]) -> Likelihood:
        """How likely it finds the second text of each pair, forced on it after the first.

        Raises:
            RefusedError: a second text is nothing that it could answer.
        """
        fitting = self.fitting(pairs)
        measure = find(self._checkpoint.config.family).likelihood
        widths = [example.width for example in fitting]
        nats = 0.0
        sizes = {"most_rows": _POSITIONS, "most_positions": _POSITIONS}
        for rows in batches_by_length(widths, range(len(widths)), **sizes):
            batch = collate([fitting[row] for row in rows]).to(self._device)
            nats += measure(self._network, batch)
        return Likelihood(-nats, sum(example.tokens for example in fitting), len(fitting))

    def fitting(self, pairs: Sequence[tuple[str, str]]) -> tuple[Example, ...]:
        """Those pairs, in tokens, that it can read and answer.

        Raises:
            RefusedError: a second text is nothing that it could answer.
        """
        limits = self._card.max_source, self._card.max_target
        task = self._network.config.task
        return task.examples(self._tokenizer, [Pair(*pair) for pair in pairs], *limits)

    def gaps(self, source: str) -> Gaps:
        """As `Inspectable.gaps`; to be overridden by language models."""
        raise unsupported(self._card, because("filling"))

    def embedding(self, source: str) -> Embedding:
        """As `Inspectable.embedding`."""
        read = self._tokenizer.tokens(self._source_ids(readable(source)))
        vectors: Floats = self._network.embedding.weight.detach().float().cpu().numpy()
        return Embedding(read, self._tokens, vectors)

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """As `Inspectable.familiarity`; empty where unknown."""
        if self._checkpoint.familiarity is None:
            return ()
        return self._checkpoint.familiarity.words(self._tokenizer, readable(source))

    def vocabulary_text(self, ids: list[int]) -> list[str]:
        """What people read for the columns of its logits.

        Raises:
            HeadlightError: parameter_invalid for an id outside the vocabulary.
        """
        size = len(self._vocabulary)
        for id in ids:
            if not 0 <= id < size:
                reason = because("range", low=0, high=size - 1)
                raise HeadlightError("parameter_invalid", name="id", value=id, reason=reason)
        return [self._vocabulary[id] for id in ids]

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        return tuple(token.text for token in self._tokens)

    @cached_property
    def _tokens(self) -> tuple[Token, ...]:
        # One by one: side by side, unrelated byte pieces would be read as one character.
        return tuple(self._tokenizer.tokens([id])[0] for id in range(self._tokenizer.size))

    def _source_ids(self, text: str, *ends: int) -> tuple[int, ...]:
        """What is read of a text, closed by such tokens.

        Raises:
            HeadlightError: text_empty or source_too_long.
        """
        ids, limit = (*self._tokenizer.encode(text), *ends), self._card.max_source
        if len(ids) == len(ends):
            raise HeadlightError("text_empty")
        if len(ids) > limit:
            raise HeadlightError("source_too_long", length=len(ids), limit=limit)
        return ids

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
            sizes=sizes.model_dump(exclude={"vocab_size", "pad_id", "labels"}),
            parameters=self.parameters(),
            vocabulary=sizes.vocab_size,
            max_source=config.max_source,
            max_target=config.max_target,
            device=checkpoint.device.type,
            examples=config.examples,
            text=checkpoint.card,
            folder=checkpoint.folder,
            answers=self.answers,
            labels=self.labels,
        )
