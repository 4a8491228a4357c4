"""From a recipe to pairs, to a tokenizer and to ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final, get_args

import numpy as np

from core.reasons import RefusedError
from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair, Reading, read_pairs, write_pairs
from core.text.examples import Example
from core.text.pieces import SentencePieceTokenizer
from core.text.sources import Source
from core.text.split import Part, Shares, assign
from core.text.tokenizer import Tokenizer
from core.training.events import DataRead
from core.training.recipe import CorpusRecipe, Recipe

NOTHING: Final[Mapping[str, bytes]] = {}


@dataclass(frozen=True, slots=True)
class Corpora:
    """The pairs of a run.

    Attributes:
        train: every pair as often as an epoch shows it.
        valid, test: by the corpus's name, what training never sees; only where there is any.
        reports: what became of every row, corpus by corpus as the recipe has them.
    """

    train: tuple[Pair, ...]
    valid: Mapping[str, tuple[Pair, ...]]
    test: Mapping[str, tuple[Pair, ...]]
    reports: tuple[DataRead, ...]


def read_corpora(recipe: Recipe, contents: Mapping[str, bytes] = NOTHING) -> Corpora:
    """Read and split every corpus of the recipe.

    What one corpus holds out, be it source or target, is taken out of the training part of
    them all, up to case and punctuation.

    Args:
        contents: by the corpus's name, what its file would hold: pasted, or just uploaded.

    Raises:
        HeadlightError: as `read_pairs`.
    """
    labelled = not recipe.task.writes
    sources = [_source(recipe, corpus, contents.get(corpus.name)) for corpus in recipe.corpora]
    readings = [read_pairs(source) for source in sources]
    shares = [
        Shares(reading.pairs, corpus.valid, corpus.test, corpus.kept and corpus.shown, labelled)
        for reading, corpus in zip(readings, recipe.corpora, strict=True)
    ]
    single = _is_single(readings)
    train: list[Pair] = []
    valid: dict[str, tuple[Pair, ...]] = {}
    test: dict[str, tuple[Pair, ...]] = {}
    reports: list[DataRead] = []
    for corpus, reading, parts in zip(recipe.corpora, readings, assign(shares), strict=True):
        train.extend(_of_part(reading.pairs, parts, "train") * corpus.repeat)
        counts = Counter(parts)
        unshown = 0 if corpus.shown else counts.pop("train", 0)
        if counts["valid"]:
            valid[corpus.name] = _of_part(reading.pairs, parts, "valid")
        if counts["test"]:
            test[corpus.name] = _of_part(reading.pairs, parts, "test")
        reports.append(
            DataRead(
                name=corpus.name,
                path=corpus.path,
                rows=reading.rows,
                bad=reading.bad,
                bad_rows=reading.bad_rows,
                faults=reading.faults,
                too_long=0,
                single=single and counts["train"] > 0,
                unshown=unshown,
                **{part: counts[part] for part in get_args(Part)},
            )
        )
    return Corpora(tuple(train), valid, test, tuple(reports))


def train_tokenizer(recipe: Recipe, corpora: Corpora) -> Tokenizer:
    """A vocabulary shared by both sides, from the training part alone.

    Raises:
        ValueError: when the texts are too few for the recipe's vocab_size, or hold too many
            different characters.
    """
    task = recipe.task
    texts = sorted({text for pair in corpora.train for text in task.spelled(pair)})
    if recipe.tokenizer.kind == "characters":
        return CharacterTokenizer.train(texts)
    return SentencePieceTokenizer.train(texts, recipe.tokenizer.vocab_size)


def encode_corpora(
    recipe: Recipe, corpora: Corpora, tokenizer: Tokenizer
) -> tuple[tuple[Example, ...], Corpora]:
    """The training part as ids, without the pairs that the model cannot hold.

    Returns:
        Examples, and the corpora without those pairs, which are reported.

    Raises:
        RefusedError: a target is none of the recipe's task, or there are no merges to leave out.
    """
    examples: list[Example] = []
    train: list[Pair] = []
    reports: list[DataRead] = []
    start = 0
    for place, (corpus, report) in enumerate(zip(recipe.corpora, corpora.reports, strict=True)):
        once = corpora.train[start : start + report.train]
        start += report.train * corpus.repeat
        showings = _showings(recipe, place, once, tokenizer)
        examples.extend(chain.from_iterable(showings))
        too_long = len(once) - max(map(len, showings), default=0)
        left = report.train - too_long
        if too_long:
            once = recipe.task.fitting(tokenizer, once, recipe.max_source, recipe.max_target)
        train.extend(once * corpus.repeat)
        single = report.single and left > 0
        reports.append(replace(report, too_long=too_long, train=left, single=single))
    return tuple(examples), replace(corpora, train=tuple(train), reports=tuple(reports))


def _showings(
    recipe: Recipe, place: int, pairs: Sequence[Pair], tokenizer: Tokenizer
) -> list[tuple[Example, ...]]:
    """The pairs of a corpus as ids, for each time that an epoch shows them."""
    corpus = recipe.corpora[place]

    def fitting(cut: Tokenizer) -> tuple[Example, ...]:
        return recipe.task.examples(cut, pairs, recipe.max_source, recipe.max_target)

    if not corpus.bpe_dropout:
        return [fitting(tokenizer)] * corpus.repeat
    if not isinstance(tokenizer, SentencePieceTokenizer):
        raise RefusedError("bpe_dropout")
    seeds = np.random.SeedSequence((recipe.seed, place)).generate_state(corpus.repeat)
    return [fitting(tokenizer.dropping(corpus.bpe_dropout, int(seed))) for seed in seeds]


def write_held_out(corpora: Corpora, folder: Path) -> Mapping[Path, tuple[Pair, ...]]:
    """NAME.valid.tsv and NAME.test.tsv, for `python -m core evaluate`; and what each holds."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {"valid": corpora.valid, "test": corpora.test}
    written = {
        folder / f"{name}.{kind}.tsv": pairs
        for kind, parts in kinds.items()
        for name, pairs in parts.items()
    }
    for path, pairs in written.items():
        write_pairs(path, pairs)
    return written


def _is_single(readings: Iterable[Reading]) -> bool:
    """Whether all that was read is one pair, however often it stands there."""
    pairs = chain.from_iterable(reading.pairs for reading in readings)
    first = next(pairs, None)
    return first is not None and all(pair == first for pair in pairs)


def _source(recipe: Recipe, corpus: CorpusRecipe, content: bytes | None) -> Source:
    return Source(
        corpus.path,
        columns=corpus.columns,
        languages=(recipe.source_language, recipe.target_language),
        subset=corpus.subset,
        split=corpus.split,
        reverse=corpus.reverse,
        content=content,
    )


def _of_part(pairs: tuple[Pair, ...], parts: list[Part], wanted: Part) -> tuple[Pair, ...]:
    return tuple(pair for pair, part in zip(pairs, parts, strict=True) if part == wanted)
