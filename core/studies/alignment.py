"""Does attention look where the meaning comes from? Cross-attention against known word alignment.

For each target word the source word that a head looks at most is its answer; the alignment error
rate (Och and Ney 2003, section 5.1) says how far the answers are from the links that are known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.errors import HeadlightError
from core.model import Done, Inspectable, TraceRequest, of_part, untold
from core.reasons import RefusedError
from core.studies.words import words_of
from core.trace import Bools, Floats, Token

_LINKS: Final = re.compile(r"\d{1,4}-\d{1,4}( \d{1,4}-\d{1,4})*")


@dataclass(frozen=True, slots=True)
class Aligned:
    """A pair of texts, and which of their words belong together.

    Attributes:
        links: a word of the source and one of the target each, counted from 0, between spaces.
    """

    source: str
    target: str
    links: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Looks:
    """What one model's heads answer.

    Attributes:
        model: its id.
        family: as its card has it.
        written, read: (layer, head) alignment error rates, 0 to 1: by the rows that write a target
            word, and by those that read it, one later.
        pairs: whose words it cuts as spaces do, and which it can read and write.
    """

    model: str
    family: str
    written: tuple[tuple[float, ...], ...]
    read: tuple[tuple[float, ...], ...]
    pairs: int


@dataclass(frozen=True, slots=True)
class Blind:
    """What two answer who do not look, of the pairs that a model reads, as it reads them.

    Attributes:
        source, target: languages, as cards of such models have them.
        diagonal: the rate of whoever takes the word at the same share of the source.
        chance: of whoever takes any.
        pairs: how many these are.
    """

    source: str
    target: str
    diagonal: float
    chance: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """What was found.

    Attributes:
        pairs, links: that were given.
        blind: of each direction in which a model reads them, and of those that it can read, in
            the order of models: where there are more words to choose from, who does not look is
            wrong more often.
    """

    pairs: int
    links: int
    blind: tuple[Blind, ...]
    models: tuple[Looks, ...]


class _Count:
    """How many answers there were, and how many of them were right, of many askers at once."""

    def __init__(self, askers: int) -> None:
        self.sure_found = np.zeros(askers)
        self.found = np.zeros(askers)
        self.answers = 0
        self.sure = 0

    def add(self, shares: Floats, sure: Bools, possible: Bools) -> None:
        """(asker, target word, source word) shares of an answer, against what is so."""
        asked = possible.any(1)
        shares, sure, possible = shares[:, asked], sure[asked], possible[asked]
        self.sure_found += (shares * sure).sum((1, 2))
        self.found += (shares * possible).sum((1, 2))
        self.answers += int(asked.sum())
        self.sure += int(sure.sum())

    def rates(self) -> Floats:
        """(asker,) alignment error rates."""
        right = self.sure_found + self.found
        return (1 - right / (self.answers + self.sure)).astype(np.float32)


def aligned_pairs(lines: Sequence[str]) -> tuple[Aligned, ...]:
    """Lines of source, target and links "0-1 2-3", between tabs; the first names the columns.

    Raises:
        RefusedError: a line is no such thing; none is there.
    """
    found = []
    for number, line in enumerate(lines[1:], start=2):
        parts = line.split("\t")
        if len(parts) != 3 or not _LINKS.fullmatch(parts[2]):
            raise RefusedError("links_malformed", line=number)
        source, target, told = parts
        links = frozenset((int(i), int(j)) for i, j in (link.split("-") for link in told.split()))
        lengths = len(source.split()), len(target.split())
        if any(i >= lengths[0] or j >= lengths[1] for i, j in links):
            raise RefusedError("links_outside", line=number)
        found.append(Aligned(source, target, links))
    if not found:
        raise RefusedError("links_none")
    return tuple(found)


def turned(pair: Aligned) -> Aligned:
    """The same from the other side."""
    return Aligned(pair.target, pair.source, frozenset((j, i) for i, j in pair.links))


def alignment(
    models: Sequence[Inspectable],
    pairs: Sequence[Aligned],
    done: Done = untold,
    *,
    language: str = "ko",
) -> Alignment:
    """The error rate of every head of every model, and of two who do not look, by direction.

    Args:
        models: that have cross-attention and can be made to write a target.
        pairs: from the language of the first column into the other; a model that translates the
            other way reads them so, one that tells no language the first column.
        done: called with (finished, all) pairs of all models.
        language: of the first column.

    Raises:
        RefusedError: a model can read none of the pairs.
        ValueError: there are none.
    """
    if not pairs:
        raise ValueError("pairs with links")
    blind: dict[tuple[str, str, tuple[Aligned, ...]], Blind] = {}
    looks = []
    for number, model in enumerate(models):
        way = model.card.source_language, model.card.target_language
        turns = way[0] not in ("", language)
        read = [turned(one) if turns else one for one in pairs]
        found, fitting = _looks(model, read, of_part(done, number, len(models)))
        looks.append(found)
        if (*way, fitting) not in blind:
            blind[*way, fitting] = Blind(*way, *unseeing(fitting), len(fitting))
    links = sum(len(pair.links) for pair in pairs)
    return Alignment(len(pairs), links, tuple(blind.values()), tuple(looks))


def unseeing(pairs: Sequence[Aligned]) -> tuple[float, float]:
    """The error rates of the diagonal and of chance, 0 to 1, where pairs are read as they are."""
    count = _Count(2)
    for pair in pairs:
        sure, possible = _known(pair)
        count.add(_guesses(*possible.shape), sure, possible)
    diagonal, chance = map(float, count.rates())
    return diagonal, chance


def _looks(
    model: Inspectable, pairs: Sequence[Aligned], done: Done
) -> tuple[Looks, tuple[Aligned, ...]]:
    """What its heads answer, and the pairs that it can read and write."""
    heads = model.card.kinds["cross"]
    counts = _Count(heads.layers * heads.heads), _Count(heads.layers * heads.heads)
    fitting, long = list[Aligned](), 0
    for number, pair in enumerate(pairs, start=1):
        try:
            found = _answers(model, pair)
        except HeadlightError as error:
            if error.code not in ("source_too_long", "target_too_long"):
                raise
            long, found = long + 1, None
        if found is not None:
            fitting.append(pair)
            for count, answers in zip(counts, found, strict=True):
                count.add(answers, *_known(pair))
        done(number, len(pairs))
    if not fitting:
        raise RefusedError("pairs_long" if long == len(pairs) else "pairs_uncut")
    written, read = (
        tuple(tuple(map(float, row)) for row in count.rates().reshape(heads.layers, heads.heads))
        for count in counts
    )
    looks = Looks(model.card.model_id, model.card.family, written, read, len(fitting))
    return looks, tuple(fitting)


def _answers(model: Inspectable, pair: Aligned) -> tuple[Floats, Floats] | None:
    """(head, target word, source word), 1 where a head looks most: of rows that write and read."""
    trace = model.trace(TraceRequest(pair.source, pair.target))
    sources = _words(trace.source)
    weights = trace.sites["cross"].weights.reshape(-1, *trace.sites["cross"].shape)
    if len(sources) != len(pair.source.split()):
        return None
    whole = np.stack([weights[:, :, word].sum(2) for word in sources], 2)  # (head, row, word)
    found = []
    for tokens in (trace.written, trace.target):
        targets = _words(tokens)
        if len(targets) != len(pair.target.split()):
            return None
        looks = np.stack([whole[:, word].mean(1) for word in targets], 1)
        found.append(np.eye(len(sources), dtype=np.float32)[looks.argmax(2)])
    return found[0], found[1]


def _words(tokens: Sequence[Token]) -> list[list[int]]:
    return [word for word in words_of(tokens) if not tokens[word[0]].special]


def _known(pair: Aligned) -> tuple[Bools, Bools]:
    """(target word, source word): links of one word to one, and all."""
    possible = np.zeros((len(pair.target.split()), len(pair.source.split())), dtype=np.bool_)
    for source, target in pair.links:
        possible[target, source] = True
    alone = (possible.sum(1, keepdims=True) == 1) & (possible.sum(0, keepdims=True) == 1)
    return possible & alone, possible


def _guesses(targets: int, sources: int) -> Floats:
    """(2, target word, source word): the diagonal, and chance."""
    places = np.rint(np.linspace(0, sources - 1, targets)).astype(int)
    diagonal = np.eye(sources, dtype=np.float32)[places]
    return np.stack([diagonal, np.full_like(diagonal, 1 / sources)])
