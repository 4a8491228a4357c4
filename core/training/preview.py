"""What a recipe makes of its data, before anything is trained on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import torch

from core.checkpoint.folder import Checkpoint, load
from core.reasons import Reason, reason_of
from core.text.corpora import Pair
from core.text.tokenizer import END_ID, PAD_ID, START_ID, UNKNOWN_ID, Tokenizer
from core.trace import Token
from core.training.data import NOTHING, Corpora, encode_corpora, read_corpora, train_tokenizer
from core.training.events import DataRead
from core.training.recipe import Recipe

_SHOWN: Final = 5  # pairs of each part


@dataclass(frozen=True, slots=True)
class SideInTokens:
    """One side of the training part, every sentence as often as an epoch shows it.

    Attributes:
        lengths: (tokens, how many sentences have so many), shortest first.
        unknown: share of the tokens that stand for a character without an entry, 0 to 1.
        bytes: share of the tokens that are one byte of such a character, 0 to 1.
    """

    lengths: tuple[tuple[int, int], ...]
    unknown: float
    bytes: float


@dataclass(frozen=True, slots=True)
class InTokens:
    """The training part as the tokenizer learned from it writes it.

    Attributes:
        vocabulary: entries, special ones included.
        pairs: the first of them, each side in tokens.
    """

    vocabulary: int
    source: SideInTokens
    target: SideInTokens
    pairs: tuple[tuple[tuple[Token, ...], tuple[Token, ...]], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a run of the recipe would report of its data.

    Attributes:
        train, valid, test: the first pairs of each part, over all corpora.
        tokens: None where there is no tokenizer to be had; `trouble` says why.
    """

    reports: tuple[DataRead, ...]
    train: tuple[Pair, ...]
    valid: tuple[Pair, ...]
    test: tuple[Pair, ...]
    tokens: InTokens | None
    trouble: Reason | None = None


def preview(recipe: Recipe, contents: Mapping[str, bytes] = NOTHING) -> Preview:
    """Read, split and encode as a run would; 300,000 pairs take about ten seconds.

    Args:
        contents: by the corpus's name, what its file would hold: pasted, or just uploaded.

    Raises:
        HeadlightError: as `read_corpora`.
    """
    corpora = read_corpora(recipe, contents)
    tokens, trouble = None, None
    try:
        tokenizer = _tokenizer(recipe, corpora)
        examples, corpora = encode_corpora(recipe, corpora, tokenizer)
        sources = [_plain(example.source) for example in examples]
        written = [_plain(example.written) for example in examples]
        told = [recipe.task.told(tokenizer, example) for example in examples[:_SHOWN]]
        tokens = InTokens(
            vocabulary=tokenizer.size,
            source=_side(tokenizer, sources),
            target=_side(tokenizer if recipe.task.writes else None, written),
            pairs=tuple(zip(map(tokenizer.tokens, sources), told, strict=False)),
        )
    except ValueError as error:
        trouble = reason_of(error)
    return Preview(
        reports=corpora.reports,
        train=corpora.train[:_SHOWN],
        valid=tuple(chain(*corpora.valid.values()))[:_SHOWN],
        test=tuple(chain(*corpora.test.values()))[:_SHOWN],
        tokens=tokens,
        trouble=trouble,
    )


def _tokenizer(recipe: Recipe, corpora: Corpora) -> Tokenizer:
    """The one that the run would have.

    Raises:
        HeadlightError: the recipe begins with a checkpoint that is not there, or not whole.
        ValueError: as `train_tokenizer`.
    """
    if recipe.pretrained is None or recipe.learns_tokenizer:
        return train_tokenizer(recipe, corpora)
    found: Checkpoint[Any] = load(Path(recipe.pretrained.path), torch.device("cpu"))
    return found.tokenizer


def _plain(ids: Sequence[int]) -> list[int]:
    """Without what stands for no part of a text."""
    return [id for id in ids if id not in (PAD_ID, START_ID, END_ID)]


def _side(tokenizer: Tokenizer | None, sentences: Sequence[Sequence[int]]) -> SideInTokens:
    """What is known of one side; of labels, which no tokenizer writes, how many there are."""
    lengths = tuple(sorted(Counter(map(len, sentences)).items()))
    if tokenizer is None:
        return SideInTokens(lengths, unknown=0.0, bytes=0.0)
    counts = Counter(chain.from_iterable(sentences))
    total = max(counts.total(), 1)
    single = sum(count for id, count in counts.items() if tokenizer.tokens([id])[0].byte)
    return SideInTokens(
        lengths=lengths,
        unknown=counts[UNKNOWN_ID] / total,
        bytes=single / total,
    )
