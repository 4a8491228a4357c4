"""A model of an opened checkpoint of ours: what it is, reads and knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, Generic, TypeVar

from torch import Tensor

from core.checkpoint.folder import Checkpoint
from core.checkpoint.manifest import name_of
from core.decoding.many import batches_by_length
from core.decoding.rules import Rules
from core.families.opened import Opened, by_part
from core.families.reader import Reader
from core.families.translator import Translator
from core.family import find
from core.model import ModelCard
from core.nn.network import Network
from core.outputs import Likelihood, WordFamiliarity
from core.text.corpora import Pair
from core.text.examples import Example, collate
from core.text.readable import readable
from core.text.utf8 import bytes_of
from core.trace import Floats

_POSITIONS: Final = 8192  # of one batch that is measured, padding included

N = TypeVar("N", bound=Network)


class OwnModel(Opened, Generic[N]):
    """What those have in common that our trainer made."""

    def __init__(self, checkpoint: Checkpoint[N]) -> None:
        self._checkpoint = checkpoint
        self._network = checkpoint.model
        super().__init__(checkpoint.tokenizer, checkpoint.device)

    def products(self) -> int:
        return self._network.config.d_model**2

    def part(self, parameter: str) -> str:
        """Which part a parameter belongs to, by its name in the network."""
        return parameter.partition(".")[0]

    @property
    def checkpoint(self) -> Checkpoint[N]:
        """What it was made of. Treat it as read-only."""
        return self._checkpoint

    @property
    def digest(self) -> str:
        """Identity of weights, configuration and tokenizer, in hex."""
        return self._checkpoint.digest

    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> tuple[Likelihood | None, ...]:
        """As `Inspectable.likelihoods`.

        Raises:
            RefusedError: a second text is nothing that it could answer.
        """
        examples = {at: one for at, pair in enumerate(pairs) for one in self.fitting([pair])}
        measure = find(self._checkpoint.config.family).likelihood
        widths = [examples[at].width if at in examples else 0 for at in range(len(pairs))]
        found: list[Likelihood | None] = [None] * len(pairs)
        sizes = {"most_rows": _POSITIONS, "most_positions": _POSITIONS}
        for some in batches_by_length(widths, list(examples), **sizes):
            batch = collate([examples[at] for at in some]).to(self._device)
            for at, nats in zip(some, measure(self._network, batch).tolist(), strict=True):
                found[at] = Likelihood(-nats, examples[at].tokens)
        return tuple(found)

    def fitting(self, pairs: Sequence[tuple[str, str]]) -> tuple[Example, ...]:
        """Those pairs, in tokens, that it can read and answer.

        Raises:
            RefusedError: a second text is nothing that it could answer.
        """
        limits = self._card.max_source, self._card.max_target
        task = self._network.config.task
        return task.examples(self._checkpoint.tokenizer, [Pair(*pair) for pair in pairs], *limits)

    def vectors(self) -> Floats:
        found: Floats = self._network.embedding.weight.detach().float().cpu().numpy()
        return found

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """As `Inspectable.familiarity`; empty where unknown."""
        if self._checkpoint.familiarity is None:
            return ()
        return self._checkpoint.familiarity.words(self._checkpoint.tokenizer, readable(source))

    def describe(self) -> ModelCard:
        checkpoint = self._checkpoint
        config, sizes, usual = checkpoint.config, self._network.config, checkpoint.calibration
        return ModelCard(
            model_id=name_of(checkpoint.folder),
            family=config.family,
            kinds=self.kinds(),
            capabilities=replace(
                self.capabilities(), familiarity=checkpoint.familiarity is not None
            ),
            source_language=config.source_language,
            target_language=config.target_language,
            sizes=sizes.model_dump(exclude={"vocab_size", "pad_id", "labels", "never_written"}),
            parameters=by_part(self._network, self.part),
            vocabulary=sizes.vocab_size,
            max_source=config.max_source,
            max_target=config.max_target,
            device=checkpoint.device.type,
            examples=config.examples,
            text=checkpoint.card,
            folder=checkpoint.folder,
            answers=self.answers,
            labels=self.labels,
            sure_from=None if usual is None else usual.sure_from,
            frequency_weight=0.0 if usual is None else usual.frequency_weight,
        )


class OwnReader(OwnModel[N], Reader):
    """Those of them that say something of each token that they read."""

    def hidden(self, ids: Tensor) -> Tensor:
        """(batch, place) ids, padding at the end of a row -> (batch, place, d_model)."""
        found: Tensor = self._network(ids)
        return found

    def unembed(self, hidden: Tensor) -> Tensor:
        return self._network.unembed(hidden)

    def logits(self, source: Tensor) -> Tensor:
        return self.unembed(self.hidden(source))


class OwnTranslator(OwnModel[N], Translator):
    """Those of them that write."""

    @cached_property
    def rules(self) -> Rules:
        """As `Translator.rules`; what was brought from Marian writes as it did there."""
        pieces = self._checkpoint.tokenizer.kind == "sentencepiece"
        spelling = bytes_of([token.piece for token in self._tokens]) if pieces else {}
        size = self._card.vocabulary
        return Rules(size, never=self.never_written(), spelling=spelling, loops=not pieces)

    def never_written(self) -> tuple[int, ...]:
        """Ids that are passed over."""
        return ()
