"""A model that can be looked into, whatever it answers and wherever it comes from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import ClassVar, Final

import torch
from torch import nn

from core.errors import HeadlightError, unusable, wrong
from core.families.refusing import check_reach, unsupported
from core.model import Answers, Capabilities, Heads, ModelCard, TraceRequest
from core.outputs import Embedding, Gaps, Likelihood, WordFamiliarity
from core.probe import Edit, MisfitError, Site, edits_as_json
from core.reasons import RefusedError, because
from core.text.readable import readable
from core.text.tokenizer import ENDS, Codec, Ends, goes_on
from core.trace import AXES, AttentionSite, Floats, Kind, Stack, Token, TraceError

_NONE: Final = Ends(after=())


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass computed, as `core.trace.AttentionTrace` has it.

    Attributes:
        logits: (target, vocabulary), or (source, label) of a model without a decoder; None of one
            that says nothing.
        sites: the kinds of attention that it has.
        residuals: (layer + 1, position, d_model) of each stack, where they were recorded.
        states: (layer, position, unit) of each stack, by name.
    """

    logits: Floats | None
    sites: Mapping[Kind, AttentionSite]
    residuals: Mapping[Stack, Floats] = field(default_factory=dict)
    states: Mapping[Stack, Mapping[str, Floats]] = field(default_factory=dict)


def by_part(network: nn.Module, part: Callable[[str], str]) -> Mapping[str, int]:
    """How many parameters each part of a network has, which `part` calls by a parameter's name."""
    counts: dict[str, int] = {}
    for name, parameter in network.named_parameters():
        found = part(name)
        counts[found] = counts.get(found, 0) + parameter.numel()
    return counts


class Opened(ABC):
    """What all models have in common that `core.model.Inspectable` asks for.

    Calls may come from many threads at once: nothing is written after construction but names
    of the vocabulary, which are the same whoever writes them.

    What a model describes of itself (`describe`) is asked for while this is constructed.

    Attributes:
        answers: what it makes of a source.

    Args:
        tokenizer: by which it reads and writes.
        ends: between which it does.
    """

    answers: ClassVar[Answers] = "text"

    def __init__(self, tokenizer: Codec, device: torch.device, ends: Ends = ENDS) -> None:
        self._tokenizer = tokenizer
        self._device = device
        self._ends = ends
        self._card = self.describe()

    @abstractmethod
    def describe(self) -> ModelCard:
        """What it says of itself."""

    def kinds(self) -> Mapping[Kind, Heads]:
        """The attention that it has."""
        return {}

    def capabilities(self) -> Capabilities:
        """What it can do."""
        return Capabilities()

    @abstractmethod
    def products(self) -> int:
        """Numbers multiplied in its largest operation on one token, about."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Identity of weights, configuration and tokenizer."""

    @abstractmethod
    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> tuple[Likelihood | None, ...]:
        """As `Inspectable.likelihoods`."""

    @abstractmethod
    def vectors(self) -> Floats:
        """(vocabulary, d_model) what each token is read as."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What it answers by, where that is no text."""
        return ()

    def reach(self) -> Mapping[Site, tuple[Heads, int]]:
        """Where edits can be made: layers and heads there, and numbers of a vector."""
        return {}

    def facts(self) -> Mapping[str, str]:
        """What else to know of a trace of it, as its `meta` has it."""
        return {}

    @property
    def card(self) -> ModelCard:
        return self._card

    def gaps(self, source: str) -> Gaps:
        """As `Inspectable.gaps`; to be overridden by language models."""
        raise unsupported(self._card, because("filling"))

    def embedding(self, source: str) -> Embedding:
        """As `Inspectable.embedding`."""
        read = self._tokenizer.tokens(self._source_ids(readable(source)))
        return Embedding(read, self._tokens, self.vectors())

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """As `Inspectable.familiarity`: nothing, since nothing is known of its training."""
        return ()

    def vocabulary_tokens(self, ids: list[int]) -> list[Token]:
        """What the columns of its logits stand for, each read alone.

        Raises:
            HeadlightError: parameter_invalid for an id outside the vocabulary.
        """
        size = len(self._columns)
        for id in ids:
            if not 0 <= id < size:
                raise wrong("id", id, because("range", low=0, high=size - 1))
        return [self._columns[id] for id in ids]

    def goes_on(self, before: int, ids: list[int]) -> list[bool]:
        """Which rows of its vocabulary, right after one of them, go on with its word."""
        return goes_on(self._tokenizer, before, ids)

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        return tuple(token.text for token in self._columns)

    @cached_property
    def _columns(self) -> tuple[Token, ...]:
        """Of its logits: its tokens, where it has no labels."""
        return self._tokens

    @cached_property
    def _tokens(self) -> tuple[Token, ...]:
        # One by one: side by side, unrelated byte pieces would be read as one character.
        return tuple(self._tokenizer.tokens([id])[0] for id in range(self._tokenizer.size))

    def _source_ids(self, text: str, ends: Ends = _NONE) -> tuple[int, ...]:
        """What is read of a text, between its ends.

        Raises:
            HeadlightError: text_empty or source_too_long.
        """
        own = self._tokenizer.encode(text)
        if not own:
            raise HeadlightError("text_empty")
        return self.within_limit(ends.around(own))

    def within_limit(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The same ids, where it can read so many.

        Raises:
            HeadlightError: source_too_long.
        """
        limit = self._card.max_source
        if len(ids) > limit:
            raise HeadlightError("source_too_long", length=len(ids), limit=limit)
        return ids

    def _check_edits(self, edits: tuple[Edit, ...], source: int, target: int | None) -> None:
        for edit in edits:
            with self._named_faults((edit,)):
                of = self.reach().get(edit.site)
                if edit.site in AXES and edit.site not in self._card.kinds:
                    raise RefusedError("edit_absent", site=edit.site)
                if of is None or edit.place not in self._card.capabilities.edits:
                    raise RefusedError("edit_fixed", place=edit.place, site=edit.site)
                check_reach(edit, *of, source, target)

    def _meta(
        self, request: TraceRequest, said: str, *, free_running: bool = True, finished: bool = True
    ) -> dict[str, str | int | float | bool]:
        """What is to be known of a trace beside its arrays; `said` is what it wrote or answered."""
        meta: dict[str, str | int | float | bool] = {
            "free_running": free_running,
            "lift_mask": request.lifts_mask,
            "finished": finished,
            "source_text": readable(request.source),
            "target_text": said,
            "checkpoint": self.digest,
            "device": self._device.type,
            **self.facts(),
        }
        if request.with_mask().edits:
            meta["edits"] = edits_as_json(request.edits)
        if request.sampling is not None:
            meta |= asdict(request.sampling)
        if request.message:
            meta["message"] = True
        return meta

    @contextmanager
    def _named_faults(self, edits: tuple[Edit, ...]) -> Iterator[None]:
        """What cannot be computed is the fault of the edits, or else of the weights.

        An edit that does not fit is accused alone; of what overflows nobody knows by which of all.

        Raises:
            HeadlightError: parameter_invalid for the edits, checkpoint_invalid for the weights.
        """
        try:
            yield
        except RefusedError as error:
            overflow = isinstance(error, TraceError)
            reason = because("overflow", reason=error.reason) if overflow else error.reason
            if edits:
                accused = (error.edit,) if isinstance(error, MisfitError) else edits
                value = ", ".join(dict.fromkeys(f"{each.place} of {each.site}" for each in accused))
                raise wrong("edit", value, reason) from error
            raise unusable(self._card.folder, "model.safetensors", reason) from error
