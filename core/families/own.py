"""A model of an opened checkpoint of ours: what it is, reads and knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, Generic, TypeVar

from core.checkpoint.folder import Checkpoint
from core.decoding.many import batches_by_length
from core.decoding.rules import Rules
from core.families.opened import Opened
from core.families.translator import Translator
from core.family import find
from core.model import Likelihood, ModelCard, WordFamiliarity
from core.nn.network import Network
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
        """As `Opened.products`."""
        return self._network.config.d_model**2

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
        return task.examples(self._checkpoint.tokenizer, [Pair(*pair) for pair in pairs], *limits)

    def vectors(self) -> Floats:
        """As `Opened.vectors`."""
        found: Floats = self._network.embedding.weight.detach().float().cpu().numpy()
        return found

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """As `Inspectable.familiarity`; empty where unknown."""
        if self._checkpoint.familiarity is None:
            return ()
        return self._checkpoint.familiarity.words(self._checkpoint.tokenizer, readable(source))

    def describe(self) -> ModelCard:
        """As `Opened.describe`."""
        checkpoint = self._checkpoint
        config, sizes = checkpoint.config, self._network.config
        return ModelCard(
            model_id=checkpoint.folder.resolve().name,
            family=config.family,
            kinds=self.kinds(),
            capabilities=self.capabilities(),
            source_language=config.source_language,
            target_language=config.target_language,
            sizes=sizes.model_dump(exclude={"vocab_size", "pad_id", "labels", "never_written"}),
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
            sure_from=None if checkpoint.calibration is None else checkpoint.calibration.sure_from,
        )


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
