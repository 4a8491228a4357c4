"""From a recipe to a tokenizer and to ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair, read_pairs, split_by_hash, text_key, write_pairs
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import Tokenizer
from core.training.events import DataRead
from core.training.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Corpora:
    """The pairs of a run.

    Attributes:
        train: every pair as often as an epoch shows it.
        valid, test: by the corpus's name, what training never sees.
        reports: what became of each corpus's rows.
    """

    train: tuple[Pair, ...]
    valid: Mapping[str, tuple[Pair, ...]]
    test: Mapping[str, tuple[Pair, ...]]
    reports: tuple[DataRead, ...]


def read_corpora(recipe: Recipe) -> Corpora:
    """Read and split every corpus of the recipe.

    What one corpus holds out, be it source or target, is taken out of the training part of the
    others, too, up to case and punctuation.

    Raises:
        HeadlightError: as `read_pairs`.
    """
    train: list[Pair] = []
    valid: dict[str, tuple[Pair, ...]] = {}
    test: dict[str, tuple[Pair, ...]] = {}
    for corpus in recipe.corpora:
        pairs = read_pairs(Path(corpus.path), reverse=corpus.reverse)
        test[corpus.name] = split_by_hash(pairs, corpus.test).held_out
        split = split_by_hash(pairs, corpus.test + corpus.valid)
        out = set(test[corpus.name])
        valid[corpus.name] = tuple(pair for pair in split.held_out if pair not in out)
        train.extend(split.train * corpus.repeat)
    kept = [pair for part in (valid, test) for pairs in part.values() for pair in pairs]
    sources = {text_key(pair.source) for pair in kept}
    targets = {text_key(pair.target) for pair in kept}
    return Corpora(
        tuple(
            pair
            for pair in train
            if text_key(pair.source) not in sources and text_key(pair.target) not in targets
        ),
        valid,
        test,
        (),
    )


def train_tokenizer(recipe: Recipe, corpora: Corpora) -> Tokenizer:
    """A vocabulary shared by both sides, from the training part alone.

    Raises:
        ValueError: when the texts are too few for the recipe's vocab_size, or hold too many
            different characters.
    """
    texts = sorted({text for pair in corpora.train for text in pair})
    if recipe.tokenizer.kind == "characters":
        return CharacterTokenizer.train(texts)
    return SentencePieceTokenizer.train(texts, recipe.tokenizer.vocab_size)


def write_held_out(corpora: Corpora, folder: Path) -> None:
    """One TSV a corpus, for `python -m core evaluate`."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, corpus in (("valid", corpora.valid), ("test", corpora.test)):
        for name, pairs in corpus.items():
            if pairs:
                write_pairs(folder / f"{name}.{part}.tsv", pairs)
