"""What is asked of a network: how pairs of texts become what it is shown.

A network's sizes say which task is its own (`core.nn.network.Sizes.task`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.reasons import RefusedError
from core.text.corpora import Pair
from core.text.examples import Example, translation
from core.text.tokenizer import END_ID, PAD_ID, SPECIAL_PIECES, START_ID, UNKNOWN_ID, Tokenizer
from core.trace import Token

FIRST_LABEL: Final = len(SPECIAL_PIECES)
"""Id of the first label, as the first id of a vocabulary that is no special token."""

_TOGETHER: Final = 64  # pairs that are encoded at once


class Task(ABC):
    """From pairs to examples."""

    writes: bool = True
    """Whether targets are texts, of the same vocabulary; otherwise they are labels, or nothing."""

    @abstractmethod
    def examples(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Example, ...]:
        """Pairs as ids; those longer than the limits, special tokens included, are left out.

        Raises:
            RefusedError: a target is none of this task.
        """

    def fitting(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Pair, ...]:
        """The pairs that `examples` does not leave out.

        Raises:
            RefusedError: as `examples`.
        """

        def fits(*some: Pair) -> bool:
            return len(self.examples(tokenizer, some, max_source, max_target)) == len(some)

        found: list[Pair] = []
        for start in range(0, len(pairs), _TOGETHER):  # few are too long: most parts are whole
            part = pairs[start : start + _TOGETHER]
            found += part if fits(*part) else filter(fits, part)
        return tuple(found)

    @abstractmethod
    def filled(self, ids: Sequence[int]) -> Example:
        """An example made of any ids that are no special ones: for measuring how long one takes."""

    @abstractmethod
    def told(self, tokenizer: Tokenizer, example: Example) -> tuple[Token, ...]:
        """What an example asks for, as people read it."""

    def spelled(self, pair: Pair) -> tuple[str, ...]:
        """The texts of a pair that a vocabulary is learnt from."""
        return pair if self.writes else (pair.source,)


@dataclass(frozen=True, slots=True)
class Translating(Task):
    """A text is read, and another is written."""

    def examples(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Example, ...]:
        sources = tokenizer.encode_all([source for source, _ in pairs])
        targets = tokenizer.encode_targets([target for _, target in pairs])
        return tuple(
            translation(source, target)
            for source, target in zip(sources, targets, strict=True)
            if 0 < len(source) < max_source and 0 < len(target) < max_target
        )

    def filled(self, ids: Sequence[int]) -> Example:
        return translation(ids, ids)

    def told(self, tokenizer: Tokenizer, example: Example) -> tuple[Token, ...]:
        return tokenizer.tokens([id for id in example.written if id != END_ID])


@dataclass(frozen=True, slots=True)
class Labelling(Task):
    """A text is read, and after its last token it is given a label: many to one.

    Attributes:
        labels: as targets spell them.
        framed: it is read between its start and end token, as language models read.
    """

    writes = False

    labels: tuple[str, ...]
    framed: bool = False

    def examples(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Example, ...]:
        sources = tokenizer.encode_all([source for source, _ in pairs])
        labels = [self._id(target.strip()) for _, target in pairs]
        most = max_source - 2 if self.framed else max_source
        return tuple(
            self._labelled(source, label)
            for source, label in zip(sources, labels, strict=True)
            if 0 < len(source) <= most
        )

    def filled(self, ids: Sequence[int]) -> Example:
        return self._labelled(ids, FIRST_LABEL)

    def _labelled(self, ids: Sequence[int], label: int) -> Example:
        source = (START_ID, *ids, END_ID) if self.framed else tuple(ids)
        return Example(source, (), (*[PAD_ID] * (len(source) - 1), label))

    def told(self, tokenizer: Tokenizer, example: Example) -> tuple[Token, ...]:
        labels = [id - FIRST_LABEL for id in example.written if id != PAD_ID]
        return tuple(Token(self.labels[at], self.labels[at], at, at) for at in labels)

    def _id(self, label: str) -> int:
        if label not in self.labels:
            raise RefusedError("label_unknown", label=label[:40], known=", ".join(self.labels))
        return FIRST_LABEL + self.labels.index(label)


@dataclass(frozen=True, slots=True)
class Tagging(Labelling):
    """Each word of a text is given a label, and so is each of its tokens: many to many, aligned.

    A target has a label a word, with spaces between them. Words are the tokenizer's, which may part
    what no space does (`´` is a space and an accent to NFKC), or not see one at all.
    """

    def examples(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Example, ...]:
        sources = tokenizer.encode_all([" ".join(source.split()) for source, _ in pairs])
        return tuple(
            Example(tuple(ids), (), self._tags(tokenizer.tokens(ids), pair))
            for ids, pair in zip(sources, pairs, strict=True)
            if 0 < len(ids) <= max_source
        )

    def filled(self, ids: Sequence[int]) -> Example:
        return Example(tuple(ids), (), (FIRST_LABEL,) * len(ids))

    def _tags(self, tokens: Sequence[Token], pair: Pair) -> tuple[int, ...]:
        """One a token; none of what parts two words."""
        labels = [self._id(label) for label in pair.target.split()]
        words = labelled_words(tokens)
        count = max(words, default=-1) + 1
        if len(labels) != count:
            raise RefusedError(
                "labels_uneven", text=pair.source[:40], words=count, labels=len(labels)
            )
        return tuple(PAD_ID if word < 0 else labels[word] for word in words)


@dataclass(frozen=True, slots=True)
class Predicting(Task):
    """A text is read, and at each of its tokens one is foretold: a language model.

    Targets are not looked at.

    Attributes:
        offset: of the token that is foretold: 1 the next, -1 the one before, 0 the token itself,
            which must be hidden then.
        least: tokens of a text that there is something to foretell of.
    """

    writes = False

    offset: int
    least: int = 1

    def examples(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], max_source: int, max_target: int
    ) -> tuple[Example, ...]:
        texts = tokenizer.encode_all([source for source, _ in pairs])
        return tuple(self.filled(ids) for ids in texts if self.least <= len(ids) <= max_source - 2)

    def filled(self, ids: Sequence[int]) -> Example:
        source = (START_ID, *ids, END_ID)
        if self.offset == 0:
            written = (PAD_ID, *ids, PAD_ID)
        else:
            written = (*source[1:], PAD_ID) if self.offset > 0 else (PAD_ID, *source[:-1])
        return Example(source, (), written)

    def told(self, tokenizer: Tokenizer, example: Example) -> tuple[Token, ...]:
        none = (PAD_ID, START_ID, END_ID)
        return tokenizer.tokens([id for id in example.written if id not in none])


def labelled_words(tokens: Sequence[Token]) -> list[int]:
    """The word of each token, counted from 0; -1 of a space between two, or of a special token.

    What the vocabulary does not know is part of the word that it stands in.
    """
    words: list[int] = []
    now = -1
    within: int | None = None  # as its tokens count it; None while no word goes on, or unknown yet
    goes_on = False
    for token in tokens:
        unknown = token.id == UNKNOWN_ID
        if not unknown and (token.special or not token.piece.strip()):
            words.append(-1)
            goes_on, within = False, None
            continue
        another = not unknown and within is not None and token.word != within
        now += another or not goes_on
        goes_on = True
        within = within if unknown else token.word
        words.append(now)
    return words
